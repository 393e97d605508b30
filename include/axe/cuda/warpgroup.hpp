// SPDX-License-Identifier: MIT
// Register reallocation (setmaxnreg) and named barriers of warpgroups.
//
//     decrease_registers<24>();          1 of 3 warpgroups that begin with 168 registers
//     increase_registers<240>();         the other 2: 24 + 2 * 240 <= 3 * 168
//
// All threads of a warpgroup call them together, in a kernel with __launch_bounds__.
#pragma once

#include <axe/cuda/architecture.hpp>

#ifdef __CUDACC__

namespace axe {
inline namespace AXE_NAMESPACE {

/// Each thread keeps `Registers` registers and gives the others back to the block.
template <int Registers> __device__ __forceinline__ void decrease_registers() {
  AXE_NEEDS_SETMAXNREG(Registers, "decrease_registers");
  static_assert(Registers >= 24 && Registers <= 256 && Registers % 8 == 0,
                "the number of registers must be a multiple of 8 from 24 to 256");
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(Registers));
}
/// Waits until each thread can have `Registers` registers.
template <int Registers> __device__ __forceinline__ void increase_registers() {
  AXE_NEEDS_SETMAXNREG(Registers, "increase_registers");
  static_assert(Registers >= 24 && Registers <= 256 && Registers % 8 == 0,
                "the number of registers must be a multiple of 8 from 24 to 256");
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(Registers));
}

/// For a run-time `Barrier` nvcc would reserve all 16 barriers.
template <int Barrier = 0, int Threads = 0, class... Given>
__device__ __forceinline__ void barrier_sync(Given...) {
  static_assert(Barrier > 0 && Barrier < 16 && sizeof...(Given) == 0,
                "barrier_sync takes barrier 1 to 15 and its threads in angle brackets, "
                "barrier_sync<1, 128>(); barrier 0 is that of __syncthreads");
  static_assert(Threads > 0 && Threads <= 1024 && Threads % 32 == 0,
                "barrier_sync takes whole warps: a multiple of 32 threads up to 1024");
  asm volatile("bar.sync %0, %1;" ::"n"(Barrier), "n"(Threads) : "memory");
}

}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
