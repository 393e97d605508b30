// SPDX-License-Identifier: MIT
// copy(from, to, scope): copies a tile to another of the same shape, as planned at compile time.
//
//     copy(tile<32, 64>(in, i, j), staged, cta<256>);                     the widest vectors
//     copy(staged, a, warp);                                              ldmatrix, if it fits
//
// Elements out of bounds are skipped, or zero with zero_fill. All threads of the scope call
// copy. The caller synchronises. Definition: docs/plans.md, "Copy".
#pragma once

#include <axe/cuda/copy/execution.hpp>
#include <axe/cuda/copy/result.hpp>

#ifdef __CUDACC__

namespace axe {
inline namespace AXE_NAMESPACE {

/// Executes plan_of_copy<From, To, Scope, How>. Sides are tiles of tensors, shared tiles and at
/// most one fragment.
template <packed_how How = copy_how{}, class From, class To, class Scope = detail::no_scope,
          class Planned = detail::planned_case<From, To, Scope, How>,
          class Result = typename detail::copy_call<From, To, Scope, Planned>::type>
__device__ __forceinline__ Result
copy(From const& from, To&& to, Scope scope = {} AXE_CALLED_FROM) {
  return detail::execute<Result, Planned, detail::execution_of>(from, to, scope AXE_CALLER);
}

template <class From, class To>
__device__ __forceinline__ void copy(From const&, To const&, detail::any_argument,
                                     detail::any_argument = {}) {
  static_assert(detail::never<From>,
                "copy takes two sides and a scope; options are in angle brackets: "
                "axe::copy<axe::zero_fill>(from, to, axe::cta<256>)");
}

namespace detail {
template <bool Joined> struct options_check {
  static_assert(Joined,
                "a copy takes its options joined: axe::copy<axe::zero_fill | "
                "axe::allow_slow>(from, to, scope)");
  using rejected = void;
};
/// Matches a layout or options passed as P. Does not store them, because messages would print them.
struct layout_value {
  bool is_value = true;
  AXE_FN constexpr layout_value(layout const&) {}
  AXE_FN constexpr layout_value(copy_how const&) {}
};
}  // namespace detail

/// Rejects options without |. Because of Result, nvcc names the user's line.
template <packed_how, packed_how, packed_how..., class From,
          class Result = detail::options_check<detail::never<From>>>
__device__ Result copy(From const&, auto const&...);
template <class P, packed_how, packed_how, packed_how..., class From,
          class Result = detail::options_check<detail::never<From>>>
__device__ Result copy_by(From const&, auto const&...);
template <class P, packed_how, packed_how, packed_how..., class From,
          class Result = detail::options_check<detail::never<From>>>
__device__ Result load(From const&, auto const&...);

template <detail::layout_value P, class...>
__device__ detail::partition_check<!P.is_value, true> copy_by(auto const&...);

/// Copies by partition P, a carrier, instead of the planner's.
template <class P = detail::no_layout, packed_how How = copy_how{}, class From, class To,
          class Scope = detail::no_scope,
          class Planned = detail::planned_case<From, To, Scope, How, P>,
          class Result = typename detail::copy_call<
              From, To, Scope, Planned, typename detail::partition_result<P, From, To>::type>::type>
__device__ __forceinline__ Result
copy_by(From const& from, To&& to, Scope scope = {} AXE_CALLED_FROM) {
  return detail::execute<Result, Planned, detail::execution_of>(from, to, scope AXE_CALLER);
}

template <class P = detail::no_layout, packed_how = copy_how{}>
__device__ void copy_by(detail::any_argument, detail::any_argument, detail::any_argument,
                        detail::any_argument = {}) {
  detail::partition_check<detail::never<P>, true>();
}

namespace detail {
template <bool HasLayout, bool HasTile, bool TwoArguments = true> struct load_check {
  static_assert(HasLayout, "load needs a layout as a type: axe::carrier<...>");
  static_assert(HasTile || !HasLayout,
                "load takes a tile: for a tensor use axe::tile<...>(tensor, i, j)");
  static_assert(TwoArguments,
                "load takes a tile and a scope; options are in angle brackets: "
                "axe::load<P, axe::zero_fill>(tile, scope)");
  using rejected = void;
};

/// A fragment, or a class that rejects the call.
template <class P, class From, bool IsTile, bool HasLayout> struct held_type {
  using type = load_check<HasLayout, IsTile>;
};
template <class P, class From, bool HasLayout>
  requires(requires { typename From::rejected; })
struct held_type<P, From, false, HasLayout> {
  using type = From;
};
template <class P, class From> struct held_type<P, From, true, true> {
  using operand = copy_operand<operand_type<From>>;
  using shape_type = operand::tile_shape;
  using type = result_if<!is_reported<shape_type>, tile_check<true>,
                         result_if<stl::is_same_v<verdict<partition<P, shape_type>>, accepted>,
                                   verdict<partition<P, shape_type>>,
                                   fragment<typename operand::element, P, shape_type>>>;
};
template <class From, class Scope, packed_how How, class Held> struct accepted_load {
  static constexpr bool accepted = false;
  using type = Held;
  using check = rejected_copy;
};
template <class From, class Scope, packed_how How, class T, class P, class S>
struct accepted_load<From, Scope, How, fragment<T, P, S>> {
  using planned = planned_case<From, fragment<T, P, S>&, Scope, How>;
  using checked = copy_call<From, fragment<T, P, S>&, Scope, planned>::type;
  static constexpr bool accepted = stl::is_same_v<checked, void>;
  using type = fragment<T, P, S>;  // even if rejected: uses compile
  using check = result_if<!accepted, rejected_copy, checked>;
};
template <class Check> using rejected_by = Check::rejected;
/// Not an alias, and without default arguments: see copy_call.
template <class P, class From, class Scope, packed_how How>
struct load_call
    : accepted_load<From, Scope, How,
                    typename held_type<P, From, copy_operand<operand_type<From>>::is_operand,
                                       carries_layout<P>>::type> {};
}  // namespace detail

template <detail::layout_value P, class...>
__device__ detail::load_check<!P.is_value, true> load(auto const&...);

template <class P, packed_how How = copy_how{}, class From, class Scope,
          class Result = detail::load_check<true, true, detail::never<From>>>
__device__ Result load(From const&, Scope, detail::any_argument);

/// Loads a tile into a fragment of layout P, a carrier. Without zero_fill, registers of elements
/// out of bounds are not initialised.
template <class P = detail::no_layout, packed_how How = copy_how{}, class From,
          class Scope = detail::no_scope, class Call = detail::load_call<P, From, Scope, How>,
          class Result = typename Call::type, class = detail::rejected_by<typename Call::check>>
__device__ __forceinline__ Result load(From const& from, Scope scope = {} AXE_CALLED_FROM) {
  using namespace detail;
  if constexpr (Call::accepted) {
    Result held;
    execute<void, typename Call::planned, execution_of>(from, held, scope AXE_CALLER);
    return held;
  } else {
    return {};
  }
}

}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
