// Histogram of bytes: each block counts in shared memory, as in CUB's
// cub/agent/agent_histogram.cuh.
#pragma once

#include "../tensors.cuh"

extern "C" __global__ void __launch_bounds__(256)
    axe_histogram(kernels::rows_of<unsigned char const, 1> in,
                  axe::tensor<unsigned, axe::row_major<1, 256>> bins) {
  using namespace axe::literals;
  using by_threads = axe::carrier<"S[256:1@tid]"_axe>;
  using by_sixteens = axe::carrier<"S[(256,16):(1@tid,1@reg)]"_axe>;
  __shared__ axe::shared_tile<unsigned, axe::carrier<"S[256:1]"_axe>> block_bins;
  axe::fragment<unsigned, by_threads, axe::extents<256>> count;
  count.fill(0);
  axe::copy(count, block_bins, axe::cta<256>);
  axe::sync(axe::cta<256>);
  auto from = axe::walk<by_sixteens, 0>(axe::tile<4096>(in, axe::block_x()), axe::thread_id<256>());
#pragma unroll 1
  for (; from.any_in_bounds(); from.next(gridDim.x)) {
    auto const bytes = axe::vectors(from).load(axe::constant<0>{});
#pragma unroll
    for (int k = 0; k < 16; ++k) atomicAdd(&block_bins(bytes.elements[k]), 1u);
  }
  axe::sync(axe::cta<256>);
  axe::copy(block_bins, count, axe::cta<256>);
  axe::atomic_add(count, axe::tile<256>(bins, 0), axe::cta<256>);
}
