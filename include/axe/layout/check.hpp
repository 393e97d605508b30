// SPDX-License-Identifier: MIT
// check(L): the refusal of an invalid layout. Operations call it first.
//
//     check(S[(4294967296,4294967296):(0,1)])    rejected: the size does not fit in 64 bits
//
// A valid layout's size, spans and places, with and without offsets, fit in 64 bits.
// Definition: docs/algebra.md, D4.
#pragma once

#include <axe/base/checked.hpp>
#include <axe/layout/layout.hpp>
#include <axe/refusal/refusal.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

AXE_FN constexpr integer product_of_extents(auto const& iters) {
  integer product = 1;
  for (iter const& i : iters) product *= i.extent;
  return product;
}

struct interval {
  integer least = 0;
  integer largest = 0;

  /// Precondition: span_fits.
  AXE_FN constexpr integer span() const { return largest - least + 1; }
  /// Both ends rounded down. Precondition: n > 0.
  AXE_LAZY_FN constexpr interval divided_by(integer n) const {
    return {floor_divide(least, n), floor_divide(largest, n)};
  }
};

AXE_LAZY_FN constexpr bool extend(interval& reach, iter const& i) {
  return add_product(i.stride < 0 ? reach.least : reach.largest, i.extent - 1, i.stride);
}

AXE_FN constexpr bool span_fits(interval const& reach) {
  integer span = reach.largest;
  return reach.least != smallest && span != largest && add(span, -reach.least) && add(span, 1);
}

AXE_FN constexpr void extend_unchecked(interval& reach, auto const& iters, axis a) {
  for (int k = 0; k < iters.count; ++k) {
    iter const& i = iters.at[k];
    if (i.on == a) (i.stride < 0 ? reach.least : reach.largest) += (i.extent - 1) * i.stride;
  }
}

/// Precondition: l is valid.
AXE_FN constexpr interval reach_before_swizzle(layout const& l, axis a) {
  integer const begin = l.offsets.count == 0 ? 0 : l.offset(a);
  interval reach{begin, begin};
  extend_unchecked(reach, l.shards, a);
  if (l.replicas.count > 0) extend_unchecked(reach, l.replicas, a);
  return reach;
}

AXE_LAZY_FN constexpr refusal check_lanes(layout const& l) {
  interval const lanes = reach_before_swizzle(l, axis::lane);
  if (lanes.least >= 0 && lanes.largest < 32) return {};
  return {rule::lanes_outside_a_warp, {lanes.least, lanes.largest}};
}

/// True if check_iter rejects i, but compiles faster.
AXE_FN constexpr bool breaks_a_rule(iter const& i) {
  return i.extent < 1 || (!static_cast<bool>(i.on) && i.stride != 0);
}
AXE_FN constexpr refusal check_iter(iter const& i, int position) {
  if (i.extent < 1) return {rule::extent_below_one, {position, i.extent}};
  if (i.is_on(axis::null) && i.stride != 0) return {rule::stride_on_no_axis, {position, i.stride}};
  return {};
}

/// An axis other than m with nonzero places, else null.
AXE_LAZY_FN constexpr axis axis_beside_memory(layout const& l) {
  for (iter const& i : l.shards)
    if (!i.is_on(axis::m) && i.extent > 1 && i.stride != 0) return i.on;
  for (iter const& i : l.replicas)
    if (!i.is_on(axis::m) && i.extent > 1 && i.stride != 0) return i.on;
  for (term const& t : l.offsets)
    if (!t.is_on(axis::m) && t.n != 0) return t.on;
  return axis::null;
}

AXE_LAZY_FN constexpr refusal check_parameters(axe::swizzle w) {
  bool const permutation = w.B == 0 ? w.M == 0 && w.S == 0 : w.M >= 0 && w.B > 0 && w.S != 0;
  if (!permutation) return {rule::swizzle_parameters, {w.M, w.B, w.S}};
  if (!w.valid()) return {rule::swizzle_reaches_too_far, {w.M, w.B, w.S}};
  return {};
}

/// Precondition: the layout without its swizzle is valid.
AXE_LAZY_FN constexpr refusal check_swizzle(layout const& l) {
  axe::swizzle const w = l.swizzle;
  if (refusal const bad = check_parameters(w)) return bad;
  if (w.none()) return {};
  if (axis other = axis_beside_memory(l); !same(other, axis::null))
    return {rule::swizzle_acts_on_memory_only, {}, {other}};
  // The swizzle moves addresses by less than a period.
  interval reach = reach_before_swizzle(l, axis::m);
  if (!add(reach.largest, w.period()) || !add(reach.least, -w.period()))
    return {rule::places_overflow, {}, {axis::m}};
  return {};
}

struct axis_reaches {
  axis_list axes;
  interval reach[capacity::axes]{};

  AXE_FN constexpr int index_of(axis a) {
    for (int i = 0; i < axes.count; ++i)
      if (axes.at[i] == a) return i;
    return axes.push(a) ? axes.count - 1 : -1;
  }

  AXE_FN constexpr refusal add_iters(auto const& iters) {
    for (int k = 0; k < iters.count; ++k) {
      iter const& i = iters.at[k];
      if (breaks_a_rule(i)) return check_iter(i, k);
      if (!static_cast<bool>(i.on)) continue;  // the null axis
      int const a = index_of(i.on);
      if (a < 0) return {rule::too_many_axes};
      if (!extend(reach[a], i)) return {rule::places_overflow, {}, {i.on}};
    }
    return {};
  }

  /// Call last, so that sums without offsets are tested too.
  AXE_FN constexpr refusal add_offsets(layout const& l) {
    for (int k = 0; k < l.offsets.count; ++k) {
      term const& t = l.offsets.at[k];
      if (t.is_on(axis::null) || t.n == 0) return {rule::offset_of_nothing, {t.n}, {t.on}};
      for (int j = 0; j < k; ++j)
        if (l.offsets.at[j].is_on(t.on)) return {rule::two_offsets, {}, {t.on}};
      int const a = index_of(t.on);
      if (a < 0) return {rule::too_many_axes};
      if (!add(reach[a].least, t.n) || !add(reach[a].largest, t.n))
        return {rule::places_overflow, {}, {t.on}};
    }
    for (int a = 0; a < axes.count; ++a)
      if (!span_fits(reach[a])) return {rule::places_overflow, {}, {axes.at[a]}};
    return {};
  }
};

/// True if all iters are valid, and places of 32 such iters cannot overflow.
AXE_FN constexpr bool all_small(auto const& iters) {
  constexpr integer most_extent = integer{1} << 15;
  constexpr integer most_stride = integer{1} << 40;
  for (int k = 0; k < iters.count; ++k) {
    iter const& i = iters.at[k];
    if (i.extent < 1 || i.extent > most_extent || i.stride > most_stride || i.stride < -most_stride)
      return false;
    if (!static_cast<bool>(i.on) && i.stride != 0) return false;
  }
  return true;
}

AXE_FN constexpr bool surely_valid(layout const& l) {
  return l.shards.count <= 4 && l.offsets.count == 0 && l.blocks.count == 0 && l.swizzle.B == 0 &&
         l.swizzle.M == 0 && l.swizzle.S == 0 && all_small(l.shards) &&
         (l.replicas.count == 0 || all_small(l.replicas));
}

}  // namespace detail

/// Empty if the layout is valid. Cost: O(iters * axes).
AXE_LAZY_FN constexpr refusal check(layout const& l) {
  using namespace detail;
  if (surely_valid(l)) return {};
  integer size = 1;
  axis_reaches reaches;
  if (refusal const bad = reaches.add_iters(l.shards)) return bad;
  if (refusal const bad = reaches.add_iters(l.replicas)) return bad;
  if (refusal const bad = reaches.add_offsets(l)) return bad;
  for (iter const& i : l.shards)
    if (!multiply(size, i.extent)) return {rule::size_overflows};
  if (l.grouped()) {
    integer in_blocks = 0;
    for (int b = 0; b < l.blocks.count; ++b) in_blocks += l.blocks[b];
    if (in_blocks != l.shards.count)
      return {rule::blocks_do_not_cover, {in_blocks, l.shards.count}};
  }
  return check_swizzle(l);
}

namespace detail {

/// Adds n to the offset on an axis. May leave a 0: call order_offsets or canonical_result after it.
AXE_FN constexpr refusal add_to_offset(layout& into, integer n, axis on) {
  if (n == 0 || same(on, axis::null)) return {};
  for (term& known : into.offsets)
    if (known.is_on(on))
      return add(known.n, n) ? refusal{} : refusal{rule::result_places_overflow, {}, {on}};
  return into.offsets.push({n, on}) ? refusal{} : refusal{rule::too_many_offsets};
}

/// A reference to a checked layout, which must outlive the reference.
class valid_layout {
 public:
  constexpr valid_layout() = default;
  AXE_FN constexpr valid_layout(outcome<layout> const& made) : held(made ? &made.value : nullptr) {}
  /// For a layout that is valid by construction.
  AXE_FN static constexpr valid_layout proved(layout const& l) { return valid_layout(&l); }

  AXE_FN constexpr refusal admit(layout const& l) {
    held = &l;
    return check(l);
  }

  AXE_FN constexpr operator layout const&() const { return *held; }
  AXE_FN constexpr layout const* operator->() const { return held; }

 private:
  AXE_FN constexpr explicit valid_layout(layout const* l) : held(l) {}
  layout const* held = nullptr;
};

AXE_LAZY_FN constexpr refusal admit_both(valid_layout& first, layout const& a, valid_layout& second,
                                         layout const& b) {
  if (refusal const bad = first.admit(a)) return bad;
  return of_operand(1, second.admit(b));
}

AXE_LAZY_FN constexpr refusal check_no_replicas(layout const& l) {
  for (iter const& i : l.replicas)
    if (i.extent != 1) return {rule::address_of_replicas, {i.extent, i.stride}, {i.on}};
  return {};
}

AXE_LAZY_FN constexpr refusal check_addresses(layout const& l) {
  if (refusal const bad = check_no_replicas(l)) return bad;
  for (axis a : axes_of(l))
    if (!same(a, axis::m)) return {rule::address_on_another_axis, {}, {a}};
  return {};
}

/// Rejects places outside (-2^44, 2^44) before the swizzle, so that byte offsets cannot overflow.
AXE_LAZY_FN constexpr refusal check_byte_offsets(layout const& l) {
  interval const reach = reach_before_swizzle(l, axis::m);
  constexpr integer most = integer{1} << 44;
  if (reach.least > -most && reach.largest < most) return {};
  return {rule::byte_offsets_overflow, {reach.least, reach.largest}};
}

}  // namespace detail

}  // namespace AXE_NAMESPACE
}  // namespace axe
