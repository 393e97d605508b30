// Where this thread stands, as parts of coordinates: registers by name, so that layouts take their digits themselves.
//
//     auto const t = axe::this_thread<256>();             threadIdx.x, below 256, on axis tid
//     auto const k = axe::this_warp<256>();               its warp, t.digit<32, 8>()
//     tensor.tile<64, 32>(axe::block_y(), axe::block_x())
//
// The bound is the block's extent, which the optimiser does not know by itself: it spares the mask of the topmost digit. Blocks are counted along x alone by tid; a
// kernel with two-dimensional blocks flattens them first. Device code only.
// Source: PTX ISA, "Special Registers".
#pragma once

#include <axe/index/part.hpp>

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)

namespace axe::inline AXE_NAMESPACE {

/// threadIdx.x of a block of `Threads` threads.
template <integer Threads> __device__ __forceinline__ auto this_thread() {
  static_assert(Threads >= 1 && Threads <= 1024, "a block has 1 to 1024 threads");
  return on<axis::tid, Threads>(threadIdx.x);
}
/// The number of this thread's warp in a block of `Threads` threads.
template <integer Threads> __device__ __forceinline__ auto this_warp() {
  return this_thread<Threads>().template digit<32, (Threads + 31) / 32>();
}
/// The lane in the warp, of a block of `Threads` threads: a digit of the thread's number, not a register of its own.
template <integer Threads> __device__ __forceinline__ auto this_lane() {
  return this_thread<Threads>().template digit<1, 32>();
}

/// The block's coordinates; `N`: the grid's extent where it is known.
template <integer N = 0> __device__ __forceinline__ auto block_x() {
  return index_part<unnamed, N>{blockIdx.x};
}
template <integer N = 0> __device__ __forceinline__ auto block_y() {
  return index_part<unnamed, N>{blockIdx.y};
}
template <integer N = 0> __device__ __forceinline__ auto block_z() {
  return index_part<unnamed, N>{blockIdx.z};
}

/// The number of this CTA in its cluster of `N`. Source: PTX ISA, "Special Registers: %cluster_ctarank"; sm_90 and later.
template <integer N> __device__ __forceinline__ auto cta_in_cluster() {
  unsigned rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return below<N>(rank);
}

}  // namespace axe::inline AXE_NAMESPACE

#endif
