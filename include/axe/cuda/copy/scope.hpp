// The threads that execute a primitive together, as an argument: how many, and which of them this
// one is.
//
//     axe::copy(from, to, axe::every<256>)        all threads of a block of 256
//     axe::copy(from, to, axe::each_warp)         each warp for itself; axe::each_warpgroup, axe::each_thread
//     axe::copy(from, to, axe::in<consumers>)     the members of a thread_scope (cuda/scope.hpp): they alone call it
//
// Blocks are counted along x.
// Source: the Axe paper, section 4 (execution scopes).
#pragma once

#include <axe/cuda/scope.hpp>

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)

namespace axe {
inline namespace AXE_NAMESPACE {

/// Threads of a block of which every `Threads` in a row work together.
template <integer Threads> struct groups_of_threads {
  static constexpr integer size = Threads, first = 0;
  static constexpr bool groups = true;
  __device__ __forceinline__ static unsigned thread() {
    if constexpr (Threads == 1)
      return 0;
    else
      return threadIdx.x % static_cast<unsigned>(Threads);
  }
};
/// The whole block, of that many threads.
template <integer Threads> struct whole_block {
  static constexpr integer size = Threads, first = 0;
  __device__ __forceinline__ static unsigned thread() { return threadIdx.x; }
};
/// The members of a thread_scope. A partition that begins at a later thread than 0 counts as the
/// block does.
template <class Members> struct members_of {
  static constexpr integer size = Members::size, first = Members::first;
  __device__ __forceinline__ static unsigned thread() { return Members::number(threadIdx.x); }
};

namespace detail {
/// Does every `size` threads in a row make one of these?
template <class Scope> AXE_FN constexpr bool are_groups() {
  if constexpr (requires { Scope::groups; })
    return Scope::groups;
  else
    return false;
}
/// Barriers of a scope: a block, a warp, the members of a thread_scope.
template <integer Threads> __device__ __forceinline__ void sync(whole_block<Threads>) {
  __syncthreads();
}
template <class Members> __device__ __forceinline__ void sync(members_of<Members>) {
  Members::sync();
}
template <integer Threads> __device__ __forceinline__ void sync(groups_of_threads<Threads>) {
  static_assert(
      Threads == 32,
      "several groups of a block would share one scratch: name the group, axe::in<scope>");
  __syncwarp();
}

}  // namespace detail

template <integer Threads> inline constexpr whole_block<Threads> every{};
inline constexpr groups_of_threads<32> each_warp{};
inline constexpr groups_of_threads<128> each_warpgroup{};
inline constexpr groups_of_threads<1> each_thread{};
template <class Members> inline constexpr members_of<Members> in{};

}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
