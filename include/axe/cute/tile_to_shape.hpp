// tile_to_shape(block, S, order): the block repeated until it has the shape S, as blocked_product
// with a tiler of the quotient shape.
//
//     tile_to_shape((8,8):(8,1), (16,32))              ((8,2),(8,4)):((8,64),(1,128))       down the first mode first
//     tile_to_shape((8,8):(8,1), (16,32), (2,1))       ((8,2),(8,4)):((8,256),(1,64))       order: the rank of each mode, least first
//     tile_to_shape((4,2):(1,4), (6,2))                refused: 4 does not divide 6
//
// A mode of S counts by its number of elements; a block of fewer modes is padded with 1:0. A
// swizzle and an offset stay outside.
// Refused: an extent that does not divide, more modes in the block than in S, an order of another
// length, what blocked_product refuses.
// Definition: docs/algebra.md, D22.
#pragma once

#include <axe/cute/product.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace cute {

namespace detail {

/// extents with compact strides, the mode of the least rank fastest; equal ranks in order.
AXE_FN constexpr outcome<layout> ordered(list<integer, 48> const& extents,
                                         list<integer, 48> const& ranks) {
  layout l;
  add_group(l, extents.size());
  for (integer e : extents) add_leaf(l, e, 0);
  if (refusal const bad = check(l)) return bad;
  bool done[capacity::shards]{};
  integer next = 1;
  for (int turn = 0; turn < extents.size(); ++turn) {
    int least = -1;
    for (int k = 0; k < extents.size(); ++k)
      if (!done[k] && (least < 0 || ranks[k] < ranks[least])) least = k;
    done[least] = true;
    l.leaves[least].stride = next;
    if (!axe::detail::multiply(next, extents[least])) return refusal{rule::cute_overflows};
  }
  return l;
}

/// The number of elements of each entry of a shape; one of a shape that is an integer.
AXE_FN constexpr refusal products_of(int_tuple const& shape, list<integer, 48>& into) {
  outcome<layout> const whole = try_make_layout(shape);
  if (!whole) return whole.why;
  for (int k = 0; k < rank(*whole); ++k) into.push(size_of(mode(*whole, k)));
  return {};
}

}  // namespace detail

AXE_FN constexpr outcome<layout> try_tile_to_shape(layout const& block, int_tuple const& shape,
                                                   int_tuple const& order, step_budget steps = {}) {
  if (refusal const bad = check(block)) return bad;
  list<integer, 48> wanted;
  if (refusal const bad = detail::products_of(shape, wanted)) return bad;
  if (rank(block) > wanted.size())
    return refusal{rule::cute_too_many_modes, {rank(block), wanted.size()}};
  layout const full = detail::padded(block, wanted.size());
  list<integer, 48> ranks;
  for (int k = 0; k < order.nodes.size(); ++k)
    if (order.nodes.is_integer(k)) ranks.push(order.nodes.value(k));
  if (ranks.size() != wanted.size())
    return refusal{rule::cute_order_has_another_rank, {ranks.size(), wanted.size()}};
  for (int k = 0; k < wanted.size(); ++k) {
    integer const have = detail::size_of(mode(full, k));
    if (wanted[k] % have != 0)
      return refusal{rule::cute_mode_does_not_divide, {k, have, wanted[k]}};
    wanted[k] /= have;
  }
  outcome<layout> const tiler = detail::ordered(wanted, ranks);
  if (!tiler) return tiler;
  return try_blocked_product(full, *tiler, steps);
}

/// Down the first mode first.
AXE_FN constexpr outcome<layout> try_tile_to_shape(layout const& block, int_tuple const& shape,
                                                   step_budget steps = {}) {
  int_tuple order = int_tuple{};
  for (int k = 0; k < shape.rank(); ++k) order.append(tree(k));
  return try_tile_to_shape(block, shape, order, steps);
}

AXE_FN constexpr layout tile_to_shape(layout const& block, int_tuple const& shape,
                                      int_tuple const& order, step_budget steps = {}) {
  outcome<layout> const result = try_tile_to_shape(block, shape, order, steps);
  if (!result) detail::stop_on(result.why, "tile_to_shape", {});
  return *result;
}
AXE_FN constexpr layout tile_to_shape(layout const& block, int_tuple const& shape,
                                      step_budget steps = {}) {
  outcome<layout> const result = try_tile_to_shape(block, shape, steps);
  if (!result) detail::stop_on(result.why, "tile_to_shape", {});
  return *result;
}
AXE_CUTE_LIFT(tile_to_shape);

}  // namespace cute
}  // namespace AXE_NAMESPACE
}  // namespace axe
