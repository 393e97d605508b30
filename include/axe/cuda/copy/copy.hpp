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
  return detail::execute_call<Result, Planned, detail::execution_of>(from, to, scope AXE_CALLER);
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
  return detail::execute_call<Result, Planned, detail::execution_of>(from, to, scope AXE_CALLER);
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
  struct stop;  // incomplete, so that nvcc reports no further errors
};
}  // namespace detail

template <detail::layout_value P, class...> __device__ auto load(auto const&...) {
  return typename detail::load_check<!P.is_value, true>::stop{};
}

template <class P, packed_how How = copy_how{}, class From, class Scope>
__device__ auto load(From const&, Scope, detail::any_argument) {
  return typename detail::load_check<true, true, detail::never<From>>::stop{};
}

/// Loads a tile into a fragment of layout P, a carrier. Without zero_fill, registers of elements
/// out of bounds are not initialised.
template <class P = detail::no_layout, packed_how How = copy_how{}, class From,
          class Scope = detail::no_scope>
__device__ __forceinline__ auto load(From const& from, Scope scope = {} AXE_CALLED_FROM) {
  using namespace detail;
  using operand = copy_operand<operand_type<From>>;
  if constexpr (requires { typename From::rejected; }) {
    return from;
  } else if constexpr (!carries_layout<P> || !operand::is_operand) {
    return typename load_check<carries_layout<P>, operand::is_operand>::stop{};
  } else if constexpr (is_reported<typename operand::tile_shape>) {
    return tile_check<true>{};
  } else if constexpr (!verdict<partition<P, typename operand::tile_shape>>::passes()) {
    return tile_check<true>{};  // a fragment would report the error again
  } else {
    fragment<typename operand::element, P, typename operand::tile_shape> held;
    if constexpr (scope_check<Scope>::passed) copy<How>(from, held, scope AXE_CALLER);
    return held;
  }
}

}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
