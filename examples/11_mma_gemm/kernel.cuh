// C = A B^T on the tensor cores of sm_80 and later: 128 x 128 of C a block, eight warps, K by 32
// through three stages of shared memory that cp.async fills ahead. Sizes are free: tiles that stick
// out are filled with zeros and stored as far as C goes. No index arithmetic: where elements lie
// and which lane holds them are layouts.
#pragma once

#include <axe/algebra/direct_sum.hpp>
#include <axe/atoms.hpp>
#include <axe/axe.hpp>
#include <axe/cuda/copy/async.hpp>
#include <axe/cuda/mma/mma.hpp>
#include <axe/cuda/subtile.hpp>
#include <axe/cuda/thread.hpp>

#include <cuda_bf16.h>

using namespace axe::literals;
using axe::direct_sum;
using axe::given;
using axe::subtile;

inline constexpr axe::integer most = 1 << 24;
/// Rows are multiples of 8 elements, for 16-byte accesses. Rows of C may have any length.
using factor = axe::pitched<given(0).below(most), given(1).multiple_of(8).below(most),
                            given(2).multiple_of(8).below(most)>;
using product = axe::pitched<given(0).below(most), given(1).below(most), given(2).below(most)>;
template <class T> using factor_view = axe::global_view<T const, factor, 16>;
using product_view = axe::global_view<float, product>;

/// A warp's 64 x 32 of C, 64 x 32 of A, 32 x 32 of B: 4 x 4 x 2 instructions.
using atom = axe::mma_atom<16, 8, 16, 16>;
using c_lanes =  //
    axe::carrier<direct_sum("S[(4,4):(16@reg,4@reg)]"_axe, {4, 4}, atom::accumulator, {16, 8})>;
using a_lanes = axe::carrier<direct_sum("S[(4,2):(8@reg,32@reg)]"_axe, {4, 2}, atom::a, {16, 16})>;
using b_lanes = axe::carrier<direct_sum("S[(2,4):(16@reg,4@reg)]"_axe, {2, 4}, atom::b, {16, 8})>;
/// 128 rows of 32 elements without bank conflicts, for 16-byte writes by rows and for ldmatrix.
using rows = axe::carrier<"swizzle(3,2,3) o S[(128,32):(32,1)]"_axe>;
template <class T> using stage = axe::shared_buffer<T, rows, axe::extents<128, 32>>;

template <class T>
__global__ void __launch_bounds__(256, 2) mma_gemm(factor_view<T> A, factor_view<T> B,  //
                                                   product_view C) {
  __shared__ stage<T> of_a[3], of_b[3];
  unsigned const steps = (A.sizes.template number<1>() + 31) / 32;
  auto const load = [&](unsigned k) {
    if (k < steps) {
      auto const a = A.template tile<128, 32>(axe::block_y(), k);
      auto const b = B.template tile<128, 32>(axe::block_x(), k);
      axe::copy_async<axe::zero_outside>(a, of_a[k % 3].tile(), axe::every<256>);
      axe::copy_async<axe::zero_outside>(b, of_b[k % 3].tile(), axe::every<256>);
    }
    axe::async_commit();
  };
  load(0);
  load(1);
  // Warps 2 x 4: those beside each other read the same rows of A, those below each other of B.
  auto const down = axe::this_thread<256>().template digit<128, 2>();
  auto const across = axe::this_thread<256>().template digit<32, 4>();
  constexpr axe::constant<0> all{};
  axe::fragment<float, c_lanes, axe::extents<64, 32>> c;
  c.fill(0);
  for (unsigned k = 0; k < steps; ++k) {
    axe::async_wait<1>();
    __syncthreads();
    load(k + 2);
    axe::fragment<T, a_lanes, axe::extents<64, 32>> a;
    axe::fragment<T, b_lanes, axe::extents<32, 32>> b;
    axe::copy(axe::subtile<64, 32>(of_a[k % 3].tile(), down, all), a, axe::each_warp);
    axe::copy(subtile<32, 32>(of_b[k % 3].tile().transposed(), all, across), b, axe::each_warp);
    axe::mma(c, a, b);
  }
  axe::copy(c,
            C.template tile<64, 32>(axe::constant<2>{} * axe::block_y() + down,
                                    axe::constant<4>{} * axe::block_x() + across),
            axe::each_warp);
}
