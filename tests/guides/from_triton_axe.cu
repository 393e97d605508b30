// The idioms of docs/guides/from_triton.md, written with axe. from_triton_triton.py is Triton's
// side.
#include <axe/atoms.hpp>
#include <axe/axe.hpp>
#include <axe/cuda.hpp>
#include <axe/cuda/mma/mma.hpp>

#include <cuda_fp16.h>

using namespace axe::literals;
using axe::extents;

using vector = axe::tensor<float, axe::row_major<1>>;
using matrix = axe::tensor<float, axe::row_major<2>>;
using half_matrix = axe::tensor<__half, axe::row_major<2>, axe::aligned<16>>;

__global__ void add_one(vector x, vector y) {
  // 1
  auto const program = axe::block_x();

  // 2
  using lanes = axe::carrier<"S[(2,128,4):(4@reg,1@tid,1@reg)]"_axe>;
  auto value = axe::load<lanes, axe::zero_fill>(axe::tile<1024>(x, program), axe::cta<128>);

  // 3
  axe::elementwise([](float v) { return expf(v) + 1; }, value, value);

  // 4
  axe::copy(value, axe::tile<1024>(y, program), axe::cta<128>);
}

__global__ void softmax(matrix x, half_matrix y) {
  using lanes = axe::carrier<"S[(4,4,32,4):(32@tid,4@reg,1@tid,1@reg)]"_axe>;
  auto v = axe::load<lanes, axe::zero_fill>(axe::tile<4, 512>(x, axe::block_x(), 0), axe::cta<128>);
  // 5
  axe::reduced<decltype(v), 1> largest, sum;
  axe::reduce<1>(axe::maximum{}, v, largest, axe::cta<128>);

  // 6
  axe::elementwise([](float a, float m) { return expf(a - m); }, v, v, largest);
  axe::reduce<1>(axe::plus{}, v, sum, axe::cta<128>);
  axe::elementwise([](float a, float s) { return a / s; }, v, v, sum);

  // 7
  axe::fragment<__half, lanes, extents<4, 512>> rounded;
  axe::cast(v, rounded);

  axe::copy(rounded, axe::tile<4, 512>(y, axe::block_x(), 0), axe::cta<128>);
}

__global__ void product(half_matrix A, half_matrix B, matrix C) {
  using swizzled = axe::carrier<"swizzle(3,1,3) o S[(16,16):(16,1)]"_axe>;
  __shared__ axe::shared_tile<__half, swizzled, extents<16, 16>> shared_a, shared_b;
  using atom = axe::mma_atom<16, 8, 16, 16>;
  axe::fragment<float, axe::carrier<atom::accumulator>, extents<16, 8>> c;
  c.fill(0);
  auto const [row, column] = axe::block<2>();
  // 8
  for (unsigned k = 0; k < axe::tiles<1, 16>(A); ++k) {
    axe::copy<axe::zero_fill>(axe::tile<16, 16>(A, row, k), shared_a, axe::cta<32>);
    axe::copy<axe::zero_fill>(axe::tile<16, 16>(B, column, k), shared_b, axe::cta<32>);
    axe::sync(axe::cta<32>);

    // 9
    auto const b = axe::tile<16, 8>(axe::transposed(shared_b), 0, 0);
    axe::mma(c, axe::load<axe::carrier<atom::a>>(shared_a, axe::warp),
             axe::load<axe::carrier<atom::b>>(b, axe::warp));

    axe::sync(axe::cta<32>);
  }
  axe::copy(c, axe::tile<16, 8>(C, row, axe::constant<2>{} * column), axe::warp);
}

// 10
cudaError_t run(matrix x, half_matrix y, int rows) {
  return axe::launch(softmax, axe::grid_of<4>(rows), axe::cta<128>, x, y);
}
