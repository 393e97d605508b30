// SPDX-License-Identifier: MIT
// The steps of a planned reduction: registers, then lanes, then warps through shared memory.
//
//     reduce_execution<Fragment, 1>::fold_registers(op, from, partial);
//
// Definition: docs/plans.md.
#pragma once

#include <axe/base/traits.hpp>
#include <axe/cuda/elementwise.hpp>
#include <axe/cuda/memory.hpp>
#include <axe/cuda/reduce_fold.hpp>
#include <axe/cuda/scope.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

template <class Fragment, int... Dims> struct reduction {
  static constexpr outcome<reduce_plan> result =
      try_plan_reduce(Fragment::layout_type::value, Fragment::shape_type::value, {Dims...});
  static constexpr reduce_plan plan = result.value;
  using element = typename Fragment::value_type;

  AXE_FN static constexpr refusal why() { return result.why; }
  AXE_FN static constexpr refusal_text text() {
    constexpr layout held = Fragment::layout_type::value;
    constexpr shape tile = Fragment::shape_type::value;
    return sentence_of("reduce", result.why, {&held, nullptr, &tile});
  }
};

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)

/// The value of lane `lane`, or of (this lane ^ `lane`) if Butterfly.
template <bool Butterfly, class T>
__device__ __forceinline__ T shuffled(T const& value, unsigned lane) {
  constexpr int words = (static_cast<int>(sizeof(T)) + 3) / 4;
  unsigned w[words]{};
  memcpy(w, &value, sizeof(T));
  for (unsigned& word : w)
    word = Butterfly ? __shfl_xor_sync(0xffffffffu, word, static_cast<int>(lane))
                     : __shfl_sync(0xffffffffu, word, static_cast<int>(lane));
  return from_bits<T>(w);
}

template <class T, int Count> struct partial_results {
  T at[Count];
};

/// The places of partial results in the scratch, in bytes. The partial results of one group of
/// threads are combined.
template <class Planned, class T> struct partial_offsets {
  static constexpr reduce_plan plan = Planned::plan;
  /// The distance from register k to register k + 1.
  static constexpr integer register_bytes =
      plan.results == 0 ? 0 : plan.partials / plan.results * integer{sizeof(T)};

  __device__ __forceinline__ static unsigned of_thread(unsigned number) {
    return offset<0, true>(number);
  }
  __device__ __forceinline__ static unsigned of_group(unsigned number) {
    return offset<0, false>(number);
  }
  /// The first of the threads with the same partial result writes it. Threads without elements do
  /// not write.
  template <class Scope> __device__ __forceinline__ static bool writes_in(unsigned number) {
    if constexpr (Scope::size > plan.threads)
      return number < static_cast<unsigned>(as_constant<plan.threads>) && is_first<0>(number);
    else
      return is_first<0>(number);
  }
  /// The distance from a group's first partial result to its j-th.
  AXE_FN static constexpr integer member(integer j) {
    integer at = 0;
    for (shared_digit const& d : plan.through_shared) {
      if (!d.reduced) continue;
      at += j % d.extent * d.stride;
      j /= d.extent;
    }
    return at * integer{sizeof(T)};
  }

 private:
  /// The sum over the digits K, K + 1, … of the thread number. Unless `Reduced`, reduced digits
  /// count as 0.
  template <int K, bool Reduced>
  __device__ __forceinline__ static unsigned offset(unsigned number) {
    if constexpr (K == plan.through_shared.count) {
      return 0;
    } else {
      constexpr shared_digit d = plan.through_shared.at[K];
      if constexpr (d.reduced && !Reduced)
        return offset<K + 1, Reduced>(number);
      else
        return number / static_cast<unsigned>(d.divisor) % static_cast<unsigned>(d.extent) *
                   static_cast<unsigned>(d.stride * integer{sizeof(T)}) +
               offset<K + 1, Reduced>(number);
    }
  }
  template <int K> __device__ __forceinline__ static bool is_first(unsigned number) {
    if constexpr (K == plan.writers.count) {
      return true;
    } else {
      constexpr lane_round d = plan.writers.at[K];
      return number / static_cast<unsigned>(d.divisor) % static_cast<unsigned>(d.extent) == 0 &&
             is_first<K + 1>(number);
    }
  }
};

template <class Fragment, int... Dims> struct reduce_execution {
  using of = reduction<Fragment, Dims...>;
  using T = typename of::element;
  static constexpr reduce_plan plan = of::plan;
  static constexpr int results = static_cast<int>(plan.results);
  using partials = partial_results<T, results>;
  using in_scratch = partial_offsets<of, T>;

  AXE_FN static constexpr bool begins_result(int r) {
    for (int k = 0; k < r; ++k)
      if (plan.into.at.at[k] == plan.into.at.at[r]) return false;
    return true;
  }

  template <class Op>
  __device__ __forceinline__ static void fold_registers(Op const& op, Fragment const& from,
                                                        partials& partial) {
    for_each_register<Fragment::size>([&](auto r) {
      constexpr int at = plan.into.at.at[r.value];
      if constexpr (at < 0)
        return;
      else if constexpr (begins_result(r.value))
        partial.at[at] = from[r];
      else
        partial.at[at] = op(partial.at[at], from[r]);
    });
  }

  /// J counts the lanes of the group after the first.
  template <int Round, class Op, int... J>
  __device__ __forceinline__ static T fold_round(Op const& op, T const& own, unsigned number,
                                                 indices<J...>) {
    constexpr unsigned divisor = static_cast<unsigned>(plan.lanes.at[Round].divisor);
    constexpr unsigned extent = static_cast<unsigned>(plan.lanes.at[Round].extent);
    if constexpr (plan.lanes.at[Round].butterfly) {
      return op(own, shuffled<true>(own, divisor));
    } else {
      unsigned const first_lane = threadIdx.x % 32 - number / divisor % extent * divisor;
      T sum = shuffled<false>(own, first_lane);
      ((sum = op(sum, shuffled<false>(own, first_lane + (J + 1) * divisor))), ...);
      return sum;
    }
  }
  template <int Round, class Op>
  __device__ __forceinline__ static void fold_lanes(Op const& op, partials& partial,
                                                    unsigned number) {
    if constexpr (lanes_by<Op, T, plan.lanes_together()>::by_redux) {
      for_each_register<results>(
          [&](auto v) { partial.at[v.value] = redux<Op, T>(partial.at[v.value]); });
    } else if constexpr (Round < plan.lanes.count) {
      using stop_at_forced [[maybe_unused]] =
          typename verdict<lanes_by<Op, T, plan.lanes_together()>>::stop;
      for_each_register<results>([&](auto v) {
        partial.at[v.value] =
            fold_round<Round>(op, partial.at[v.value], number,
                              indices_to<static_cast<int>(plan.lanes.at[Round].extent) - 1>{});
      });
      fold_lanes<Round + 1>(op, partial, number);
    }
  }

  /// J counts the partial results after the first.
  template <int V, class Op, int... J>
  __device__ __forceinline__ static T fold_group(Op const& op, unsigned base, indices<J...>) {
    constexpr integer first = V * in_scratch::register_bytes;
    T sum = load_shared<T>(displaced<unsigned, first>{base});
    ((sum = op(sum, load_shared<T>(displaced<unsigned, first + in_scratch::member(J + 1)>{base}))),
     ...);
    return sum;
  }
  template <class Op, class Scope>
  __device__ __forceinline__ static void fold_warps(Op const& op, partials& partial,
                                                    unsigned number, unsigned scratch,
                                                    Scope scope) {
    if (in_scratch::template writes_in<Scope>(number)) {
      unsigned const base = scratch + in_scratch::of_thread(number);
      for_each_register<results>([&](auto v) {
        store_shared<T>(displaced<unsigned, v.value * in_scratch::register_bytes>{base},
                        partial.at[v.value]);
      });
    }
    sync(scope);
    unsigned const base = scratch + in_scratch::of_group(number);
    for_each_register<results>([&](auto v) {
      partial.at[v.value] =
          fold_group<v.value>(op, base, indices_to<static_cast<int>(plan.reads()) - 1>{});
    });
  }
};

#endif

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
