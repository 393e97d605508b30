// A transpose of 16-bit elements: TMA load, ldmatrix.trans, stmatrix, TMA store, in tiles of
// 64 x 64 with the 128-byte swizzle. The fragment is an mma accumulator, so the planner chooses
// ldmatrix and stmatrix for the two copies. Neither copy has bank conflicts.
#pragma once

#include <axe/axe.hpp>
#include <axe/cuda.hpp>

using namespace axe::literals;

/// The input may have any number of columns. TMA stores multiples of 16 bytes, so the rows of the
/// output are padded.
using pitched_matrix = axe::tensor<
    unsigned short const,
    axe::dynamic_matrix<axe::dynamic(0), axe::dynamic(1), axe::dynamic(2).multiple_of(8)>,
    axe::aligned<16>>;
using padded_matrix = axe::tensor<unsigned short, axe::row_major<2>, axe::aligned<16>>;
using tile_of_64 = axe::extents<64, 64>;
using rows_of_128_bytes = axe::carrier<"swizzle(3,3,3) o S[(64,64):(64,1)]"_axe>;
/// 16 rows for each warp, in 8 x 8 matrices.
using held = axe::carrier<"S[(4,2,8,8,4,2):(1@warp,2@reg,4@lane,4@reg,1@lane,1@reg)]"_axe>;
using buffer_of_64 = axe::shared_tile<unsigned short, rows_of_128_bytes, tile_of_64>;

__global__ void __launch_bounds__(128)
    transpose_matrices(__grid_constant__ axe::tensor_map const map_in,
                       __grid_constant__ axe::tensor_map const map_out, pitched_matrix in,
                       padded_matrix out) {
  __shared__ buffer_of_64 staged, turned;
  __shared__ axe::mbarrier_storage<1> bars;
  axe::mbarrier const full = bars[0];
  auto const [row, column] = axe::block<2>();
  if (axe::thread_id() == 0) {
    full.init(1);
    axe::fence_mbarrier_init();
    full.arrive_and_expect_tx(axe::bytes_of_tile<buffer_of_64>);
    axe::copy_async(axe::mapped(map_in, axe::tile<64, 64>(in, row, column)), staged, full,
                    axe::thread);
  }
  __syncthreads();
  full.wait(0);
  axe::fragment<unsigned short, held, tile_of_64> matrices;
  axe::copy(axe::transposed(staged), matrices, axe::cta<128>);  // ldmatrix.trans
  axe::copy(matrices, turned, axe::cta<128>);                   // stmatrix
  axe::fence_proxy_async();
  __syncthreads();
  if (axe::thread_id() == 0) {
    axe::copy_async(turned, axe::mapped(map_out, axe::tile<64, 64>(out, column, row)), axe::thread);
    axe::bulk_commit();
    axe::bulk_wait_read();
  }
}
