// Copies each new token to its slot in a page of the cache, like FlashInfer's
// AppendPagedKVCacheKernel (include/flashinfer/page.cuh).
#pragma once

#include "../tensors.cuh"

#include <cuda_fp16.h>

/// `cache` has all slots of all pages as rows of (heads, 128).
extern "C" __global__ void __launch_bounds__(128)
    axe_append_paged(kernels::rows_of<__half const, 3, 128> tokens,
                     kernels::list_of<unsigned const> pages,
                     kernels::list_of<unsigned const> positions,
                     kernels::rows_of<__half, 3, 128> cache) {
  auto const [i, heads] = axe::block<2>();
  unsigned const slot = pages(i) * 16 + positions(i) % 16;
  axe::copy(axe::tile<1, 8, 128>(tokens, i, heads, 0), axe::tile<1, 8, 128>(cache, slot, heads, 0),
            axe::cta<128>);
}
