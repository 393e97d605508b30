// SPDX-License-Identifier: MIT
// tile_outer, tile_inner, sum_outer, sum_inner: the unknown operand of a tile or direct sum T.
//
//     tile_outer(T, S_T, B, S_B)     the A with tile(A, S_T/S_B, B, S_B) equal to T
//     tile_outer(S[(2,8,3,8):(192,8,64,1)], (16,24), S[(8,8):(8,1)], (8,8))      S[6:1]
//
// The missing operand has T's digits at coordinate 0 of the known operand. An answer is returned
// only if composing it with the known operand gives T.
// Source: the Axe paper, Appendix D, corrected. Definition: docs/algebra.md, D12.
#pragma once

#include <axe/algebra/canonicalize.hpp>
#include <axe/algebra/difference.hpp>
#include <axe/algebra/slice.hpp>
#include <axe/algebra/tile.hpp>
#include <axe/engine/fit_factor.hpp>
#include <axe/engine/known_operand.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// The region in which the operand `of` takes all coordinates and the other operand stays at 0.
AXE_LAZY_FN constexpr region along(split_shape const& s, side of) {
  region kept;
  for (int d = 0; d < s.both.count; ++d)
    kept.ranges.push({0, (d % 2 == 0) == (of == side::outer) ? s.both[d] : 1});
  return kept;
}

AXE_LAZY_FN constexpr refusal check_factor(layout const& t, shape const& s_t, layout const& known,
                                           shape const& s_known, side missing, split_shape& out) {
  bool const known_is_inner = missing == side::outer;
  extent_list whole;
  extent_list part;
  if (refusal const bad = match_ranks(t, s_t, known, s_known, whole, part)) return bad;
  for (int d = 0; d < whole.count; ++d) {
    if (whole[d] % part[d] != 0) return {rule::extent_does_not_divide, {d, part[d], whole[d]}};
    integer const other = whole[d] / part[d];
    out.outer.push(known_is_inner ? other : part[d]);
    out.inner.push(known_is_inner ? part[d] : other);
    out.both.push(out.outer.back());
    out.both.push(out.inner.back());
  }
  return {};
}

/// Replaces a refusal that would describe a candidate the caller did not write.
AXE_LAZY_FN constexpr refusal about_candidate(refusal const& why) {
  switch (why.which) {
    case rule::swizzle_does_not_commute:
      return {rule::candidate_does_not_commute, {why.numbers[3], why.numbers[4]}};
    case rule::no_layout_steps:
    case rule::no_layout_two_axes:
    case rule::places_are_not_replicas:
    case rule::no_layout_behind_a_swizzle:
    case rule::outer_is_swizzled:
    case rule::swizzle_acts_on_memory_only:
    case rule::swizzled_inner_on_memory_only: return {rule::candidate_is_not_a_layout};
    default: return why;
  }
}

AXE_LAZY_FN constexpr outcome<layout> verified(outcome<layout> const& answer,
                                               outcome<layout> const& composed, layout const& t,
                                               step_limit steps) {
  if (!composed) return about_candidate(composed.why);
  if (t.swizzle.none())
    if (outcome<layout> const whole = canonical(t); whole && whole.value == composed.value)
      return answer;
  outcome<integer> const x = first_difference(composed, valid_layout::proved(t), steps);
  if (x.why) return x.why;
  if (*x != nowhere) return refusal{rule::no_such_factor, {*x}};
  return answer;
}

/// The factor by the digits of T. If the swizzle is applied last, it does not change the digits,
/// and there is no other candidate.
AXE_LAZY_FN constexpr outcome<layout> plain_factor(layout const& t, layout const& known,
                                                   split_shape const& s, side missing,
                                                   axis_factors const& known_by,
                                                   axis_factors const& over, step_limit& steps) {
  if (missing == side::inner && !known.swizzle.none())
    return refusal{rule::known_outer_is_swizzled};
  layout scaled;
  layout found;
  place start;
  if (missing == side::inner) found.swizzle = t.swizzle;
  if (refusal const bad = scale(known, known_by, scaled)) return bad;
  if (refusal const bad = slice_digits(canonical_shards(t.shards), s.both, along(s, missing),
                                       found.shards, start, steps))
    return bad;
  if (refusal const bad = divide(found.shards, over)) return bad;
  if (refusal const bad = missing_replicas(t, scaled, known_by, over, found, steps)) return bad;
  return canonical_result(found);
}

/// Lets the engine fit (T - known_by * known(0)) / over. Replicas of the known operand are
/// subtracted as sets.
AXE_LAZY_FN constexpr outcome<layout> factor_through(layout const& t, layout const& known,
                                                     split_shape const& s, side missing,
                                                     axis_factors const& known_by,
                                                     axis_factors const& over, refusal const& why,
                                                     step_limit& steps) {
  outcome<layout> const whole = canonical(t);
  outcome<layout> const part = canonical(known);
  if (!whole || !part) return why;
  side const other = missing == side::outer ? side::inner : side::outer;
  box_walk const kept = walk_of(s.both, along(s, missing));
  if (part->replicas.count != 0) {
    eroded_set last;
    eroded_places left(*whole, kept, *part, walk_of(s.both, along(s, other)), last);
    left.known_by = known_by[axis::m];
    left.over = over[axis::m];
    if (moves_beside_memory(*part) != axis::null) return why;
    if (!left.admits(*whole, *part)) return steps.refusal();
    if (!left.suffice(steps)) return steps.taken > steps.allowed ? steps.refusal() : why;
    outcome<layout> found = fit(left, whole->swizzle, part->swizzle, steps);
    if (!found && found.why.which != rule::undecided && !left.beside_memory)
      found = factor_search(left, steps).find(whole->swizzle, part->swizzle);
    return found || found.why.which == rule::undecided ? found : why;
  }
  walked_places rest(*whole, kept);
  layout_function const own(*part);
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
  outcome<layout> const found = fit(rest, whole->swizzle, part->swizzle, steps);
  return found || found.why.which == rule::undecided ? found : why;
}

/// The missing operand of T = sigma * outer + inner; sigma is 1 for a sum.
AXE_LAZY_FN constexpr outcome<layout> factor_of(valid_layout whole, shape const& s_t,
                                                valid_layout part, shape const& s_known,
                                                side missing, composed_by kind, step_limit steps) {
  split_shape s;
  if (refusal const bad = check_factor(whole, s_t, part, s_known, missing, s)) return bad;
  layout const t = drop_idle_swizzle(whole);
  layout const known = drop_idle_swizzle(part);
  axis_factors known_by;
  axis_factors over;
  if (kind == composed_by::tile) {
    bool const outer = missing == side::outer;
    if (refusal const bad = outer ? spans_of(known, over) : span_quotients(t, known, known_by))
      return bad;
  }
  outcome<layout> cut;
  if (cut_factor(t, known, s, missing, known_by, over, cut.value)) return cut;
  auto const composed_again = [&](outcome<layout> const& found) {
    if (!found) return outcome<layout>(about_candidate(found.why));
    layout const& a = missing == side::outer ? *found : known;
    layout const& b = missing == side::outer ? known : *found;
    step_limit own = steps;
    return verified(found,
                    kind == composed_by::tile ? tile_of(a, s.outer, b, s.inner, own)
                                              : sum_of(a, {}, b, interleave(s.outer, s.inner), own),
                    t, steps);
  };
  outcome<layout> const found =
      composed_again(plain_factor(t, known, s, missing, known_by, over, steps));
  if (found || (t.swizzle.none() && known.swizzle.none()) || !is_about_the_map(found.why.which))
    return found;
  layout const plain_t = unswizzled(t);
  layout const plain_known = unswizzled(known);
  if (plain_t.swizzle.none() && plain_known.swizzle.none()) {
    // A refusal about the plain layouts would name digits that the caller did not write.
    outcome<layout> const plain =
        factor_of(valid_layout::proved(plain_t), s_t, valid_layout::proved(plain_known), s_known,
                  missing, kind, steps);
    return plain || !is_about_the_map(plain.why.which) ? plain : found;
  }
  return composed_again(factor_through(t, known, s, missing, known_by, over, found.why, steps));
}

AXE_LAZY_FN constexpr outcome<layout> factor(layout const& t, shape const& s_t, layout const& known,
                                             shape const& s_known, side missing, composed_by kind,
                                             step_limit steps) {
  valid_layout whole, part;
  if (refusal const bad = whole.admit(t)) return bad;
  if (refusal const bad = part.admit(known)) return of_operand(1, bad);
  return factor_of(whole, s_t, part, s_known, missing, kind, steps);
}

}  // namespace detail

AXE_LAZY_FN constexpr outcome<layout> try_tile_outer(layout const& t, shape const& s_t,
                                                     layout const& b, shape const& s_b,
                                                     step_limit steps = {}) {
  return detail::factor(t, s_t, b, s_b, detail::side::outer, detail::composed_by::tile, steps);
}
AXE_LAZY_FN constexpr layout tile_outer(layout const& t, shape const& s_t, layout const& b,
                                        shape const& s_b, step_limit steps = {}) {
  auto const result = try_tile_outer(t, s_t, b, s_b, steps);
  detail::stop_on(result.why, "tile_outer", {&t, &b, &s_t, &s_b});
  return result.value;
}
AXE_CARRIER_FORM(tile_outer);

AXE_LAZY_FN constexpr outcome<layout> try_tile_inner(layout const& t, shape const& s_t,
                                                     layout const& a, shape const& s_a,
                                                     step_limit steps = {}) {
  return detail::factor(t, s_t, a, s_a, detail::side::inner, detail::composed_by::tile, steps);
}
AXE_LAZY_FN constexpr layout tile_inner(layout const& t, shape const& s_t, layout const& a,
                                        shape const& s_a, step_limit steps = {}) {
  auto const result = try_tile_inner(t, s_t, a, s_a, steps);
  detail::stop_on(result.why, "tile_inner", {&t, &a, &s_t, &s_a});
  return result.value;
}
AXE_CARRIER_FORM(tile_inner);

AXE_LAZY_FN constexpr outcome<layout> try_sum_outer(layout const& t, shape const& s_t,
                                                    layout const& b, shape const& s_b,
                                                    step_limit steps = {}) {
  return detail::factor(t, s_t, b, s_b, detail::side::outer, detail::composed_by::sum, steps);
}
AXE_LAZY_FN constexpr layout sum_outer(layout const& t, shape const& s_t, layout const& b,
                                       shape const& s_b, step_limit steps = {}) {
  auto const result = try_sum_outer(t, s_t, b, s_b, steps);
  detail::stop_on(result.why, "sum_outer", {&t, &b, &s_t, &s_b});
  return result.value;
}
AXE_CARRIER_FORM(sum_outer);

AXE_LAZY_FN constexpr outcome<layout> try_sum_inner(layout const& t, shape const& s_t,
                                                    layout const& a, shape const& s_a,
                                                    step_limit steps = {}) {
  return detail::factor(t, s_t, a, s_a, detail::side::inner, detail::composed_by::sum, steps);
}
AXE_LAZY_FN constexpr layout sum_inner(layout const& t, shape const& s_t, layout const& a,
                                       shape const& s_a, step_limit steps = {}) {
  auto const result = try_sum_inner(t, s_t, a, s_a, steps);
  detail::stop_on(result.why, "sum_inner", {&t, &a, &s_t, &s_a});
  return result.value;
}
AXE_CARRIER_FORM(sum_inner);

}  // namespace AXE_NAMESPACE
}  // namespace axe
