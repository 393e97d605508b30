// Gathers a paged cache into a dense tensor, with CuTe. hand.cuh gives the shapes.
#pragma once

#include "../cute.cuh"

extern "C" __global__ void __launch_bounds__(128)
    cute_paged_gather(__half const* cache, unsigned const* table, unsigned const* lengths,
                      __half* out, unsigned pages, unsigned heads) {
  using namespace by_cute;
  int const number = blockIdx.x * 4 + threadIdx.x / 32;
  int const left = static_cast<int>(lengths[blockIdx.z]) - number * 16;
  if (left <= 0) return;
  unsigned const entry = blockIdx.z * pages + number, page = table[entry];
  std::int64_t const token = std::int64_t{heads} * 128, head = blockIdx.y * 128;
  auto const tiled = by_vectors<__half, 2, 32>();
  auto const thread_tile = tiled.get_slice(threadIdx.x % 32);
  auto const from =
      thread_tile.partition_S(matrix(cache + (page * 16 * token + head), 16, _128{}, token));
  auto to = thread_tile.partition_D(matrix(out + (entry * 16 * token + head), 16, _128{}, token));
  auto const at = thread_tile.partition_S(make_identity_tensor(Shape<_16, _128>{}));
  auto held = make_tensor<__half>(Shape<Shape<_8, _1>, _8, _1>{});
  CUTE_UNROLL
  for (int i = 0; i < 8; ++i)
    if (get<0>(at(0, i, 0)) < left) copy(tiled, from(_, i, _), held(_, i, _));
  CUTE_UNROLL
  for (int i = 0; i < 8; ++i)
    if (get<0>(at(0, i, 0)) < left) copy(tiled, held(_, i, _), to(_, i, _));
}
