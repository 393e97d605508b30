// SPDX-License-Identifier: MIT
// coverage(L, {{a, n}, …}): how L fills the box [0,n) of each named axis.
//
//     coverage(S[(4,7):(8,1)], {{m, 32}})    holes        nothing at 7@m
//     coverage(S[2:1] + R[2:1], {{m, 3}})    contested    elements 0 and 1 at 1@m
//     coverage(S[2:2] + R[2:1], {{m, 4}})    copies       element 0 at 0@m and 1@m
//
// Definition: docs/algebra.md, D8.
#pragma once

#include <axe/map/elements.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

enum class covered : unsigned char { once, copies, holes, contested };

struct box_axis {
  axis on = axis::null;
  integer positions = 0;
  integer begin = 0;  // above -2^63; positions + begin must fit in 64 bits
};

struct box {
  list<box_axis, capacity::axes> axes;
  bool overflowed = false;

  constexpr box() = default;
  AXE_LAZY_FN constexpr box(initializer_list<box_axis> from) {
    for (box_axis const& a : from)
      if (!axes.push(a)) overflowed = true;
  }
};

/// `how`: the first of contested, holes, copies, once that applies.
struct coverage_answer {
  covered how = covered::once;
  place at;           // the contested place, the hole, or a replica's place
  place also_at{};    // of another replica
  integer first = 0;  // an element at `at`
  integer second = 0;
};

AXE_FN constexpr void print(auto& out, coverage_answer const& c) {
  switch (c.how) {
    case covered::once: return out.put("once");
    case covered::holes: return detail::print_all(out, "holes: nothing at ", c.at);
    case covered::copies:
      return detail::print_all(out, "copies: element ", c.first, " at ", c.at, " and ", c.also_at);
    default:
      return detail::print_all(out, "contested: elements ", c.first, " and ", c.second, " at ",
                               c.at);
  }
}

namespace detail {

/// Positions on an axis, or `none`.
struct axis_coverage {
  static constexpr integer none = smallest;
  integer filled = none;  // the first with an element, or with two if `contested`
  integer hole = none;
  bool contested = false;
  integer replica = none, other_replica = none;
};

AXE_LAZY_FN constexpr axe::swizzle swizzle_on(layout const& l, axis a) {
  return same(a, axis::m) ? l.swizzle : axe::swizzle{};
}

/// A search for the elements at a position. The caller sets targets[0].left.
AXE_LAZY_FN constexpr digit_search search_on(layout const& l, axis a) {
  digit_search s;
  for (iter const& i : l.shards)
    if (i.is_on(a) && i.stride != 0 && i.extent > 1) s.add(i);
  s.targets.push({a, 0, sums_on(l.replicas, a)});
  return s;
}

/// Positions on one axis, before the swizzle.
struct axis_positions {
  sum_set_of<capacity::shards + capacity::replicas> all;
  bool nested = true;      // each stride exceeds the sums below it: no two sums are equal
  integer contiguous = 1;  // positions before the first hole, if nested

  AXE_LAZY_FN constexpr axis_positions(layout const& l, axis a) {
    all.add_on(a, l.shards);
    all.add_on(a, l.replicas);
    all.least += l.offset(a);
    integer span = 1;
    for (sum_iter const& r : all.iters) {
      if (r.stride == contiguous) contiguous *= r.extent;
      nested = nested && r.stride >= span;
      span += (r.extent - 1) * r.stride;
    }
  }

  /// True if the positions are whole ranges [k * unit, (k + 1) * unit). A swizzle f permutes them
  /// if `unit` is f.block(). Precondition: nested.
  AXE_LAZY_FN constexpr bool fill(integer unit) const {
    for (sum_iter const& r : all.iters)
      if (r.stride >= contiguous && r.stride % unit != 0) return false;
    return all.least % unit == 0 && contiguous % unit == 0;
  }

  /// The distance from a filled position to the next hole. Precondition: nested. The positions form
  /// ranges of `contiguous` positions, of which at most two are adjacent.
  AXE_LAZY_FN constexpr integer distance_to_hole(integer position, step_limit& steps) const {
    integer in_range = position - all.least;
    for (int k = all.iters.count - 1; k >= 0 && all.iters[k].stride >= contiguous; --k) {
      sum_iter const& r = all.iters[k];
      in_range -= smaller(r.extent - 1, in_range / r.stride) * r.stride;
    }
    integer const held = contiguous - in_range;
    return all.contains(position + held, steps) ? held + contiguous : held;
  }

  AXE_LAZY_FN constexpr void find_in(box_axis const& b, axis_coverage& seen) const {
    step_limit unbounded(largest);
    integer const first = all.at_least(b.begin, unbounded);
    integer const held = first == b.begin ? distance_to_hole(first, unbounded) : 0;
    if (first < b.begin + b.positions) seen.filled = first;
    if (held < b.positions) seen.hole = b.begin + held;
  }
};

AXE_LAZY_FN constexpr void walk_positions(layout const& l, box_axis const& b, digit_search s,
                                          axis_positions const& positions, axis_coverage& seen,
                                          step_limit& steps) {
  axe::swizzle const f = swizzle_on(l, b.on);
  integer const moved = f.none() ? 0 : f.period();
  integer const end = b.begin + b.positions;
  integer const from = larger(b.begin, positions.all.least - moved);
  integer const to = smaller(end, positions.all.largest() + moved + 1);
  if (from > b.begin || to < end) seen.hole = from > b.begin ? b.begin : larger(to, b.begin);
  for (integer v = from; v < to; ++v) {
    if (positions.nested && seen.hole != seen.none && seen.filled != seen.none) return;
    if (!steps.take()) return;
    s.targets[0].left = f.inverse(v) - l.offset(b.on);
    for (integer& c : s.at) c = 0;
    if (!s.find(steps)) {
      if (steps.spent()) return;
      if (seen.hole == seen.none || v < seen.hole) seen.hole = v;
      continue;
    }
    if (seen.filled == seen.none) seen.filled = v;
    if (!positions.nested && s.step() && s.find(steps)) {
      seen.filled = v;
      seen.contested = true;
      return;  // no search for a hole in a contested box
    }
  }
}

AXE_LAZY_FN constexpr void find_replicated(layout const& l, box_axis const& b, digit_search s,
                                           axis_coverage& seen, step_limit& steps) {
  sum_set replicas = s.targets[0].replicas;
  if (replicas.iters.count == 0) return;
  axe::swizzle const f = swizzle_on(l, b.on);
  // f moves a replica by less than a period.
  integer const moved = f.none() ? 0 : 2 * f.period();
  bool const box_holds_one = replicas.gap_ok() && replicas.iters[0].stride - b.positions >= moved;
  if (box_holds_one) return;
  integer const start = replicas.least;
  do {
    if (!steps.take()) return;
    replicas.least = start + l.offset(b.on);
    for (int k = 0; k < s.digits.count; ++k) replicas.least += s.at[k] * s.digits[k].stride;
    seen.replica = seen.none;
    // A swizzle may order replicas differently.
    for (integer v = f.none() ? replicas.at_least(b.begin, steps) : replicas.least;
         v != sum_set::none; v = replicas.at_least(v + 1, steps)) {
      if (!steps.take()) return;
      integer const position = f(v);
      if (position < b.begin || position >= b.begin + b.positions) {
        if (f.none()) break;
        continue;
      }
      if (seen.replica != seen.none) {
        seen.other_replica = position;
        return;
      }
      seen.replica = position;
    }
  } while (s.step());
}

AXE_LAZY_FN constexpr axis_coverage cover_axis(layout const& l, box_axis const& b,
                                               step_limit& steps) {
  axis_coverage seen;
  axis_positions const positions(l, b.on);
  bool const closed_form = positions.nested && positions.fill(swizzle_on(l, b.on).block());
  if (closed_form) positions.find_in(b, seen);
  if (closed_form && l.replicas.count == 0) return seen;
  digit_search const s = search_on(l, b.on);
  if (!closed_form) walk_positions(l, b, s, positions, seen, steps);
  if (!steps.spent()) find_replicated(l, b, s, seen, steps);
  return seen;
}

AXE_LAZY_FN constexpr void name_elements(layout const& l, coverage_answer& answer, integer wanted) {
  element_range const there({l, shape(product_of_extents(l.shards)), answer.at});
  integer n = 0;
  for (element const& e : there) {
    (n == 0 ? answer.first : answer.second) = e.index;
    if (++n == wanted) return;
  }
}

AXE_LAZY_FN constexpr refusal check_box(box const& b) {
  if (b.overflowed) return {rule::box_of_too_many_axes};
  if (b.axes.count == 0) return {rule::box_without_axes};
  for (int i = 0; i < b.axes.count; ++i) {
    box_axis const& a = b.axes[i];
    if (a.positions < 1) return {rule::box_extent_below_one, {a.positions}, {a.on}};
    if (integer end = a.begin; end == smallest || !add(end, a.positions))
      return {rule::result_places_overflow, {}, {a.on}};
    for (int j = 0; j < i; ++j)
      if (same(b.axes[j].on, a.on)) return {rule::box_names_an_axis_twice, {}, {a.on}};
  }
  return {};
}

using axis_coverages = list<axis_coverage, capacity::axes>;

/// The place with `position` on axis i. Other axes: `filled`, or the first position of the box.
AXE_LAZY_FN constexpr place place_with(axis_coverages const& seen, box const& b, int i,
                                       integer position, bool with_elements) {
  place p;
  for (int j = 0; j < seen.count; ++j) {
    integer const other = with_elements ? seen.at[j].filled : b.axes[j].begin;
    p.add({j == i ? position : other, b.axes[j].on});
  }
  return p;
}

AXE_LAZY_FN constexpr outcome<coverage_answer> coverage_of(valid_layout operand, box const& b,
                                                           step_limit steps = {}) {
  layout const& l = operand;
  if (refusal const bad = check_box(b)) return bad;
  axis_coverages seen;
  bool reached = true;
  bool contested = false;
  for (iter const& i : l.shards)  // elements may differ only on axes outside the box
    contested = contested || (i.extent > 1 && (i.stride == 0 || !any_on(b.axes, i.on)));
  for (box_axis const& a : b.axes) {
    seen.push(cover_axis(l, a, steps));
    if (steps.spent()) return steps.refusal();
    reached = reached && seen.back().filled != axis_coverage::none;
    contested = contested || seen.back().contested;
  }
  if (contested && reached) {
    coverage_answer answer{covered::contested, place_with(seen, b, 0, seen[0].filled, true)};
    name_elements(l, answer, 2);
    return answer;
  }
  for (int i = 0; i < seen.count; ++i)
    if (seen[i].hole != axis_coverage::none)
      return coverage_answer{covered::holes, place_with(seen, b, i, seen[i].hole, false)};
  for (int i = 0; i < seen.count; ++i)
    if (seen[i].other_replica != axis_coverage::none) {
      coverage_answer answer{covered::copies, place_with(seen, b, i, seen[i].replica, true),
                             place_with(seen, b, i, seen[i].other_replica, true)};
      name_elements(l, answer, 1);
      return answer;
    }
  return coverage_answer{};
}

}  // namespace detail

AXE_LAZY_FN constexpr outcome<coverage_answer> try_coverage(layout const& l, box const& b,
                                                            step_limit steps = {}) {
  detail::valid_layout operand;
  if (refusal const bad = operand.admit(l)) return bad;
  return detail::coverage_of(operand, b, steps);
}

AXE_LAZY_FN constexpr coverage_answer coverage(layout const& l, box const& b) {
  return detail::stop_on(try_coverage(l, b), "coverage", {&l});
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
