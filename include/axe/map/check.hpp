// Is this value a layout? Every operation asks here first, so that nothing after it can overflow.
//
//     check(S[(65536,65536):(65536,1)])          no refusal: size 2^32 in 64 bits
//     check(S[(4294967296,4294967296):(0,1)])    refused: the size does not fit in 64 bits
//
// Extents are at least 1; size, and on every axis the sums of the negative and of the positive contributions with the offset
// (hence every partial sum of a place), and the span fit in 64 bits; a swizzle is a permutation and m the only axis.
#pragma once

#include <axe/detail/checked.hpp>
#include <axe/refusal/refusal.hpp>

namespace axe::inline AXE_NAMESPACE {

namespace detail {

/// The product of extents of a list already known to fit.
template <class Iters>
AXE_FN constexpr integer product_of_extents(Iters const& iters) {
  integer product = 1;
  for (iter const& i : iters) product *= i.extent;
  return product;
}

/// Places on one axis before any swizzle: [least, largest].
struct interval {
  integer least = 0;
  integer largest = 0;
};

/// Adds what one digit can contribute; false on overflow.
AXE_FN constexpr bool extend(interval& reach, iter const& i) {
  return add_product(i.stride < 0 ? reach.least : reach.largest, i.extent - 1, i.stride);
}

/// The plain reach of l on a, or false when it leaves 64 bits. The offset comes last, so partial sums are covered too.
AXE_FN constexpr bool plain_reach(layout const& l, axis a, interval& reach) {
  reach = {};
  for (iter const& i : l.shards)
    if (i.on == a && !extend(reach, i)) return false;
  for (iter const& i : l.replicas)
    if (i.on == a && !extend(reach, i)) return false;
  integer const o = l.offset(a);
  if (!add(reach.least, o) || !add(reach.largest, o)) return false;
  integer span = reach.largest;
  return reach.least != smallest && reach.largest != largest && add(span, -reach.least) && add(span, 1);
}

AXE_FN constexpr refusal check_iter(iter const& i, int position) {
  if (i.extent < 1) return {rule::extent_below_one, {position, i.extent}};
  if (i.on == axis::null && i.stride != 0) return {rule::stride_on_no_axis, {position, i.stride}};
  return {};
}

AXE_FN constexpr refusal check_swizzle(layout const& l, axis_list const& axes) {
  axe::swizzle const w = l.swizzle;
  if (!w.valid()) return {rule::swizzle_parameters, {w.M, w.B, w.S}};
  if (w.none()) return {};
  for (axis a : axes)
    if (a != axis::m) return {rule::swizzle_acts_on_memory_only, {}, {a}};
  // f moves an address by less than a period, and the reach is exact only if that fits too.
  interval reach;
  if (!plain_reach(l, axis::m, reach) || !add(reach.largest, w.period()) || !add(reach.least, -w.period()))
    return {rule::places_overflow, {}, {axis::m}};
  return {};
}

}  // namespace detail

/// The rule that l breaks as a layout, or a refusal with rule::none. O(iters * axes).
AXE_FN constexpr refusal check(layout const& l) {
  integer size = 1;
  for (int k = 0; k < l.shards.size(); ++k) {
    if (refusal const bad = detail::check_iter(l.shards[k], k); bad.which != rule::none) return bad;
    if (!detail::multiply(size, l.shards[k].extent)) return {rule::size_overflows};
  }
  for (int k = 0; k < l.replicas.size(); ++k)
    if (refusal const bad = detail::check_iter(l.replicas[k], k); bad.which != rule::none) return bad;
  axis_list axes;
  if (!detail::note_axes(axes, l)) return {rule::too_many_axes};
  for (axis a : axes) {
    detail::interval reach;
    if (!detail::plain_reach(l, a, reach)) return {rule::places_overflow, {}, {a}};
  }
  if (l.grouped()) {
    integer held = 0;
    for (int b : l.blocks) held += b;
    if (held != l.shards.size()) return {rule::blocks_do_not_cover, {held, l.shards.size()}};
  }
  return detail::check_swizzle(l, axes);
}

}  // namespace axe::inline AXE_NAMESPACE
