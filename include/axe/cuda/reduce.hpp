// SPDX-License-Identifier: MIT
// reduce<Dims...>(op, from, to, scope): folds a fragment by op along Dims. Every thread that holds
// an operand of a result gets the result. op must be associative and commutative.
//
//     reduced<decltype(x), 1> row_max;                                x: (16,64), row_max: (16,1)
//     reduce<1>(maximum{}, x, row_max, warp);                         registers, then shuffles
//
// Warps fold through a reduce_scratch. Put a barrier between two uses of one scratch.
#pragma once

#include <axe/cuda/reduce_execution.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {
template <class Reduction> struct result_source {
  static constexpr layout value = Reduction::plan.result;
};
template <class Reduction, class D = indices_to<Reduction::plan.result_extents.count>>
struct reduced_fragment;
template <class Reduction, int... D> struct reduced_fragment<Reduction, indices<D...>> {
  using type = fragment<typename Reduction::element, carrier_of<result_source<Reduction>>,
                        extents_as_written<Reduction::plan.result_extents.at[D]...>>;
};

template <bool Passed> struct fragments_check {
  static_assert(Passed,
                "reduce takes its dimensions in angle brackets, and fragments: reduce<1>(op, x, "
                "sums, scope) with axe::reduced<decltype(x), 1> sums, or reduce<1>(op, x, sums, "
                "scratch, scope) with axe::reduce_scratch<decltype(x), 1> scratch");
  using rejected = void;
  template <class X> AXE_FN operator X() const;  // `float s = reduce(…)` has no second error
};

template <class Fragment, int... Dims> struct reduced_of {
  using source = broken<rule::none>;
  template <class> using type = fragments_check<never<Fragment>>;
};
template <class Fragment, int... Dims>
  requires is_fragment<stl::remove_cvref_t<Fragment>>
struct reduced_of<Fragment, Dims...> {
  using source = reduction<stl::remove_cvref_t<Fragment>, Dims...>;
  template <class> using type = reduced_fragment<source>::type;
};

}  // namespace detail

/// The fragment for the results of reduce<Dims...> of a Fragment. The verdict in the alias lets
/// errors name the user's line.
template <class Fragment, int... Dims>
using reduced = detail::reduced_of<Fragment, Dims...>::template type<
    typename detail::verdict<typename detail::reduced_of<Fragment, Dims...>::source>::stop>;

/// For a reduction between warps. Declare it __shared__.
template <class Fragment, int... Dims> struct reduce_scratch {
  using of = detail::reduction<detail::stl::remove_cvref_t<Fragment>, Dims...>;
  using stop = detail::verdict<of>::stop;
  static constexpr integer size = of::plan.folds_warps() ? of::plan.partials : of::plan.results;
  alignas(16) unsigned char bytes[size * integer{sizeof(typename of::element)}];

  reduce_scratch() = default;
  AXE_FN reduce_scratch(reduce_scratch const&, detail::copy_check<detail::never<Fragment>> = {}) {}
};

#ifdef __CUDACC__

namespace detail {

template <class To, class Results> AXE_FN constexpr bool matches_one_to_one() {
  auto const& match = register_match_of<To, Results>::match.at;
  bool matched[Results::size]{};
  for (short const at : match) {
    if (matched[at]) return false;
    matched[at] = true;
  }
  return To::size == Results::size;
}

template <class Result, bool Accumulate, class To>
__device__ __forceinline__ void write_results(auto const& op, To& to, auto const& results) {
  source_registers<To::size> const sources = source_registers_of<To, Result>();
#pragma unroll
  for (int r = 0; r < To::size; ++r)
    if constexpr (Accumulate)
      to.registers[r] = call_op(op, to.registers[r], results[sources.at[r]]);
    else
      to.registers[r] = results[sources.at[r]];
}

/// This thread's number among the threads with elements.
template <integer First> __device__ __forceinline__ unsigned number_among(auto scope) {
  return number_on_axis<First>(scope) - static_cast<unsigned>(First);
}

template <class Result, bool Accumulate, int... Dims, class From>
__device__ __forceinline__ Result execute_reduce(auto const& op, From const& from, auto& to,
                                                 unsigned scratch, auto scope) {
  if constexpr (stl::is_same_v<Result, void>) {
    using steps = reduce_execution<From, Dims...>;
    using results = reduced<From, Dims...>;
    using to_type = stl::remove_reference_t<decltype(to)>;
    constexpr bool by_lanes = is_scope<decltype(scope)>;
    // If the fold starts with the old results, a sum of products is a chain of multiply-adds.
    constexpr bool extends_results =
        Accumulate && !by_lanes && matches_one_to_one<to_type, results>() &&
        stl::is_same_v<typename to_type::value_type, typename From::value_type>;
    typename steps::partials partial;
    if constexpr (extends_results) {
      source_registers<to_type::size> const sources = source_registers_of<to_type, results>();
#pragma unroll
      for (int r = 0; r < to_type::size; ++r) partial[sources.at[r]] = to.registers[r];
    }
    steps::template fold_registers<extends_results>(op, from, partial);
    if constexpr (by_lanes) {
      unsigned const number = number_among<steps::plan.first_thread>(scope);
      steps::template fold_lanes<0>(op, partial, number, scope);
      if constexpr (steps::plan.folds_warps())
        steps::fold_warps(op, partial, number, scratch, scope);
    }
    write_results<results, Accumulate && !extends_results>(op, to, partial);
  }
  return Result();
}

template <class Op, class From> AXE_FN constexpr bool can_fold() {
  using element = From::value_type;
  return requires(Op const& op, element const& x, element y) {
    y = op(x, x);
    requires any_integer<element> == any_integer<decltype(op(x, x))>;
  };
}
template <bool Passed> struct fold_check {
  static constexpr bool passed = Passed;
  static_assert(Passed,
                "op of a reduction takes two elements, by value or const&, returns one and is not "
                "mutable: axe::plus{}, or [](float a, float b) { return a + b; }");
};
template <bool Accumulate, class Op, class To, class From> AXE_FN constexpr bool can_store() {
  using result = To::value_type;
  using element = From::value_type;
  if constexpr (Accumulate)
    return requires(Op const& op, element const& x, result y) {
      y = op(y, x);
      requires any_integer<result> == any_integer<decltype(op(y, x))>;
    };
  else
    return requires(element const& x, result y) {
      y = x;
      requires !any_integer<result> || any_integer<element>;
    };
}
template <bool Passed> struct result_check {
  static_assert(Passed,
                "the results of a reduction cannot hold its values: integers hold no floats, and "
                "floats no results of an op on integers; axe::reduced<decltype(x), 1> has the type "
                "of the elements, and axe::cast converts fragments");
};
template <bool HasThreads, bool HasWarps, bool HasScratch, bool OwnScratch> struct execution_check {
  static constexpr bool passed = HasThreads && HasWarps && HasScratch && OwnScratch;
  static_assert(HasThreads,
                "the scope does not have all threads of the layout, or the layout is on lanes and "
                "the scope is not axe::warp");
  static_assert(HasWarps, "reduce shuffles and needs a scope of whole warps");
  static_assert(
      HasScratch,
      "the dimension lies on several warps: reduce needs an axe::reduce_scratch in shared memory");
  static_assert(OwnScratch,
                "the scratch was declared for another reduction: this one needs an "
                "axe::reduce_scratch<decltype(x), Dims...>");
};
/// ScratchOf is the reduction of the scratch, or void without one.
template <class Planned, class ScratchOf, class Scope>
using execution_check_of =
    execution_check<has_threads<Scope>(Planned::plan),
                    Planned::plan.lanes.count == 0 || has_whole_warps<Scope>,
                    !stl::is_same_v<ScratchOf, void> || !Planned::plan.folds_warps(),
                    stl::is_same_v<ScratchOf, void> || stl::is_same_v<ScratchOf, Planned>>;
template <class Check>
using execution_result =
    result_if<stl::is_same_v<Check, execution_check<true, true, true, true>>, Check>;

/// Checked first, because errors inside reduce() would print the types of all fragments.
template <bool Accumulate, class Op, class To, class From, int... Dims>
AXE_FN constexpr auto result_of_fragments() {
  if constexpr (sizeof...(Dims) == 0 || !is_fragment<To> || !is_fragment<From> ||
                stl::is_const_v<To>)
    return stl::type_identity<fragments_check<false>>{};
  else if constexpr (reduction<From, Dims...>::result.why)
    return stl::type_identity<verdict<reduction<From, Dims...>>>{};
  else if constexpr (register_match_of<To, reduced<From, Dims...>>::result.why)
    return stl::type_identity<verdict<register_match_of<To, reduced<From, Dims...>>>>{};
  else if constexpr (!can_fold<Op, From>())
    return stl::type_identity<fold_check<false>>{};
  else if constexpr (!can_store<Accumulate, Op, To, From>())
    return stl::type_identity<result_check<false>>{};
  else
    return stl::type_identity<void>{};
}
template <bool Accumulate, class Op, class To, class From, int... Dims>
using fragments_result =
    call_check<typename decltype(result_of_fragments<Accumulate, Op, To, From, Dims...>())::type,
               Op, From, From>::type;
template <class ScratchOf, class Scope, class From, int... Dims>
AXE_FN constexpr auto result_of_scope() {
  if constexpr (!is_scope<Scope>)
    return stl::type_identity<scope_check<Scope>>{};
  else if constexpr (threads_check<Scope, reduction<From, Dims...>::plan>::why())
    return stl::type_identity<verdict<threads_check<Scope, reduction<From, Dims...>::plan>>>{};
  else
    return stl::type_identity<
        execution_result<execution_check_of<reduction<From, Dims...>, ScratchOf, Scope>>>{};
}
template <bool Accumulate, class Op, class ScratchOf, class Scope, class To, class From,
          int... Dims>
AXE_FN constexpr auto result_of_reduce() {
  auto const of_fragments = result_of_fragments<Accumulate, Op, To, From, Dims...>();
  if constexpr (stl::is_same_v<typename decltype(of_fragments)::type, void>)
    return result_of_scope<ScratchOf, Scope, From, Dims...>();
  else
    return of_fragments;
}
template <bool Accumulate, class Op, class ScratchOf, class Scope, class To, class From,
          int... Dims>
using reduce_result =
    call_check<typename decltype(result_of_reduce<Accumulate, Op, ScratchOf, Scope, To, From,
                                                  Dims...>())::type,
               Op, From, From>::type;

}  // namespace detail

/// All threads of the scope must call it.
template <int... Dims, class Op, class From, class To, class Scope = detail::no_scope,
          class Result = detail::reduce_result<false, Op, void, Scope, To, From, Dims...>>
__device__ __forceinline__ Result reduce(Op const& op, From const& from, To& to, Scope scope = {}) {
  return detail::execute_reduce<Result, false, Dims...>(op, from, to, 0, scope);
}
/// to = op(to, op over Dims of `from`).
template <int... Dims, class Op, class From, class To, class Scope = detail::no_scope,
          class Result = detail::reduce_result<true, Op, void, Scope, To, From, Dims...>>
__device__ __forceinline__ Result accumulate(Op const& op, From const& from, To& to,
                                             Scope scope = {}) {
  return detail::execute_reduce<Result, true, Dims...>(op, from, to, 0, scope);
}
/// Also folds between warps, with one or two barriers of the scope.
template <
    int... Dims, class Op, class From, class To, class Scratch, class Scope,
    class Result = detail::reduce_result<false, Op, typename Scratch::of, Scope, To, From, Dims...>>
__device__ __forceinline__ Result reduce(Op const& op, From const& from, To& to, Scratch& scratch,
                                         Scope scope) {
  return detail::execute_reduce<Result, false, Dims...>(op, from, to, shared_address(scratch.bytes),
                                                        scope);
}
template <
    int... Dims, class Op, class From, class To, class Scratch, class Scope,
    class Result = detail::reduce_result<true, Op, typename Scratch::of, Scope, To, From, Dims...>>
__device__ __forceinline__ Result accumulate(Op const& op, From const& from, To& to,
                                             Scratch& scratch, Scope scope) {
  return detail::execute_reduce<Result, true, Dims...>(op, from, to, shared_address(scratch.bytes),
                                                       scope);
}
/// These overloads reject other calls. nvcc also selects these for undefined names and axe::plus
/// without braces.
template <int... Dims>
__device__ detail::fragments_check<detail::never<extents<Dims...>>> reduce(
    detail::any_argument, detail::any_argument = {}, detail::any_argument = {},
    detail::any_argument = {}, detail::any_argument = {});
template <int... Dims>
__device__ detail::fragments_check<detail::never<extents<Dims...>>> accumulate(
    detail::any_argument, detail::any_argument = {}, detail::any_argument = {},
    detail::any_argument = {}, detail::any_argument = {});

/// Folds this thread's registers along Dims into `to`. After a loop of such calls,
/// combine_lanes<decltype(from), Dims...>(op, to, warp) folds the lanes.
template <int... Dims, class Op, class From, class To,
          class Result = detail::fragments_result<true, Op, To, From, Dims...>>
__device__ __forceinline__ Result accumulate_registers(Op const& op, From const& from, To& to) {
  return detail::execute_reduce<Result, true, Dims...>(op, from, to, 0, detail::no_scope{});
}

/// `partial` must come from accumulate_registers<Dims...> on fragments of type From. The default
/// arguments let errors of online_softmax name the user's line.
template <class From, int... Dims, class Op, class Scope,
          bool = detail::execution_check_of<
              detail::reduction<detail::stl::remove_const_t<From>, Dims...>, void, Scope>::passed,
          bool = detail::fold_check<detail::can_fold<Op, From>()>::passed>
__device__ __forceinline__ void combine_lanes(
    Op const& op,
    typename detail::reduced_fragment<
        detail::reduction<detail::stl::remove_const_t<From>, Dims...>>::type& partial,
    Scope scope) {
  using steps = detail::reduce_execution<detail::stl::remove_const_t<From>, Dims...>;
  steps::template fold_lanes<0>(op, partial.registers,
                                detail::number_among<steps::plan.first_thread>(scope), scope);
}

#endif

}  // namespace AXE_NAMESPACE
}  // namespace axe
