// coverage(L, {{a, n}, …}): how a layout fills the box [0,n) of each named axis, the other axes
// ignored.
//
//     coverage(S[8:1], {{m, 8}})                   once         every place holds one element, every element one place
//     coverage(S[(4,7):(8,1)], {{m, 32}})          holes        at 7@m: nobody
//     coverage(S[2:1] + R[2:1], {{m, 3}})          contested    1@m holds elements 0 and 1
//     coverage(S[2:2] + R[2:1], {{m, 4}})          copies       element 0 lies at 0@m and 1@m
//
// The answer is the first that applies of contested, holes, copies, once, with a witness. Digits of
// different axes are independent, so each axis is looked at alone: how many digit vectors reach
// each of its n positions. Digits on other axes multiply that. Axes whose strides nest without gaps
// are decided from the list; the others walk their positions, at most `steps` steps, else
// `undecided`.
// Definition: docs/algebra.md, D8.
// Source: the definition of the map (D3), asked from the side of the places.
#pragma once

#include <axe/map/elements.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

enum class covered : unsigned char { once, copies, holes, contested };

/// One axis of a box and how many positions it has.
struct box_axis {
  axis on = axis::null;
  integer positions = 0;
};

struct box {
  list<box_axis, capacity::axes> axes;
  bool full = false;

  constexpr box() = default;
  AXE_FN constexpr box(detail::stl::initializer_list<box_axis> from) {
    for (box_axis const& a : from)
      if (!axes.push(a)) full = true;
  }
};

/// How a box is filled, and a place that shows it. `first` and `second` are elements: the two at a
/// contested place; the one with copies.
struct coverage_answer {
  covered how = covered::once;
  place at;       // contested: the place; holes: the empty place; copies: one of the two places
  place also_at;  // copies: the other place
  integer first = 0;
  integer second = 0;
};

/// `once`; `contested: elements 0 and 1 at 1@m`; `holes: nothing at 7@m`; `copies: element 0 at 0@m
/// and 1@m`.
template <class Out> AXE_FN constexpr void print(Out& out, coverage_answer const& c) {
  if (c.how == covered::once) return out.put("once");
  if (c.how == covered::holes) {
    out.put("holes: nothing");
  } else if (c.how == covered::copies) {
    out.put("copies: element ");
    out.put(c.first);
  } else {
    out.put("contested: elements ");
    out.put(c.first);
    out.put(" and ");
    out.put(c.second);
  }
  out.put(" at ");
  print(out, c.at);
  if (c.how != covered::copies) return;
  out.put(" and ");
  print(out, c.also_at);
}

namespace detail {

/// What one axis of the box shows.
struct axis_coverage {
  bool reached = false;  // some position has an element
  integer at = 0;        // the first such position
  bool hole = false;
  integer hole_at = 0;
  bool contested = false;
  integer contested_at = 0;
  bool copies = false;  // some digit vector has two positions in the box
  integer copy_at = 0, copy_also_at = 0;
};

/// What permutes the positions of an axis.
AXE_PLANNER constexpr axe::swizzle swizzle_on(layout const& l, axis a) {
  return a == axis::m ? l.swizzle : axe::swizzle{};
}

/// The digits of l on one axis, as a search of their own.
AXE_PLANNER constexpr digit_search search_on(layout const& l, axis a) {
  digit_search s;
  for (iter const& i : l.shards)
    if (i.on == a && i.stride != 0 && i.extent > 1) {
      s.digits.push(i);
      s.at.push(0);
    }
  s.targets.push({a, 0, sums_on(l.replicas, a)});
  return s;
}

using run_list = list<run, capacity::shards + capacity::replicas>;

/// Adds the iters on an axis by |stride|, ascending. (A function, not a generic lambda: NVRTC wants
/// every function template marked.)
template <class Iters> AXE_FN constexpr void sort_in(Iters const& iters, axis a, run_list& sorted) {
  for (iter const& i : iters) {
    if (i.on != a || i.extent == 1) continue;
    int at = 0;
    while (at < sorted.size() && sorted[at].stride < magnitude(i.stride)) ++at;
    sorted.insert(at, {i.extent, magnitude(i.stride)});
  }
}

/// Do D and R on one axis, sorted by |stride|, nest without gap or overlap from stride 1 on? Then
/// they fill an interval once.
AXE_PLANNER constexpr bool fills_interval(layout const& l, axis a) {
  run_list sorted;
  sort_in(l.shards, a, sorted);
  sort_in(l.replicas, a, sorted);
  integer next = 1;
  for (run const& r : sorted) {
    if (r.stride != next) return false;
    next *= r.extent;
  }
  return true;
}

/// Do D and R on one axis nest without overlap, gaps allowed? Then no position has two elements or
/// two copies of one.
AXE_PLANNER constexpr bool nests(layout const& l, axis a, run_list& sorted) {
  sort_in(l.shards, a, sorted);
  sort_in(l.replicas, a, sorted);
  integer reach = 0;
  for (run const& r : sorted) {
    if (r.stride <= reach) return false;
    reach += (r.extent - 1) * r.stride;
  }
  return true;
}

/// The first position from the least one on that a nested list leaves out: behind the run of digits
/// that have no gap.
AXE_PLANNER constexpr integer first_gap(run_list const& sorted, integer least) {
  integer filled = 1;
  for (run const& r : sorted) {
    if (r.stride != filled) break;
    filled *= r.extent;
  }
  return least + filled;
}

AXE_PLANNER constexpr void walk_positions(layout const& l, box_axis const& b, digit_search s,
                                          axis_coverage& seen, step_budget& steps) {
  interval reach;
  plain_reach(l, b.on, reach);
  run_list sorted;
  bool const nested = nests(l, b.on, sorted);
  axe::swizzle const f = swizzle_on(l, b.on);
  integer const near = f.none() ? 0 : f.period();  // a swizzle moves an address by less
  integer const from = larger(0, reach.least - near);
  integer const to = smaller(b.positions, reach.largest + near + 1);
  // Outside the reach there is nobody, and no need to look.
  if (from > 0 || to < b.positions) {
    seen.hole = true;
    seen.hole_at = from > 0 ? 0 : larger(to, 0);
  }
  if (nested && f.none() && from == 0 && reach.least <= 0) {
    integer const gap = first_gap(sorted, reach.least);
    if (gap >= 0 && gap < b.positions && (!seen.hole || gap < seen.hole_at)) {
      seen.hole = true;
      seen.hole_at = gap;
    }
  }
  for (integer v = from; v < to; ++v) {
    if (nested && seen.hole && seen.reached) return;
    if (!steps.take()) return;
    s.targets[0].left = swizzle_on(l, b.on).inverse(v) - l.offset(b.on);
    s.at = {};
    for (int k = 0; k < s.digits.size(); ++k) s.at.push(0);
    if (!s.find()) {
      if (s.out_of_steps()) return;
      if (!seen.hole || v < seen.hole_at) seen.hole_at = v;
      seen.hole = true;
      continue;
    }
    if (!seen.reached) seen.at = v;
    seen.reached = true;
    if (!seen.contested && s.step() && s.find()) {
      seen.contested = true;
      seen.contested_at = v;
    }
  }
}

/// Is there a digit vector with two positions inside [0, n)?
AXE_PLANNER constexpr void look_for_copies(layout const& l, box_axis const& b, digit_search s,
                                           axis_coverage& seen, step_budget& steps) {
  sum_set copies = s.targets[0].copies;
  if (copies.runs.empty()) return;
  axe::swizzle const f = swizzle_on(l, b.on);
  integer const start = copies.least;
  do {
    if (!steps.take()) return;
    copies.least = start + l.offset(b.on);
    for (int k = 0; k < s.digits.size(); ++k) copies.least += s.at[k] * s.digits[k].stride;
    bool one = false;
    // Plain positions ascend, so the first two from 0 on decide; under a swizzle every copy is
    // looked at.
    for (integer v = f.none() ? copies.at_least(0, steps) : copies.least; v != sum_set::none;
         v = copies.at_least(v + 1, steps)) {
      if (!steps.take()) return;
      integer const position = f(v);
      if (position < 0 || position >= b.positions) {
        if (f.none()) break;
        continue;
      }
      if (one) {
        seen.copies = true;
        seen.copy_also_at = position;
        return;
      }
      one = true;
      seen.copy_at = position;
    }
  } while (s.step());
}

/// Does the box hold only positions that are filled once, as the list shows? Under a swizzle the
/// filled interval must consist of whole periods.
AXE_PLANNER constexpr bool filled_once(layout const& l, box_axis const& b) {
  if (!fills_interval(l, b.on)) return false;
  interval reach;
  plain_reach(l, b.on, reach);
  if (reach.least > 0 || reach.largest < b.positions - 1) return false;
  axe::swizzle const f = swizzle_on(l, b.on);
  return f.none() || (reach.least % f.period() == 0 && (reach.largest + 1) % f.period() == 0);
}

/// Does an element have several places on the axis?
AXE_PLANNER constexpr bool copied_on(layout const& l, axis a) {
  for (iter const& r : l.replicas)
    if (r.on == a && r.extent > 1 && r.stride != 0) return true;
  return false;
}

AXE_PLANNER constexpr axis_coverage cover_axis(layout const& l, box_axis const& b,
                                               step_budget& steps) {
  axis_coverage seen;
  bool const once = filled_once(l, b);
  seen.reached = once;
  if (once && !copied_on(l, b.on)) return seen;
  digit_search s = search_on(l, b.on);
  s.steps = &steps;
  if (!once) walk_positions(l, b, s, seen, steps);
  if (steps.taken <= steps.allowed) look_for_copies(l, b, s, seen, steps);
  return seen;
}

/// Fills in which elements are at a place.
AXE_PLANNER constexpr void name_elements(layout const& l, coverage_answer& answer, integer wanted) {
  element_range const there(l, shape(product_of_extents(l.shards)), answer.at);
  integer n = 0;
  for (element const& e : there) {
    (n == 0 ? answer.first : answer.second) = e.index;
    if (++n == wanted) return;
  }
}

AXE_PLANNER constexpr refusal check_box(box const& b) {
  if (b.full) return {rule::too_many_axes};
  if (b.axes.empty()) return {rule::box_without_axes};
  for (int i = 0; i < b.axes.size(); ++i) {
    if (b.axes[i].positions < 1)
      return {rule::box_extent_below_one, {b.axes[i].positions}, {b.axes[i].on}};
    for (int j = 0; j < i; ++j)
      if (b.axes[j].on == b.axes[i].on) return {rule::box_names_an_axis_twice, {}, {b.axes[i].on}};
  }
  return {};
}

}  // namespace detail

AXE_PLANNER constexpr outcome<coverage_answer> try_coverage(layout const& l, box const& b,
                                                            step_budget steps = {}) {
  if (refusal const bad = check(l)) return bad;
  if (refusal const bad = detail::check_box(b)) return bad;
  list<detail::axis_coverage, capacity::axes> seen;
  bool reached = true;
  for (box_axis const& a : b.axes) {
    seen.push(detail::cover_axis(l, a, steps));
    if (steps.taken > steps.allowed) return steps.refusal();
    reached = reached && seen.back().reached;
  }
  // Elements that differ only in digits on no axis of the box share all their places in it.
  bool shared = false;
  for (iter const& i : l.shards) {
    bool in_box = false;
    for (box_axis const& a : b.axes) in_box = in_box || (a.on == i.on && i.stride != 0);
    shared = shared || (!in_box && i.extent > 1);
  }
  coverage_answer answer;
  bool contested = shared;
  for (detail::axis_coverage const& s : seen) contested = contested || s.contested;
  if (contested && reached) {
    answer.how = covered::contested;
    for (int i = 0; i < seen.size(); ++i)
      answer.at.add({seen[i].contested ? seen[i].contested_at : seen[i].at, b.axes[i].on});
    detail::name_elements(l, answer, 2);
    return answer;
  }
  for (int i = 0; i < seen.size(); ++i)
    if (seen[i].hole) {
      answer.how = covered::holes;
      for (int j = 0; j < seen.size(); ++j)
        answer.at.add({j == i ? seen[j].hole_at : 0, b.axes[j].on});
      return answer;
    }
  for (int i = 0; i < seen.size(); ++i)
    if (seen[i].copies) {
      answer.how = covered::copies;
      for (int j = 0; j < seen.size(); ++j) {
        answer.at.add({j == i ? seen[j].copy_at : seen[j].at, b.axes[j].on});
        answer.also_at.add({j == i ? seen[j].copy_also_at : seen[j].at, b.axes[j].on});
      }
      detail::name_elements(l, answer, 1);
      return answer;
    }
  return answer;
}

AXE_PLANNER constexpr coverage_answer coverage(layout const& l, box const& b,
                                               step_budget steps = {}) {
  outcome<coverage_answer> const result = try_coverage(l, b, steps);
  if (!result) detail::stop_on(result.why, "coverage", {&l});
  return *result;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
