// SPDX-License-Identifier: MIT
// pipeline<Stages>: a full and an empty mbarrier for each stage, as in CUTLASS's PipelineTmaAsync.
//
//     producer:   pipe.wait_until_empty(at);  copy_async(x, buffer, pipe.fill(at, bytes), thread);
//     consumers:  pipe.wait_until_full(at);   ...   one thread of each group:  pipe.release(at);
//
// Call at.advance() after each use of the state `at`. After init, all threads wait at a barrier of
// the block, or at cluster_sync() if other CTAs copy to it. Definition: docs/plans.md, "Barriers".
#pragma once

#include <axe/cuda/fence.hpp>
#include <axe/cuda/mbarrier.hpp>
#include <axe/cuda/scope.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// The stage of the next use, and its parity, which changes after the last stage.
template <int Stages = 0> struct pipeline_state {
  static_assert(!(Stages < 1), "pipeline_state<Stages>: Stages must be at least 1");
  unsigned stage = 0;
  unsigned parity = 0;

  operator unsigned() const = delete;  // use s.stage
  AXE_FN constexpr void advance() {
    if (++stage == Stages) {
      stage = 0;
      parity ^= 1;
    }
  }
  template <class Given = void> AXE_FN constexpr void operator++() {
    static_assert(detail::never<Given>, "a pipeline_state moves to the next stage by at.advance()");
  }
  template <class Given> AXE_FN constexpr void operator++(Given) { ++*this; }
  template <class Given> AXE_FN constexpr void operator+=(Given) { ++*this; }
};

#ifdef __CUDACC__

/// Declare it __shared__.
template <int Stages> struct pipeline_storage {
  static_assert(Stages >= 1, "pipeline<Stages>: Stages must be at least 1");
  mbarrier_storage<Stages> full;
  mbarrier_storage<Stages> empty;
};

/// Each thread constructs its own.
template <int Stages> struct pipeline {
  using state = pipeline_state<Stages>;
  unsigned address = 0;  // of the storage: the full barriers, then the empty ones

  __device__ __forceinline__ explicit pipeline(pipeline_storage<Stages> const& storage)
      : address(shared_address(&storage)) {}

  __device__ __forceinline__ mbarrier full(unsigned stage) const { return {address + 8 * stage}; }
  __device__ __forceinline__ mbarrier empty(unsigned stage) const {
    return {address + 8 * (Stages + stage)};
  }

  /// One thread calls it. A stage is empty after `releases` arrivals, and full after `fills`
  /// arrivals and all expected bytes.
  __device__ __forceinline__ void init(unsigned releases, unsigned fills = 1) const {
    for (unsigned s = 0; s < Stages; ++s) {
      full(s).init(fills);
      empty(s).init(releases);
    }
    fence_mbarrier_init();
  }

  __device__ __forceinline__ void wait_until_empty(state at) const {
    empty(at.stage).wait(at.parity ^ 1);
  }
  /// Returns the barrier for the copies.
  __device__ __forceinline__ mbarrier fill(state at, unsigned bytes) const {
    mbarrier const bar = full(at.stage);
    bar.arrive_and_expect_tx(bytes);
    return bar;
  }
  __device__ __forceinline__ void wait_until_full(state at) const {
    full(at.stage).wait(at.parity);
  }
  __device__ __forceinline__ state wait_and_advance(state& at) const {
    state const now = at;
    wait_until_full(now);
    at.advance();
    return now;
  }
  __device__ __forceinline__ void release(state at) const { empty(at.stage).arrive(); }
  /// Arrives once for each group of a scope such as warpgroup. Precondition: all its threads
  /// have read the stage.
  __device__ __forceinline__ void release(state at, auto scope) const {
    if constexpr (detail::scope_check<decltype(scope)>::passed)
      if (thread_id(scope) == 0) release(at);
  }
  /// Arrives in CTA `rank`, which fills the stage by a multicast.
  __device__ __forceinline__ void release_in(state at, unsigned rank) const {
    empty(at.stage).arrive_in(rank);
  }
  /// Waits until all stages are empty. Call it last: a CTA must not exit while others arrive at its
  /// barriers.
  __device__ __forceinline__ void drain(state at) const {
    for (int s = 0; s < Stages; ++s, at.advance()) wait_until_empty(at);
  }
};

#endif

}  // namespace AXE_NAMESPACE
}  // namespace axe
