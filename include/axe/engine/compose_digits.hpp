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

/// Appends the digits of a(b(x)). The places of b must be elements of a. False unless the strides
/// of b divide one another, no digit of b carries, and the boundaries of b cut a evenly.
AXE_LAZY_FN constexpr bool compose_digits(iter_list const& a, iter_list const& b,
                                          digit_builder& composed) {
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
      composed.push({i.extent, 0, axis::null});
      continue;
    }
    integer end = i.stride;
    if (!multiply(end, i.extent)) return false;
    // The places of b stay inside a, so a's slowest digit may end where b ends.
    if (end > boundaries.behind[1]) boundaries.behind[0] = end;
    if (!boundaries.emit_between(i.stride, end, composed)) return false;
  }
  return true;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
