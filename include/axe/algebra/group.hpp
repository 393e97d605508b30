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

/// Fastest digit first.
struct digit_stack {
  list<iter, 64> digits;
  list<int, 64> held;  // digits per dimension
};

AXE_LAZY_FN constexpr refusal cut(iter_list const& shards, extent_list const& extents,
                                  digit_stack& out) {
  int next = shards.count - 1;
  iter rest_of_cut{1, 0, axis::null};
  for (int d = extents.count - 1; d >= 0; --d) {
    int held = 0;
    for (integer need = extents[d]; need > 1; ++held) {
      if (rest_of_cut.extent == 1) rest_of_cut = shards[next--];
      iter const taken{smaller(need, rest_of_cut.extent), rest_of_cut.stride, rest_of_cut.on};
      if ((need > rest_of_cut.extent ? need : rest_of_cut.extent) % taken.extent != 0)
        return {rule::does_not_group,
                {d, extents[d], rest_of_cut.extent, rest_of_cut.stride, need},
                {rest_of_cut.on}};
      if (!out.digits.push(taken)) return {rule::too_many_shards, {out.digits.count + 1}};
      need /= taken.extent;
      rest_of_cut.extent /= taken.extent;
      rest_of_cut.stride *= rest_of_cut.extent == 1 ? 1 : taken.extent;
    }
    out.held.push(held);
  }
  return {};
}

AXE_LAZY_FN constexpr outcome<layout> group_of(valid_layout operand, shape const& s) {
  layout const& l = operand;
  extent_list extents;
  if (refusal const bad = admit(l, s, extents)) return bad;
  digit_stack found;
  if (refusal const bad = cut(canonical_shards(l.shards), extents, found)) {
    layout const plain = unswizzled(operand);
    return plain.swizzle == l.swizzle ? bad : group_of(valid_layout::proved(plain), s);
  }
  if (found.held.count > capacity::shards)
    return refusal{rule::too_many_dimensions, {found.held.count}};
  if (found.digits.count > capacity::shards)
    return refusal{rule::too_many_shards, {found.digits.count}};
  layout done = l;
  done.shards.clear();
  done.blocks.clear();
  for (int k = found.digits.count - 1; k >= 0; --k) done.shards.push(found.digits[k]);
  for (int d = found.held.count - 1; d >= 0; --d) done.blocks.push(found.held[d]);
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
