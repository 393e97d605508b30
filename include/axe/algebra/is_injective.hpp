// SPDX-License-Identifier: MIT
// is_injective(L): true if no place holds two elements.
//
//     is_injective(S[2:1] + R[2:1])       false: place 1 holds elements 0 and 1
//
// Definition: docs/algebra.md, D9.
#pragma once

#include <axe/engine/collision.hpp>
#include <axe/layout/check.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

/// Returns `collides` with two elements at one place.
AXE_LAZY_FN constexpr refusal check_injective(valid_layout operand, rule collides,
                                              step_limit steps = {}) {
  layout const& l = operand;
  integer below = 1;
  for (int d = l.shards.count - 1; d >= 0; below *= l.shards[d--].extent)
    if (l.shards[d].extent > 1 && l.shards[d].stride == 0) return {collides, {0, below}};
  for (axis a : axes_of(l)) {
    element_search const digits(l, a);
    collision search{digits};
    bool two = search.find(steps);
    if (steps.spent()) return steps.refusal();
    if (two) return {collides, {search.found().first, search.found().second}};
  }
  return {};
}

AXE_LAZY_FN constexpr outcome<bool> injective(valid_layout operand, step_limit steps = {}) {
  constexpr rule collides = rule::elements_not_told_apart;
  refusal const why = check_injective(operand, collides, steps);
  if (why && !why.is(collides)) return why;
  return !why;
}

}  // namespace detail

AXE_LAZY_FN constexpr outcome<bool> try_is_injective(layout const& l, step_limit steps = {}) {
  detail::valid_layout operand;
  if (refusal const bad = operand.admit(l)) return bad;
  return detail::injective(operand, steps);
}

AXE_LAZY_FN constexpr bool is_injective(layout const& l) {
  return detail::stop_on(try_is_injective(l), "is_injective", {&l});
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
