// SPDX-License-Identifier: MIT
// The position of this thread and block, as parts (index/part.hpp).
//
//     auto const [row, column] = block<2>();              blockIdx.y, blockIdx.x
//     warp_id<256>(), lane_id()                digits of threadIdx.x; 256: threads of the block
//
// Source: PTX ISA, "Special Registers".
#pragma once

#include <axe/cuda/architecture.hpp>
#include <axe/index/coordinate.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// The coordinates of a block, slowest first, for structured bindings.
template <int Rank> struct block_position;
template <> struct block_position<1> {
  index_part<block_number, 0> x;
};
template <> struct block_position<2> {
  index_part<block_number, 0> y, x;
};
template <> struct block_position<3> {
  index_part<block_number, 0> z, y, x;
};

/// The row and the column of a warp.
template <class Row, class Column> struct warp_position {
  Row row;
  Column column;
};

#ifdef __CUDACC__

namespace detail {
struct no_argument {
  no_argument() = default;
  template <class X> AXE_FN no_argument(X const&) {
    static_assert(never<X>,
                  "thread_id, warp_id, lane_id and warpgroup_id take the number of threads of the "
                  "block in angle brackets: thread_id<256>()");
  }
};
}  // namespace detail

/// threadIdx.x, and its warp, lane and warpgroup. Precondition: the block has one dimension, of at
/// most Threads threads.
template <integer Threads = 1024>
__device__ __forceinline__ auto thread_id(detail::no_argument = {}) {
  static_assert(Threads >= 1 && Threads <= 1024, "a block must have 1 to 1024 threads");
  return on<axis::tid, Threads>(threadIdx.x);
}
template <integer Threads = 1024>
__device__ __forceinline__ auto warp_id(detail::no_argument = {}) {
  return thread_id<Threads>().template digit<32, (Threads + 31) / 32>();
}
template <integer Threads = 1024>
__device__ __forceinline__ auto lane_id(detail::no_argument = {}) {
  return thread_id<Threads>().template digit<1, 32>();
}
template <integer Threads = 1024>
__device__ __forceinline__ auto warpgroup_id(detail::no_argument = {}) {
  return thread_id<Threads>().template digit<128, (Threads + 127) / 128>();
}
/// The number of this warpgroup, counted from the one of thread `First`. Lane 0 broadcasts it, so
/// that descriptors of its tiles are in uniform registers. All lanes call it.
template <integer Threads, integer First = 0>
__device__ __forceinline__ auto uniform_warpgroup_id() {
  static_assert(First % 128 == 0 && First >= 0 && First < Threads && Threads <= 1024,
                "uniform_warpgroup_id<Threads, First>: First is the first thread of a warpgroup "
                "of the block, as in uniform_warpgroup_id<384, 128>()");
  return below<(Threads - First + 127) / 128>(__shfl_sync(~0u, threadIdx.x / 128, 0) - First / 128);
}
/// The (row, column) of this warp in row-major order. Precondition: the block has 32 * Rows *
/// Columns threads.
template <integer Rows, integer Columns> __device__ __forceinline__ auto warp_coordinate() {
  auto const t = thread_id<32 * Rows * Columns>();
  auto row = t.template digit<32 * Columns, Rows>();
  auto column = t.template digit<32, Columns>();
  return warp_position<decltype(row), decltype(column)>{row, column};
}
template <class Given = void>
__device__ __forceinline__ warp_position<unsigned, unsigned> warp_coordinate() {
  static_assert(
      detail::never<Given>,
      "warp_coordinate takes the numbers of warps in angle brackets: warp_coordinate<2, 4>()");
  return {};
}

/// blockIdx.x, .y, .z. Extent is the grid's, or 0 if not static.
template <integer Extent = 0> __device__ __forceinline__ auto block_x() {
  return index_part<unnamed, Extent>{blockIdx.x};
}
template <integer Extent = 0> __device__ __forceinline__ auto block_y() {
  return index_part<unnamed, Extent>{blockIdx.y};
}
template <integer Extent = 0> __device__ __forceinline__ auto block_z() {
  return index_part<unnamed, Extent>{blockIdx.z};
}
/// blockIdx, slowest dimension first.
template <int Rank = 0> __device__ __forceinline__ auto block() {
  static_assert(Rank >= 1 && Rank <= 3,
                "a grid must have 1 to 3 dimensions: block<2>() is blockIdx.y and blockIdx.x");
  if constexpr (Rank == 1)
    return block_position<1>{{blockIdx.x}};
  else if constexpr (Rank == 2)
    return block_position<2>{{blockIdx.y}, {blockIdx.x}};
  else
    return block_position<3>{{blockIdx.z}, {blockIdx.y}, {blockIdx.x}};
}

/// The rank of this CTA in its cluster of Extent CTAs.
template <integer Extent = 0> __device__ __forceinline__ auto cta_in_cluster() {
  constexpr bool has_extent = Extent >= 1;
  static_assert(has_extent, "cta_in_cluster needs the number of CTAs: cta_in_cluster<2>()");
  AXE_NEEDS_SM_90(Extent != 0, "cta_in_cluster");
  unsigned rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  constexpr integer bound = Extent == 0 ? 1 : Extent;  // no second error
  return below<bound>(rank);
}

#endif

}  // namespace AXE_NAMESPACE
}  // namespace axe
