// SPDX-License-Identifier: MIT
// group(L, S): cuts D into one block of iters for each dimension of S, with the fewest iters.
//
//     group(S[16:1], (2,8))                       S[((2),(8)):((8),(1))]
//
// Definition: docs/algebra.md, D7.
#pragma once

#include <axe/construct/carrier.hpp>
#include <axe/engine/fit.hpp>
#include <axe/map/coordinates.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

/// Precondition: dimension d, the last one of `block`, begins inside a digit.
AXE_LAZY_FN constexpr refusal does_not_group(iter_list const& block, int d, integer extent) {
  integer need = extent;
  int k = block.count - 1;
  for (; need % block[k].extent == 0; --k) need /= block[k].extent;
  return {rule::does_not_group, {d, extent, block[k].extent, block[k].stride, need}, {block[k].on}};
}

AXE_LAZY_FN constexpr outcome<layout> group_of(valid_layout operand, shape const& s) {
  layout const& l = operand;
  extent_list extents;
  if (refusal const bad = admit_leaves(l, s, extents)) return bad;
  layout done = l;
  done.shards.clear();
  done.blocks.clear();
  refusal uneven;
  int digits = 0;
  for_each_run(canonical_shards(l.shards), extents,
               [&](int first, int count, iter_list const& block) {
                 int const d = first + count - 1;
                 if (count > 1) uneven = does_not_group(block, d, extents[d]);
                 digits += block.count;
                 for (iter const& i : block) done.shards.push(i);
                 done.blocks.push(block.count);
                 return refusal{};
               });
  if (uneven) {
    layout const plain = unswizzled(operand);
    return plain.swizzle == l.swizzle ? uneven : group_of(valid_layout::proved(plain), s);
  }
  if (extents.count > capacity::shards) return refusal{rule::too_many_dimensions, {extents.count}};
  if (digits > capacity::shards) return refusal{rule::too_many_shards, {digits}};
  order_offsets(done);
  return done;
}

}  // namespace detail

AXE_LAZY_FN constexpr outcome<layout> try_group(layout const& l, shape const& s) {
  detail::valid_layout operand;
  if (refusal const bad = operand.admit(l)) return bad;
  return detail::group_of(operand, s);
}

AXE_LAZY_FN constexpr layout group(layout const& l, shape const& s) {
  return detail::stop_on(try_group(l, s), "group", {&l, nullptr, &s});
}
AXE_CARRIER_FORM(group);

}  // namespace AXE_NAMESPACE
}  // namespace axe
