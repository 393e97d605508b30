// SPDX-License-Identifier: MIT
// behind_swizzle: the elements E(f^-1(p)) of places p, as a layout g o D. E maps places before the
// swizzle f to elements.
//
//     f = Sw<1,1,2>, E = (8,4):(4,1)       Sw<1,0,-3> o 0 o (8,4):(4,1)
//
// In one period of f, E and f are linear over F2, and to_layout finds g. A digit of E that moves
// places by whole periods stays a digit if g(x + y) = g(x) + y for its elements y.
#pragma once

#include <axe/cute/engine/as_plain.hpp>
#include <axe/engine/check_sum_swizzle.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace cute {
namespace detail {

/// The fastest digits, with at most n places.
AXE_FN constexpr memory_digits first_digits(memory_digits const& all, integer n) {
  memory_digits done;
  for (int k = all.digits.size() - 1; k >= 0 && n > 1; --k) {
    iter const& d = all.digits[k];
    done.add(smaller(d.extent, n), d.stride);
    n = d.extent > n ? 1 : n / d.extent;
  }
  return done;
}

struct behind_swizzle {
  memory_digits digits;  // of E, for 2^k places or at least a period
  integer start;         // E(0)
  axe::swizzle f;
  // Set by find_low:
  axe::layout low{};      // the elements of the first places, from 0 on
  integer low_start = 0;  // the smallest sum of E's digits there is -low_start

  AXE_FN constexpr behind_swizzle(memory_digits const& elements, integer first,
                                  axe::swizzle const& swizzle)
      : digits(elements), start(first), f(swizzle) {
    if (digits.size >= f.period() || digits.digits.empty()) return;
    iter& last = digits.digits[0];
    digits.size /= last.extent;
    last.extent = integer{1} << ceil_log2(last.extent);
    digits.size *= last.extent;
  }

  AXE_FN constexpr int period_bits() const { return exact_log2(f.period()); }

  /// Finds `low` for 2^bits places. E is linear on the first 2^known_bits places before f.
  AXE_FN constexpr bool find_low(int known_bits, int bits) {
    memory_digits known = first_digits(digits, integer{1} << known_bits);
    low_start = 0;
    for (iter const& d : known.digits) low_start -= smaller(d.stride, 0) * (d.extent - 1);
    known.add((integer{1} << known_bits) / known.size, 0);
    outcome<linear_map> const before = try_linear(*known.behind({}, low_start), known.size);
    if (before.why) return false;
    bit_word used = 0;
    for (int k = 0; k < known_bits; ++k)
      if (before.value.matrix.column[k] != 0) used |= swizzled(f, bit(k));
    linear_map after({{axis::m, bits}}, before.value.out);
    after.offset = before.value.offset;
    for (int k = 0; k < bits; ++k) {
      bit_word const from = undo(f, bit(k));
      if (from >> known_bits != 0) return false;
      if (has_bit(used, k)) after.matrix.column[k] = before.value.matrix(from);
    }
    outcome<axe::layout> const found = try_to_layout(after);
    low = found.value;
    return !found.why;
  }

  /// Finds the digits that move places by whole periods. False if one does not begin at a multiple
  /// of the period.
  AXE_FN constexpr bool find_above(iter_list& above) const {
    integer spacing = 1;
    for (int k = digits.digits.size() - 1; k >= 0; --k) {
      iter const& d = digits.digits[k];
      integer const below = larger(1, f.period() / spacing);
      spacing *= d.extent;
      if (spacing <= f.period()) continue;
      if (k > 0 && d.extent % below != 0) return false;
      above.insert(0, {ceil_divide(d.extent, below), d.stride * below, d.on});
    }
    return true;
  }

  /// `result` becomes the layout with the digits of `above` and `low`. False unless g(x + y) =
  /// g(x) + y for all sums y of `first` and the digits `held`, the elements over whole periods.
  AXE_FN constexpr bool join(iter_list const& above, iter_list const& held, integer first,
                             outcome<axe::layout>& result, step_limit& steps) const {
    axe::layout outer;
    outer.shards = held;
    set_offset(outer, first);
    if (check_sum_swizzle(outer, low, steps)) return false;
    memory_digits all;
    all.digits = low.shards;
    all.size = product_of_extents(low.shards);
    for (int k = above.size() - 1; k >= 0; --k) all.add(above[k].extent, above[k].stride);
    result = all.behind(low.swizzle, low.offset(axis::m) + start - low_start);
    return true;
  }
};

}  // namespace detail
}  // namespace cute
}  // namespace AXE_NAMESPACE
}  // namespace axe
