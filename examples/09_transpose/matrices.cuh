// A transpose of 16-bit elements: TMA load, ldmatrix.trans, stmatrix, TMA store, in tiles of
// 64 x 64 with the 128-byte swizzle. The fragment is an mma accumulator, so the planner chooses
// ldmatrix and stmatrix for the two copies. Neither copy has bank conflicts.
#pragma once

#include <axe/axe.hpp>
#include <axe/cuda.hpp>

using namespace axe::literals;
using axe::tensor_map;

/// The extents and the leading dimension of a matrix. The host checks that its rows begin at
/// multiples of 16 bytes when it encodes the tensor map.
using pitched_matrix = axe::tensor<unsigned short, axe::row_major<2>>::sizes_type;
using tile_of_64 = axe::extents<64, 64>;
using rows_of_128_bytes = axe::carrier<"swizzle(3,3,3) o S[(64,64):(64,1)]"_axe>;
/// 16 rows for each warp, in 8 x 8 matrices.
using held = axe::carrier<"S[(4,2,8,8,4,2):(1@warp,2@reg,4@lane,4@reg,1@lane,1@reg)]"_axe>;
inline constexpr auto u16 = axe::element_type::u16;
using load_64 = axe::tma_load<u16, pitched_matrix, tile_of_64, rows_of_128_bytes>;
using store_64 = axe::tma_store<u16, pitched_matrix, tile_of_64, rows_of_128_bytes>;

__global__ void __launch_bounds__(128) transpose_matrices(__grid_constant__ tensor_map const in,
                                                          __grid_constant__ tensor_map const out) {
  __shared__ axe::shared_tile<unsigned short, rows_of_128_bytes, tile_of_64> staged, turned;
  __shared__ axe::mbarrier_storage<1> bars;
  axe::mbarrier const full = bars[0];
  if (threadIdx.x == 0) {
    full.init(1);
    axe::fence_mbarrier_init();
    full.arrive_and_expect_tx(load_64::bytes);
    load_64::issue(in, staged, full, blockIdx.y, blockIdx.x);
  }
  __syncthreads();
  full.wait(0);
  axe::fragment<unsigned short, held, tile_of_64> matrices;
  axe::copy(axe::transposed(staged), matrices, axe::cta<128>);  // ldmatrix.trans
  axe::copy(matrices, turned, axe::cta<128>);                   // stmatrix
  axe::fence_proxy_async();
  __syncthreads();
  if (threadIdx.x == 0) {
    store_64::issue(out, turned, blockIdx.x, blockIdx.y);
    axe::bulk_commit();
    axe::bulk_wait_read();
  }
}
