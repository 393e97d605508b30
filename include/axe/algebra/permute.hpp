// SPDX-License-Identifier: MIT
// permute(L, S, order): dimensions in another order, P(c[order[0]], c[order[1]], …) = L(c).
//
//     permute(S[(4,5):(5,1)], (4,5), (1,0))           S[(5,4):(1,5)]
//
// Definition: docs/algebra.md, D13.
#pragma once

#include <axe/construct/carrier.hpp>
#include <axe/engine/reorder_dimensions.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

AXE_LAZY_FN constexpr outcome<layout> permute_of(valid_layout operand, shape const& s,
                                                 coordinate const& order, step_limit steps = {}) {
  layout const& l = operand;
  extent_list dimensions;
  if (refusal const bad = admit_dimensions(l, s, dimensions)) return bad;
  refusal const wrong_order{rule::order_is_not_a_permutation};
  if (order.is_integer() || order.rank() != dimensions.count) return wrong_order;
  extent_list const pitches = pitches_of(dimensions);
  box_walk walk{digit_function(canonical_shards(l.shards))};
  bool seen[capacity::shards]{};
  for (int i = 0; i < dimensions.count; ++i) {
    integer const wanted = order.nodes.value(i + 1);
    if (order.nodes.is_group(i + 1) || wanted < 0 || wanted >= dimensions.count) return wrong_order;
    int const d = static_cast<int>(wanted);
    if (seen[d]) return wrong_order;
    seen[d] = true;
    push_digit(walk.box, {dimensions[d], pitches[d], axis::m});
  }
  return reordered(operand, walk, steps);
}

}  // namespace detail

AXE_LAZY_FN constexpr outcome<layout> try_permute(layout const& l, shape const& s,
                                                  coordinate const& order, step_limit steps = {}) {
  detail::valid_layout operand;
  if (refusal const bad = operand.admit(l)) return bad;
  return detail::permute_of(operand, s, order, steps);
}

AXE_LAZY_FN constexpr layout permute(layout const& l, shape const& s, coordinate const& order) {
  return detail::stop_on(try_permute(l, s, order), "permute", {&l, nullptr, &s, &order});
}
AXE_CARRIER_FORM(permute);

}  // namespace AXE_NAMESPACE
}  // namespace axe
