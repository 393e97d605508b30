// Sums pairs of floats. nvcc's host pass also compiles axe::plus and axe::times for float2.
#include <axe/axe.hpp>
#include <axe/cuda.hpp>

#include <cstdio>

using namespace axe::literals;

using lanes = axe::carrier<"S[32:1@lane]"_axe>;
using pairs = axe::fragment<float2, lanes, axe::extents<32>>;

__global__ void sum_pairs(float* out) {
  pairs x;
  x[0] = float2{1.0f, static_cast<float>(threadIdx.x)};
  axe::elementwise(axe::times{}, x, x, x);
  axe::reduced<pairs, 0> sum;
  axe::reduce<0>(axe::plus{}, x, sum, axe::warp);
  out[0] = sum[0].x;
  out[1] = sum[0].y;
}

int main() {
  float* out = nullptr;
  if (cudaMallocManaged(&out, 2 * sizeof(float)) != cudaSuccess) {
    std::puts("skipped: compiled and linked, not launched: no GPU");
    return 77;
  }
  sum_pairs<<<1, 32>>>(out);
  bool const right = cudaDeviceSynchronize() == cudaSuccess && out[0] == 32 && out[1] == 10416;
  std::puts(right ? "sums of pairs: right" : "sums of pairs: WRONG");
  return right ? 0 : 1;
}
