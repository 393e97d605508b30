// Loads pages of the cache with TMA, for sm_90 and later. One lane of each warp copies the warp's
// pages.
#pragma once

#include "decode.cuh"

#include <axe/cuda/tma/transfer.hpp>

using load_page =
    axe::tma_load<axe::element_type::bf16, cache::sizes_type, axe::extents<16, 128>, page_layout>;

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
struct pages_by_tma {
  axe::tensor_map const &K, &V;
  axe::mbarrier_storage<stages> const& full;

  __device__ void fill(stage& to, unsigned k, unsigned page, unsigned head) const {
    if (threadIdx.x % 32 != 0) return;
    full[k].arrive_and_expect_tx(2 * load_page::bytes);
    load_page::issue(K, to.keys, full[k], page, head);
    load_page::issue(V, to.values, full[k], page, head);
  }
  __device__ void commit() const {}
  __device__ void wait(axe::pipeline_state<stages> at) const {
    full[at.stage].wait(at.parity);
    axe::sync(axe::warp);
  }
};
#endif

__global__ void __launch_bounds__(32 * warps)
    paged_decode_tma(__grid_constant__ axe::tensor_map const K,
                     __grid_constant__ axe::tensor_map const V, decoding arguments) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  __shared__ axe::mbarrier_storage<stages> full[warps];
  if (threadIdx.x < warps) {
    for (unsigned k = 0; k < stages; ++k) full[threadIdx.x][k].init(1);
    axe::fence_mbarrier_init();
  }
  axe::sync(axe::cta<32 * warps>);
  decode(pages_by_tma{K, V, full[threadIdx.x / 32]}, arguments);
#endif
}
