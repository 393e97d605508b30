// C = A B^T in MXFP8: 8-bit floats, where 32 elements of K of a row share a scale, a power of two.
// A block computes 128 x 256 of C. A stage has 128 elements of K, so each row has four scales,
// which are a word of tensor memory. TMA loads A, B and blocks of 512 bytes of their scales;
// tcgen05.cp copies the scales to tensor memory. tcgen05.cp does not wait for earlier products, so
// the scales of each stage have their own columns.
#pragma once

#include "tiles.cuh"

__global__ void __launch_bounds__(128)
    mxfp8_gemm(__grid_constant__ axe::mapped_tensor<elements> const A,
               __grid_constant__ axe::mapped_tensor<elements> const B,
               __grid_constant__ axe::mapped_tensor<scales> const scales_a,
               __grid_constant__ axe::mapped_tensor<scales> const scales_b, product C,
               unsigned steps) {
  constexpr unsigned bytes = axe::bytes_of_tile<rows_of_128<128>::buffer> +
                             axe::bytes_of_tile<rows_of_128<256>::buffer> +
                             3 * axe::bytes_of_tile<block_bytes>;
  extern __shared__ __align__(1024) unsigned char shared[];
  auto* const stages = reinterpret_cast<mx_stage*>(shared);
  __shared__ axe::pipeline_storage<4> barriers;
  __shared__ axe::mbarrier_storage<1> finished;
  __shared__ unsigned tmem_address;  // written by the constructor of tensor_memory
  axe::pipeline<4> const ring(barriers);
  if (axe::thread_id() == 0) {
    finished[0].init(1);
    ring.init(1);
  }
  axe::tensor_memory<512> const memory(tmem_address);
  auto const c = memory.tile<float, sums_source<256>, axe::extents<128, 256>>();
  axe::pipeline_state<4> at;
  if (axe::thread_id() == 0)
#pragma unroll 1
    for (unsigned k = 0; k < steps; ++k, at.advance()) {
      auto& s = stages[at.stage];
      ring.wait_until_empty(at);
      auto const full = ring.fill(at, bytes);
      axe::copy_async(axe::mapped(A.map, axe::tile<128, 128>(A.tensor, axe::block_y(), k)), s.a,
                      full, axe::thread);
      axe::copy_async(axe::mapped(B.map, axe::tile<256, 128>(B.tensor, axe::block_x(), k)), s.b,
                      full, axe::thread);
      auto const load_block = [&](auto const& from, unsigned n, auto& to, int half) {
        axe::copy_async(axe::mapped(from.map, axe::tile<4, 128>(from.tensor, n * steps + k, 0u)),
                        reinterpret_cast<block_bytes*>(&to)[half], full, axe::thread);
      };
      load_block(scales_a, axe::block_y(), s.scales_a, 0);
      load_block(scales_b, 2 * axe::block_x(), s.scales_b, 0);
      load_block(scales_b, 2 * axe::block_x() + 1, s.scales_b, 1);
    }
  if (axe::thread_id() == 32) {
#pragma unroll 1
    for (unsigned k = 0; k < steps; ++k, at.advance()) {
      auto& s = stages[at.stage];
      unsigned const column = 256 + 12 * at.stage;
      auto const sa = memory.tile<unsigned char, scales_source<128>, axe::extents<128, 4>>(column);
      auto const sb =
          memory.tile<unsigned char, scales_source<256>, axe::extents<256, 4>>(column + 4);
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
  }
  __syncwarp();
  finished[0].wait(0);
  axe::tcgen05_fence_after();
#pragma unroll 1
  for (unsigned j = 0; j < 8; ++j) {
    axe::fragment<float, row_per_thread, axe::extents<128, 32>> part;
    axe::fragment<bf16, row_per_thread, axe::extents<128, 32>> out;
    axe::copy(axe::columns<32>(c, j), part, axe::warpgroup);
    axe::cast(part, out);
    axe::copy(out, axe::tile<128, 32>(C, axe::block_y(), 8 * axe::block_x() + j), axe::warpgroup);
  }
}
