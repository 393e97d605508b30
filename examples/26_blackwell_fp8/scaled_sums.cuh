// Tensor memory holds the products of a block of 128 elements of K. Each of two warpgroups scales
// them and adds them to its 128 columns of C. These columns share a scale of B. A thread has one
// row of C, and so one scale of A.
#pragma once

#include "tiles.cuh"

/// `sums(n)` is slot n of the sums in tensor memory.
template <class Sums>
__device__ __forceinline__ void add_products(Sums const& sums, block_stage const* stages,
                                             axe::pipeline<4> ring, axe::pipeline<2> blocks,
                                             block_scales const& scales_b, product const& C,
                                             unsigned steps) {
  axe::pipeline_state<4> at;
  axe::pipeline_state<2> slot;
  unsigned const half = axe::warpgroup_id();
  using part = axe::extents<128, 32>;
  axe::fragment<float, row_per_thread, part> c[4], products;
  axe::fragment<float, scale_of_row, axe::extents<128, 1>> of_row;
  axe::fragment<float, scales_of_halves, axe::extents<2, 32>> of_steps;
#pragma unroll
  for (auto& each : c) each.fill(0);
#pragma unroll 1
  for (unsigned k = 0; k < steps; ++k, at.advance(), slot.advance()) {
    // Each lane loads B's scale for one of the next 32 steps.
    if (k % 32 == 0)
      axe::copy<axe::zero_fill>(axe::tile<2, 32>(scales_b, axe::block_x(), k / 32), of_steps,
                                axe::cta<256>);
    float const of_b = __shfl_sync(0xffffffffu, of_steps.registers[0], k % 32);
    auto const add = [=](float sum, float product, float of_row) {
      return sum + product * (of_row * of_b);
    };
    ring.wait_until_full(at);
    axe::copy(stages[at.stage].scales_a, of_row, axe::warpgroup);
    blocks.wait_until_full(slot);
    axe::tcgen05_fence_after();
    __syncwarp();
    ring.release(at, axe::warp);
#pragma unroll
    for (unsigned j = 0; j < 4; ++j) {
      axe::copy(axe::columns<32>(sums(slot.stage), 4 * half + j), products, axe::warpgroup);
      axe::elementwise(add, c[j], c[j], products, of_row);
    }
    axe::tcgen05_fence_before();
    __syncwarp();
    blocks.release(slot, axe::warp);
  }
#pragma unroll
  for (unsigned j = 0; j < 4; ++j) {
    axe::fragment<bf16, row_per_thread, part> out;
    axe::cast(c[j], out);
    axe::copy(out, axe::tile<128, 32>(C, axe::block_y(), 8 * axe::block_x() + 4 * half + j),
              axe::warpgroup);
  }
}
