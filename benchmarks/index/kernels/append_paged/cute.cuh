// Appends new tokens to a paged cache, with CuTe. hand.cuh gives the shapes.
#pragma once

#include "../cute.cuh"

extern "C" __global__ void __launch_bounds__(128)
    cute_append_paged(__half const* tokens, unsigned const* pages, unsigned const* positions,
                      __half* cache, unsigned heads) {
  using namespace by_cute;
  unsigned const i = blockIdx.y, head = blockIdx.x * 8 + threadIdx.x / 16;
  std::int64_t const row = std::int64_t{heads} * 128;
  unsigned const slot = pages[i] * 16 + positions[i] % 16;
  auto const copy = by_vectors<__half, 8, 128>().get_slice(threadIdx.x);
  auto const tile = [&](auto* p) {
    return local_tile(matrix(p, heads, _128{}, 128), Shape<_8, _128>{}, make_coord(blockIdx.x, 0));
  };
  if (head < heads)
    cute::copy(by_vectors<__half, 8, 128>(), copy.partition_S(tile(tokens + i * row)),
               copy.partition_D(tile(cache + slot * row)));
}
