// SPDX-License-Identifier: MIT
// canonicalize(L): the same map with D in its unique form, and R and O in a normal form.
//
//     canonicalize(S[(2,4):(4,1)])                    S[8:1]
//
// Blocks are dropped. Definition: docs/algebra.md, D5.
#pragma once

#include <axe/construct/carrier.hpp>
#include <axe/engine/normal_form.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

AXE_LAZY_FN constexpr outcome<layout> try_canonicalize(layout const& l) {
  detail::valid_layout operand;
  if (refusal const bad = operand.admit(l)) return bad;
  return detail::canonical(operand);
}

AXE_LAZY_FN constexpr layout canonicalize(layout const& l) {
  return detail::stop_on(try_canonicalize(l), "canonicalize", {&l});
}
AXE_CARRIER_FORM(canonicalize);

/// True if on each axis canonical R has s_{i+1} >= e_i * s_i. R is then unique for its set.
AXE_LAZY_FN constexpr outcome<bool> try_gap_ok(layout const& l) {
  if (refusal const bad = check(l)) return bad;
  for (axis a : axes_of(l))
    if (!detail::sums_on(l.replicas, a).gap_ok()) return false;
  return true;
}
AXE_LAZY_FN constexpr bool gap_ok(layout const& l) {
  return detail::stop_on(try_gap_ok(l), "gap_ok", {&l});
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
