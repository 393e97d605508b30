// Loads pages of the cache with TMA, for sm_90 and later. One lane of each warp copies the warp's
// pages.
#pragma once

#include "decode.cuh"

#include <axe/cuda/copy/tensor_copy.hpp>

/// K or V with the tensor map of its pages.
using mapped_cache = axe::mapped_tensor<cache>;

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
struct pages_by_tma {
  mapped_cache const &K, &V;
  axe::mbarrier_storage<stages> const& full;

  __device__ void fill(stage& to, unsigned k, unsigned page, unsigned head) const {
    if (axe::lane_id() != 0) return;
    full[k].arrive_and_expect_tx(2 * axe::bytes_of_tile<page_buffer>);
    axe::copy_async(axe::mapped(K.map, axe::tile<16, 128>(K.tensor, page, head)), to.keys, full[k],
                    axe::thread);
    axe::copy_async(axe::mapped(V.map, axe::tile<16, 128>(V.tensor, page, head)), to.values,
                    full[k], axe::thread);
  }
  __device__ void commit() const {}
  __device__ void wait(axe::pipeline_state<stages> at) const {
    full[at.stage].wait(at.parity);
    axe::sync(axe::warp);
  }
};
#endif

__global__ void __launch_bounds__(32 * warps)
    paged_decode_tma(__grid_constant__ mapped_cache const K, __grid_constant__ mapped_cache const V,
                     decoding arguments) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  __shared__ axe::mbarrier_storage<stages> full[warps];
  if (axe::thread_id() < warps) {
    for (unsigned k = 0; k < stages; ++k) full[axe::thread_id()][k].init(1);
    axe::fence_mbarrier_init();
  }
  axe::sync(axe::cta<32 * warps>);
  decode(pages_by_tma{K, V, full[axe::warp_id()]}, arguments);
#endif
}
