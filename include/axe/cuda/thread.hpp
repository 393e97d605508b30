// Where this thread stands, as parts of coordinates: registers by name, so that layouts take their
// digits themselves.
//
//     auto const t = axe::this_thread<256>();             threadIdx.x, below 256, on axis tid
//     auto const k = axe::this_warp<256>();               its warp, t.digit<32, 8>()
//     tensor.tile<64, 32>(axe::block_y(), axe::block_x())
//
// The bound is the block's extent, which the optimiser does not know by itself: it spares the mask
// of the topmost digit. Blocks are counted along x alone by tid; a kernel with two-dimensional
// blocks flattens them first. Device code, but for this_device.
// Source: PTX ISA, "Special Registers".
#pragma once

#include <axe/index/part.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// The number of this device among `N`, which no register says: a kernel gets it as an argument.
template <integer N> AXE_FN constexpr auto this_device(unsigned number) {
  return on<axis::gpuid, N>(number);
}

}  // namespace AXE_NAMESPACE
}  // namespace axe

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)

namespace axe {
inline namespace AXE_NAMESPACE {

/// threadIdx.x of a block of `Threads` threads.
template <integer Threads> __device__ __forceinline__ auto this_thread() {
  static_assert(Threads >= 1 && Threads <= 1024, "a block has 1 to 1024 threads");
  return on<axis::tid, Threads>(threadIdx.x);
}
/// The number of this thread's warp in a block of `Threads` threads.
template <integer Threads> __device__ __forceinline__ auto this_warp() {
  return this_thread<Threads>().template digit<32, (Threads + 31) / 32>();
}
/// The lane in the warp, of a block of `Threads` threads: a digit of the thread's number, not a
/// register of its own.
template <integer Threads> __device__ __forceinline__ auto this_lane() {
  return this_thread<Threads>().template digit<1, 32>();
}

/// The number of this thread's warpgroup in a block of `Threads` threads, and where in it the
/// thread and its warp stand.
template <integer Threads> __device__ __forceinline__ auto this_warpgroup() {
  return this_thread<Threads>().template digit<128, (Threads + 127) / 128>();
}
template <integer Threads> __device__ __forceinline__ auto thread_in_warpgroup() {
  return this_thread<Threads>().template digit<1, 128>();
}
template <integer Threads> __device__ __forceinline__ auto warp_in_warpgroup() {
  return this_thread<Threads>().template digit<32, 4>();
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

/// The number of this CTA in its cluster of `N`. Source: PTX ISA, "Special Registers:
/// %cluster_ctarank"; sm_90 and later.
template <integer N> __device__ __forceinline__ auto cta_in_cluster() {
  unsigned rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return below<N>(rank);
}
/// This CTA's coordinates in its cluster, whose extents are `N`. Source: "Special Registers:
/// %cluster_ctaid".
template <integer N> __device__ __forceinline__ auto cta_in_cluster_x() {
  unsigned x;
  asm("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(x));
  return on<axis::cluster_cta_x, N>(x);
}
template <integer N> __device__ __forceinline__ auto cta_in_cluster_y() {
  unsigned y;
  asm("mov.u32 %0, %%cluster_ctaid.y;" : "=r"(y));
  return on<axis::cluster_cta_y, N>(y);
}
template <integer N> __device__ __forceinline__ auto cta_in_cluster_z() {
  unsigned z;
  asm("mov.u32 %0, %%cluster_ctaid.z;" : "=r"(z));
  return on<axis::cluster_cta_z, N>(z);
}
/// The cluster's coordinates in the grid; `N`: its extent in clusters where it is known. Source:
/// "Special Registers: %clusterid".
template <integer N = 0> __device__ __forceinline__ auto cluster_x() {
  unsigned x;
  asm("mov.u32 %0, %%clusterid.x;" : "=r"(x));
  return index_part<unnamed, N>{x};
}
template <integer N = 0> __device__ __forceinline__ auto cluster_y() {
  unsigned y;
  asm("mov.u32 %0, %%clusterid.y;" : "=r"(y));
  return index_part<unnamed, N>{y};
}
template <integer N = 0> __device__ __forceinline__ auto cluster_z() {
  unsigned z;
  asm("mov.u32 %0, %%clusterid.z;" : "=r"(z));
  return index_part<unnamed, N>{z};
}

}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
