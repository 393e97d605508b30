// The epilogue of a warpgroup: stmatrix writes 64 x 256 elements of C to shared memory, and TMA
// stores these while the warpgroup multiplies the next tile.
#pragma once

#include "tiles.cuh"

struct staged_source {
  static constexpr auto mode = axe::swizzle_mode::bytes_128;
  static constexpr axe::layout value = axe::mma_shared_layout(16, mode, {64, 256});
};
using staged_rows = axe::shared_tile<bf16, staged_source, axe::extents<64, 256>>;
struct tile_number {
  unsigned row, column;
};
/// The order of tiles. A group has 16 rows of tiles and is traversed column by column, so that
/// blocks that run at the same time share A and B in L2.
struct tile_order {
  unsigned rows, columns;

  __device__ unsigned size() const { return rows * columns; }
  __device__ tile_number operator[](unsigned n) const {
    unsigned const group = n / (16 * columns), within = n % (16 * columns);
    unsigned const height = rows - 16 * group < 16 ? rows - 16 * group : 16;
    return {16 * group + within % height, within / height};
  }
};

/// Synchronises the consumer warpgroup of this thread. The number of a named barrier must be a
/// constant.
__device__ __forceinline__ void sync_consumer() {
  if (axe::thread_id() < 256)
    axe::barrier_sync<1, 128>();
  else
    axe::barrier_sync<2, 128>();
}

/// All threads of a consumer warpgroup call it. (row, column) is the number of the 64 x 256 tile.
__device__ __forceinline__ void store_tile(sums<float, 64, 256> const& c, staged_rows& staged,
                                           operand const& C, unsigned row, unsigned column) {
  bool const issues = axe::thread_id(axe::warpgroup) == 0;
  if (issues) axe::bulk_wait_read();
  sync_consumer();
  axe::copy(rounded(c), staged, axe::warpgroup);
  axe::fence_proxy_async();
  sync_consumer();
  if (!issues) return;
  axe::copy_async(staged, axe::mapped(C.map, axe::tile<64, 256>(C.tensor, row, column)),
                  axe::thread);
  axe::bulk_commit();
}
