// Which element lies at a place: the first of its copies, or none. And the swizzles that an inverse
// may have.
//
//     element_search{(4,2):(1,8)}.first_at(9)             5
//     element_search{(4,2):(1,8)}.first_at(5)             -1
//     each_swizzle(Sw<1,0,2>, 3, visit)                   none, Sw<1,0,2>, Sw<1,1,2>, then all that read and write bits 0 to 2
//
// Leaves are sorted by |stride|; from the largest down, each digit takes what the smaller ones can
// still make up for: one way where the strides nest, at most two where they nearly do. A negative
// stride counts from its other end. Leaves of stride 0 stay at 0, which is the first copy.
// Definition: docs/algebra.md, D3, D22.
#pragma once

#include <axe/cute/layout.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace cute {
namespace detail {

/// A leaf that moves, counted upwards: `weight` is what a step up counts in an element's number.
struct counted_leaf {
  integer extent = 1;
  integer stride = 0;  // > 0
  integer weight = 0;
  integer below = 0;  // what all leaves of smaller strides reach together
};

struct element_search {
  list<counted_leaf, capacity::shards> sorted;  // stride ascending
  integer least = 0;                            // the least place, offset included
  integer origin = 0;                           // the element there
  integer found = -1;

  AXE_FN constexpr explicit element_search(leaf_list const& leaves, integer offset = 0)
      : least(offset) {
    integer weight = 1;
    for (leaf const& d : leaves) {
      if (d.extent > 1 && d.stride != 0) {
        counted_leaf const one{d.extent, magnitude(d.stride), d.stride < 0 ? -weight : weight, 0};
        if (d.stride < 0) {
          least += (d.extent - 1) * d.stride;
          origin += (d.extent - 1) * weight;
        }
        int at = 0;
        while (at < sorted.size() && sorted[at].stride <= one.stride) ++at;
        sorted.insert(at, one);
      }
      weight *= d.extent;
    }
    integer below = 0;
    for (counted_leaf& d : sorted) {
      d.below = below;
      below += (d.extent - 1) * d.stride;
    }
  }

  /// The places are least to least + span, those that are held.
  AXE_FN constexpr integer span() const {
    return sorted.empty() ? 0
                          : sorted.back().below + (sorted.back().extent - 1) * sorted.back().stride;
  }

  AXE_FN constexpr void find(int k, integer left, integer element, step_budget& steps) {
    if (!steps.take()) return;
    if (k < 0) {
      if (left == 0 && (found < 0 || element < found)) found = element;
      return;
    }
    counted_leaf const d = sorted[k];
    integer const first = larger(0, ceil_divide(left - d.below, d.stride));
    integer const last = smaller(d.extent - 1, floor_divide(left, d.stride));
    for (integer c = first; c <= last; ++c)
      find(k - 1, left - c * d.stride, element + c * d.weight, steps);
  }

  /// The first element at a place, -1 where there is none. Out of steps: whoever asked looks at
  /// them.
  AXE_FN constexpr integer first_at(integer place, step_budget& steps) {
    found = -1;
    if (place >= least && place <= least + span())
      find(sorted.size() - 1, place - least, origin, steps);
    return found;
  }
  AXE_FN constexpr bool holds_none(integer place, step_budget& steps) {
    return first_at(place, steps) < 0 && steps.taken <= steps.allowed;
  }
};

/// Calls visit(swizzle) with each swizzle that reads and writes bits below 2^bits, until it answers
/// true: none first, then `own`, then `own` with chunks of other sizes. A layout without a swizzle
/// gets none.
template <class Visit>
AXE_FN constexpr bool each_swizzle(axe::swizzle own, int bits, Visit const& visit) {
  if (visit(axe::swizzle{})) return true;
  if (own.none()) return false;
  if (visit(own)) return true;
  for (int M = 0; M < bits; ++M)
    if (axe::swizzle const f{M, own.B, own.S}; M != own.M && f.valid() && visit(f)) return true;
  for (int M = 0; M < bits; ++M)
    for (int B = 1; M + B <= bits; ++B)
      for (int S = 1; M + B + S <= bits; ++S)
        if (visit(axe::swizzle{M, B, S}) || visit(axe::swizzle{M, B, -S})) return true;
  return false;
}

}  // namespace detail
}  // namespace cute
}  // namespace AXE_NAMESPACE
}  // namespace axe
