// Types of the layer, and a product on tensor cores (mma.sync): 64 gathered rows of A by two blocks
// of 64 rows of weights. cp.async fills three stages in shared memory.
#pragma once

#include <axe/algebra/direct_sum.hpp>
#include <axe/atoms.hpp>
#include <axe/axe.hpp>
#include <axe/cuda.hpp>
#include <axe/cuda/cast.hpp>
#include <axe/cuda/mma/mma.hpp>
#include <axe/cuda/reduce.hpp>

#include <cuda_bf16.h>
#include <cuda/atomic>

using namespace axe::literals;
using bf16 = __nv_bfloat16;
using axe::direct_sum;
template <class T> using matrix = axe::tensor<T, axe::row_major<2>, axe::aligned<16>>;
/// The number of experts chosen for a token, and the largest number of experts.
inline constexpr unsigned top = 8, most_experts = 128;

/// Shapes are (rows; columns): the dimensions before the semicolon are flattened into rows.
struct layer {
  matrix<bf16 const> tokens;    // (token, hidden)
  matrix<bf16 const> up, down;  // (expert, gate and up, inner; hidden), (expert, hidden; inner)
  matrix<bf16> inner;           // (token, choice; inner)
  matrix<float> out;            // (token, hidden)
  matrix<float const> scores;   // (token, expert)
  axe::tensor<unsigned, axe::row_major<2>> chosen_by;  // (expert, n): top * token + choice
  float* weights;                                      // (token, choice)
  // Counters: the tokens of each expert, the finished tiles in each row of tiles, and the tiles
  // that blocks have taken after their first.
  unsigned *counts, *ready, *ticket;
};

/// Each of 2 x 2 warps holds 32 x 32 elements of the product with each block of weights.
using atom = axe::mma_atom<16, 8, 16, 16>;
using c_lanes =
    axe::carrier<direct_sum("S[(2,4):(16@reg,4@reg)]"_axe, {2, 4}, atom::accumulator, {16, 8})>;
using a_lanes = axe::carrier<direct_sum("S[(2,4):(32@reg,8@reg)]"_axe, {2, 4}, atom::a, {16, 16})>;
using b_lanes = axe::carrier<direct_sum("S[(4,4):(16@reg,4@reg)]"_axe, {4, 4}, atom::b, {16, 8})>;
template <class T> using by_warp = axe::fragment<T, c_lanes, axe::extents<32, 32>>;
using rows_of_64 = axe::carrier<"swizzle(3,3,3) o S[(64,64):(64,1)]"_axe>;
struct stage {
  axe::shared_tile<bf16, rows_of_64> a, b[2];
};

/// c[n] is the product of rows row_of(0), row_of(1), ... of A and block blocks[n] of W.
template <class A, class Rows>
__device__ __forceinline__ void multiply(stage (&stages)[3], A const& a, Rows const& row_of,
                                         matrix<bf16 const> const& W, uint2 blocks,
                                         by_warp<float> (&c)[2]) {
  auto const block = axe::cta<128>;
  unsigned const steps = axe::tiles<1, 64>(W);
  auto const load = [&](unsigned k) {
    if (k < steps) {
      auto& to = stages[k % 3];
      axe::gather_async<0, axe::zero_fill>(axe::tile<64, 64>(a, 0, k), to.a, block, row_of);
      axe::copy_async(axe::exact_grid(axe::tile<64, 64>(W, blocks.x, k)), to.b[0], block);
      axe::copy_async(axe::exact_grid(axe::tile<64, 64>(W, blocks.y, k)), to.b[1], block);
    }
    axe::async_commit();
  };
  load(0);
  load(1);
  c[0].fill(0);
  c[1].fill(0);
  auto const warp = axe::warp_coordinate<2, 2>();
  for (unsigned k = 0; k < steps; ++k) {
    axe::async_wait<1>();
    axe::sync(block);
    load(k + 2);
    auto const& at = stages[k % 3];
    auto const rows = axe::load<a_lanes>(axe::tile<32, 64>(at.a, warp.row, 0), axe::warp);
#pragma unroll
    for (unsigned n = 0; n < 2; ++n) {
      auto const columns = axe::transposed(at.b[n]);
      axe::mma(c[n], rows,
               axe::load<b_lanes>(axe::tile<64, 32>(columns, 0, warp.column), axe::warp));
    }
  }
}
