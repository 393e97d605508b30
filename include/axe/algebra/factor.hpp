// Two factors of a layout: what tile_outer, tile_inner, sum_outer and sum_inner share.
//
//     T = S[(2,8,3,8):(192,8,64,1)] on (16,24), known S[(8,8):(8,1)] on (8,8)      the missing digits (2:192)(3:64), over the span 64: S[6:1]
//
// S_T is the shape of T with the two operands' extents multiplied; the known operand's divides it.
// Of layouts that are digits alone, cut by every boundary, the known operand's digits must be T's,
// and the others are the answer. Otherwise the missing digits are T's where the known coordinate is
// 0, replicas are looked for axis by axis (engine/fit_replicas.hpp), and the answer is composed
// again and compared: what is returned is right.
// Source: the Axe paper, Appendix D.
// Definition: docs/algebra.md, D12.
#pragma once

#include <axe/algebra/canonicalize.hpp>
#include <axe/algebra/equivalent.hpp>
#include <axe/algebra/slice.hpp>
#include <axe/algebra/tile.hpp>
#include <axe/engine/fit_factor.hpp>
#include <axe/engine/fit_replicas.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// T seen through the alternating shape: the outer dimensions, the inner ones, and both in turn.
struct split_shape {
  extent_list outer;
  extent_list inner;
  extent_list both;
};

/// D of T on the outer dimensions at inner coordinate 0, or on the inner ones at outer coordinate
/// 0.
AXE_PLANNER constexpr refusal digits_along(iter_list const& whole, split_shape const& s, bool outer,
                                           iter_list& digits, step_budget& steps) {
  region kept;
  for (int d = 0; d < s.both.size(); ++d)
    kept.ranges.push({0, (d % 2 == 0) == outer ? s.both[d] : 1});
  place start;
  return slice_digits(whole, s.both, kept, digits, start, steps);
}

/// A shape of these extents.
AXE_PLANNER constexpr shape shape_of(extent_list const& extents) {
  shape s;
  for (integer e : extents) s.append(e);
  return s;
}

/// Divides every stride by its axis' factor; the first that does not divide is the refusal.
AXE_PLANNER constexpr refusal divide(iter_list& digits, axis_factors const& sigma) {
  for (iter& i : digits) {
    if (i.stride % sigma[i.on] != 0)
      return {rule::stride_is_no_multiple, {i.stride, sigma[i.on]}, {i.on}};
    i.stride /= sigma[i.on];
  }
  return {};
}

/// Replicas and offsets of the missing operand, R_T = over * R + R_known and O_T = over * O +
/// known_by * O_known: the known operand as `scale` leaves it.
AXE_PLANNER constexpr refusal missing_copies(layout const& t, layout const& known,
                                             axis_factors const& known_by, axis_factors const& over,
                                             layout& missing, step_budget& steps) {
  axis_list axes;
  if (!note_axes(axes, t) || !note_axes(axes, known)) return {rule::result_too_many_axes};
  if (!has_copies_or_offset(t) && !has_copies_or_offset(known)) return {};
  for (axis on : axes) {
    sum_set const whole = sums_on(t.replicas, on);
    sum_set const part = sums_on(known.replicas, on);
    list<run, capacity::replicas> runs;
    integer const unit = over[on];
    if (refusal const bad = find_copies(whole, part, unit, on, runs, steps)) return bad;
    for (run const& r : runs)
      if (!missing.replicas.push({r.extent, r.stride / unit, on}))
        return {rule::too_many_replicas, {missing.replicas.size() + 1}};
    integer o = t.offset(on) + whole.least;
    integer const own = known.offset(on);
    if (!add(o, -part.least)) return {rule::result_places_overflow, {}, {on}};
    if (unit == 1) {
      integer left = -own;
      if (!multiply_add(left, known_by[on], o)) return {rule::result_places_overflow, {}, {on}};
      o = left;
    } else {  // o - own may leave 64 bits, its quotient does not
      integer const rest = o % unit - own % unit;
      if (rest % unit != 0)
        return {rule::offset_is_no_multiple, {add(o, -own) ? o : rest, unit}, {on}};
      o = o / unit - own / unit + rest / unit;
    }
    if (o != 0 && !missing.offsets.push({o, on}))
      return {rule::too_many_offsets, {missing.offsets.size() + 1}};
  }
  order_offsets(missing);
  return {};
}

/// Checks T, the known operand and their shapes, and splits S_T: the shape of the known operand is
/// S_B for the outer one, S_A for the inner one.
AXE_PLANNER constexpr refusal check_factor(layout const& t, shape const& s_t, layout const& known,
                                           shape const& s_known, bool known_is_inner,
                                           split_shape& out) {
  extent_list whole;
  extent_list part;
  if (refusal const bad = check(t)) return bad;
  if (refusal const bad = check(known)) return of_operand(1, bad);
  if (refusal const bad = admit_dimensions(t, s_t, whole)) return bad;
  if (refusal const bad = admit_dimensions(known, s_known, part)) return of_operand(1, bad);
  if (whole.size() != part.size())
    return {rule::shapes_have_other_ranks, {whole.size(), part.size()}};
  for (int d = 0; d < whole.size(); ++d) {
    if (whole[d] % part[d] != 0) return {rule::extent_does_not_divide, {d, part[d], whole[d]}};
    integer const other = whole[d] / part[d];
    out.outer.push(known_is_inner ? other : part[d]);
    out.inner.push(known_is_inner ? part[d] : other);
    out.both.push(out.outer.back());
    out.both.push(out.inner.back());
  }
  return {};
}

/// The missing operand of digits alone, read off T's: every boundary cuts T, and what belongs to
/// the known operand is `known_by` times its digits. Then nothing is left to compose or compare.
/// False where that is not so, which says nothing yet.
AXE_PLANNER constexpr bool cut_factor(layout const& t, layout const& known, split_shape const& s,
                                      bool known_is_inner, axis_factors const& known_by,
                                      axis_factors const& over, layout& missing) {
  if (has_copies_or_offset(t) || has_copies_or_offset(known) || !t.swizzle.none() ||
      !known.swizzle.none())
    return false;
  iter_list const whole = canonical_shards(t.shards);
  iter_list const own = canonical_shards(known.shards);
  digit_builder of_known;
  digit_builder of_missing;
  digit_cursor digits(whole);
  for (int d = 0; d < s.outer.size(); ++d)
    if (!digits.take(s.outer[d], known_is_inner ? of_missing : of_known) ||
        !digits.take(s.inner[d], known_is_inner ? of_known : of_missing))
      return false;
  if (of_known.done.count != own.count || of_missing.finish(missing.shards)) return false;
  for (int k = 0; k < own.count; ++k) {
    iter const& found = of_known.done.at[k];
    iter const& i = own.at[k];
    integer const by = known_by[i.on];
    if (found.extent != i.extent || found.on != i.on || found.stride % by != 0 ||
        found.stride / by != i.stride)
      return false;
  }
  return !divide(missing.shards, over);
}

/// A refusal about the only candidate, which the sentence's operands are not.
AXE_PLANNER constexpr refusal about_candidate(refusal const& why) {
  switch (why.which) {
    case rule::swizzle_does_not_commute:
      return {rule::candidate_does_not_commute, {why.numbers[3], why.numbers[4]}};
    case rule::no_layout_steps:
    case rule::no_layout_two_axes:
    case rule::copies_are_no_replicas:
    case rule::no_layout_behind_a_swizzle:
    case rule::outer_is_swizzled:
    case rule::swizzle_acts_on_memory_only:
    case rule::swizzled_inner_on_memory_only: return {rule::candidate_is_no_layout};
    default: return why;
  }
}

/// Are two canonical layouts one value? Then they are one map; compilers compare what is used, not
/// every slot.
AXE_PLANNER constexpr bool same_written(layout const& a, layout const& b) {
  if (a.shards.count != b.shards.count || a.replicas.count != b.replicas.count ||
      a.offsets.count != b.offsets.count || !(a.swizzle == b.swizzle))
    return false;
  for (int k = 0; k < a.shards.count; ++k)
    if (!(a.shards.at[k] == b.shards.at[k])) return false;
  for (int k = 0; k < a.replicas.count; ++k)
    if (!(a.replicas.at[k] == b.replicas.at[k])) return false;
  for (int k = 0; k < a.offsets.count; ++k)
    if (!(a.offsets.at[k] == b.offsets.at[k])) return false;
  return true;
}

/// The answer, composed again, must be T.
AXE_PLANNER constexpr outcome<layout> verified(outcome<layout> const& answer,
                                               outcome<layout> const& composed, layout const& t,
                                               step_budget steps) {
  if (!composed) return about_candidate(composed.why);
  if (t.swizzle.none())
    if (outcome<layout> const whole = canonical(t);
        whole && same_written(whole.value, composed.value))
      return answer;
  outcome<layout_difference> const d = try_difference(*composed, t, steps);
  if (!d) return d.why;
  if (d->found) return refusal{rule::no_such_factor, {d->at}};
  return answer;
}

/// Where an operand is swizzled: (T - known) / over as the layout that has these places, the known
/// operand standing at its element 0; its copies are taken away as sets.
AXE_PLANNER constexpr outcome<layout> factor_through(layout const& t, split_shape const& s,
                                                     bool outer, layout const& known,
                                                     axis_factors const& known_by,
                                                     axis_factors const& over, refusal const& why,
                                                     step_budget& steps) {
  outcome<layout> const whole = try_canonicalize(t);
  outcome<layout> const part = try_canonicalize(known);
  if (!whole || !part) return why;
  region kept;
  region others;
  for (int d = 0; d < s.both.size(); ++d) {
    bool const own = (d % 2 == 0) == outer;
    kept.ranges.push({0, own ? s.both[d] : 1});
    others.ranges.push({0, own ? 1 : s.both[d]});
  }
  if (!part->replicas.empty()) {
    eroded_set last;
    eroded_places left(*whole, walk_of(s.both, kept), *part, walk_of(s.both, others), last);
    left.known_by = known_by[axis::m];
    left.over = over[axis::m];
    if (moves_beside_memory(*part) != axis::null) return why;
    if (!left.admits(*whole, *part)) return steps.refusal();
    if (!left.suffice(steps)) return steps.taken > steps.allowed ? steps.refusal() : why;
    outcome<layout> found = layout_of(left, whole->swizzle, part->swizzle, steps);
    if (!found && found.why.which != rule::undecided && !left.beside_memory)
      found = factor_search(left, steps).find(whole->swizzle, part->swizzle);
    return found || found.why.which == rule::undecided ? found : why;
  }
  walked_places rest(*whole, walk_of(s.both, kept));
  copies_of const own(*part);
  for (term at : own(0, 0).terms)
    if (!multiply(at.n, known_by[at.on]) || at.n == smallest || !rest.minus.add(at))
      return refusal{rule::result_places_overflow, {}, {at.on}};
  integer const moved = rest.minus[axis::m];
  if (!add(rest.on_m.least, -moved) || !add(rest.on_m.largest, -moved))
    return refusal{rule::result_places_overflow, {}, {axis::m}};
  rest.over = over;
  rest.on_m = {floor_divide(rest.on_m.least, over[axis::m]),
               floor_divide(rest.on_m.largest, over[axis::m])};
  if (!rest.divides(steps)) return why;
  outcome<layout> const found = layout_of(rest, whole->swizzle, part->swizzle, steps);
  return found || found.why.which == rule::undecided ? found : why;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
