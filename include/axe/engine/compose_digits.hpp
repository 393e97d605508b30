// SPDX-License-Identifier: MIT
// compose_digits: the digits of a(begin + b(x)) if the digits of b cut those of a evenly.
//
//     a = (4:100, 8:1), b = (2:16, 4:1)        (2:200, 4:1)
//     a = (4:100, 8:1), b = (3:-8)             (3:-100) for begin = 16, 17, …, 23
//
// Source: this project. Definition: docs/algebra.md, D15.
#pragma once

#include <axe/base/sort.hpp>
#include <axe/engine/digits.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// True if least + most carries in no digit but the slowest one.
AXE_LAZY_FN constexpr bool adds_without_carry(digit_boundaries const& boundaries, integer least,
                                              integer most) {
  for (int k = 1; k < boundaries.digits->count; ++k) {
    integer const below = boundaries.behind[k + 1];
    integer const extent = boundaries.digits->at[k].extent;
    if (least / below % extent + most / below % extent >= extent) return false;
  }
  return true;
}

/// Appends the digits of a(begin + b(x)). All begin + b(x) must be elements of a. False unless the
/// strides of b divide one another, no digit of b carries, and the boundaries of b cut a evenly.
AXE_LAZY_FN constexpr bool compose_digits(iter_list const& a, iter_list const& b,
                                          digit_builder& composed, integer begin = 0) {
  iter_list sorted;
  integer least = begin;
  integer most = 0;
  for (iter const& i : b) {
    integer const stride = magnitude(i.stride);
    if (stride > 0) sorted.push({i.extent, stride, i.on});
    most += (i.extent - 1) * stride;
    if (i.stride < 0) least -= (i.extent - 1) * stride;
  }
  if (least < 0) return false;
  sort_by(sorted, [](iter const& i) { return i.stride; });
  for (int k = 0; k + 1 < sorted.count; ++k)
    if (sorted[k + 1].stride % sorted[k].stride != 0 ||
        sorted[k + 1].stride / sorted[k].stride < sorted[k].extent)
      return false;
  digit_boundaries boundaries(a);
  if (least > 0 && !adds_without_carry(boundaries, least, most)) return false;
  for (iter const& i : b) {
    if (i.stride == 0) {
      composed.push({i.extent, 0, axis::null});
      continue;
    }
    integer const stride = magnitude(i.stride);
    integer end = stride;
    if (!multiply(end, i.extent)) return false;
    // The places of b stay inside a, so a's slowest digit may end where b ends.
    if (end > boundaries.behind[1]) boundaries.behind[0] = end;
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
