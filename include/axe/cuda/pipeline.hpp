// SPDX-License-Identifier: MIT
// pipeline<Stages>: a ring of buffers with a full and an empty mbarrier per stage, as CUTLASS's
// PipelineTmaAsync.
//
//     producer:  pipe.wait_until_empty(at); load::issue(map, stage, pipe.fill(at, bytes), i, j);
//     consumers: pipe.wait_until_full(at); ...; one thread each: pipe.release(at);
//
// at is a pipeline_state<Stages>, advanced after each use. init(n): n releases free a stage; then a
// barrier of the block, or cluster_sync() if other CTAs copy here. docs/plans.md, "Barriers".
#pragma once

#include <axe/cuda/fence.hpp>
#include <axe/cuda/mbarrier.hpp>
#include <axe/cuda/scope.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// A stage and the parity of its current use.
template <int Stages> struct pipeline_state {
  unsigned stage = 0;
  unsigned parity = 0;

  /// To the next stage, or to stage 0 of the next phase.
  AXE_FN constexpr void advance() {
    if (++stage == Stages) {
      stage = 0;
      parity ^= 1;
    }
  }
  /// Where use number n stands, counted from 0.
  AXE_FN static constexpr pipeline_state at(unsigned n) { return {n % Stages, n / Stages & 1}; }
};

}  // namespace AXE_NAMESPACE
}  // namespace axe

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)

namespace axe {
inline namespace AXE_NAMESPACE {

template <int Stages> struct pipeline_storage {
  static_assert(Stages >= 1, "a pipeline has at least one stage");
  mbarrier_storage<Stages> full;
  mbarrier_storage<Stages> empty;
};

template <int Stages> struct pipeline {
  using position = pipeline_state<Stages>;
  unsigned address = 0;  // of the storage: the full barriers, then the empty ones

  __device__ __forceinline__ explicit pipeline(pipeline_storage<Stages> const& storage)
      : address(shared_address(&storage)) {}

  __device__ __forceinline__ mbarrier full(unsigned stage) const { return {address + 8 * stage}; }
  __device__ __forceinline__ mbarrier empty(unsigned stage) const {
    return {address + 8 * (Stages + stage)};
  }

  /// One thread, before a barrier of all users. `releases`: arrivals that free a stage; `fills`:
  /// arrivals besides the bytes that fill it.
  __device__ __forceinline__ void init(unsigned releases, unsigned fills = 1) const {
    for (unsigned s = 0; s < Stages; ++s) {
      full(s).init(fills);
      empty(s).init(releases);
    }
    fence_mbarrier_init();
  }

  /// Producer: until the use before this one has been released.
  __device__ __forceinline__ void wait_until_empty(position at) const {
    empty(at.stage).wait(at.parity ^ 1);
  }
  /// Producer: expects `bytes`. Returns the barrier that counts them.
  __device__ __forceinline__ mbarrier fill(position at, unsigned bytes) const {
    mbarrier const bar = full(at.stage);
    bar.expect(bytes);
    return bar;
  }
  /// Consumer: until the bytes have come.
  __device__ __forceinline__ void wait_until_full(position at) const {
    full(at.stage).wait(at.parity);
  }
  /// Consumer: the same, then advances. Returns the use whose bytes have come.
  __device__ __forceinline__ position take(position& at) const {
    position const now = at;
    wait_until_full(now);
    at.advance();
    return now;
  }
  /// Consumer: one arrival that frees the stage.
  __device__ __forceinline__ void release(position at) const { empty(at.stage).arrive(); }
  /// The same by the first thread of each group of a scope: axe::warpgroup, if all its threads have
  /// waited for their wgmma.
  template <class Scope> __device__ __forceinline__ void release(position at, Scope scope) const {
    if (detail::thread_in(scope) == 0) release(at);
  }
  /// The same at CTA `rank`, which copies into this stage too.
  __device__ __forceinline__ void release_in(position at, unsigned rank) const {
    empty(at.stage).arrive_in(rank);
  }
  /// Producer, at the end: until every stage is free. A CTA must not end while others arrive here.
  __device__ __forceinline__ void drain(position at) const {
    for (int s = 0; s < Stages; ++s, at.advance()) wait_until_empty(at);
  }
};

}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
