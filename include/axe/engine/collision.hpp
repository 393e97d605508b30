// SPDX-License-Identifier: MIT
// collision: finds two elements at one place, or proves that all elements have different places.
//
//     digits (2:1)(2:1)      elements 1 and 2 are at place 1: their digits differ by 1 and -1
//
// The search chooses digit differences, the largest stride first. Each lies in the range that the
// smaller strides can compensate.
// Source: this project. Definition: docs/algebra.md, D9.
#pragma once

#include <axe/engine/element_search.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

struct collision {
  element_search const& of;  // the digits on one axis
  integer differs[capacity::shards + capacity::replicas]{};

  /// True if differences of digits 0 to k can add up to -sum such that a digit of D differs. `same`
  /// means that no digit above k differs, `apart` that a digit of D above k does. False also at the
  /// step limit.
  AXE_FN constexpr bool find(int k, integer sum, bool same, bool apart, step_limit& steps) {
    if (k < 0) return sum == 0 && apart;
    if (!steps.take()) return false;
    counted_digit const& d = of.sorted[k];
    // By symmetry, the first digit that differs has a positive difference.
    integer const low = larger(same ? 0 : 1 - d.extent, ceil_divide(-d.below - sum, d.stride));
    integer const high = smaller(d.extent - 1, floor_divide(d.below - sum, d.stride));
    for (integer c = low; c <= high && steps.taken <= steps.allowed; ++c) {
      differs[k] = c;
      if (find(k - 1, sum + c * d.stride, same && c == 0, apart || (d.weight != 0 && c != 0),
               steps))
        return true;
    }
    return false;
  }
  AXE_FN constexpr bool find(step_limit& steps) {
    return find(of.sorted.count - 1, 0, true, false, steps);
  }
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
