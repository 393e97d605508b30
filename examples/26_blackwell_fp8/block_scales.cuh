// C = A B^T of 8-bit floats with float scales, after DeepGEMM. A has a scale for each 128 elements
// of K of a row. B has a scale for each block of 128 rows and 128 elements of K. A block computes
// 128 x 256 of C. The tensor core sums the products of 128 elements of K in one of two slots of
// tensor memory. Meanwhile two warpgroups scale the sums of the other slot and add them to sums in
// registers.
#pragma once

#include "scaled_sums.cuh"

__global__ void __launch_bounds__(384, 1)
    block_scaled_gemm(__grid_constant__ axe::mapped_tensor<elements> const A,
                      __grid_constant__ axe::mapped_tensor<elements> const B,
                      __grid_constant__ axe::mapped_tensor<row_scales> const scales_a,
                      block_scales scales_b, product C, unsigned steps) {
  constexpr unsigned bytes = axe::bytes_of_tile<rows_of_128<128>::buffer> +
                             axe::bytes_of_tile<rows_of_128<256>::buffer> +
                             axe::bytes_of_tile<row_scales_buffer>;
  extern __shared__ __align__(1024) unsigned char shared[];
  auto* const stages = reinterpret_cast<block_stage*>(shared);
  __shared__ axe::pipeline_storage<4> loaded;
  __shared__ axe::pipeline_storage<2> multiplied;
  __shared__ unsigned tmem_address;
  axe::pipeline<4> const ring(loaded);
  axe::pipeline<2> const blocks(multiplied);
  if (axe::thread_id() == 0) {
    ring.init(8);  // the warps that add
    blocks.init(8);
  }
  axe::tensor_memory<512> const memory(tmem_address);
  auto const sums = [&](unsigned slot) {
    return memory.tile<float, sums_source<256>, axe::extents<128, 256>>(256 * slot);
  };
  axe::pipeline_state<4> at;
  axe::pipeline_state<2> slot;
  if (axe::thread_id() < 256) {
    axe::increase_registers<232>();
    add_products(sums, stages, ring, blocks, scales_b, C, steps);
  } else {
    axe::decrease_registers<40>();
    if (axe::thread_id() == 256) {
#pragma unroll 1
      for (unsigned k = 0; k < steps; ++k, at.advance()) {
        auto& s = stages[at.stage];
        ring.wait_until_empty(at);
        auto const full = ring.fill(at, bytes);
        axe::copy_async(axe::mapped(A.map, axe::tile<128, 128>(A.tensor, axe::block_y(), k)), s.a,
                        full, axe::thread);
        axe::copy_async(axe::mapped(B.map, axe::tile<256, 128>(B.tensor, axe::block_x(), k)), s.b,
                        full, axe::thread);
        axe::copy_async(
            axe::mapped(scales_a.map, axe::tile<128, 1>(scales_a.tensor, axe::block_y(), k)),
            s.scales_a, full, axe::thread);
      }
    }
    if (axe::thread_id() == 288) {
#pragma unroll 1
      for (unsigned k = 0; k < steps; ++k, at.advance(), slot.advance()) {
        blocks.wait_until_empty(slot);
        axe::tcgen05_fence_after();
        ring.wait_until_full(at);
        axe::mma(sums(slot.stage), stages[at.stage].a, axe::transposed(stages[at.stage].b), false);
        axe::tcgen05_commit(blocks.full(slot.stage));
      }
    }
    __syncwarp();
  }
}
