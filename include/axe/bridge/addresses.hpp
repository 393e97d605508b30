// SPDX-License-Identifier: MIT
// The address of each element, and each dimension's stride, for mdspan and DLPack.
//
//     try_address_layout(S[20:-1] + 19, (4,5))     S[((4),(5)):((-5),(-1))] + 19
#pragma once

#include <axe/algebra/equivalent.hpp>
#include <axe/algebra/group.hpp>
#include <axe/map/measures.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// Rejects replicas, axes other than m and addresses below 0. The result is grouped by the shape if
/// possible.
AXE_FN constexpr outcome<layout> try_address_layout(layout const& l, shape const& s) {
  if (refusal const bad = check(l)) return bad;
  for (iter const& i : l.replicas)
    if (i.extent != 1 && i.stride != 0)
      return refusal{rule::address_of_replicas, {i.extent, i.stride}, {i.on}};
  for (iter const& i : l.shards)
    if (i.extent != 1 && i.stride != 0 && i.on != axis::m)
      return refusal{rule::address_on_another_axis, {}, {i.on}};
  for (term const& t : l.offsets)
    if (t.on != axis::m) return refusal{rule::address_on_another_axis, {}, {t.on}};
  outcome<integer> const cosize = try_cosize(l);
  if (cosize.why) return cosize.why;
  extent_list leaves;
  if (refusal const bad = admit_leaves(l, s, leaves)) return bad;
  if (s.rank() > capacity::shards) return refusal{rule::too_many_dimensions, {s.rank()}};
  outcome<layout> const grouped = try_group(l, s);
  layout addresses = grouped ? *grouped : l;
  if (!grouped) addresses.blocks.clear();
  addresses.replicas.clear();
  return addresses;
}

/// Digits are `first` to `last` - 1. The slowest is not reduced modulo its extent.
AXE_FN constexpr integer digits_to_address(layout const& l, int first, int last, integer index) {
  integer sum = 0;
  for (int k = last - 1; k > first; --k) {
    sum += index % l.shards[k].extent * l.shards[k].stride;
    index /= l.shards[k].extent;
  }
  return first < last ? sum + index * l.shards[first].stride : 0;
}

struct address_strides {
  list<integer, capacity::shards> of;
  bool exist = false;
};

AXE_FN constexpr outcome<address_strides> try_strides_of(layout const& l, shape const& s,
                                                         step_limit limit) {
  // A stride can only be the step from element 0 to its neighbour.
  address_strides strides;
  layout steps;
  auto const address = [&](integer x) {
    return l.swizzle(l.offset(axis::m) + digits_to_address(l, 0, l.shards.size(), x));
  };
  integer const at_zero = address(0);
  integer x = product_of_extents(l.shards);
  for (int r = 0; r < s.rank(); ++r) {
    integer const extent = s.extent(r);
    x /= extent;
    integer const stride = extent == 1 ? 1 : address(x) - at_zero;
    strides.of.push(stride);
    steps.shards.push({extent, stride, axis::m});
  }
  if (at_zero != 0) steps.offsets.push({at_zero, axis::m});
  outcome<bool> const same = try_equivalent(l, steps, limit);
  if (same.why.which == rule::undecided) return same.why;
  strides.exist = same.value;  // also false if places of `steps` exceed 64 bits
  return strides;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
