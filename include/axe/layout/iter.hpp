// An iter: a digit c in [0, extent) that contributes c * stride on one axis.
//
//     iter{8, 4, axis::lane}        8:4@lane, the lanes 0, 4, 8, … 28
//
// Strides may be negative or zero; an extent is at least 1 (checked where a layout is read or used,
// not here). Flat, so that packs of iters reach a kernel's template arguments and every compiler
// prints them: axe::iter{8, 4, axe::axis::lane}.
// Definition: docs/algebra.md, D1.
#pragma once

#include <axe/layout/place.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

struct iter {
  integer extent = 0;  // an empty slot of a list; a layout's own iters have at least 1
  integer stride = 0;
  axis on = axis::null;

  /// Does it count on this axis? Asked so, not by comparing enumerators: clang tries 144 pairs of
  /// arithmetic types for that.
  AXE_FN constexpr bool is_on(axis a) const {
    return detail::number_of(on) == detail::number_of(a);
  }
  AXE_FN friend constexpr bool operator==(iter const&, iter const&) = default;
};

}  // namespace AXE_NAMESPACE
}  // namespace axe
