// SPDX-License-Identifier: MIT
// pair_digits(a, b): the digits of one dimension in two layouts, cut until their extents are equal.
//
//     (16:1@lane) and (8:2@reg, 2:1@reg)       pairs (8:2@lane, 8:2@reg), (2:1@lane, 2:1@reg)
#pragma once

#include <axe/map/coordinates.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

struct digit_pair {
  iter first, second;
  bool covered = false;  // one instruction covers the digit, so it is not a step
};
using digit_pairs = list<digit_pair, 2 * capacity::shards>;

/// Digits are slowest first. False if extents do not divide or their products differ: `out` then
/// has only the faster digits.
AXE_FN constexpr bool pair_digits(auto const& a, auto const& b, digit_pairs& out) {
  int i = a.count, j = b.count;
  iter x{1, 0, axis::null}, y = x;
  while (true) {
    while (x.extent == 1 && i > 0) x = a[--i];
    while (y.extent == 1 && j > 0) y = b[--j];
    integer const n = smaller(x.extent, y.extent);
    if (n == 1) return x.extent == y.extent;
    if (x.extent % n != 0 || y.extent % n != 0) return false;
    if (!out.insert(0, {{n, x.stride, x.on}, {n, y.stride, y.on}})) return false;
    auto const cut = [n](iter& rest) {
      if ((rest.extent /= n) > 1) rest.stride *= n;
    };
    cut(x);
    cut(y);
  }
}

/// The place of element x on axis a, in the first replica.
AXE_LAZY_FN constexpr integer place_on(layout const& l, integer x, axis a) {
  integer sum = l.offset(a);
  for (int d = l.shards.count - 1; d >= 0; --d) {
    if (l.shards[d].is_on(a)) sum += x % l.shards[d].extent * l.shards[d].stride;
    x /= l.shards[d].extent;
  }
  return sum;
}

AXE_LAZY_FN constexpr layout in_one_cta(layout const& l) {
  layout one = l;
  one.replicas.clear();
  one.offsets.clear();
  for (iter const& i : l.replicas)
    if (!i.is_on(axis::cluster_cta_x)) one.replicas.push(i);
  for (term const& t : l.offsets)
    if (!t.is_on(axis::cluster_cta_x)) one.offsets.push(t);
  return one;
}

/// Appends to l a dimension of the digits that are not covered. Returns its extent.
AXE_LAZY_FN constexpr integer add_steps(layout& l, digit_pairs const& digits, bool second) {
  integer count = 1;
  int const before = l.shards.count;
  for (digit_pair const& d : digits) {
    if (d.covered) continue;
    l.shards.push(second ? d.second : d.first);
    count *= d.first.extent;
  }
  l.blocks.push(l.shards.count - before);
  return count;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
