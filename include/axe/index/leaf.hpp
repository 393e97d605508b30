// SPDX-License-Identifier: MIT
// leaf: a static or dynamic extent or stride, with its declarations, which the host checks.
//
//     dynamic(2).multiple_of(8).below(1 << 20)     dynamic number 2, a multiple of 8 below 2^20
//     16 * dynamic(2)                              a stride of 16 times that number
//
// Definition: docs/index_code.md, "Sizes at run time".
#pragma once

#include <axe/sentence/stop.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

struct leaf {
  integer value = 0;     // the static number, or the factor of a dynamic one (0 means 1)
  int slot = -1;         // of the dynamic number; -1: static
  integer multiple = 1;  // divides the dynamic number
  integer bound = 0;     // the dynamic number is below this; 0: not declared

  AXE_FN constexpr leaf(integer n = 0) : value(n) {}
  /// nvcc writes a leaf in kernel stubs as its four members.
  AXE_FN constexpr leaf(integer value_, int slot_, integer multiple_, integer bound_)
      : value(value_), slot(slot_), multiple(multiple_), bound(bound_) {}

  AXE_FN constexpr bool known() const { return slot < 0; }
  AXE_FN constexpr leaf multiple_of(integer n) const {
    detail::stop_on(n < 1 ? refusal{rule::multiple_below_one, {n}} : refusal{}, "multiple_of");
    return {value, slot, n, bound};
  }
  AXE_FN constexpr leaf below(integer n) const {
    detail::stop_on(n < 1 ? refusal{rule::bound_below_one, {n}} : refusal{}, "below");
    return {value, slot, multiple, n};
  }
  AXE_FN constexpr leaf at_most(integer n) const {
    return n == detail::largest ? *this : below(n + 1);
  }
  AXE_FN constexpr integer factor() const { return value == 0 ? 1 : value; }
  AXE_FN constexpr integer divisor() const { return known() ? value : multiple * factor(); }
  /// An upper bound of the number without its factor. If no bound is declared, it is 2^32 - 1,
  /// which only extents obey.
  AXE_FN constexpr integer largest() const {
    if (known()) return value;
    return bound > 0 ? bound - 1 : (integer{1} << 32) - 1;
  }

  constexpr bool operator==(leaf const&) const = default;
};

AXE_FN constexpr leaf operator*(integer n, leaf l) {
  detail::stop_on(n < 1 ? refusal{rule::multiple_below_one, {n}} : refusal{}, "stride");
  return {(l.known() ? l.value : l.factor()) * n, l.slot, l.multiple, l.bound};
}
/// Stands for argument number `slot` of the constructor of a `dynamic_layout`.
AXE_FN constexpr leaf dynamic(int slot) {
  detail::stop_on(slot < 0 ? refusal{rule::slot_below_zero, {slot}} : refusal{}, "dynamic");
  return {0, slot, 1, 0};
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
