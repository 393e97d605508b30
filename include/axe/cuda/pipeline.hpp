// SPDX-License-Identifier: MIT
// pipeline<Stages>: a full and an empty mbarrier for each stage of a ring of buffers, as in
// CUTLASS's PipelineTmaAsync. `at` is a pipeline_state<Stages>; call at.advance() after each use.
//
//     producer:   pipe.wait_until_empty(at);  load::issue(map, buffer, pipe.fill(at, bytes), i, j);
//     consumers:  pipe.wait_until_full(at);   ...   one thread of each group:  pipe.release(at);
//
// After init, all threads wait at a barrier of the block, or at cluster_sync() if other CTAs copy
// here. Definition: docs/plans.md, "Barriers".
#pragma once

#include <axe/cuda/fence.hpp>
#include <axe/cuda/mbarrier.hpp>
#include <axe/cuda/scope.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

template <int Stages = 0> struct pipeline_state {
  static_assert(!(Stages < 1), "pipeline_state<Stages>: Stages must be at least 1");
  unsigned stage = 0;
  unsigned parity = 0;

  /// Moves to the next stage, or to stage 0 of the next phase.
  AXE_FN constexpr void advance() {
    if (++stage == Stages) {
      stage = 0;
      parity ^= 1;
    }
  }
  /// These operators reject ++at, at++ and at += 1.
  template <class Given = void> AXE_FN constexpr void operator++() {
    static_assert(detail::never<Given>, "a pipeline_state moves to the next stage by at.advance()");
  }
  template <class Given> AXE_FN constexpr void operator++(Given) { ++*this; }
  template <class Given> AXE_FN constexpr void operator+=(Given) { ++*this; }
  /// The state of use n, counted from 0: pipeline_state<4>::at(5) is stage 1, parity 1.
  AXE_FN static constexpr pipeline_state at(unsigned n) { return {n % Stages, n / Stages & 1}; }
};

#ifdef __CUDACC__

/// The mbarriers of a pipeline. Declare it __shared__.
template <int Stages> struct pipeline_storage {
  static_assert(Stages >= 1, "pipeline<Stages>: Stages must be at least 1");
  mbarrier_storage<Stages> full;
  mbarrier_storage<Stages> empty;
};

/// The pipeline of a CTA, as the address of its storage. Each thread constructs its own.
template <int Stages> struct pipeline {
  using state = pipeline_state<Stages>;
  unsigned address = 0;  // of the storage: the full barriers, then the empty ones

  __device__ __forceinline__ explicit pipeline(pipeline_storage<Stages> const& storage)
      : address(shared_address(&storage)) {}

  __device__ __forceinline__ mbarrier full(unsigned stage) const { return {address + 8 * stage}; }
  __device__ __forceinline__ mbarrier empty(unsigned stage) const {
    return {address + 8 * (Stages + stage)};
  }

  /// One thread calls init, before a barrier of all threads that use the pipeline. `releases`
  /// arrivals free a stage. `fills` arrivals and all expected bytes fill it.
  __device__ __forceinline__ void init(unsigned releases, unsigned fills = 1) const {
    for (unsigned s = 0; s < Stages; ++s) {
      full(s).init(fills);
      empty(s).init(releases);
    }
    fence_mbarrier_init();
  }

  /// The producer waits until the stage's previous use has been released.
  __device__ __forceinline__ void wait_until_empty(state at) const {
    empty(at.stage).wait(at.parity ^ 1);
  }
  /// The producer arrives once and expects `bytes`. Returns the barrier that counts them.
  __device__ __forceinline__ mbarrier fill(state at, unsigned bytes) const {
    mbarrier const bar = full(at.stage);
    bar.arrive_and_expect_tx(bytes);
    return bar;
  }
  /// The consumer waits until the stage is full.
  __device__ __forceinline__ void wait_until_full(state at) const {
    full(at.stage).wait(at.parity);
  }
  /// The consumer waits until the stage is full, then advances `at`. Returns the state of the full
  /// stage.
  __device__ __forceinline__ state wait_and_advance(state& at) const {
    state const now = at;
    wait_until_full(now);
    at.advance();
    return now;
  }
  /// The consumer arrives once to free the stage.
  __device__ __forceinline__ void release(state at) const { empty(at.stage).arrive(); }
  /// The first thread of each group of a scope, such as axe::warpgroup, calls release(). All
  /// threads of the group must have finished reading.
  __device__ __forceinline__ void release(state at, auto scope) const {
    if constexpr (detail::scope_check<decltype(scope)>::passed)
      if (detail::thread_in(scope) == 0) release(at);
  }
  /// Arrives in CTA `rank`, whose producer also copies into this stage.
  __device__ __forceinline__ void release_in(state at, unsigned rank) const {
    empty(at.stage).arrive_in(rank);
  }
  /// The producer waits at the end until every stage is free, because a CTA must not exit while
  /// others arrive at its barriers.
  __device__ __forceinline__ void drain(state at) const {
    for (int s = 0; s < Stages; ++s, at.advance()) wait_until_empty(at);
  }
};

#endif

}  // namespace AXE_NAMESPACE
}  // namespace axe
