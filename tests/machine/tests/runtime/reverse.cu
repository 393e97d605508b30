// A program that checks its own result: each block reverses its 128 numbers through shared memory.
// Tests of counters and mutants run it.
#include <cstdio>
#include <numeric>
#include <vector>

__global__ void reverse(int* out, int const* in) {
  __shared__ int staged[128];
  unsigned const i = threadIdx.x, first = blockIdx.x * 128;
  staged[i] = in[first + i];
  __syncthreads();
  out[first + i] = staged[127 - i];
}

int main() {
  int const n = 512;
  std::vector<int> before(n), after(n);
  std::iota(before.begin(), before.end(), 1);
  int *in = nullptr, *out = nullptr;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, before.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  reverse<<<n / 128, 128>>>(out, in);
  cudaMemcpy(after.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    if (after[i] != before[i / 128 * 128 + 127 - i % 128]) return std::puts("wrong"), 1;
  std::puts("right");
  return 0;
}
