// The swizzles that a result may have, for searches behind every swizzle.
//
//     each_swizzle(swizzle(0,1,2), 3, visit)      none, this one, swizzle(1,1,2), all on 3 bits
//
// Source: this project. Definition: docs/algebra.md, D16.
#pragma once

#include <axe/layout/swizzle.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// Visits the valid swizzles on addresses of so many bits until one is accepted: `first` and
/// `second` with other chunks, then all.
template <class Visit>
AXE_FN constexpr bool other_swizzles(axe::swizzle first, axe::swizzle second, int bits,
                                     bool negative, Visit const& visit) {
  auto const accepts = [&](axe::swizzle g) { return !(g == first) && g.valid() && visit(g); };
  for (int M = 0; M < bits; ++M)
    if ((!first.none() && accepts({M, first.B, first.S})) ||
        (!second.none() && accepts({M, second.B, second.S})))
      return true;
  // Bits above the addresses are all 0, or all 1 if negative: one stands for all.
  for (int M = 0; M < bits; ++M)
    for (int B = 1; M + B <= bits; ++B)
      for (int S = 1; M + S <= bits; ++S) {
        bool const inside = M + B + S <= bits;
        if (((negative || inside) && accepts({M, B, S})) || (inside && accepts({M, B, -S})))
          return true;
      }
  return false;
}

/// Tries an operand's swizzle, then none, then the others.
template <class Visit>
AXE_FN constexpr bool any_swizzle(axe::swizzle first, axe::swizzle second, int bits, bool negative,
                                  Visit const& visit) {
  return visit(first) || (!first.none() && visit(axe::swizzle{})) ||
         other_swizzles(first, second, bits, negative, visit);
}

/// Tries none, then the operand's swizzle, then the others. A layout without a swizzle gets none.
template <class Visit>
AXE_FN constexpr bool each_swizzle(axe::swizzle own, int bits, Visit const& visit) {
  return visit(axe::swizzle{}) ||
         (!own.none() && (visit(own) || other_swizzles(own, {}, bits, false, visit)));
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
