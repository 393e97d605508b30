// The permutation of a mixture of experts: row i of the output is row source[i] of the tokens. A
// warp loads the index of its row and copies 2 KiB of the row, in four 16-byte accesses per lane.
// Row lengths are multiples of 8.
#pragma once

#include <axe/axe.hpp>
#include <axe/cuda.hpp>

#include <cuda_bf16.h>

using namespace axe::literals;
using bf16 = __nv_bfloat16;

template <class T> using matrix = axe::tensor<T, axe::row_major<2>, axe::aligned<16>>;
using list_of_rows = axe::tensor<unsigned const, axe::row_major<1>>;

/// Each of eight warps has one index, the same in all its lanes.
using by_warps = axe::carrier<"S[8:32@tid] + R[32:1@tid]"_axe>;

__global__ void __launch_bounds__(256)
    moe_permute(matrix<bf16 const> tokens, list_of_rows source, matrix<bf16> out) {
  auto const [column, row] = axe::block<2>();
  auto const chosen = axe::local_partition<by_warps>(axe::tile<8>(source, row), axe::thread_id());
  axe::constant<0> const only{};
  if (!chosen.in_bounds(only)) return;
  auto const to = axe::constant<8>{} * row + axe::warp_id<256>();
  axe::copy(axe::tile<1, 1024>(tokens, chosen.load(only), column),
            axe::tile<1, 1024>(out, to, column), axe::warp);
}
