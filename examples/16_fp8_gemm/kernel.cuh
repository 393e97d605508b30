// C = A B^T of 8-bit floats with one scale for each 1 x 128 of A and each 128 x 128 of B. Tiles are
// 128 x 128, and K advances by 128. wgmma sums one block of K; these sums are scaled in f32 by the
// scales that the layouts assign to each row, and added to the sums of earlier blocks.
#pragma once

#include <axe/atoms.hpp>
#include <axe/axe.hpp>
#include <axe/cuda.hpp>
#include <axe/cuda/elementwise.hpp>

#include <cuda_bf16.h>
#include <cuda_fp8.h>

using namespace axe::literals;
using e4m3 = __nv_fp8_e4m3;
using bf16 = __nv_bfloat16;

/// A (M,K) and B (N,K); C (M,N).
using factor = axe::tensor<e4m3, axe::row_major<2>, axe::aligned<16>>::sizes_type;
using product = axe::tensor<bf16, axe::row_major<2>, axe::aligned<4>>;
/// A's scales: (rows, blocks of K), rows adjacent. B's: (blocks of rows, blocks of K).
using scales = axe::tensor<float const, axe::column_major<2>>;
using block_scales = axe::tensor<float const, axe::row_major<2>>;

struct rows_of_128 : axe::carrier<"swizzle(4,3,3) o S[(128,128):(128,1)]"_axe> {};
using tile = axe::extents<128, 128>;
using load = axe::tma_load<axe::element_type::e4m3, factor, tile, rows_of_128>;
struct stage {
  axe::shared_tile<e4m3, rows_of_128, tile> a, b;
};

/// 64 x 128 of C for a warpgroup, and one scale for each row, which all lanes of the row hold.
using sums = axe::carrier<axe::wgmma_atom<128, 8>::accumulator>;
using row_scales = axe::carrier<"S[(4,2,8):(1@wid_in_wg,1@reg,4@lane)] + R[4:1@lane]"_axe>;

struct add_scaled {
  float of_b;
  __host__ __device__ float operator()(float sum, float block, float of_row) const {
    return sum + block * (of_row * of_b);
  }
};

__global__ void __launch_bounds__(384, 1)
    fp8_gemm(__grid_constant__ axe::tensor_map const A, __grid_constant__ axe::tensor_map const B,
             scales scale_a, block_scales scale_b, product C, unsigned steps) {
  extern __shared__ __align__(1024) unsigned char memory[];
  auto* const stages = reinterpret_cast<stage*>(memory);
  __shared__ axe::pipeline_storage<4> barriers;
  axe::pipeline<4> const ring(barriers);
  if (threadIdx.x == 0) ring.init(2);
  __syncthreads();
  axe::pipeline_state<4> at;
  if (threadIdx.x < 128) {
    axe::decrease_registers<40>();
    if (threadIdx.x == 0)
      for (unsigned k = 0; k < steps; ++k, at.advance()) {
        ring.wait_until_empty(at);
        auto const full = ring.fill(at, 2 * load::bytes);
        load::issue(A, stages[at.stage].a, full, blockIdx.y, k);
        load::issue(B, stages[at.stage].b, full, blockIdx.x, k);
      }
    return;
  }
  axe::increase_registers<232>();
  auto const half = axe::below<2>(threadIdx.x / 128 - 1);
  auto const row = axe::constant<2>{} * axe::block_y() + half;
  axe::fragment<float, sums, axe::extents<64, 128>> block, c;
  axe::fragment<float, row_scales, axe::extents<64, 1>> by_row;
  c.fill(0);
  for (unsigned k = 0; k < steps; ++k, at.advance()) {
    ring.wait_until_full(at);
    auto const a = axe::tile<64, 128>(stages[at.stage].a, half, 0);
    axe::wgmma_fence(block);
    axe::mma(block, a, axe::transposed(stages[at.stage].b), false);
    axe::wgmma_commit();
    axe::copy<axe::zero_fill>(axe::tile<64, 1>(scale_a, row, k), by_row, axe::warpgroup);
    float const of_b = scale_b(axe::block_x(), k);
    axe::wgmma_wait<0>(block);
    if (threadIdx.x % 128 == 0) ring.release(at);
    axe::elementwise(add_scaled{of_b}, c, c, block, by_row);
  }
  axe::fragment<bf16, sums, axe::extents<64, 128>> out;
  axe::cast(c, out);
  axe::copy(out, axe::tile<64, 128>(C, row, axe::block_x()), axe::warpgroup);
}
