// The first program of docs/guides/kernels.md. It returns 77 if there is no GPU.
#include <axe/axe.hpp>
#include <axe/cuda.hpp>

#include <cstdio>

using namespace axe::literals;

template <class T> using matrix = axe::tensor<T, axe::row_major<2>>;
/// Rows are 33 elements apart, so that the elements of a column are in different banks.
using padded = axe::carrier<"S[(32,32):(33,1)]"_axe>;

__global__ void transpose(matrix<float const> in, matrix<float> out) {
  __shared__ axe::shared_tile<float, padded> staged;
  auto const [row, column] = axe::block<2>();
  axe::copy(axe::tile<32, 32>(in, row, column), staged, axe::cta<256>);
  axe::sync(axe::cta<256>);
  axe::copy(axe::transposed(staged), axe::tile<32, 32>(out, column, row), axe::cta<256>);
}

int main() {
  int const rows = 1000, columns = 700;
  float *from = nullptr, *to = nullptr;
  if (cudaMallocManaged(&from, rows * columns * sizeof(float)) != cudaSuccess ||
      cudaMallocManaged(&to, rows * columns * sizeof(float)) != cudaSuccess) {
    std::puts("skipped: no GPU");
    return 77;
  }
  for (int i = 0; i < rows * columns; ++i) from[i] = static_cast<float>(i);

  axe::launch(transpose, axe::grid_of<32, 32>(rows, columns), axe::cta<256>,
              matrix<float const>(from, rows, columns), matrix<float>(to, columns, rows));
  cudaError_t const state = cudaDeviceSynchronize();
  bool right = state == cudaSuccess;
  for (int i = 0; right && i < rows * columns; ++i)
    right = to[i % columns * rows + i / columns] == from[i];
  std::printf("%s: %s\n", cudaGetErrorString(state), right ? "transposed" : "wrong");
  return right ? 0 : 1;
}
