// SPDX-License-Identifier: MIT
// Comparisons of two sums of parts, such as a < b. The run-time parts are subtracted once. Each
// comparison compares that difference with a constant.
//
//     column + j > row + i       in a mask over a fragment: one comparison for each register
//
// The difference is clamped to +-(2^31 - 1), so the comparison is exact for all coordinates.
// Definition: docs/index_code.md, "Parts".
#pragma once

#include <axe/index/part.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

template <integer C, class... Parts>
AXE_FORCE_INLINE constexpr unsigned varying(coordinate_sum<C, Parts...> const& sum) {
  return add_constant<-C>(sum)();
}
/// x - y, saturated to the range of int.
AXE_FORCE_INLINE constexpr int held_difference(unsigned x, unsigned y) {
  unsigned const apart = x < y ? y - x : x - y;
  int const held = static_cast<int>(apart < 0x7fff'ffff ? apart : 0x7fff'ffff);
  return x < y ? -held : held;
}
/// a < b + More.
template <integer More, integer A, class... Left, integer B, class... Right>
AXE_FORCE_INLINE constexpr bool is_less(coordinate_sum<A, Left...> const& a,
                                        coordinate_sum<B, Right...> const& b) {
  constexpr integer step = B - A + More;
  if constexpr (step > -0x7fff'ffff && step <= 0x7fff'ffff) {
    int apart = held_difference(varying(a), varying(b));
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000
    // The empty asm keeps comparisons separate: ptxas for sm_100 and later would branch between
    // them.
    if (!__builtin_is_constant_evaluated()) asm volatile("" : "+r"(apart));
#endif
    return apart < static_cast<int>(step);
  } else {
    return static_cast<integer>(varying(a)) - static_cast<integer>(varying(b)) < step;
  }
}

}  // namespace detail

template <detail::of_parts A, detail::of_parts B>
AXE_FORCE_INLINE constexpr bool operator<(A const& a, B const& b) {
  return detail::is_less<0>(as_sum(a), as_sum(b));
}
template <detail::of_parts A, detail::of_parts B>
AXE_FORCE_INLINE constexpr bool operator<=(A const& a, B const& b) {
  return detail::is_less<1>(as_sum(a), as_sum(b));
}
template <detail::of_parts A, detail::of_parts B>
AXE_FORCE_INLINE constexpr bool operator>(A const& a, B const& b) {
  return b < a;
}
template <detail::of_parts A, detail::of_parts B>
AXE_FORCE_INLINE constexpr bool operator>=(A const& a, B const& b) {
  return b <= a;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
