// SPDX-License-Identifier: MIT
// integer_solutions: all solutions of linear equations over the integers.
//
//     4 r0 + 6 r1 = 2            r = (-1,1) + n * (3,-2)
//
// `fits` is false on overflow. Definition: docs/algebra.md, D22.
#pragma once

#include <axe/base/checked.hpp>
#include <axe/map/step_limit.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// The solutions: `particular` plus any integer combination of the basis vectors.
struct integer_solutions {
  static constexpr int most = 26;
  int unknowns = 0;
  integer particular[most]{};
  integer basis[most][most]{};
  int count = 0;
  bool fits = true;

  AXE_FN constexpr explicit integer_solutions(int n) : unknowns(n), count(n) {
    for (int k = 0; k < n; ++k) basis[k][k] = 1;
  }
  AXE_FN constexpr void accumulate(integer& sum, integer a, integer b) {
    // Avoids the divisions of add_product.
    using word = stl::uint64_t;
    constexpr word small = 1 << 28;
    if (((static_cast<word>(a) + small) | (static_cast<word>(b) + small)) < 2 * small &&
        sum >> 61 == sum >> 63) {
      sum += a * b;
      return;
    }
    if (!add_product(sum, a, b) || sum == smallest) fits = false;
  }
  AXE_FN constexpr integer times(integer const* a, integer const* r) {
    integer sum = 0;
    for (int j = 0; j < unknowns; ++j)
      if (a[j] != 0 && r[j] != 0) accumulate(sum, a[j], r[j]);
    return sum;
  }
  AXE_FN constexpr void add_unknown() {
    for (int j = 0; j < most; ++j) basis[count][j] = j == unknowns;
    ++count;
    ++unknowns;
  }
  AXE_FN constexpr void subtract(integer* from, integer const* vector, integer n) {
    for (int j = 0; j < unknowns; ++j)
      if (vector[j] != 0) accumulate(from[j], -n, vector[j]);
  }
  /// Adds the equation a . r = value. False without a solution or on overflow.
  AXE_FN constexpr bool add(integer const* a, integer value, step_limit& steps) {
    // About as many steps as clang counts for this loop.
    if (__builtin_is_constant_evaluated()) steps.taken += 2 + unknowns;
    integer missing = value;
    accumulate(missing, -1, times(a, particular));
    int pivot = -1;
    for (int k = 0; k < count; ++k) {
      integer g = times(a, basis[k]);
      if (g == 0) continue;
      if (pivot < 0) {
        pivot = k;
        continue;
      }
      for (integer h = times(a, basis[pivot]); g != 0 && fits;) {
        if (__builtin_is_constant_evaluated()) steps.taken += 1 + unknowns / 2;
        subtract(basis[pivot], basis[k], h / g);
        for (int j = 0; j < unknowns; ++j) {
          integer const moved = basis[pivot][j];
          basis[pivot][j] = basis[k][j];
          basis[k][j] = moved;
        }
        integer const rest = h % g;
        h = g;
        g = rest;
      }
    }
    if (pivot < 0 || !fits) return missing == 0 && fits;
    integer const step = times(a, basis[pivot]);
    if (!fits || missing % step != 0) return false;
    subtract(particular, basis[pivot], -(missing / step));
    --count;
    for (int j = 0; j < unknowns; ++j) basis[pivot][j] = basis[count][j];
    return fits;
  }
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
