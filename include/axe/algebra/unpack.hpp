// SPDX-License-Identifier: MIT
// unpack(L, n, a): each element becomes n narrower neighbours on memory axis a.
//
//     unpack(S[(8,4):(4@lane,1@reg)], 2, reg)       S[(8,8):(4@lane,1@reg)]
//
// Definition: docs/algebra.md, D15.
#pragma once

#include <axe/algebra/direct_sum.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

AXE_LAZY_FN constexpr refusal check_pack(integer n, axis a) {
  if (n < 1) return {rule::extent_argument_below_one, {n}};
  if (same(a, axis::null) || kind_of(a) != kind::memory)
    return {rule::packing_on_memory_only, {}, {a}};
  return {};
}

/// Multiplies places on a by n. Precondition: n is a power of two, or L has no swizzle.
AXE_LAZY_FN constexpr refusal widen(layout& l, integer n, axis a) {
  bool fits = true;
  for (iter& i : l.shards) fits = fits && (!i.is_on(a) || multiply(i.stride, n));
  for (iter& r : l.replicas) fits = fits && (!r.is_on(a) || multiply(r.stride, n));
  for (term& o : l.offsets) fits = fits && (!o.is_on(a) || multiply(o.n, n));
  if (!fits) return {rule::result_places_overflow, {}, {a}};
  if (l.swizzle.none()) return {};
  l.swizzle.M += ceil_log2(n);
  return check_parameters(l.swizzle);
}

AXE_LAZY_FN constexpr outcome<layout> unpack_of(valid_layout canonical, integer n, axis a,
                                                step_limit steps) {
  layout const& l = canonical;
  if (refusal const bad = check_pack(n, a)) return bad;
  integer const elements = product_of_extents(l.shards);
  if (integer size = n; !multiply(size, elements))
    return refusal{rule::result_size_overflows, {elements, n}};
  if (!l.swizzle.none() && (!is_power_of_two(n) || !same(a, axis::m))) {
    // Fits a layout to the places n*L(x) + i, 0 <= i < n.
    layout narrow;
    narrow.shards.push({n, 1, a});
    outcome<layout> const done =
        sum_of(canonical, axis_factors{{{n, a}}}, valid_layout::proved(narrow),
               interleave({elements}, {n}), steps);
    if (done || !is_about_the_map(done.why.which)) return done;
    return same(a, axis::m) ? refusal{rule::swizzle_packs_powers_of_two, {n}}
                            : refusal{rule::swizzle_unpacks_on_memory, {}, {a}};
  }
  layout wide = l;
  if (refusal const bad = widen(wide, n, a)) return bad;
  if (!push_digit(wide.shards, {n, 1, a}))
    return refusal{rule::too_many_shards, {wide.shards.count + 1}};
  return finished(wide);
}

}  // namespace detail

AXE_LAZY_FN constexpr outcome<layout> try_unpack(layout const& l, integer n, axis a,
                                                 step_limit steps = {}) {
  outcome<layout> const canonical = try_canonicalize(l);
  return canonical ? detail::unpack_of(canonical, n, a, steps) : canonical;
}

AXE_LAZY_FN constexpr layout unpack(layout const& l, integer n, axis a) {
  return detail::stop_on(try_unpack(l, n, a), "unpack", {&l});
}
AXE_CARRIER_FORM(unpack);

}  // namespace AXE_NAMESPACE
}  // namespace axe
