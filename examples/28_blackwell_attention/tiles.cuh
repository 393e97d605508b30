// Types of the kernel. Shared memory holds tiles of 128 rows of 128 elements of queries, keys and
// values. Tensor memory holds the scores, weights and sums of 128 queries. A fragment of these has
// one row in each thread of a warpgroup.
#pragma once

#include <axe/atoms.hpp>
#include <axe/axe.hpp>
#include <axe/cuda.hpp>
#include <axe/cuda/cast.hpp>
#include <axe/cuda/mma/tcgen05.hpp>
#include <axe/cuda/reduce.hpp>

#include <cuda_bf16.h>

using bf16 = __nv_bfloat16;

/// Q, K and V: (head of all batches, row, 128). The output of one head: (row, 128).
using heads = axe::tensor<bf16 const, axe::row_major<3>, axe::aligned<16>>;
using head = axe::tensor<bf16, axe::row_major<2>, axe::aligned<16>>;

struct rows_source {
  static constexpr axe::layout value =
      axe::mma_shared_layout(16, axe::swizzle_mode::bytes_128, {128, 128});
};
using rows = axe::shared_tile<bf16, rows_source, axe::extents<128, 128>>;
/// The same memory as a tile of `heads`.
using rows_of_head = axe::shared_tile<bf16, rows_source, axe::extents<1, 128, 128>>;

struct sums_source {
  static constexpr axe::layout value = axe::accumulator_in_tensor_memory(axe::data_path::D, 128);
};
struct weights_source {
  static constexpr axe::layout value = axe::a_in_tensor_memory(axe::data_path::D, 128, 16);
};
/// Columns of tensor memory: the scores of two tiles of queries, then their sums. The weights
/// replace the scores.
struct tensor_columns {
  unsigned address;
  using sums = axe::tensor_memory_tile<float, sums_source, axe::extents<128, 128>>;
  using weights_tile = axe::tensor_memory_tile<bf16, weights_source, axe::extents<128, 128>>;
  __device__ sums scores(unsigned tile) const { return {address + 128 * tile}; }
  __device__ weights_tile weights(unsigned tile) const { return {address + 128 * tile}; }
  __device__ sums output(unsigned tile) const { return {address + 256 + 128 * tile}; }
};

template <int Columns> struct row_source {
  static constexpr axe::layout value =
      axe::S({4, 32, Columns}, {1 * axe::axis::wid_in_wg, 1 * axe::axis::lane, 1 * axe::axis::reg});
};
template <class T, int Columns>
using row_per_thread = axe::fragment<T, row_source<Columns>, axe::extents<128, Columns>>;

/// The events of a tile of queries. Each has a barrier.
enum event : unsigned {
  loaded,     // the queries are in shared memory
  scored,     // the scores are in tensor memory
  weighted,   // the weights are in tensor memory
  measured,   // the factor that corrects the sums is in shared memory
  corrected,  // the sums have been multiplied by this factor
  summed,     // the product of weights and values has been added to the sums
  event_count
};
using mapped_heads = axe::mapped_tensor<heads>;
struct inputs {
  mapped_heads queries, keys, values;
};
struct shared_memory {
  rows queries[2], keys_and_values[4];
  axe::pipeline_storage<4> stages;
  axe::mbarrier_storage<event_count> barriers[2];
  float factor[2][128];  // of each row of both tiles
  unsigned address;      // of tensor memory
};

/// The state that all warps share. Query i may use the keys up to number i + offset.
struct block_work {
  shared_memory& shared;
  axe::pipeline<4> const& ring;
  tensor_columns columns;
  int keys, offset;
  unsigned blocks;  // of 128 keys
  __device__ int keys_of(unsigned query) const {
    return min(static_cast<int>(query) + 1 + offset, keys);
  }
  /// Arrives once for the warp, after all its lanes have called it.
  __device__ void arrive(unsigned tile, event which) const {
    __syncwarp();
    if (axe::lane_id() == 0) shared.barriers[tile][which].arrive();
  }
};
