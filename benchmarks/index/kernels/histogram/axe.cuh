// Histogram of bytes: each block counts in shared memory, as in CUB's
// cub/agent/agent_histogram.cuh.
#pragma once

#include "../tensors.cuh"

extern "C" __global__ void __launch_bounds__(256)
    axe_histogram(kernels::rows_of<unsigned char const, 1> in,
                  axe::tensor<unsigned, axe::row_major<1, 256>> bins) {
  using namespace axe::literals;
  using by_threads = axe::carrier<"S[256:1@tid]"_axe>;
  using sixteen = axe::vector_of<unsigned char, 16>;
  __shared__ axe::shared_tile<unsigned, axe::carrier<"S[256:1]"_axe>> block_bins;
  axe::fragment<unsigned, by_threads, axe::extents<256>> count;
  count.fill(0);
  axe::copy(count, block_bins, axe::cta<256>);
  axe::sync(axe::cta<256>);
  axe::tensor<sixteen const, axe::row_major<1>> const from(reinterpret_cast<sixteen const*>(&in(0)),
                                                           axe::extent<0>(in) / 16);
#pragma unroll 1
  for (unsigned i = 256 * axe::block_x() + axe::thread_id<256>(); i < axe::extent<0>(from);
       i += 256 * gridDim.x) {
    auto const bytes = from(i);
#pragma unroll
    for (int k = 0; k < 16; ++k) atomicAdd(&block_bins(bytes.elements[k]), 1u);
  }
  axe::sync(axe::cta<256>);
  axe::copy(block_bins, count, axe::cta<256>);
  axe::atomic_add(count, axe::tile<256>(bins, 0), axe::cta<256>);
}
