// C = A B^T of 8-bit floats with float scales, after DeepGEMM. A has a scale for each row and 128
// elements of K, B one for each 128 rows and 128 elements of K. A block computes 128 x 128 of C.
// The tensor core multiplies 128 elements of K into one of two places in tensor memory. Meanwhile a
// warpgroup scales the sums of the other place and adds them to sums in registers.
#pragma once

#include "tiles.cuh"

struct add_scaled {
  float of_b;
  __device__ float operator()(float sum, float block, float of_row) const {
    return sum + block * (of_row * of_b);
  }
};

__global__ void __launch_bounds__(256, 1)
    block_scaled_gemm(__grid_constant__ axe::tensor_map const A,
                      __grid_constant__ axe::tensor_map const B, row_scales scale_a,
                      block_scales scale_b, product C, unsigned steps) {
  using load = rows_of_128<128>::load;
  using part = axe::extents<128, 32>;
  extern __shared__ __align__(1024) unsigned char shared[];
  auto* const stages = reinterpret_cast<block_stage*>(shared);
  __shared__ axe::pipeline_storage<6> loaded;
  __shared__ axe::pipeline_storage<2> multiplied;
  __shared__ unsigned where;
  axe::pipeline<6> const ring(loaded);
  axe::pipeline<2> const blocks(multiplied);
  if (threadIdx.x == 0) {
    ring.init(1);
    blocks.init(4);  // the warps that add
  }
  axe::tensor_memory<256> const memory(where);
  auto const sums = [&](unsigned slot) {
    return memory.tile<float, sums_source<128>, axe::extents<128, 128>>(128 * slot);
  };
  axe::pipeline_state<6> at;
  axe::pipeline_state<2> slot;
  if (threadIdx.x == 0) {
#pragma unroll 1
    for (unsigned k = 0; k < steps; ++k, at.advance()) {
      ring.wait_until_empty(at);
      auto const full = ring.fill(at, 2 * load::bytes);
      load::issue(A, stages[at.stage].a, full, blockIdx.y, k);
      load::issue(B, stages[at.stage].b, full, blockIdx.x, k);
    }
  } else if (threadIdx.x == 32) {
#pragma unroll 1
    for (unsigned k = 0; k < steps; ++k, at.advance(), slot.advance()) {
      blocks.wait_until_empty(slot);
      axe::tcgen05_fence_after();
      ring.wait_until_full(at);
      axe::mma(sums(slot.stage), stages[at.stage].a, axe::transposed(stages[at.stage].b), false);
      axe::tcgen05_commit(ring.empty(at.stage));
      axe::tcgen05_commit(blocks.full(slot.stage));
    }
  } else if (threadIdx.x >= 128) {
    axe::fragment<float, row_each, part> c[4], block;
    axe::fragment<float, row_each_once, axe::extents<128, 1>> of_row;
#pragma unroll
    for (auto& each : c) each.fill(0);
#pragma unroll 1
    for (unsigned k = 0; k < steps; ++k, slot.advance()) {
      axe::copy<axe::zero_fill>(axe::tile<128, 1>(scale_a, blockIdx.y, k), of_row, axe::warpgroup);
      add_scaled const add{scale_b(axe::block_x(), k)};
      blocks.wait_until_full(slot);
      axe::tcgen05_fence_after();
#pragma unroll
      for (unsigned j = 0; j < 4; ++j) {
        axe::copy(axe::columns<32>(sums(slot.stage), j), block, axe::warpgroup);
        axe::elementwise(add, c[j], c[j], block, of_row);
      }
      axe::tcgen05_fence_before();
      __syncwarp();
      if (threadIdx.x % 32 == 0) blocks.release(slot);
    }
#pragma unroll
    for (unsigned j = 0; j < 4; ++j) {
      axe::fragment<bf16, row_each, part> out;
      axe::cast(c[j], out);
      axe::copy(out, axe::tile<128, 32>(C, blockIdx.y, 4 * blockIdx.x + j), axe::warpgroup);
    }
  }
  __syncwarp();
}
