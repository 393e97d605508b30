// Stores the keys of new tokens in the chunks of a cache, like vLLM's reshape_and_cache_kernel
// (csrc/cache_kernels.cu).
#pragma once

#include "../tensors.cuh"

#include <cuda_fp16.h>

/// `keys` has the shape (tokens, heads, 16 chunks, 1, 8), and `cache` has (blocks, heads, 16
/// chunks, 16 slots, 8).
extern "C" __global__ void __launch_bounds__(128)
    axe_reshape_and_cache(kernels::rows_of<__half const, 5, 16, 1, 8> keys,
                          kernels::list_of<unsigned const> slots,
                          kernels::rows_of<__half, 5, 16, 16, 8> cache) {
  auto const [i, heads] = axe::block<2>();
  unsigned const slot = slots(i);
  kernels::rows_of<__half, 5, 16, 16, 8> const to(cache.data, axe::extent<0>(cache),
                                                  axe::extent<1>(keys));
  axe::copy(axe::tile<1, 8, 16, 1, 8>(keys, i, heads, 0, 0, 0),
            axe::tile<1, 8, 16, 1, 8>(to, slot / 16, heads, 0, slot % 16, 0), axe::cta<128>);
}
