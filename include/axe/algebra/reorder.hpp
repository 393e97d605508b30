// SPDX-License-Identifier: MIT
// reorder(L, S, d, order): element (…, c, …) of the result lies where L has (…, order(c), …).
//
//     reorder(S[(2,4):(4@lane,1@reg)], {2, 4}, 1, S[(2,2):(1,2)])  S[(2,2,2):(4@lane,1@reg,2@reg)]
//
// Definition: docs/algebra.md, D21.
#pragma once

#include <axe/algebra/compose.hpp>
#include <axe/map/coverage.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

/// Products of the extents before (above) and after (below) dimension d.
struct around_dimension {
  integer above = 1, extent = 1, below = 1, size = 1;
  refusal why;

  AXE_LAZY_FN constexpr around_dimension(shape const& s, integer d) {
    extent_list extents;
    why = dimensions_of(s, extents, size);
    if (why) return;
    if (d < 0 || d >= extents.count) {
      why = {rule::dimension_outside, {d, extents.count - 1}};
      return;
    }
    for (int i = 0; i < d; ++i) above *= extents[i];
    extent = extents[static_cast<int>(d)];
    below = size / (above * extent);
  }
  AXE_FN constexpr integer element(integer a, integer c, integer b) const {
    return (a * extent + c) * below + b;
  }
};

AXE_LAZY_FN constexpr refusal check_order(layout const& order, integer n, step_limit const& steps) {
  for (axis a : axes_of(order))
    if (!same(a, axis::m)) return {rule::order_not_on_m, {}, {a}};
  if (order.replicas.count != 0) return {rule::order_has_replicas};
  outcome<coverage_answer> const shown =
      coverage_of(valid_layout::proved(order), {{axis::m, n}}, steps);
  if (shown.why) return shown.why;
  integer const at = shown->at[axis::m];
  if (shown->how == covered::contested)
    return {rule::order_repeats, {n - 1, shown->first, shown->second, at}};
  if (shown->how == covered::holes) return {rule::order_leaves_out, {n - 1, at}};
  return {};
}

struct reordered_places : place_source {
  layout_function of;
  layout_function order;
  around_dimension along;

  AXE_LAZY_FN constexpr reordered_places(layout const& l, layout const& by,
                                         around_dimension const& dimension)
      : of(l), order(by), along(dimension) {
    size = along.size;
    count_pairs(of, order);
    on_m = address_bound(l);
  }
  AXE_FN constexpr place at(integer x, integer j) const override {
    integer const b = x % along.below;
    integer const c = x / along.below % along.extent;
    integer const a = x / along.below / along.extent;
    return of(along.element(a, order(c, 0)[axis::m], b), j);
  }
};

AXE_LAZY_FN constexpr outcome<layout> reorder_of(valid_layout operand, shape const& s, integer d,
                                                 valid_layout checked_order, step_limit steps) {
  layout const& l = operand;
  layout const& order = checked_order;
  around_dimension const along(s, d);
  if (along.why) return along.why;
  if (refusal const bad = check_size(l, along.size)) return bad;
  integer const n = product_of_extents(order.shards);
  if (n != along.extent) return refusal{rule::order_of_another_size, {d, along.extent, n}};
  outcome<layout> const canonical_order = canonical(checked_order);
  if (canonical_order.why) return canonical_order.why;
  if (refusal const bad = check_order(*canonical_order, n, steps)) return bad;
  // With a swizzled order, `inner` is a layout only if `below` is a power of two and the order
  // repeats by whole periods of f.
  axe::swizzle const f = canonical_order->swizzle;
  bool const repeats = along.above == 1 || n % f.period() == 0;
  if (!f.none() && !(repeats && is_power_of_two(along.below))) {
    outcome<layout> const form = canonical(operand);
    return form ? fit(reordered_places(*form, *canonical_order, along), form->swizzle, f, steps)
                : form;
  }
  outcome<layout> inner = unpack_of(canonical_order, along.below, axis::m, steps);
  if (!inner) return inner;
  if (along.above > 1 && !inner.value.shards.insert(0, {along.above, n * along.below, axis::m}))
    return refusal{rule::too_many_shards, {canonical_order->shards.count + 2}};
  return compose_of(operand, inner, steps);
}

}  // namespace detail

AXE_LAZY_FN constexpr outcome<layout> try_reorder(layout const& l, shape const& s, integer d,
                                                  layout const& order,
                                                  step_limit steps = step_limit::of_long_steps()) {
  detail::valid_layout one, two;
  if (refusal const bad = detail::admit_both(one, l, two, order)) return bad;
  return detail::reorder_of(one, s, d, two, steps);
}
AXE_LAZY_FN constexpr layout reorder(layout const& l, shape const& s, integer d,
                                     layout const& order) {
  return detail::stop_on(try_reorder(l, s, d, order), "reorder", {&l, &order, &s});
}
AXE_CARRIER_FORM(reorder);

}  // namespace AXE_NAMESPACE
}  // namespace axe
