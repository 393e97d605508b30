// SPDX-License-Identifier: MIT
// compose_digits: the digits of a(begin + b(x)) if the digits of b cut those of a evenly.
//
//     a = (4:100, 8:1), b = (3:-8)             (3:-100) for begin = 16, 17, …, 31
//
// Definition: docs/algebra.md, D15.
#pragma once

#include <axe/base/sort.hpp>
#include <axe/engine/digits.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// True if sums of `least` and `digits` never carry over a boundary. Precondition: strides are
/// positive.
AXE_LAZY_FN constexpr bool adds_without_carry(digit_boundaries const& boundaries, integer least,
                                              iter_list const& digits) {
  for (int k = 1; k < boundaries.digits->count; ++k) {
    integer const whole = boundaries.positions[k];
    integer sum = least % whole;
    for (iter const& i : digits) {
      if (i.stride % whole == 0) continue;
      if (i.extent <= whole / i.stride)
        sum += (i.extent - 1) * i.stride;
      else if (whole % i.stride == 0)
        sum += whole - i.stride;
      else
        return false;
      if (sum >= whole) return false;
    }
  }
  return true;
}

/// True if each stride is a multiple of the previous stride, by a factor of at least its extent.
AXE_LAZY_FN constexpr bool strides_nest(iter_list const& digits) {
  for (int k = 0; k + 1 < digits.count; ++k) {
    iter const& i = digits[k];
    integer const above = digits[k + 1].stride;
    if (above % i.stride != 0 || above / i.stride < i.extent) return false;
  }
  return true;
}

/// Appends the digits of x -> a(begin + b(x) + r) - a(begin + r), if they are equal for every sum r
/// of the digits `more`. Precondition: all begin + b(x) + r are elements of a.
AXE_LAZY_FN constexpr bool compose_digits(iter_list const& a, iter_list const& b,
                                          digit_builder& composed, integer begin = 0,
                                          iter_list const& more = {}) {
  iter_list sorted;
  bool fit = true;
  integer least = begin;
  auto const add = [&](iter const& i) {
    integer const stride = magnitude(i.stride);
    if (stride > 0) fit = sorted.push({i.extent, stride, i.on}) && fit;
    if (i.stride < 0) least -= (i.extent - 1) * stride;
  };
  for (iter const& i : b) add(i);
  for (iter const& i : more) add(i);
  if (least < 0 || !fit) return false;
  sort_by(sorted, [](iter const& i) { return i.stride; });
  digit_boundaries boundaries(a);
  if ((least > 0 || !strides_nest(sorted)) && !adds_without_carry(boundaries, least, sorted))
    return false;
  for (iter const& i : b) {
    if (i.stride == 0) {
      composed.push({i.extent, 0, axis::null});
      continue;
    }
    integer const stride = magnitude(i.stride);
    integer end = stride;
    if (!multiply(end, i.extent)) return false;
    // All places of b are elements of a, so a's slowest digit may end where b does.
    if (end > boundaries.positions[1]) boundaries.positions[0] = end;
    if (i.stride > 0) {
      if (!boundaries.emit_between(stride, end, composed)) return false;
      continue;
    }
    iter_list cut;
    if (!boundaries.emit_between(stride, end, cut)) return false;
    for (iter const& d : cut) composed.push({d.extent, -d.stride, d.on});
  }
  return true;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
