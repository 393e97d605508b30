// SPDX-License-Identifier: MIT
// tile_to_shape(block, S, order): the block repeated until it has the shape S.
//
//     tile_to_shape((8,8):(8,1), (16,32), (2,1))       ((8,2),(8,4)):((8,256),(1,64))
//
// Repeats the block first in the mode with the smallest number in `order`, by default the first.
#pragma once

#include <axe/cute/product.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace cute {

namespace detail {

/// The compact layout of the extents in which the mode with the smallest number is the fastest.
AXE_FN constexpr layout ordered(list<integer, 48> const& extents,
                                list<integer, 48> const& numbers) {
  layout l;
  add_group(l, extents.size());
  for (int k = 0; k < extents.size(); ++k) {
    integer stride = 1;
    for (int j = 0; j < extents.size(); ++j)
      if (numbers[j] < numbers[k] || (numbers[j] == numbers[k] && j < k)) stride *= extents[j];
    add_leaf(l, {extents[k], stride});
  }
  return l;
}

}  // namespace detail

AXE_FN constexpr outcome<layout> try_tile_to_shape(layout const& block, int_tuple const& shape,
                                                   int_tuple const& order = {},
                                                   step_limit steps = {}) {
  using namespace detail;
  outcome<layout> const whole = try_make_layout(shape);
  if (!whole) return whole;
  int const modes = rank(*whole);
  if (rank(block) > modes) return refusal{rule::cute_too_many_modes, {rank(block), modes}};
  layout const full = block.leaf_count() == 0 ? block : padded(block, modes);
  if (refusal const bad = check(full)) return bad;
  list<integer, 48> numbers;
  for (int k = 0; k < order.nodes.count; ++k)
    if (order.nodes.is_integer(k)) numbers.push(order.nodes.value(k));
  while (order.rank() == 0 && numbers.size() < modes) numbers.push(0);
  if (numbers.size() != modes)
    return refusal{rule::cute_order_has_another_rank, {numbers.size(), modes}};
  list<integer, 48> repeated;
  for (int k = 0; k < modes; ++k) {
    integer const have = size_of(mode(full, k));
    integer const wanted = size_of(mode(*whole, k));
    if (wanted % have != 0) return refusal{rule::cute_mode_does_not_divide, {k, have, wanted}};
    repeated.push(wanted / have);
  }
  return product_of_modes(full, ordered(repeated, numbers), 0, steps);
}
AXE_FN constexpr layout tile_to_shape(layout const& block, int_tuple const& shape,
                                      int_tuple const& order = {}) {
  return detail::stop_on(try_tile_to_shape(block, shape, order), "tile_to_shape");
}

}  // namespace cute
}  // namespace AXE_NAMESPACE
}  // namespace axe
