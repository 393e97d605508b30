// One thread loads the queries, then a block of keys, one of values, and so on. A thread of another
// warp multiplies queries by keys, which gives scores, and weights by values. It alternates between the
// two tiles of queries: softmax works on one while the tensor core multiplies the other. Scores and
// weights of a tile have the same columns, so new scores wait until the weights have been read.
#pragma once

#include "tiles.cuh"

__device__ __forceinline__ void load(tensor_map const& Q, tensor_map const& K, tensor_map const& V,
                                     shared_memory& shared, tile_barriers const (&barriers)[2],
                                     axe::pipeline<4> const& ring, unsigned of, unsigned group,
                                     unsigned blocks) {
  for (unsigned tile = 0; tile < 2; ++tile) {
    barriers[tile][loaded].expect(load_rows::bytes);
    load_rows::issue(Q, shared.queries[tile], barriers[tile][loaded], of, 2 * blockIdx.x + tile, 0);
  }
  axe::pipeline_state<4> at;
#pragma unroll 1
  for (unsigned k = 0; k < 2 * blocks; ++k, at.advance()) {
    ring.wait_until_empty(at);
    load_rows::issue(k % 2 == 0 ? K : V, shared.keys_and_values[at.stage],
                     ring.fill(at, load_rows::bytes), of / group, k / 2, 0);
  }
}

__device__ __forceinline__ void multiply(tensor_columns const& columns, shared_memory const& shared,
                                         tile_barriers const (&barriers)[2],
                                         axe::pipeline<4> const& ring, unsigned blocks) {
  axe::pipeline_state<4> at;
  auto const score = [&](unsigned tile, rows const& keys) {
    axe::mma(columns.scores(tile), shared.queries[tile], axe::transposed(keys), false);
    axe::tcgen05_commit(barriers[tile][scored]);
  };
  ring.wait_until_full(at);
  for (unsigned tile = 0; tile < 2; ++tile) {
    barriers[tile][loaded].wait(0);
    score(tile, shared.keys_and_values[at.stage]);
  }
  axe::tcgen05_commit(ring.empty(at.stage));
#pragma unroll 1
  for (unsigned j = 0; j < blocks; ++j) {
    at.advance();
    auto const values_at = at;
    bool const more = j + 1 < blocks;
    ring.wait_until_full(values_at);
    if (more) at.advance();
#pragma unroll
    for (unsigned tile = 0; tile < 2; ++tile) {
      barriers[tile][weighted].wait(j & 1);
      barriers[tile][corrected].wait(j & 1);
      axe::tcgen05_fence_after();
      axe::mma(columns.output(tile), columns.weights(tile), shared.keys_and_values[values_at.stage],
               j > 0);
      axe::tcgen05_commit(barriers[tile][summed]);
      if (tile == 1) axe::tcgen05_commit(ring.empty(values_at.stage));
      if (!more) continue;
      if (tile == 0) ring.wait_until_full(at);
      barriers[tile][summed].wait(j & 1);  // the weights have been read
      axe::tcgen05_fence_after();
      score(tile, shared.keys_and_values[at.stage]);
    }
    if (more) axe::tcgen05_commit(ring.empty(at.stage));
  }
}
