// C = A B^T of 8-bit floats, scaled as in DeepGEMM. Each row of A has a scale for every 128
// elements of K. In the 1D form each row of B has such scales too, and in the 2D form 128 rows of B
// share them. Tiles are 128 x 128, and K advances by 128. CTAs are persistent, and TMA loads the
// elements and the scales of rows. wgmma sums one block of K. The warpgroup scales these sums in
// f32 and adds them to the sums of earlier blocks.
#pragma once

#include "tiles.cuh"

/// With `EachRow`, each row of B has scales (1D), which TMA loads. Otherwise 128 rows of B share a
/// scale (2D) in `scales_of_blocks`.
template <bool EachRow>
__global__ void __launch_bounds__(384, 1)
    fp8_gemm(__grid_constant__ axe::mapped_tensor<elements> const A,
             __grid_constant__ axe::mapped_tensor<elements> const B,
             __grid_constant__ axe::mapped_tensor<scales> const scales_a,
             __grid_constant__ axe::mapped_tensor<scales> const scales_b,
             block_scales scales_of_blocks, product C, unsigned steps) {
  extern __shared__ __align__(1024) unsigned char memory[];
  auto* const stages = reinterpret_cast<stage*>(memory);
  __shared__ axe::pipeline_storage<4> barriers;
  axe::pipeline<4> const ring(barriers);
  if (axe::thread_id() == 0) ring.init(8);
  __syncthreads();
  unsigned const tile_rows = axe::tiles<0, 128>(C), tiles = tile_rows * axe::tiles<1, 128>(C);
  axe::pipeline_state<4> at;
  if (axe::thread_id() < 128) {
    axe::decrease_registers<40>();
    if (axe::thread_id() == 0)
      for (unsigned n = axe::block_x(); n < tiles; n += gridDim.x)
#pragma unroll 1
        for (unsigned k = 0; k < steps; ++k, at.advance()) {
          auto& to = stages[at.stage];
          ring.wait_until_empty(at);
          auto const full = ring.fill(at, 2 * axe::bytes_of_tile<tile_buffer> +
                                              (EachRow ? 2 : 1) * axe::bytes_of_tile<scale_buffer>);
          axe::copy_async(axe::mapped(A.map, axe::tile<128, 128>(A.tensor, n % tile_rows, k)), to.a,
                          full, axe::thread);
          axe::copy_async(axe::mapped(B.map, axe::tile<128, 128>(B.tensor, n / tile_rows, k)), to.b,
                          full, axe::thread);
          axe::copy_async(
              axe::mapped(scales_a.map, axe::tile<128, 1>(scales_a.tensor, n % tile_rows, k)),
              to.scales_a, full, axe::thread);
          if (EachRow)
            axe::copy_async(
                axe::mapped(scales_b.map, axe::tile<128, 1>(scales_b.tensor, n / tile_rows, k)),
                to.scales_b, full, axe::thread);
        }
    return;
  }
  axe::increase_registers<232>();
  auto const half = axe::uniform_warpgroup_id<384, 128>();
  axe::fragment<float, sums, axe::extents<64, 128>> block, c;
  axe::fragment<float, row_scales, axe::extents<64, 1>> by_row;
  axe::fragment<float, column_scales, axe::extents<1, 128>> by_column;
  axe::fragment<bf16, sums, axe::extents<64, 128>> out;
  for (unsigned n = axe::block_x(); n < tiles; n += gridDim.x) {
    c.fill(0);
    for (unsigned k = 0; k < steps; ++k, at.advance()) {
      ring.wait_until_full(at);
      auto const& from = stages[at.stage];
      axe::wgmma_fence(block);
      axe::mma(block, axe::tile<64, 128>(from.a, half, 0), axe::transposed(from.b), false);
      axe::wgmma_commit();
      axe::copy(axe::tile<64, 1>(from.scales_a, half, 0), by_row, axe::warpgroup);
      if constexpr (EachRow) axe::copy(axe::transposed(from.scales_b), by_column, axe::warpgroup);
      float const block_scale = EachRow ? 1 : scales_of_blocks(n / tile_rows, k);
      axe::wgmma_wait<0>(block);
      __syncwarp();
      ring.release(at, axe::warp);
      if constexpr (EachRow)
        axe::elementwise([](float s, float b, float r, float c) { return s + b * (r * c); }, c, c,
                         block, by_row, by_column);
      else
        axe::elementwise([=](float s, float b, float r) { return s + b * (r * block_scale); }, c, c,
                         block, by_row);
    }
    axe::cast(c, out);
    auto const row = axe::constant<2>{} * axe::any(n % tile_rows) + half;
    axe::copy(out, axe::tile<64, 128>(C, row, n / tile_rows), axe::warpgroup);
  }
}
