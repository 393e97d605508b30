// SPDX-License-Identifier: MIT
// pack(L, n, a): n neighbouring elements on memory axis a become one wider element.
//
//     pack(S[(64,64):(64,1)], 8, m)                 S[512:1]
//
// The last digit must have stride 1 on a. n must divide its extent, and the other strides and the
// offset on a. Definition: docs/algebra.md, D15.
#pragma once

#include <axe/algebra/equivalent.hpp>
#include <axe/algebra/unpack.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

AXE_LAZY_FN constexpr outcome<layout> pack_digits(layout const& l, integer n, axis a) {
  layout packed = l;
  refusal const apart{rule::not_next_to_each_other, {n}, {a}};
  if (packed.shards.count == 0) return apart;
  iter& last = packed.shards.back();
  if (!last.is_on(a) || last.stride != 1 || last.extent % n != 0) return apart;
  last.extent /= n;
  last.stride = n;
  if (last.extent == 1) packed.shards.pop();
  refusal broken;
  auto const divide = [&](integer& number, axis on, rule otherwise) {
    if (!same(on, a)) return;
    if (number % n != 0 && !broken) broken = {otherwise, {number, n}, {a}};
    number /= n;
  };
  for (iter& i : packed.shards) divide(i.stride, i.on, rule::does_not_pack_stride);
  for (iter& r : packed.replicas) divide(r.stride, r.on, rule::does_not_pack_replica);
  for (term& o : packed.offsets) divide(o.n, o.on, rule::does_not_pack_offset);
  if (broken) return broken;
  if (!packed.swizzle.none()) {
    if (!is_power_of_two(n)) return refusal{rule::swizzle_packs_powers_of_two, {n}};
    packed.swizzle.M -= ceil_log2(n);
    if (packed.swizzle.M < 0) return refusal{rule::swizzle_splits_the_packed, {n, l.swizzle.M}};
  }
  return finished(packed);
}

/// Fits a layout to the places of elements 0, n, 2n, …, divided by n. Then compares all elements.
AXE_LAZY_FN constexpr outcome<layout> pack_by_fit(layout const& l, integer n, axis a,
                                                  refusal const& why, step_limit& steps) {
  integer const size = product_of_extents(l.shards);
  if (size % n != 0) return why;
  walked_places starts(l, walk_of(size / n, n));
  starts.divisors.by.push({n, a});
  starts.on_m = starts.on_m.divided_by(n);
  if (!starts.divides(steps)) return why;
  outcome<layout> const packed = fit(starts, l.swizzle, {}, steps);
  if (!packed) return found_or(packed, why);
  outcome<layout> const again = unpack_of(packed, n, a, steps);
  if (!again) return found_or(again, why);
  outcome<bool> const same = same_map(again, valid_layout::proved(l), steps);
  if (same.why) return same.why;
  return *same ? packed : outcome<layout>(why);
}

}  // namespace detail

AXE_LAZY_FN constexpr outcome<layout> try_pack(layout const& l, integer n, axis a,
                                               step_limit steps = {}) {
  using namespace detail;
  outcome<layout> const canonical = try_canonicalize(l);
  if (!canonical) return canonical;
  if (refusal const bad = check_pack(n, a)) return bad;
  if (n == 1) return canonical;
  outcome<layout> const packed = pack_digits(*canonical, n, a);
  if (packed || canonical->swizzle.none() || !is_about_the_map(packed.why.which)) return packed;
  return pack_by_fit(*canonical, n, a, packed.why, steps);
}

AXE_LAZY_FN constexpr layout pack(layout const& l, integer n, axis a) {
  return detail::stop_on(try_pack(l, n, a), "pack", {&l});
}
AXE_CARRIER_FORM(pack);

}  // namespace AXE_NAMESPACE
}  // namespace axe
