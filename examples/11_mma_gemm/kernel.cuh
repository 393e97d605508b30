// C = A B^T on the tensor cores of sm_80 and later. A block of eight warps computes 128 x 128 of C,
// in steps of 32 of K. cp.async loads two steps ahead, into three stages of shared memory. Partial
// tiles are filled with zeros, and stores past the end of C are predicated.
#pragma once

#include <axe/algebra/direct_sum.hpp>
#include <axe/atoms.hpp>
#include <axe/axe.hpp>
#include <axe/cuda/copy/async.hpp>
#include <axe/cuda/launch.hpp>
#include <axe/cuda/mma/mma.hpp>
#include <axe/cuda/shared_subtile.hpp>
#include <axe/cuda/thread.hpp>

#include <cuda_bf16.h>

using namespace axe::literals;
using axe::direct_sum;

/// Rows of A and B are multiples of 16 bytes. Rows of C may have any length.
template <class T> using operand = axe::tensor<T const, axe::row_major<2>, axe::aligned<16>>;
using product = axe::tensor<float, axe::row_major<2>>;

/// Each warp multiplies 64 x 32 of A and 32 x 32 of B in 4 x 4 x 2 instructions.
using atom = axe::mma_atom<16, 8, 16, 16>;
using c_lanes =
    axe::carrier<direct_sum("S[(4,4):(16@reg,4@reg)]"_axe, {4, 4}, atom::accumulator, {16, 8})>;
using a_lanes = axe::carrier<direct_sum("S[(4,2):(8@reg,32@reg)]"_axe, {4, 2}, atom::a, {16, 16})>;
using b_lanes = axe::carrier<direct_sum("S[(2,4):(16@reg,4@reg)]"_axe, {2, 4}, atom::b, {16, 8})>;
/// 128 rows of 32 elements, without bank conflicts for 16-byte writes by rows and for ldmatrix.
using rows = axe::carrier<"swizzle(3,2,3) o S[(128,32):(32,1)]"_axe>;
template <class T> using stage = axe::shared_tile<T, rows, axe::extents<128, 32>>;

template <class T>
__global__ void __launch_bounds__(256, 2) mma_gemm(operand<T> A, operand<T> B, product C) {
  __shared__ stage<T> shared_a[3], shared_b[3];
  auto const [row, column] = axe::block<2>();
  unsigned const steps = axe::tiles<1, 32>(A);
  auto const load = [&, row = row, column = column](unsigned k) {
    if (k < steps) {
      axe::copy_async<axe::zero_fill>(axe::tile<128, 32>(A, row, k), shared_a[k % 3],
                                      axe::cta<256>);
      axe::copy_async<axe::zero_fill>(axe::tile<128, 32>(B, column, k), shared_b[k % 3],
                                      axe::cta<256>);
    }
    axe::async_commit();
  };
  load(0);
  load(1);
  // Warps are 2 x 4: those in a row share rows of A, those in a column share rows of B.
  auto const warp = axe::warp_coordinate<2, 4>();
  axe::fragment<float, c_lanes, axe::extents<64, 32>> c;
  c.fill(0);
  for (unsigned k = 0; k < steps; ++k) {
    axe::async_wait<1>();
    axe::sync(axe::cta<256>);
    load(k + 2);
    auto const from_b = axe::transposed(shared_b[k % 3]);
    axe::mma(c, axe::load<a_lanes>(axe::tile<64, 32>(shared_a[k % 3], warp.row, 0), axe::warp),
             axe::load<b_lanes>(axe::tile<32, 32>(from_b, 0, warp.column), axe::warp));
  }
  auto const down = axe::constant<2>{} * row + warp.row;
  auto const across = axe::constant<4>{} * column + warp.column;
  axe::copy(c, axe::tile<64, 32>(C, down, across), axe::warp);
}
