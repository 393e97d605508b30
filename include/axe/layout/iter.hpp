// SPDX-License-Identifier: MIT
// An iter: its digit c in [0, extent) contributes c * stride on one axis.
//
//     iter{8, 4, axis::lane}        8:4@lane, the lanes 0, 4, 8, … 28
//
// Definition: docs/algebra.md, D1.
#pragma once

#include <axe/layout/place.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// No default initialisers, to compile faster. Write `iter i{}` for zeros.
struct iter {
  integer extent;
  integer stride;
  axis on;

  AXE_FN constexpr bool is_on(axis a) const { return detail::same(on, a); }
  constexpr bool operator==(iter const&) const = default;
};

}  // namespace AXE_NAMESPACE
}  // namespace axe
