// SPDX-License-Identifier: MIT
// Compares coordinates: tests the difference of their run-time parts against a constant.
//
//     column + constant<j>{} > row + constant<i>{}         computes column - row once for all i, j
//
// The difference is clamped to +-(2^31 - 1), which keeps the comparison exact.
#pragma once

#include <axe/index/coordinate.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

template <integer C, class... Parts>
AXE_FORCE_INLINE constexpr unsigned run_time_sum(coordinate_sum<C, Parts...> const& sum) {
  return add_constant<-C>(sum)();
}
AXE_FORCE_INLINE constexpr int clamped_difference(unsigned x, unsigned y) {
  unsigned const distance = x < y ? y - x : x - y;
  int const clamped = static_cast<int>(distance < 0x7fff'ffff ? distance : 0x7fff'ffff);
  return x < y ? -clamped : clamped;
}
/// a < b + More.
template <integer More, integer A, class... Left, integer B, class... Right>
AXE_FORCE_INLINE constexpr bool is_less(coordinate_sum<A, Left...> const& a,
                                        coordinate_sum<B, Right...> const& b) {
  constexpr integer step = B - A + More;
  if constexpr (step == 0) {
    return run_time_sum(a) < run_time_sum(b);
  } else if constexpr (step == 1) {
    return run_time_sum(a) <= run_time_sum(b);
  } else if constexpr (sizeof...(Left) > 0 && sizeof...(Right) > 0 && step > -0x7fff'ffff &&
                       step <= 0x7fff'ffff) {
    int difference = clamped_difference(run_time_sum(a), run_time_sum(b));
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000
    // Keeps ptxas for sm_100 and later from branching between comparisons.
    if (!__builtin_is_constant_evaluated()) asm volatile("" : "+r"(difference));
#endif
    return difference < static_cast<int>(step);
  } else {
    return static_cast<integer>(run_time_sum(a)) - static_cast<integer>(run_time_sum(b)) < step;
  }
}

}  // namespace detail

template <coordinate_part A, coordinate_part B>
AXE_FORCE_INLINE constexpr bool operator<(A const& a, B const& b) {
  return detail::is_less<0>(as_sum(a), as_sum(b));
}
template <coordinate_part A, coordinate_part B>
AXE_FORCE_INLINE constexpr bool operator<=(A const& a, B const& b) {
  return detail::is_less<1>(as_sum(a), as_sum(b));
}
template <coordinate_part A, coordinate_part B>
AXE_FORCE_INLINE constexpr bool operator>(A const& a, B const& b) {
  return b < a;
}
template <coordinate_part A, coordinate_part B>
AXE_FORCE_INLINE constexpr bool operator>=(A const& a, B const& b) {
  return b <= a;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
