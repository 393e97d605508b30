// tile_outer(T, S_T, B, S_B) and sum_outer(T, S_T, B, S_B): the A with tile(A, S_T/S_B, B, S_B), or direct_sum(…), equal to T.
//
//     tile_outer(S[(16,24):(24,1)], (16,24), S[(8,8):(8,1)], (8,8))         refused: rows of T are 24 apart, not 8
//     tile_outer(S[(2,8,3,8):(192,8,64,1)], (16,24), S[(8,8):(8,1)], (8,8))  S[6:1]
//     sum_outer(S[16:1], (4,4), S[(2,2):(4,1)], (2,2))                      S[(2,2):(8,2)]
//     sum_outer(S[] + R[4:1], (1), S[] + R[2:1], (1))                       S[] + R[3:1]
//
// S_T is the shape of T with the two operands' extents multiplied, S_B divides it. A's digits are T's on the elements where B's coordinate is 0 (a slice:
// exact, and D is unique), divided by sigma for a tile; O_A follows from O; R_A is found axis by axis (algebra/set_search.hpp). The answer is composed
// again and compared: what is returned is right, and where there is an A it is found, up to the step bound. The result is canonical.
// Source: the Axe paper, Appendix D; matching B's digits as a subsequence, as printed there, accepts (2:1)(2:2) with B = (2:1) wrongly.
// Definition: docs/algebra.md, D12.
#pragma once

#include <axe/algebra/equivalent.hpp>
#include <axe/algebra/set_search.hpp>
#include <axe/algebra/slice.hpp>
#include <axe/algebra/tile.hpp>

namespace axe::inline AXE_NAMESPACE {

namespace detail {

/// T seen through the alternating shape: the outer dimensions, the inner ones, and both in turn.
struct split_shape {
  extent_list outer;
  extent_list inner;
  extent_list both;
};

/// S_T over one operand's shape. `known` is S_B for the outer operand, S_A for the inner one.
AXE_FN constexpr refusal split_by(shape const& s_t, shape const& known, bool known_is_inner,
                                  split_shape& out) {
  extent_list whole;
  extent_list part;
  integer size = 1;
  if (refusal const bad = dimensions_of(s_t, whole, size)) return bad;
  if (refusal const bad = dimensions_of(known, part, size)) return bad;
  if (whole.size() != part.size()) return {rule::shapes_have_other_ranks, {whole.size(), part.size()}};
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

/// D of T on the outer dimensions at inner coordinate 0, or on the inner ones at outer coordinate 0.
AXE_FN constexpr refusal digits_along(iter_list const& whole, split_shape const& s, bool outer,
                                      iter_list& digits, step_budget& steps) {
  region kept;
  for (int d = 0; d < s.both.size(); ++d) kept.ranges.push({0, (d % 2 == 0) == outer ? s.both[d] : 1});
  place start;
  return slice_digits(whole, s.both, kept, digits, start, steps);
}

/// A shape of these extents.
AXE_FN constexpr shape shape_of(extent_list const& extents) {
  shape s;
  for (integer e : extents) s.append(e);
  return s;
}

/// Divides every stride by its axis' factor; the first that does not divide is the refusal.
AXE_FN constexpr refusal divide(iter_list& digits, axis_factors const& sigma) {
  for (iter& i : digits) {
    if (i.stride % sigma[i.on] != 0) return {rule::stride_is_no_multiple, {i.stride, sigma[i.on]}, {i.on}};
    i.stride /= sigma[i.on];
  }
  return {};
}

/// Replicas and offsets of the missing operand: T = scale_missing * missing + scale_known * known, on every axis.
AXE_FN constexpr refusal missing_copies(layout const& t, layout const& known,
                                        axis_factors const& scale_missing, layout& missing,
                                        step_budget& steps) {
  axis_list axes;
  if (!note_axes(axes, t) || !note_axes(axes, known)) return {rule::result_too_many_axes};
  if (!has_copies_or_offset(t) && !has_copies_or_offset(known)) return {};
  for (axis on : axes) {
    sum_set const whole = sums_on(t.replicas, on);
    sum_set const part = sums_on(known.replicas, on);
    list<run, capacity::replicas> runs;
    integer const unit = scale_missing[on];
    if (refusal const bad = find_copies(whole, part, unit, on, runs, steps)) return bad;
    for (run const& r : runs)
      if (!missing.replicas.push({r.extent, r.stride / unit, on}))
        return {rule::too_many_replicas, {missing.replicas.size() + 1}};
    integer o = t.offset(on) + whole.least;
    if (!add(o, -(known.offset(on) + part.least))) return {rule::result_places_overflow, {}, {on}};
    if (o % unit != 0) return {rule::offset_is_no_multiple, {o, unit}, {on}};
    if (o != 0 && !missing.offsets.push({o / unit, on}))
      return {rule::too_many_offsets, {missing.offsets.size() + 1}};
  }
  order_offsets(missing);
  return {};
}

/// Checks T, the known operand and their shapes, and splits S_T.
AXE_FN constexpr refusal check_factor(layout const& t, shape const& s_t, layout const& known,
                                      shape const& s_known, bool known_is_inner, split_shape& out) {
  extent_list leaves;
  if (refusal const bad = check(t)) return bad;
  if (refusal const bad = check(known)) return bad;
  if (refusal const bad = admit(t, s_t, leaves)) return bad;
  if (refusal bad = admit(known, s_known, leaves)) {
    if (bad.which == rule::shape_does_not_fit) bad.which = rule::second_shape_does_not_fit;
    return bad;
  }
  return split_by(s_t, s_known, known_is_inner, out);
}

/// A refusal about the only candidate, which the sentence's operands are not.
AXE_FN constexpr refusal about_candidate(refusal const& why) {
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

/// Are two canonical layouts one value? Then they are one map; compilers compare what is used, not every slot.
AXE_FN constexpr bool same_written(layout const& a, layout const& b) {
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
AXE_FN constexpr outcome<layout> verified(outcome<layout> const& answer, outcome<layout> const& composed,
                                          layout const& t, step_budget steps) {
  if (!composed) return about_candidate(composed.why);
  if (t.swizzle.none())
    if (outcome<layout> const whole = canonical(t); whole && same_written(whole.value, composed.value))
      return answer;
  outcome<layout_difference> const d = try_difference(*composed, t, steps);
  if (!d) return d.why;
  if (d->found) return refusal{rule::no_such_factor, {d->at}};
  return answer;
}

/// Where an operand is swizzled: (T - known) / over as the layout that has these places, the known operand, without copies, standing at its element 0.
AXE_FN constexpr outcome<layout> factor_through(layout const& t, split_shape const& s, bool outer,
                                                layout const& known, axis_factors const& known_by,
                                                axis_factors const& over, refusal const& why,
                                                step_budget& steps) {
  outcome<layout> const whole = try_canonicalize(t);
  outcome<layout> const part = try_canonicalize(known);
  if (!whole || !part || !part->replicas.empty()) return why;
  region kept;
  for (int d = 0; d < s.both.size(); ++d) kept.ranges.push({0, (d % 2 == 0) == outer ? s.both[d] : 1});
  walked_places rest(*whole, walk_of(s.both, kept));
  copies_of const own(*part);
  for (term at : own(0, 0).terms)
    if (!multiply(at.n, known_by[at.on]) || at.n == smallest || !rest.minus.add(at))
      return refusal{rule::result_places_overflow, {}, {at.on}};
  integer const moved = rest.minus[axis::m];
  if (!add(rest.on_m.least, -moved) || !add(rest.on_m.largest, -moved))
    return refusal{rule::result_places_overflow, {}, {axis::m}};
  rest.over = over;
  rest.on_m = {floor_divide(rest.on_m.least, over[axis::m]), floor_divide(rest.on_m.largest, over[axis::m])};
  if (!rest.divides(steps)) return why;
  outcome<layout> const found = layout_of(rest, whole->swizzle, part->swizzle, steps);
  return found || found.why.which == rule::undecided ? found : why;
}

/// A's digits and copies from T's, where a swizzle of T is B's.
AXE_FN constexpr outcome<layout> outer_digits(layout const& t, layout const& b, split_shape const& s,
                                              axis_factors const& sigma, step_budget& steps) {
  layout a;
  if (refusal const bad = digits_along(canonical_shards(t.shards), s, true, a.shards, steps)) return bad;
  if (refusal const bad = divide(a.shards, sigma)) return bad;
  if (refusal const bad = missing_copies(t, b, sigma, a, steps)) return bad;
  return try_canonicalize(a);
}

AXE_FN constexpr outcome<layout> outer_factor(layout const& whole, shape const& s_t, layout const& inner,
                                              shape const& s_b, bool tiled, step_budget steps) {
  split_shape s;
  if (refusal const bad = check_factor(whole, s_t, inner, s_b, true, s)) return bad;
  layout const t = drop_idle_swizzle(whole);
  layout const b = drop_idle_swizzle(inner);
  axis_factors sigma;
  if (tiled) {
    outcome<axis_factors> const spans = spans_of(b);
    if (!spans) return spans.why;
    sigma = *spans;
  }
  shape const s_a = shape_of(s.outer);
  shape const s_inner = shape_of(s.inner);
  auto const check_answer = [&](outcome<layout> const& a) {
    if (!a) return outcome<layout>(about_candidate(a.why));
    return verified(a,
                    tiled ? try_tile(*a, s_a, b, s_inner, steps) : try_direct_sum(*a, s_a, b, s_inner, steps),
                    t, steps);
  };
  outcome<layout> const found = check_answer(outer_digits(t, b, s, sigma, steps));
  if (found || (t.swizzle.none() && b.swizzle.none()) || !is_about_the_map(found.why.which)) return found;
  layout const plain_t = unswizzled(t);
  layout const plain_b = unswizzled(b);
  if (plain_t.swizzle.none() && plain_b.swizzle.none()) {
    // What the plain spelling is refused for is about its digits, not about those that were written.
    outcome<layout> const plain = outer_factor(plain_t, s_t, plain_b, s_b, tiled, steps);
    return plain || !is_about_the_map(plain.why.which) ? plain : found;
  }
  return check_answer(factor_through(t, s, true, b, {}, sigma, found.why, steps));
}

}  // namespace detail

AXE_FN constexpr outcome<layout> try_tile_outer(layout const& t, shape const& s_t, layout const& b,
                                                shape const& s_b, step_budget steps = {}) {
  return detail::outer_factor(t, s_t, b, s_b, true, steps);
}
AXE_FN constexpr layout tile_outer(layout const& t, shape const& s_t, layout const& b, shape const& s_b,
                                   step_budget steps = {}) {
  outcome<layout> const result = try_tile_outer(t, s_t, b, s_b, steps);
  if (!result) detail::stop_on(result.why, "tile_outer", {&t, &b, &s_t, &s_b});
  return result.value;
}
AXE_LIFT(tile_outer);

AXE_FN constexpr outcome<layout> try_sum_outer(layout const& t, shape const& s_t, layout const& b,
                                               shape const& s_b, step_budget steps = {}) {
  return detail::outer_factor(t, s_t, b, s_b, false, steps);
}
AXE_FN constexpr layout sum_outer(layout const& t, shape const& s_t, layout const& b, shape const& s_b,
                                  step_budget steps = {}) {
  outcome<layout> const result = try_sum_outer(t, s_t, b, s_b, steps);
  if (!result) detail::stop_on(result.why, "sum_outer", {&t, &b, &s_t, &s_b});
  return result.value;
}
AXE_LIFT(sum_outer);

}  // namespace axe::inline AXE_NAMESPACE
