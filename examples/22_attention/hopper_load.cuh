// One thread loads the queries and the first keys, then keys and values in turn, the last block
// first. The last block may also contain rows of the next sequence. Their weight is 0, and they
// must be finite, because 0 * NaN is not 0.
#pragma once

#include "hopper_tiles.cuh"

template <int D>
__device__ __forceinline__ void load(hopper_inputs<D> const& in, hopper_memory<D>& shared,
                                     axe::pipeline<4> const& ring, sequence const& of,
                                     unsigned begin, unsigned number, unsigned blocks) {
  constexpr unsigned bytes = axe::bytes_of_tile<rows_of<D>>;
  auto const kv = axe::any(number / (axe::extent<1>(in.Q) / axe::extent<1>(in.K)));
  stage at;
  auto const next = [&](axe::tensor_map const& map, unsigned n, unsigned expected) {
    auto const tile = axe::tile_at<128, D>(in.K, of.first_key + 128 * n, axe::constant<D>{} * kv);
    ring.wait_until_empty(at);
    axe::copy_async(axe::mapped(map, tile), shared.stages[at.stage], ring.fill(at, expected),
                    axe::thread);
    at.advance();
  };
  next(in.k, blocks - 1, 2 * bytes);
  auto const queries = axe::tile_at<128, D>(in.Q, begin, axe::constant<D>{} * axe::any(number));
  axe::copy_async(axe::mapped(in.q, queries), shared.queries, ring.full(0), axe::thread);
#pragma unroll 1
  for (unsigned n = blocks - 1; n > 0; --n) {
    next(in.k, n - 1, bytes);
    next(in.v, n, bytes);
  }
  next(in.v, 0, bytes);
}
