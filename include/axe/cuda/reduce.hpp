// SPDX-License-Identifier: MIT
// reduce<Dims...>(op, from, to, scope): reduces a fragment over dimensions by op. Every thread that
// holds an operand of a result gets the result.
//
//     axe::reduced<decltype(x), 1> row_max;                           x: (16,64), row_max: (16,1)
//     axe::reduce<1>(axe::maximum{}, x, row_max, axe::warp);          registers, then shuffles
//     reduce<1>(plus{}, x, row_sum, scratch, cta<256>);               also between warps
//
// op is associative and commutative. Put a barrier between two uses of one scratch. docs/plans.md.
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
    constexpr layout p = Fragment::layout_type::value;
    constexpr shape s = Fragment::shape_type::value;
    return sentence_of("reduce", result.why, {&p, nullptr, &s});
  }
};

template <class Reduction> struct result_source {
  static constexpr layout value = Reduction::plan.result;
};
template <class Reduction, class D> struct reduced_fragment;
template <class Reduction, int... D> struct reduced_fragment<Reduction, indices<D...>> {
  using stop = typename verdict<Reduction>::stop;
  using type = fragment<typename Reduction::element, carrier_of<result_source<Reduction>>,
                        extents<Reduction::plan.result_extents.at[D]...>>;
};

}  // namespace detail

/// The type of the fragment that holds the results of reducing Fragment over Dims.
template <class Fragment, int... Dims>
using reduced = typename detail::reduced_fragment<
    detail::reduction<detail::stl::remove_const_t<Fragment>, Dims...>,
    detail::indices_to<detail::reduction<detail::stl::remove_const_t<Fragment>, Dims...>::plan
                           .result_extents.count>>::type;

/// The shared memory that a reduction between warps needs.
template <class Fragment, int... Dims> struct reduce_scratch {
  using of = detail::reduction<detail::stl::remove_const_t<Fragment>, Dims...>;
  static constexpr integer size = of::plan.folds_warps() ? of::plan.partials : of::plan.results;
  alignas(16) unsigned char bytes[size * static_cast<integer>(sizeof(typename of::element))];
};

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)

namespace detail {

/// The value of lane (own number ^ `lane`) if Butterfly, else of lane `lane`.
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

/// Where threads write and read partial results in the scratch. A group is the threads whose
/// partial results are combined.
template <class Holder, class T> struct partial_offsets {
  static constexpr reduce_plan plan = Holder::plan;
  /// The distance from a partial result of register k to that of register k + 1, in elements.
  static constexpr integer stride = plan.results == 0 ? 0 : plan.partials / plan.results;

  /// The byte offset in the scratch of the partial result of thread `number`; without `Reduced`, of
  /// the first partial result of its group.
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
  /// True if the thread is the first of those that hold the same partial result.
  template <int K> __device__ __forceinline__ static bool writes(unsigned number) {
    if constexpr (K == plan.writers.count) {
      return true;
    } else {
      constexpr lane_round d = plan.writers.at[K];
      return number / static_cast<unsigned>(d.divisor) % static_cast<unsigned>(d.extent) == 0 &&
             writes<K + 1>(number);
    }
  }
  /// True if the thread writes partial results. Threads without elements do not.
  template <class Scope> __device__ __forceinline__ static bool writes_in(unsigned number) {
    if constexpr (Scope::size > plan.threads)
      return number < static_cast<unsigned>(as_constant<plan.threads>) && writes<0>(number);
    else
      return writes<0>(number);
  }
  /// The distance in bytes from a group's first partial result to its j-th.
  AXE_FN static constexpr integer member(integer j) {
    integer at = 0;
    for (shared_digit const& d : plan.through_shared) {
      if (!d.reduced) continue;
      at += j % d.extent * d.stride;
      j /= d.extent;
    }
    return at * integer{sizeof(T)};
  }
};

template <class Fragment, int... Dims> struct reduce_execution {
  using of = reduction<Fragment, Dims...>;
  using T = typename of::element;
  static constexpr reduce_plan plan = of::plan;
  static constexpr int results = static_cast<int>(plan.results);
  using partials = partial_results<T, results>;
  using in_scratch = partial_offsets<of, T>;

  AXE_FN static constexpr bool first(int r) {
    for (int k = 0; k < r; ++k)
      if (plan.into.at.at[k] == plan.into.at.at[r]) return false;
    return true;
  }

  template <class Op>
  __device__ __forceinline__ static void fold_registers(Op const& op, Fragment const& from,
                                                        partials& into) {
    for_each_register<Fragment::size>([&](auto r) {
      constexpr int at = plan.into.at.at[r.value];
      if constexpr (at < 0)
        return;
      else if constexpr (first(r.value))
        into.at[at] = from[r];
      else
        into.at[at] = op(into.at[at], from[r]);
    });
  }

  template <int Round, class Op, int... J>
  __device__ __forceinline__ static T fold_round(Op const& op, T const& own, unsigned number,
                                                 indices<J...>) {
    constexpr unsigned divisor = static_cast<unsigned>(plan.lanes.at[Round].divisor);
    constexpr unsigned extent = static_cast<unsigned>(plan.lanes.at[Round].extent);
    if constexpr (plan.lanes.at[Round].butterfly) {
      return op(own, shuffled<true>(own, divisor));
    } else {
      unsigned const begin = threadIdx.x % 32 - number / divisor % extent * divisor;
      T sum = shuffled<false>(own, begin);
      ((sum = op(sum, shuffled<false>(own, begin + (J + 1) * divisor))), ...);
      return sum;
    }
  }
  template <int Round, class Op>
  __device__ __forceinline__ static void fold_lanes(Op const& op, partials& p, unsigned number) {
    if constexpr (lanes_by<Op, T, plan.lanes_together()>::by_redux) {
      for_each_register<results>([&](auto v) { p.at[v.value] = redux<Op, T>(p.at[v.value]); });
    } else if constexpr (Round < plan.lanes.count) {
      using stop_at_forced [[maybe_unused]] =
          typename verdict<lanes_by<Op, T, plan.lanes_together()>>::stop;
      for_each_register<results>([&](auto v) {
        p.at[v.value] =
            fold_round<Round>(op, p.at[v.value], number,
                              indices_to<static_cast<int>(plan.lanes.at[Round].extent) - 1>{});
      });
      fold_lanes<Round + 1>(op, p, number);
    }
  }

  template <int V, class Op, int... J>
  __device__ __forceinline__ static T fold_group(Op const& op, unsigned base, indices<J...>) {
    T sum = load_shared<T>(displaced<unsigned, V * in_scratch::stride * integer{sizeof(T)}>{base});
    ((sum = op(sum, load_shared<T>(displaced<unsigned, V * in_scratch::stride * integer{sizeof(T)} +
                                                           in_scratch::member(J + 1)>{base}))),
     ...);
    return sum;
  }
  template <class Op, class Scope>
  __device__ __forceinline__ static void fold_warps(Op const& op, partials& p, unsigned number,
                                                    unsigned scratch, Scope scope) {
    if (in_scratch::template writes_in<Scope>(number)) {
      unsigned const base = scratch + in_scratch::template offset<0, true>(number);
      for_each_register<results>([&](auto v) {
        store_shared<T>(
            displaced<unsigned, v.value * in_scratch::stride * integer{sizeof(T)}>{base},
            p.at[v.value]);
      });
    }
    sync(scope);
    unsigned const base = scratch + in_scratch::template offset<0, false>(number);
    for_each_register<results>([&](auto v) {
      p.at[v.value] =
          fold_group<v.value>(op, base, indices_to<static_cast<int>(plan.reads()) - 1>{});
    });
  }
};

/// Computes to = results, or to = op(to, results) if Accumulate.
template <class Result, bool Accumulate, class Op, class To, class Partials>
__device__ __forceinline__ void write_results(Op const& op, To& to, Partials const& p) {
  for_each_register<To::size>([&](auto r) {
    constexpr int at = register_match_of<To, Result>::match.at.at[r.value];
    if constexpr (Accumulate)
      to[r] = op(to[r], p.at[at]);
    else
      to[r] = p.at[at];
  });
}

/// The position in the scope of the thread with number `first` on the thread axis.
template <class Scope> AXE_FN constexpr integer begin_in(integer first) {
  return are_groups<Scope> ? first % Scope::size : first - Scope::first;
}

template <class Scope> AXE_FN constexpr bool held_by(reduce_plan const& plan) {
  integer const begin = plan.first_thread == 0 ? 0 : begin_in<Scope>(plan.first_thread);
  return begin >= 0 && begin + plan.threads <= Scope::size &&
         (plan.thread != axis::lane || Scope::size <= 32);
}

/// This thread's number among the threads that hold elements.
template <integer First, class Scope>
__device__ __forceinline__ unsigned number_among(Scope scope) {
  if constexpr (First == 0 || begin_in<Scope>(First) == 0)
    return thread_in(scope);
  else
    return thread_in(scope) - static_cast<unsigned>(begin_in<Scope>(First));
}

/// Computes to = results, or to = op(to, results) if Accumulate. Scratch is the reduction that the
/// scratch belongs to, or void.
template <bool Accumulate, class Scratch, int... Dims, class Op, class From, class To, class Scope>
__device__ __forceinline__ void execute_reduce(Op const& op, From const& from, To& to,
                                               [[maybe_unused]] unsigned scratch, Scope scope) {
  using run = reduce_execution<From, Dims...>;
  static_assert(
      held_by<Scope>(run::plan),
      "the layout counts more threads than the scope has, or lanes where the scope is several "
      "warps: axe::warp");
  static_assert(
      !stl::is_same_v<Scratch, void> || !run::plan.folds_warps(),
      "the dimension lies on several warps: reduce needs an axe::reduce_scratch in shared memory");
  static_assert(stl::is_same_v<Scratch, void> || stl::is_same_v<Scratch, typename run::of>,
                "the scratch was made for another reduction");
  static_assert(run::plan.ctas == 1,
                "the dimension lies on CTAs of the cluster: use axe::reduce_in_cluster");
  typename run::partials p;
  unsigned const number = number_among<run::plan.first_thread>(scope);
  run::fold_registers(op, from, p);
  run::template fold_lanes<0>(op, p, number);
  if constexpr (run::plan.folds_warps()) run::fold_warps(op, p, number, scratch, scope);
  write_results<reduced<From, Dims...>, Accumulate>(op, to, p);
}
/// The type whose why() says if a reduction into To is rejected: the reduction itself, or the match
/// of its result with To.
template <class To, class From, int... Dims> AXE_FN constexpr auto decisive() {
  if constexpr (reduction<From, Dims...>::result.why)
    return reduction<From, Dims...>{};
  else
    return register_match_of<To, reduced<From, Dims...>>{};
}

}  // namespace detail

/// Reduces within warps: to = op over Dims of `from`.
template <int... Dims, class Op, class From, class To, class Scope>
__device__ __forceinline__ void reduce(Op const& op, From const& from, To& to, Scope scope) {
  using check = decltype(detail::decisive<To, From, Dims...>());
  using stop [[maybe_unused]] = typename detail::verdict<check>::stop;
  if constexpr (!check::why()) detail::execute_reduce<false, void, Dims...>(op, from, to, 0, scope);
}
/// Computes to = op(to, op over Dims of `from`).
template <int... Dims, class Op, class From, class To, class Scope>
__device__ __forceinline__ void accumulate(Op const& op, From const& from, To& to, Scope scope) {
  using check = decltype(detail::decisive<To, From, Dims...>());
  using stop [[maybe_unused]] = typename detail::verdict<check>::stop;
  if constexpr (!check::why()) detail::execute_reduce<true, void, Dims...>(op, from, to, 0, scope);
}
/// Reduces also between warps, through shared memory with one barrier of the scope.
template <int... Dims, class Op, class From, class To, class Scratch, class Scope>
__device__ __forceinline__ void reduce(Op const& op, From const& from, To& to, Scratch& scratch,
                                       Scope scope) {
  using check = decltype(detail::decisive<To, From, Dims...>());
  using stop [[maybe_unused]] = typename detail::verdict<check>::stop;
  if constexpr (!check::why())
    detail::execute_reduce<false, typename Scratch::of, Dims...>(
        op, from, to, shared_address(scratch.bytes), scope);
}
template <int... Dims, class Op, class From, class To, class Scratch, class Scope>
__device__ __forceinline__ void accumulate(Op const& op, From const& from, To& to, Scratch& scratch,
                                           Scope scope) {
  using check = decltype(detail::decisive<To, From, Dims...>());
  using stop [[maybe_unused]] = typename detail::verdict<check>::stop;
  if constexpr (!check::why())
    detail::execute_reduce<true, typename Scratch::of, Dims...>(
        op, from, to, shared_address(scratch.bytes), scope);
}

#endif

}  // namespace AXE_NAMESPACE
}  // namespace axe
