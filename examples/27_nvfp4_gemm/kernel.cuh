// C = alpha A B^T in NVFP4: 4-bit floats, with an 8-bit float as the scale of each 16 elements of a
// row. Tiles are 128 x 256, and K advances by 256. One thread loads the operands and the blocks of
// their scales. A thread of another warp copies the scales to tensor memory, where each stage has
// its own columns, and multiplies. A warpgroup scales the sums by alpha and rounds them.
#pragma once

#include "tiles.cuh"

__global__ void __launch_bounds__(192, 1)
    nvfp4_gemm(__grid_constant__ axe::mapped_tensor<elements> const A,
               __grid_constant__ axe::mapped_tensor<elements> const B,
               __grid_constant__ axe::mapped_tensor<scales> const scales_a,
               __grid_constant__ axe::mapped_tensor<scales> const scales_b, float alpha, product C,
               unsigned steps) {
  constexpr unsigned bytes = axe::bytes_of_tile<pairs<128>::buffer> +
                             axe::bytes_of_tile<pairs<256>::buffer> +
                             3 * axe::bytes_of_tile<scale_rows>;
  extern __shared__ __align__(1024) unsigned char shared[];
  auto* const stages = reinterpret_cast<stage*>(shared);
  __shared__ axe::pipeline_storage<4> barriers;
  __shared__ axe::mbarrier_storage<1> finished;
  __shared__ unsigned tmem_address;
  axe::pipeline<4> const ring(barriers);
  if (axe::thread_id() == 0) {
    finished[0].init(1);
    ring.init(1);
  }
  axe::tensor_memory<512> const memory(tmem_address);
  auto const c = memory.tile<float, sums, axe::extents<128, 256>>();
  axe::pipeline_state<4> at;
  if (axe::thread_id() == 128) {
#pragma unroll 1
    for (unsigned k = 0; k < steps; ++k, at.advance()) {
      auto& s = stages[at.stage];
      ring.wait_until_empty(at);
      auto const full = ring.fill(at, bytes);
      axe::copy_async(axe::mapped(A.map, axe::tile<128, 128>(A.tensor, axe::block_y(), k)), s.a,
                      full, axe::thread);
      axe::copy_async(axe::mapped(B.map, axe::tile<256, 128>(B.tensor, axe::block_x(), k)), s.b,
                      full, axe::thread);
      auto const load_scales = [&](auto const& from, unsigned n, auto& to, int half) {
        axe::copy_async(axe::mapped(from.map, axe::tile<16, 128>(from.tensor, n * steps + k, 0u)),
                        reinterpret_cast<scale_rows*>(&to)[half], full, axe::thread);
      };
      load_scales(scales_a, axe::block_y(), s.scales_a, 0);
      load_scales(scales_b, 2 * axe::block_x(), s.scales_b, 0);
      load_scales(scales_b, 2 * axe::block_x() + 1, s.scales_b, 1);
    }
  } else if (axe::thread_id() == 160) {
#pragma unroll 1
    for (unsigned k = 0; k < steps; ++k, at.advance()) {
      auto& s = stages[at.stage];
      unsigned const column = 256 + 48 * at.stage;
      auto const sa = memory.tile<scale, scales_source<128>, axe::extents<128, 16>>(column);
      auto const sb = memory.tile<scale, scales_source<256>, axe::extents<256, 16>>(column + 16);
      // The stage is empty when the products that read these columns have completed.
      ring.wait_until_empty(at);
      axe::tcgen05_fence_after();
      ring.wait_until_full(at);
      axe::copy(s.scales_a, sa, axe::thread);
      axe::copy(s.scales_b, sb, axe::thread);
      axe::mma(c, s.a, axe::transposed(s.b), sa, sb, k > 0);
      axe::tcgen05_commit(ring.empty(at.stage));
    }
    axe::tcgen05_commit(finished[0]);
  } else if (axe::thread_id() < 128) {
    finished[0].wait(0);
    axe::tcgen05_fence_after();
#pragma unroll 1
    for (unsigned j = 0; j < 8; ++j) {
      axe::fragment<float, row_per_thread, axe::extents<128, 32>> part;
      axe::fragment<bf16, row_per_thread, axe::extents<128, 32>> out;
      axe::copy(axe::columns<32>(c, j), part, axe::warpgroup);
      axe::elementwise([alpha](float x) { return alpha * x; }, part, part);
      axe::cast(part, out);
      axe::copy(out, axe::tile<128, 32>(C, axe::block_y(), 8 * axe::block_x() + j), axe::warpgroup);
    }
  }
  __syncwarp();
}
