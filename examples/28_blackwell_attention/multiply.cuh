// One thread loads the queries, then blocks of keys and of values in turn. A thread of another
// warp multiplies queries by keys, which gives scores, and weights by values. It alternates between
// the two tiles of queries: softmax works on one tile while the tensor core multiplies the other.
// Scores and weights of a tile share columns of tensor memory, so new scores wait until the weights
// have been read.
#pragma once

#include "tiles.cuh"

/// Loads the two tiles of queries, then keys and values of each block. `group` is the number of
/// query heads that share a head of keys.
__device__ __forceinline__ void load(block_work const& all, inputs const& in, unsigned group) {
  auto const load_rows = [](mapped_heads const& from, rows& to, axe::mbarrier full, unsigned head,
                            unsigned n) {
    axe::copy_async(axe::mapped(from.map, axe::tile<1, 128, 128>(from.tensor, head, n, 0u)),
                    reinterpret_cast<rows_of_head&>(to), full, axe::thread);
  };
  constexpr unsigned bytes = axe::bytes_of_tile<rows>;
  for (unsigned tile = 0; tile < 2; ++tile) {
    auto const full = all.shared.barriers[tile][loaded];
    full.arrive_and_expect_tx(bytes);
    load_rows(in.queries, all.shared.queries[tile], full, axe::block_y(),
              2 * axe::block_x() + tile);
  }
  axe::pipeline_state<4> at;
#pragma unroll 1
  for (unsigned k = 0; k < 2 * all.blocks; ++k, at.advance()) {
    all.ring.wait_until_empty(at);
    load_rows(k % 2 == 0 ? in.keys : in.values, all.shared.keys_and_values[at.stage],
              all.ring.fill(at, bytes), axe::block_y() / group, k / 2);
  }
}

/// Step j multiplies weights by the values of block j - 1, and queries by the keys of block j.
__device__ __forceinline__ void multiply(block_work const& all) {
  auto const& [shared, ring, columns, keys, offset, blocks] = all;
  axe::pipeline_state<4> at;
#pragma unroll 1
  for (unsigned j = 0; j <= blocks; ++j, at.advance()) {
    auto const values = at;
    unsigned const phase = (j - 1) & 1;  // of the barriers of block j - 1
    if (j > 0) at.advance();
    if (j > 0) ring.wait_until_full(values);
#pragma unroll
    for (unsigned tile = 0; tile < 2; ++tile) {
      auto const& barriers = shared.barriers[tile];
      if (j > 0) {
        barriers[weighted].wait(phase);
        barriers[corrected].wait(phase);
        axe::tcgen05_fence_after();
        axe::mma(columns.output(tile), columns.weights(tile), shared.keys_and_values[values.stage],
                 j > 1);
        axe::tcgen05_commit(barriers[summed]);
        if (tile == 1) axe::tcgen05_commit(ring.empty(values.stage));
      }
      if (j == blocks) continue;
      if (tile == 0) ring.wait_until_full(at);
      // New scores overwrite the weights, so the product must have read the weights before.
      barriers[j > 0 ? summed : loaded].wait(j > 0 ? phase : 0);
      axe::tcgen05_fence_after();
      axe::mma(columns.scores(tile), shared.queries[tile],
               axe::transposed(shared.keys_and_values[at.stage]), false);
      axe::tcgen05_commit(barriers[scored]);
    }
    if (j < blocks) axe::tcgen05_commit(ring.empty(at.stage));
  }
}
