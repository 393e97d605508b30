// relabel(from, to, S, d): an order of dimension d under which `to` needs no exchange between lanes.
//
//     from = S[(16,4,4,2):(…)]   the 8-bit accumulator, seen as (16,32): row, column
//     to                         the A operand, seen as (16,32): row, k
//     relabel(from, to, {16, 32}, 1)      S[(2,2,4,2):(16,2,4,1)]: column c of the accumulator is taken for k = that
//
// In a product the order of k is free when the other operand's rows are stored in the same one: registers then move inside a lane only, or not at all.
// Column c may become k when the elements of column c lie in the lanes (and warps) of k, row by row. Columns that lie exactly so keep their places where all
// can; else they are matched in order. The result maps c to k on m; `compose` of `to` with it is laid out as `from` but for the order of registers.
// Refused: shapes that do not fit, columns whose lanes no k has, an order that is no layout, out of steps.
// Definition: docs/algebra.md, D21.
#pragma once

#include <axe/algebra/compose.hpp>
#include <axe/algebra/recognise.hpp>
#include <axe/convert/within_warp.hpp>
#include <axe/map/coordinates.hpp>

namespace axe::inline AXE_NAMESPACE {

namespace detail {

inline constexpr int most_columns = 1024;

/// A table c -> k as a function, for the table method.
struct column_order {
  short k[most_columns]{};

  static constexpr bool of_operand = false;
  AXE_FN constexpr int cost() const { return 1; }
  AXE_FN constexpr integer element(integer c) const { return c; }
  AXE_FN constexpr place operator()(integer c) const { return place(term(k[c], axis::m)); }
};

/// Where the first copy of element x lies on one axis.
AXE_PLANNER constexpr integer first_place(layout const& l, axis on, integer x) {
  integer at = l.offset(on);
  for (int k = l.shards.size() - 1; k >= 0; --k) {
    if (l.shards[k].on == on) at += x % l.shards[k].extent * l.shards[k].stride;
    x /= l.shards[k].extent;
  }
  return at;
}

struct relabelling {
  layout const& from;
  layout const& to;
  integer above, extent, below;  // elements before, along and behind dimension d
  step_budget& steps;
  axis_list axes;  // of both

  AXE_FN constexpr bool matches(integer c, integer k, bool registers) const {
    for (axis on : axes) {
      if (on == axis::reg && !registers) continue;
      for (integer a = 0; a < above; ++a)
        for (integer b = 0; b < below; ++b) {
          steps.taken += from.shards.size() + to.shards.size();
          if (first_place(from, on, (a * extent + c) * below + b) !=
              first_place(to, on, (a * extent + k) * below + b))
            return false;
        }
    }
    return true;
  }
  /// The columns in order, each the first k that fits; -1 when all have one, else the column that has none.
  AXE_FN constexpr integer match(bool registers, column_order& order) const {
    bool taken[most_columns]{};
    for (integer c = 0; c < extent; ++c) {
      integer k = 0;
      while (k < extent && steps.taken <= steps.allowed && (taken[k] || !matches(c, k, registers))) ++k;
      if (k == extent || steps.taken > steps.allowed) return c;
      taken[k] = true;
      order.k[c] = static_cast<short>(k);
    }
    return -1;
  }
};

}  // namespace detail

/// The order of dimension d (of shape s, which both layouts admit) as a layout from d's coordinate in `from` to that in `to`.
AXE_PLANNER constexpr outcome<layout> try_relabel(layout const& from, layout const& to, shape const& s,
                                                  integer d, step_budget steps = step_budget{1'000'000}) {
  for (layout const* l : {&from, &to}) {
    if (refusal const bad = check(*l)) return bad;
    if (refusal const bad = detail::check_registers(*l, 8)) return bad;
  }
  integer const size = detail::product_of_extents(from.shards), other = detail::product_of_extents(to.shards);
  if (size != other) return refusal{rule::sizes_differ, {size, other}};
  detail::extent_list extents;
  integer of_shape = 1;
  if (refusal const bad = detail::dimensions_of(s, extents, of_shape)) return bad;
  if (of_shape != size) return refusal{rule::shape_does_not_fit, {of_shape, size}};
  if (d < 0 || d >= extents.size()) return refusal{rule::position_outside, {d, extents.size() - 1}};
  integer above = 1, below = 1;
  for (int i = 0; i < extents.size(); ++i) (i < d ? above : below) *= i == d ? 1 : extents[i];
  integer const extent = extents[static_cast<int>(d)];
  if (extent > detail::most_columns) return steps.refusal();
  axis_list axes = axes_of(from);
  if (!detail::note_axes(axes, to)) return refusal{rule::result_too_many_axes};
  detail::relabelling const search{from, to, above, extent, below, steps, axes};
  detail::column_order order;
  if (search.match(true, order) >= 0) {
    integer const missing = search.match(false, order);
    if (steps.taken > steps.allowed) return steps.refusal();
    if (missing >= 0) return refusal{rule::no_relabelling, {d, missing}};
  }
  outcome<detail::iter_list> const digits = detail::recognise(order, extent, steps);
  if (!digits) return digits.why;
  layout done;
  done.shards = *digits;
  if (order.k[0] != 0) done.offsets.push({order.k[0], axis::m});
  return done;
}
AXE_PLANNER constexpr layout relabel(layout const& from, layout const& to, shape const& s, integer d,
                                     step_budget steps = step_budget{1'000'000}) {
  outcome<layout> const result = try_relabel(from, to, s, d, steps);
  if (!result) detail::stop_on(result.why, "relabel", {&from, &to, &s});
  return *result;
}
AXE_LIFT(relabel);

/// `to` as it is to be filled under an order of dimension d: element (…, c, …) of the result lies where `to` has (…, order(c), …).
AXE_PLANNER constexpr outcome<layout> try_reorder(layout const& to, shape const& s, integer d,
                                                  layout const& order, step_budget steps = {}) {
  for (layout const* l : {&to, &order})
    if (refusal const bad = check(*l)) return bad;
  detail::extent_list extents;
  integer of_shape = 1;
  if (refusal const bad = detail::dimensions_of(s, extents, of_shape)) return bad;
  if (d < 0 || d >= extents.size()) return refusal{rule::position_outside, {d, extents.size() - 1}};
  integer const size = detail::product_of_extents(order.shards), extent = extents[static_cast<int>(d)];
  if (size != extent) return refusal{rule::sizes_differ, {size, extent}};
  layout inner;
  bool fits = true;
  integer step = of_shape;
  for (int i = 0; i < extents.size(); ++i) {
    step /= extents[i];
    if (i != d) {
      fits = fits && inner.shards.push({extents[i], step, axis::m});
      continue;
    }
    for (iter const& k : order.shards)
      fits = fits && inner.shards.push({k.extent, k.stride * step, k.stride == 0 ? axis::null : axis::m});
    if (integer const first = order.offset(axis::m) * step; first != 0) inner.offsets.push({first, axis::m});
  }
  if (!fits) return refusal{rule::too_many_shards, {extents.size() + order.shards.size()}};
  return try_compose(to, inner, steps);
}
AXE_PLANNER constexpr layout reorder(layout const& to, shape const& s, integer d, layout const& order,
                                     step_budget steps = {}) {
  outcome<layout> const result = try_reorder(to, s, d, order, steps);
  if (!result) detail::stop_on(result.why, "reorder", {&to, &order, &s});
  return *result;
}
AXE_LIFT(reorder);

}  // namespace axe::inline AXE_NAMESPACE
