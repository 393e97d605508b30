// One thread loads the queries and the last block of keys. It then loads keys and values in turn,
// from the last block to the first. The last block may also contain keys and values of the next
// sequence. These values have weight 0, and must be finite, because 0 * NaN is not 0.
#pragma once

#include "hopper_tiles.cuh"

template <int D>
__device__ __forceinline__ void load(hopper_inputs<D> const& in, hopper_memory<D>& shared,
                                     axe::pipeline<4> const& ring, sequence const& tokens,
                                     unsigned first_query, unsigned head, unsigned blocks) {
  constexpr unsigned bytes = axe::bytes_of_tile<rows_of<D>>;
  auto const kv = axe::any(head / (axe::extent<1>(in.Q) / axe::extent<1>(in.K)));
  stage at;
  auto const next = [&](axe::tensor_map const& map, unsigned n, unsigned expected) {
    auto const tile =
        axe::tile_at<128, D>(in.K, tokens.first_key + 128 * n, axe::constant<D>{} * kv);
    ring.wait_until_empty(at);
    axe::copy_async(axe::mapped(map, tile), shared.stages[at.stage], ring.fill(at, expected),
                    axe::thread);
    at.advance();
  };
  next(in.k, blocks - 1, 2 * bytes);  // the queries arrive at the same barrier
  auto const queries = axe::tile_at<128, D>(in.Q, first_query, axe::constant<D>{} * axe::any(head));
  axe::copy_async(axe::mapped(in.q, queries), shared.queries, ring.full(0), axe::thread);
#pragma unroll 1
  for (unsigned n = blocks - 1; n > 0; --n) {
    next(in.k, n - 1, bytes);
    next(in.v, n, bytes);
  }
  next(in.v, 0, bytes);
}
