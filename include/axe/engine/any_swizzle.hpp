// SPDX-License-Identifier: MIT
// any_swizzle: tries the swizzles that a result may have, the likely ones first.
//
//     any_swizzle(swizzle(0,1,2), {}, 3, …)     swizzle(0,1,2), the identity, swizzle(1,1,2), …
//
// Definition: docs/algebra.md, D16.
#pragma once

#include <axe/layout/swizzle.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// Visits swizzles of addresses below 2^bits (from -2^bits on if `negative`), until `visit` accepts
/// one. `plain_first`: visits the identity first, and nothing else if `first` is the identity.
AXE_FN constexpr bool any_swizzle(axe::swizzle first, axe::swizzle second, int bits, bool negative,
                                  auto const& visit, bool plain_first = false) {
  if (plain_first && visit(axe::swizzle{})) return true;
  if (plain_first && first.none()) return false;
  if (visit(first) || (!plain_first && !first.none() && visit(axe::swizzle{}))) return true;
  auto const tries = [&](axe::swizzle g) { return g.valid() && !(g == first) && visit(g); };
  for (int M = 0; M < bits; ++M)
    if ((!first.none() && tries({M, first.B, first.S})) ||
        (!second.none() && tries({M, second.B, second.S})))
      return true;
  // Address bits from `bits` on equal the sign: larger S would read the same bits.
  for (int M = 0; M < bits; ++M)
    for (int B = 1; M + B <= bits; ++B)
      for (int S = 1; M + S <= bits; ++S) {
        bool const inside = M + B + S <= bits;
        if (((negative || inside) && tries({M, B, S})) || (inside && tries({M, B, -S})))
          return true;
      }
  return false;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
