// SPDX-License-Identifier: MIT
// element_search: the element at a place of a layout on one axis.
//
//     element_search(S[(2,4):(8,1)]).first_at(9, steps)      5
//
// Definition: docs/algebra.md, D3.
#pragma once

#include <axe/base/checked.hpp>
#include <axe/layout/layout.hpp>
#include <axe/map/step_limit.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// A digit or replica, counted in the direction in which places ascend.
struct counted_digit {
  integer extent = 1;
  integer stride = 0;
  integer weight = 0;  // elements per step, 0 for a replica
  integer below = 0;   // sum of (extent - 1) * stride over smaller strides

  AXE_FN constexpr integer reach() const { return below + (extent - 1) * stride; }
};

/// Digits and replicas on one axis before the swizzle, by ascending stride.
struct element_search {
  list<counted_digit, capacity::shards + capacity::replicas> sorted;
  integer least;       // the smallest place
  integer origin = 0;  // the element there
  integer found = -1;

  AXE_LAZY_FN constexpr explicit element_search(layout const& l, axis on = axis::m)
      : least(l.offset(on)) {
    auto const add = [&](iter const& i, integer weight) {
      if (!i.is_on(on) || i.extent == 1 || i.stride == 0) return;
      counted_digit const one{i.extent, magnitude(i.stride), i.stride < 0 ? -weight : weight, 0};
      if (i.stride < 0) {
        least += (i.extent - 1) * i.stride;
        origin += (i.extent - 1) * weight;
      }
      int at = 0;
      while (at < sorted.count && sorted.at[at].stride <= one.stride) ++at;
      sorted.insert(at, one);
    };
    integer weight = 1;
    for (int k = l.shards.count - 1; k >= 0; --k) {
      add(l.shards.at[k], weight);
      weight *= l.shards.at[k].extent;
    }
    for (int k = 0; k < l.replicas.count; ++k) add(l.replicas.at[k], 0);
    integer below = 0;
    for (counted_digit& d : sorted) {
      d.below = below;
      below += (d.extent - 1) * d.stride;
    }
  }

  AXE_LAZY_FN constexpr integer largest_minus_least() const {
    return sorted.count == 0 ? 0 : sorted.back().reach();
  }
  AXE_LAZY_FN constexpr integer combinations() const {
    integer size = 1;
    for (counted_digit const& d : sorted) size *= d.extent;
    return size;
  }

  /// True if the places fill whole blocks of a swizzle. Precondition: they are distinct.
  AXE_LAZY_FN constexpr bool fills(integer block) const {
    return least == 0 && largest_minus_least() + 1 == combinations() && combinations() % block == 0;
  }
  AXE_LAZY_FN constexpr void find(int k, integer left, integer element, step_limit& steps) {
    if (!steps.take()) return;
    if (k < 0) {
      if (left == 0 && (found < 0 || element < found)) found = element;
      return;
    }
    counted_digit const d = sorted[k];
    integer const first = larger(0, ceil_divide(left - d.below, d.stride));
    integer const last = smaller(d.extent - 1, floor_divide(left, d.stride));
    for (integer c = first; c <= last; ++c)
      find(k - 1, left - c * d.stride, element + c * d.weight, steps);
  }

  /// The first element at a place before the swizzle, or -1.
  AXE_LAZY_FN constexpr integer first_at(integer place, step_limit& steps) {
    found = -1;
    if (place >= least && place <= least + largest_minus_least())
      find(sorted.count - 1, place - least, origin, steps);
    return found;
  }
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
