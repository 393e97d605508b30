// unpack(L, n, a): each element becomes n narrower ones, next to each other on memory axis a. pack(L, n, a) is the inverse.
//
//     unpack(S[(8,4):(4@lane,1@reg)], 2, reg)       S[(8,8):(4@lane,1@reg)]      16-bit slots seen as 8-bit slots: (8,4,2):(4@lane,2@reg,1@reg)
//     pack(S[(64,64):(64,1)], 8, m)                 S[512:1]                     bf16 as vectors of 16 bytes
//     pack(S[(4,3):(3,1)] + 1, 3, m)                refused: the offset 1@m is no multiple of 3
//
// Unpacking multiplies strides of D and R and the offset on a by n and adds the last digit (n:1@a); under a swizzle n is a power of two and M grows by
// log2 n. Packing is decided on the canonical form, where both are unique up to sets: the n must be next to each other and everything else on a must
// divide. n counts elements, so sub-byte widths pack like any others (8 elements of 4 bits in 32). The result is canonical.
// Definition: docs/algebra.md, D15.
#pragma once

#include <axe/algebra/canonicalize.hpp>

namespace axe::inline AXE_NAMESPACE {

namespace detail {

/// Can elements of a canonical layout be packed n by n on a at all?
AXE_FN constexpr refusal check_pack(layout const& l, integer n, axis a) {
  if (n < 1) return {rule::extent_argument_below_one, {n}};
  if (a == axis::null || kind_of(a) != kind::memory) return {rule::packing_on_memory_only, {}, {a}};
  if (!l.swizzle.none() && (n & (n - 1)) != 0) return {rule::swizzle_packs_powers_of_two, {n}};
  return {};
}

}  // namespace detail

AXE_FN constexpr outcome<layout> try_unpack(layout const& written, integer n, axis a) {
  outcome<layout> const canonical = try_canonicalize(written);
  if (!canonical) return canonical;
  layout const& l = *canonical;
  if (refusal const bad = detail::check_pack(l, n, a); bad.which != rule::none) return bad;
  list<iter, capacity::shards + 1> digits;
  integer size = n;
  for (iter i : l.shards) {
    if (!detail::multiply(size, i.extent))
      return refusal{rule::result_size_overflows, {detail::product_of_extents(l.shards), n}};
    if (i.on == a && !detail::multiply(i.stride, n)) return refusal{rule::result_places_overflow, {}, {a}};
    digits.push(i);
  }
  digits.push({n, 1, a});
  layout wide = l;
  wide.blocks.clear();
  for (iter& r : wide.replicas)
    if (r.on == a && !detail::multiply(r.stride, n)) return refusal{rule::result_places_overflow, {}, {a}};
  for (term& o : wide.offsets)
    if (o.on == a && !detail::multiply(o.n, n)) return refusal{rule::result_places_overflow, {}, {a}};
  if (refusal const bad = detail::fuse(digits, wide.shards); bad.which != rule::none) return bad;
  if (!wide.swizzle.none()) {
    wide.swizzle.M += detail::log2_of(n);
    if (!wide.swizzle.valid())
      return refusal{rule::swizzle_parameters, {wide.swizzle.M, wide.swizzle.B, wide.swizzle.S}};
  }
  outcome<layout> const result = try_canonicalize(wide);
  if (!result && result.why.which == rule::places_overflow)
    return refusal{rule::result_places_overflow, {}, {a}};
  return result;
}

AXE_FN constexpr layout unpack(layout const& l, integer n, axis a) {
  outcome<layout> const result = try_unpack(l, n, a);
  detail::stop_on(result.why, "unpack", {&l});
  return *result;
}
AXE_LIFT(unpack);

AXE_FN constexpr outcome<layout> try_pack(layout const& l, integer n, axis a) {
  outcome<layout> const canonical = try_canonicalize(l);
  if (!canonical) return canonical;
  if (refusal const bad = detail::check_pack(*canonical, n, a); bad.which != rule::none) return bad;
  layout narrow = *canonical;
  if (n == 1) return narrow;
  if (narrow.shards.empty() || narrow.shards.back().on != a || narrow.shards.back().stride != 1 ||
      narrow.shards.back().extent % n != 0)
    return refusal{rule::not_next_to_each_other, {n}, {a}};
  iter& last = narrow.shards.back();
  last.extent /= n;
  last.stride = n;
  if (last.extent == 1) narrow.shards.pop();
  for (iter& i : narrow.shards) {
    if (i.on != a) continue;
    if (i.stride % n != 0) return refusal{rule::does_not_pack_stride, {i.stride, n}, {a}};
    i.stride /= n;
  }
  for (iter& r : narrow.replicas) {
    if (r.on != a) continue;
    if (r.stride % n != 0) return refusal{rule::does_not_pack_replica, {r.stride, n}, {a}};
    r.stride /= n;
  }
  for (term& o : narrow.offsets) {
    if (o.on != a) continue;
    if (o.n % n != 0) return refusal{rule::does_not_pack_offset, {o.n, n}, {a}};
    o.n /= n;
  }
  if (!narrow.swizzle.none()) {
    narrow.swizzle.M -= detail::log2_of(n);
    if (narrow.swizzle.M < 0) return refusal{rule::swizzle_splits_the_packed, {n, canonical->swizzle.M}};
  }
  return try_canonicalize(narrow);
}

AXE_FN constexpr layout pack(layout const& l, integer n, axis a) {
  outcome<layout> const result = try_pack(l, n, a);
  detail::stop_on(result.why, "pack", {&l});
  return *result;
}
AXE_LIFT(pack);

}  // namespace axe::inline AXE_NAMESPACE
