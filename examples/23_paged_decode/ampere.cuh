// Loads pages of the cache with cp.async, for sm_80 and later. All lanes of a warp copy the warp's
// pages.
#pragma once

#include "decode.cuh"

struct pages_by_cp_async {
  cache K, V;

  __device__ void fill(stage& to, unsigned, unsigned page, unsigned head) const {
    axe::copy_async(axe::exact_grid(axe::tile<16, 128>(K, page, head)), to.keys, axe::warp);
    axe::copy_async(axe::exact_grid(axe::tile<16, 128>(V, page, head)), to.values, axe::warp);
  }
  __device__ void commit() const { axe::async_commit(); }
  __device__ void wait(axe::pipeline_state<stages>) const {
    axe::async_wait<1>();
    axe::sync(axe::warp);
  }
};
__global__ void __launch_bounds__(32 * warps)
    paged_decode(pages_by_cp_async from, decoding arguments) {
  decode(from, arguments);
}
