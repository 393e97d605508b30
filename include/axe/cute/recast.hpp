// SPDX-License-Identifier: MIT
// upcast(L, n): describes the memory of L in elements n times as wide. downcast(L, n): in elements
// 1/n as wide. recast(L, old_bits, new_bits) calls one, both or neither.
//
//     upcast((8,64):(64,1), 8)            (8,8):(8,1)
#pragma once

#include <axe/cute/composition.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace cute {

namespace detail {

/// Steps of leaf d inside a wide element, or 0 if d cannot be upcast.
AXE_FN constexpr integer steps_in_wide(leaf const& d, integer n) {
  if (d.extent == 1 || d.stride % n == 0) return 1;
  integer const step = magnitude(d.stride);
  if (n % step != 0) return 0;
  integer const in_one = smaller(n / step, d.extent);
  return d.extent % in_one == 0 ? in_one : 0;
}

/// Precondition: steps_in_wide(leaf, n) != 0 for each leaf.
AXE_FN constexpr outcome<layout> plain_upcast(layout const& l, integer n) {
  layout done = l;
  integer least = l.offset() % n;  // inside a wide element
  if (least < 0) least += n;
  integer most = least;
  for (int k = 0; k < l.leaf_count(); ++k) {
    leaf d = l[k];
    integer const in_one = steps_in_wide(d, n);
    if (d.extent > 1 && d.stride % n != 0) {
      if (!add(d.stride < 0 ? least : most, (in_one - 1) * d.stride))
        return refusal{rule::cute_overflows};
      d = {d.extent / in_one, d.stride < 0 ? -1 : 1};
    } else {
      d.stride = d.stride < 0 ? floor_divide(d.stride, n) : ceil_divide(d.stride, n);
    }
    done.map.shards[l.leaf_count() - 1 - k] = digit_of(d);
  }
  if (least < 0 || most >= n) return refusal{rule::cute_upcast_carries, {least, most, n}};
  done.set_offset(floor_divide(l.offset(), n));
  return done;
}

/// f without the bits inside a wide element.
AXE_FN constexpr axe::swizzle wide_swizzle(axe::swizzle f, int bits) {
  if (f.M >= bits) return {f.M - bits, f.B, f.S};
  if (f.M + f.B <= bits) return {};
  return {0, f.M + f.B - bits, f.S};
}

/// A wide element's place is that of its first narrow element, divided by n.
struct wide_places : place_source {
  layout const& narrow;
  layout cut;  // one step is steps_in_wide steps of `narrow`
  integer n;

  AXE_FN constexpr wide_places(layout const& l, integer times) : narrow(l), cut(l), n(times) {
    for (iter& d : cut.map.shards) {
      integer const in_one = steps_in_wide({d.extent, d.stride}, n);
      d = {d.extent / in_one, d.stride * in_one, d.on};
    }
    size = size_of(cut);
    cost = 2 * l.leaf_count();
  }
  AXE_FN constexpr integer wide(integer place) const { return floor_divide(place, n); }
  AXE_FN constexpr place at(integer j, integer) const override {
    place p;
    p.terms.push({wide(address_at(cut.map, j)), axis::m});
    return p;
  }
  /// True if the narrow elements of each wide element have its place. Sets `on_m`.
  AXE_FN constexpr bool hold_together(step_limit& steps) {
    for (integer i = 0, elements = size_of(narrow); i < elements; ++i) {
      if (!steps.take(1 + 2 * narrow.leaf_count())) return false;
      integer j = 0;
      integer weight = 1;
      integer rest = i;
      for (int k = 0; k < narrow.leaf_count(); ++k) {
        integer const extent = narrow[k].extent;
        j += rest % extent / (extent / cut[k].extent) * weight;
        weight *= cut[k].extent;
        rest /= extent;
      }
      integer const found = wide(address_at(narrow.map, i));
      on_m = {smaller(on_m.least, found), larger(on_m.largest, found)};
      if (wide(address_at(cut.map, j)) != found) return false;
    }
    return true;
  }
};

/// The layout without a swizzle that has the leaves and places of L, if it exists, else L.
AXE_FN constexpr layout plain_by_leaves(layout const& l) {
  axe::layout const plain = as_plain(l);
  if (!plain.swizzle.none()) return l;
  outcome<layout> const same = with_modes(plain, l, {}, {});
  return same && same->profile == l.profile ? *same : l;
}

AXE_FN constexpr outcome<layout> upcast_of(layout const& operand, integer n, step_limit& steps) {
  layout l = without_idle_swizzle(operand);
  for (int k = 0; k < l.leaf_count(); ++k)
    if (leaf const d = l[k]; steps_in_wide(d, n) == 0)
      return refusal{rule::cute_does_not_upcast, {k, d.extent, d.stride, n}};
  axe::swizzle const f = l.swizzle();
  int const bits = exact_log2(n);
  axe::swizzle const wide = bits < 0 ? f : wide_swizzle(f, bits);
  if (f.none() || (bits >= 0 && (f.S > 0 || f.M >= bits))) {
    l.map.swizzle = {};
    outcome<layout> done = plain_upcast(l, n);
    if (done) done.value.map.swizzle = wide;
    return done;
  }
  wide_places places(l, n);
  bool const together = places.hold_together(steps);
  if (steps.spent()) return steps.refusal();
  outcome<axe::layout> const found =
      together ? fit(places, wide, {}, steps) : outcome<axe::layout>();
  if (together && found) return with_modes(*found, places.cut, wide, steps);
  if (found.why.which == rule::undecided) return found.why;
  return bits < 0 ? refusal{rule::swizzle_packs_powers_of_two, {n}}
                  : refusal{rule::swizzle_splits_the_packed, {n, f.M}};
}

}  // namespace detail

AXE_FN constexpr outcome<layout> try_upcast(layout const& l, integer n, step_limit steps = {}) {
  if (refusal const bad = check(l)) return bad;
  if (n < 1) return refusal{rule::extent_argument_below_one, {n}};
  outcome<layout> const done = detail::upcast_of(l, n, steps);
  if (done || l.swizzle().none()) return done;
  outcome<layout> const plain = detail::upcast_of(detail::plain_by_leaves(l), n, steps);
  return plain ? plain : done;
}
AXE_FN constexpr layout upcast(layout const& operand, integer n) {
  return detail::stop_on(try_upcast(operand, n), "upcast");
}

namespace detail {

/// The number of the first leaf of stride 1 or -1, preferably of extent above 1; else -1.
AXE_FN constexpr int adjacent_leaf(layout const& l) {
  for (bool const above_one : {true, false})
    for (int k = 0; k < l.leaf_count(); ++k)
      if ((l[k].stride == 1 || l[k].stride == -1) && (l[k].extent > 1) == above_one) return k;
  return -1;
}

AXE_FN constexpr outcome<layout> downcast_of(layout const& operand, integer n) {
  layout const l = without_idle_swizzle(operand);
  int const adjacent = adjacent_leaf(l);
  if (adjacent < 0) return refusal{rule::cute_nothing_adjacent};
  layout done;
  int at = 0;
  for (int node : l.profile) {
    if (node != leaf_node) {
      add_group(done, node);
      continue;
    }
    leaf d = l[at];
    bool const grows = at++ == adjacent;
    if (!multiply(d.stride, n)) return refusal{rule::cute_overflows};
    if (grows && (d.stride > 0 || d.extent == 1)) {
      d.stride = 1;
      if (!multiply(d.extent, n)) return refusal{rule::cute_overflows};
    } else if (grows) {
      add_group(done, 2);
      add_leaf(done, {n, 1});
    }
    add_leaf(done, d);
  }
  integer start = l.offset();
  if (!multiply(start, n)) return refusal{rule::cute_overflows};
  done.set_offset(start);
  if (!l.swizzle().none()) {
    int const bits = exact_log2(n);
    if (bits < 0) return refusal{rule::swizzle_packs_powers_of_two, {n}};
    done.map.swizzle = l.swizzle();
    done.map.swizzle.M += bits;
  }
  return checked(done);
}

}  // namespace detail

AXE_FN constexpr outcome<layout> try_downcast(layout const& l, integer n) {
  if (refusal const bad = check(l)) return bad;
  if (n < 1) return refusal{rule::extent_argument_below_one, {n}};
  outcome<layout> const done = detail::downcast_of(l, n);
  if (done || l.swizzle().none()) return done;
  outcome<layout> const plain = detail::downcast_of(detail::plain_by_leaves(l), n);
  return plain ? plain : done;
}
AXE_FN constexpr layout downcast(layout const& operand, integer n) {
  return detail::stop_on(try_downcast(operand, n), "downcast");
}

AXE_FN constexpr outcome<layout> try_recast(layout const& l, integer old_bits, integer new_bits) {
  if (old_bits < 1 || new_bits < 1)
    return refusal{rule::extent_argument_below_one, {detail::smaller(old_bits, new_bits)}};
  integer const common = detail::greatest_common_divisor(old_bits, new_bits);
  if (old_bits == new_bits) return detail::checked(l);
  if (new_bits == common) return try_downcast(l, old_bits / common);
  outcome<layout> const wide = try_upcast(l, new_bits / common);
  if (!wide || old_bits == common) return wide;
  return try_downcast(*wide, old_bits / common);
}
AXE_FN constexpr layout recast(layout const& l, integer old_bits, integer new_bits) {
  return detail::stop_on(try_recast(l, old_bits, new_bits), "recast");
}

}  // namespace cute
}  // namespace AXE_NAMESPACE
}  // namespace axe
