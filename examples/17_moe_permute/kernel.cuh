// The permutation of a mixture of experts: row i of the output is row source[i] of the tokens. A
// warp a row, 2 KiB of it: four 16-byte accesses per lane in flight; the index is loaded once per
// warp. Rows of any length that is a multiple of 8.
#pragma once

#include <axe/axe.hpp>
#include <axe/cuda.hpp>

#include <cuda_bf16.h>

using namespace axe::literals;
using axe::global_view;
using bf16 = __nv_bfloat16;

inline constexpr axe::integer most = 1 << 24;
using matrix = axe::pitched<axe::given(0).below(most), axe::given(1).multiple_of(8).below(most),
                            axe::given(2).multiple_of(8).below(most)>;
using list_of_rows = axe::sized<axe::dimension<axe::digit<axe::given(0).below(most), 1>>>;

/// Each of eight warps holds one index, all its lanes the same.
using warp_by_warp = axe::carrier<"S[8:32@tid] + R[32:1@tid]"_axe>;

__global__ void __launch_bounds__(256)                             //
    moe_permute(global_view<bf16 const, matrix, 16> tokens,        //
                global_view<unsigned const, list_of_rows> source,  //
                global_view<bf16, matrix, 16> out) {
  auto const chosen = source.tile<8>(axe::block_x()).mine<warp_by_warp>(threadIdx.x);
  auto const only = axe::constant<0>{};
  if (!chosen.inside(only)) return;
  auto const row = axe::constant<8>{} * axe::block_x() + axe::this_warp<256>();
  axe::copy(tokens.tile<1, 1024>(axe::any(chosen.load(only)), axe::block_y()),
            out.tile<1, 1024>(row, axe::block_y()), axe::each_warp);
}
