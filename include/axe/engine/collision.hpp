// SPDX-License-Identifier: MIT
// collision: finds two elements at one place, or proves that there are none.
//
//     digits (2:1)(2:1)      elements 1 and 2 are at place 1
//
// Definition: docs/algebra.md, D9.
#pragma once

#include <axe/engine/element_search.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

struct element_pair {
  integer first = 0, second = 0;
};

struct collision {
  element_search const& elements;
  integer differs[capacity::shards + capacity::replicas]{};

  /// True if differences of digits 0 to k can add up to -sum. `equal`: no digit above k differs.
  /// `two_elements`: a digit of D above k differs.
  AXE_LAZY_FN constexpr bool find(int k, integer sum, bool equal, bool two_elements,
                                  step_limit& steps) {
    if (k < 0) return sum == 0 && two_elements;
    if (!steps.take()) return false;
    counted_digit const& d = elements.sorted.at[k];
    // By symmetry, the first difference is positive.
    integer const low = larger(equal ? 0 : 1 - d.extent, ceil_divide(-d.below - sum, d.stride));
    integer const high = smaller(d.extent - 1, floor_divide(d.below - sum, d.stride));
    for (integer c = low; c <= high && steps.taken <= steps.allowed; ++c) {
      differs[k] = c;
      bool const differ = two_elements || (d.weight != 0 && c != 0);
      if (find(k - 1, sum + c * d.stride, equal && c == 0, differ, steps)) return true;
    }
    return false;
  }
  AXE_LAZY_FN constexpr bool find(step_limit& steps) {
    return find(elements.sorted.count - 1, 0, true, false, steps);
  }
  AXE_LAZY_FN constexpr element_pair found() const {
    element_pair two{elements.origin, elements.origin};
    for (int k = 0; k < elements.sorted.count; ++k)
      (differs[k] < 0 ? two.first : two.second) +=
          magnitude(differs[k]) * elements.sorted[k].weight;
    return two;
  }
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
