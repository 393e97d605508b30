// SPDX-License-Identifier: MIT
// memory_digits: builds the iters of a layout on m, the fastest first.
//
//     add(2, 1), add(3, 2), add(4, 100)    S[(4,6):(100,1)]
//
// Definition: docs/algebra.md, D5.
#pragma once

#include <axe/layout/layout.hpp>
#include <axe/refusal/refusal.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

AXE_FN constexpr integer sum_of_digits(auto const& digits, integer x) {
  integer place = 0;
  for (int k = digits.count - 1; k >= 0; --k) {
    auto const& d = digits.at[k];
    place += x % d.extent * d.stride;
    x /= d.extent;
  }
  return place;
}

/// The address of element x in one replica, whose offset before the swizzle is `replica`.
AXE_LAZY_FN constexpr integer address_at(layout const& l, integer x, integer replica = 0) {
  return l.swizzle(l.offset(axis::m) + replica + sum_of_digits(l.shards, x));
}

AXE_LAZY_FN constexpr void set_offset(layout& l, integer n) {
  l.offsets.clear();
  if (n != 0) l.offsets.push({n, axis::m});
}

struct memory_digits {
  iter_list digits{};  // slowest first, canonical
  integer size = 1;
  bool exceeds_capacity = false;
  bool overflows = false;

  AXE_LAZY_FN constexpr void add(integer extent, integer stride) {
    if (extent == 1) return;
    if (!multiply(size, extent)) {
      overflows = true;
      return;
    }
    if (digits.count != 0) {
      iter& last = digits[0];
      // Divides, because extent * stride may overflow.
      if (last.stride == 0 ? stride == 0
                           : stride % last.stride == 0 && stride / last.stride == last.extent) {
        last.extent *= extent;
        return;
      }
    }
    if (!digits.insert(0, {extent, stride, stride == 0 ? axis::null : axis::m}))
      exceeds_capacity = true;
  }
  /// The layout g o (D + start).
  AXE_LAZY_FN constexpr outcome<layout> behind(axe::swizzle const& g, integer start) const {
    if (overflows) return refusal{rule::cute_overflows};
    if (exceeds_capacity) return refusal{rule::too_many_shards, {digits.count + 1}};
    layout l;
    l.swizzle = g;
    l.shards = digits;
    set_offset(l, start);
    return l;
  }
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
