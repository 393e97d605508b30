// SPDX-License-Identifier: MIT
// compose_digits: the digits of a(b(x)) if the digits of b cut those of a evenly.
//
//     a = (4:100, 8:1), b = (2:16, 4:1)        (2:200, 4:1)
//
// Source: this project. Definition: docs/algebra.md, D15.
#pragma once

#include <axe/base/sort.hpp>
#include <axe/engine/digits.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// Appends the digits of a(b(x)), for a b whose places are elements of a. False unless the strides
/// of b divide one another, no digit carries, and each boundary cuts at most one digit of a.
AXE_LAZY_FN constexpr bool compose_digits(iter_list const& a, iter_list const& b,
                                          digit_builder& in_order) {
  iter_list sorted;
  for (iter const& i : b) {
    if (i.stride < 0) return false;
    if (i.stride > 0) sorted.push(i);
  }
  sort_by(sorted, [](iter const& i) { return i.stride; });
  for (int k = 0; k + 1 < sorted.count; ++k)
    if (sorted[k + 1].stride % sorted[k].stride != 0 ||
        sorted[k + 1].stride / sorted[k].stride < sorted[k].extent)
      return false;
  digit_boundaries boundaries(a);
  for (iter const& i : b) {
    if (i.stride == 0) {
      in_order.push({i.extent, 0, axis::null});
      continue;
    }
    integer end = i.stride;
    if (!multiply(end, i.extent)) return false;
    // The slowest digit of a has no upper boundary: the places of b stay inside.
    if (end > boundaries.behind[1]) boundaries.behind[0] = end;
    if (!boundaries.emit_between(i.stride, end, in_order)) return false;
  }
  return true;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
