// SPDX-License-Identifier: MIT
// signed_coordinate: a tile's origin along one dimension, which may lie below 0.
//
//     constant<8>{} * any_signed(k)     a multiple of 8 that may be negative
//
// Definition: docs/index_code.md, "Tiles at any origin".
#pragma once

#include <axe/index/leaf.hpp>
#include <axe/index/sums.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// Step * value.
template <integer Step = 1> struct signed_coordinate {
  static_assert(Step >= 1, "the factor of any_signed(x) must be positive");
  int value;
};
/// An origin x that may be below 0.
template <class T> AXE_FN constexpr signed_coordinate<> any_signed(T x) {
  static_assert(detail::any_integer<T, 4>, "a coordinate is an integer of at most 32 bits");
  return {static_cast<int>(x)};
}
template <auto Value, integer Step>
AXE_FN constexpr signed_coordinate<static_cast<integer>(Value) * Step> operator*(
    constant<Value>, signed_coordinate<Step> const& c) {
  return {c.value};
}

namespace detail {

struct signed_number : unnamed {};
template <integer Step> using signed_sum = coordinate_sum<0, index_part<signed_number, 0, Step>>;

template <class Sum> inline constexpr bool may_be_negative = false;
template <integer C, integer Step, class... Rest>
inline constexpr bool
    may_be_negative<coordinate_sum<C, index_part<signed_number, 0, Step>, Rest...>> = true;

template <class T> struct origin_check_of {
  using type = coordinate_check<T>;
};
template <integer Step> struct origin_check_of<signed_coordinate<Step>> {
  using type = coordinate_check<unsigned>;
};

template <class T>
concept signed_integer = run_time_integer<T> && static_cast<T>(-1) < static_cast<T>(0);

/// Only any_signed(x), signed integers and negative constants may be below 0.
AXE_FN constexpr auto as_origin(auto const& x) { return as_sum(x); }
template <integer Step> AXE_FN constexpr auto as_origin(signed_coordinate<Step> const& x) {
  return signed_sum<Step>{{static_cast<unsigned>(x.value)}, {}};
}
template <signed_integer T> AXE_FN constexpr auto as_origin(T const& x) {
  return as_origin(any_signed(x));
}
template <auto Value>
  requires(any_integer<decltype(Value)> && Value < 0)
AXE_FN constexpr auto as_origin(constant<Value> const&) {
  return as_origin(signed_coordinate<-static_cast<integer>(Value)>{-1});
}

template <int D, class Origin, class T, class Sizes>
AXE_FN constexpr T* moved_to(T* data, Sizes const& sizes, unsigned coordinate) {
  if constexpr (may_be_negative<Origin>) {
    constexpr leaf stride = Sizes::template stride<D>();
    integer const at = static_cast<int>(coordinate);
#ifdef __CUDA_ARCH__
    if constexpr (!stride.known() && stride.factor() == 1 && stride.bound > 0 &&
                  stride.bound <= integer{1} << 31) {
      auto const step = static_cast<int>(sizes.template number<stride.slot>());
      // In C++, nvcc would widen the stride before a loop and multiply in 64 bits.
      integer moved;
      asm("mul.wide.s32 %0, %1, %2;" : "=l"(moved) : "r"(coordinate), "r"(step));
      return data + moved;
    } else
#endif
      return data + at * sizes.template leaf_number<stride>();
  } else {
    return data;
  }
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
