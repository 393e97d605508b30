// Gathers the pages of a cache into contiguous rows, like vLLM's gather_cache
// (csrc/cache_kernels.cu).
#pragma once

#include "../tensors.cuh"

#include <cuda_fp16.h>

/// `cache` and `out` have all tokens as rows of (heads, 128).
extern "C" __global__ void __launch_bounds__(128)
    axe_paged_gather(kernels::rows_of<__half const, 3, 128> cache,
                     kernels::list_of<unsigned const> table,
                     kernels::list_of<unsigned const> lengths, kernels::rows_of<__half, 3, 128> out,
                     unsigned pages) {
  auto const [b, head, blocks] = axe::block<3>();
  unsigned const number = 4 * blocks + axe::warp_id<128>(), length = lengths(b);
  if (number * 16 >= length) return;
  unsigned const entry = b * pages + number;
  // The same tensor up to the last token of this sequence.
  kernels::rows_of<__half, 3, 128> const valid(out.data, b * pages * 16 + length,
                                               axe::extent<1>(out));
  // All rows of a page are in memory, so the tile needs no predicates.
  axe::copy(axe::exact_grid(axe::tile<16, 1, 128>(cache, table(entry), head, 0)),
            axe::tile<16, 1, 128>(valid, entry, head, 0), axe::warp);
}
