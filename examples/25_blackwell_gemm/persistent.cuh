// Steps 4 and 5: pairs of CTAs that compute several tiles. Tensor memory has the sums of two tiles:
// a warpgroup rounds and stores one tile while the next tile is multiplied. In step 4 each of n
// pairs computes every n-th tile. In step 5 a pair asks the hardware for the tile of a pair that
// has not started.
#pragma once

#include "pair.cuh"

struct persistent_memory {
  pair_stage stages[6];
  rows_of_64<128>::buffer staged[2];
};

struct tile_number {
  unsigned row, column;
};
/// The order of tiles. A group has 16 rows of tiles and is traversed column by column, so that
/// pairs that run at the same time share A and B in L2.
struct tile_order {
  unsigned rows, columns;

  __device__ unsigned size() const { return rows * columns; }
  __device__ tile_number operator[](unsigned n) const {
    unsigned const group = n / (16 * columns), within = n % (16 * columns);
    unsigned const height = rows - 16 * group < 16 ? rows - 16 * group : 16;
    return {16 * group + within % height, within / height};
  }
};

/// The schedule of step 4.
struct static_schedule {
  unsigned size;
  __device__ bool next(unsigned& n) { return (n += gridDim.x / 2) < size; }
  __device__ void release() const {}
  __device__ void request() const {}
};
/// The schedule of step 5, by cluster launch control.
struct launch_control_schedule {
  axe::tile_scheduler<2> tiles;
  __device__ bool next(unsigned& n) {
    uint3 first;
    bool const taken = tiles.next(first);
    n = first.x / 2;
    return taken;
  }
  __device__ void release() const { tiles.release(); }
  __device__ void request() {
    unsigned n;
    do {
      tiles.fetch();
      bool const taken = next(n);
      release();
      if (!taken) return;
    } while (true);
  }
};

/// The epilogue of a tile. 128 threads store 64 columns at a time, through two buffers. A lane of
/// each warp calls `release` when the warp has read all sums.
template <class Sums, class Release>
__device__ __forceinline__ void store_tile(Sums const& c, rows_of_64<128>::buffer* staged,
                                           operand const& C, unsigned row, unsigned column,
                                           Release const& release) {
  bool const issues = axe::thread_id(axe::warpgroup) == 0;
  for (unsigned j = 0; j < 4; ++j) {
    auto const part = rounded<64>(c, j);
    if (j == 3) {
      axe::tcgen05_fence_before();
      __syncwarp();
      if (axe::lane_id() == 0) release();
    }
    if (issues) axe::bulk_wait_read<1>();
    axe::barrier_sync<1, 128>();
    axe::copy(part, staged[j % 2], axe::warpgroup);
    axe::fence_proxy_async();
    axe::barrier_sync<1, 128>();
    if (!issues) continue;
    axe::copy_async(staged[j % 2],
                    axe::mapped(C.map, axe::tile<128, 64>(C.tensor, row, 4 * column + j)),
                    axe::thread);
    axe::bulk_commit();
  }
}
