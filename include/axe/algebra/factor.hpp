// SPDX-License-Identifier: MIT
// tile_outer, tile_inner, sum_outer, sum_inner: the unknown operand of a tile or direct sum T.
//
//     tile_outer(S[(2,8,3,8):(192,8,64,1)], (16,24), S[(8,8):(8,1)], (8,8))      S[6:1]
//
// Definition: docs/algebra.md, D12.
#pragma once

// First, because g++ prints the chain of includes above errors.
#include <axe/sentence/stop.hpp>

#include <axe/algebra/difference.hpp>
#include <axe/algebra/slice.hpp>
#include <axe/algebra/tile.hpp>
#include <axe/engine/cut_factor.hpp>
#include <axe/engine/factor_search.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// The region in which only operand `of` varies.
AXE_LAZY_FN constexpr region along(split_shape const& s, side of) {
  region kept;
  for (int d = 0; d < s.outer.count; ++d) {
    kept.ranges.push({0, of == side::outer ? s.outer[d] : 1});
    kept.ranges.push({0, of == side::inner ? s.inner[d] : 1});
  }
  return kept;
}

/// Replaces a refusal about the candidate, which the caller did not write.
AXE_LAZY_FN constexpr refusal about_candidate(refusal const& why) {
  switch (why.which) {
    case rule::swizzle_does_not_commute:
      return {rule::candidate_does_not_commute, {why.numbers[3], why.numbers[4]}};
    case rule::no_layout_steps:
    case rule::no_layout_two_axes:
    case rule::no_layout_replicas:
    case rule::no_layout_behind_a_swizzle:
    case rule::swizzle_acts_on_memory_only:
    case rule::swizzled_inner_on_memory_only: return {rule::candidate_is_not_a_layout};
    default: return why;
  }
}

AXE_LAZY_FN constexpr outcome<layout> verified(factor_question const& q,
                                               outcome<layout> const& candidate,
                                               step_limit const& steps) {
  if (!candidate) return about_candidate(candidate.why);
  valid_layout const a = q.missing == side::outer ? valid_layout(candidate) : q.known;
  valid_layout const b = q.missing == side::outer ? q.known : valid_layout(candidate);
  step_limit own = steps;
  outcome<layout> const composed =
      q.operation == composed_by::tile
          ? tile_of(a, q.shape.outer, b, q.shape.inner, own)
          : sum_of(a, {}, b, interleave(q.shape.outer, q.shape.inner), own);
  if (!composed) return about_candidate(composed.why);
  own = steps;
  outcome<integer> const x = first_difference(composed, q.t, own);
  if (x.why) return x.why;
  if (*x != nowhere) return refusal{rule::no_such_factor, {*x}};
  return candidate;
}

/// A candidate: T's digits at coordinate 0 of the known operand. A missing inner operand also gets
/// T's swizzle.
AXE_LAZY_FN constexpr outcome<layout> plain_factor(factor_question const& q, step_limit& steps) {
  if (q.missing == side::inner && !q.known->swizzle.none())
    return refusal{rule::known_outer_is_swizzled};
  layout scaled;
  layout found;
  place start;
  if (q.missing == side::inner) found.swizzle = q.t->swizzle;
  if (refusal const bad = scale_strides(q.known, q.known_scale, scaled)) return bad;
  if (refusal const bad = slice_digits(canonical_shards(q.t->shards), q.shape.both(),
                                       along(q.shape, q.missing), found.shards, start, steps))
    return bad;
  if (refusal const bad = divide(found.shards, q.missing_scale)) return bad;
  if (refusal const bad = missing_replicas(q, scaled, found, steps)) return bad;
  return canonical_result(found);
}

AXE_LAZY_FN constexpr outcome<layout> factor_by_erosion(factor_question const& q, layout const& t,
                                                        layout const& known, refusal const& why,
                                                        step_limit& steps) {
  side const other = q.missing == side::outer ? side::inner : side::outer;
  eroded_set last;
  eroded_places eroded(t, walk_of(q.shape.both(), along(q.shape, q.missing)), known,
                       walk_of(q.shape.both(), along(q.shape, other)), last);
  eroded.known_scale = q.known_scale[axis::m];
  eroded.missing_scale = q.missing_scale[axis::m];
  if (!same(axis_beside_memory(known), axis::null)) return why;
  if (!eroded.prepare(t, known)) return steps.refusal();
  if (!eroded.adds_up_to_t(steps)) return steps.spent() ? steps.refusal() : why;
  outcome<layout> found = fit(eroded, t.swizzle, known.swizzle, steps);
  if (!found && !found.why.is(rule::undecided) && !eroded.has_other_axes)
    found = factor_search(eroded, steps).find(t.swizzle, known.swizzle);
  return found_or(found, why);
}

/// Fits (T - known_scale * known(0)) / missing_scale, with T at coordinate 0 of the known operand.
AXE_LAZY_FN constexpr outcome<layout> factor_by_differences(factor_question const& q,
                                                            layout const& t, layout const& known,
                                                            refusal const& why, step_limit& steps) {
  walked_places rest(t, walk_of(q.shape.both(), along(q.shape, q.missing)));
  for (term at : layout_function(known)(0, 0).terms)
    if (!multiply(at.n, q.known_scale[at.on]) || at.n == smallest || !rest.minus.add(at))
      return refusal{rule::result_places_overflow, {}, {at.on}};
  integer const moved = rest.minus[axis::m];
  if (!add(rest.on_m.least, -moved) || !add(rest.on_m.largest, -moved))
    return refusal{rule::result_places_overflow, {}, {axis::m}};
  rest.divisors = q.missing_scale;
  rest.on_m = rest.on_m.divided_by(rest.divisors[axis::m]);
  if (!rest.divides(steps)) return why;
  return found_or(fit(rest, t.swizzle, known.swizzle, steps), why);
}

AXE_LAZY_FN constexpr outcome<layout> factor_by_fit(factor_question const& q, refusal const& why,
                                                    step_limit& steps) {
  outcome<layout> const t = canonical(q.t);
  outcome<layout> const known = canonical(q.known);
  if (!t || !known) return why;
  if (known->replicas.count != 0) return factor_by_erosion(q, *t, *known, why, steps);
  return factor_by_differences(q, *t, *known, why, steps);
}

AXE_LAZY_FN constexpr outcome<layout> factor_of(valid_layout whole, shape const& s_t,
                                                valid_layout part, shape const& s_known,
                                                side missing, composed_by operation,
                                                step_limit steps) {
  layout const t = drop_idle_swizzle(whole);
  layout const known = drop_idle_swizzle(part);
  factor_question q{valid_layout::proved(t), valid_layout::proved(known), missing, operation};
  extent_list extents;
  extent_list& of_known = missing == side::outer ? q.shape.inner : q.shape.outer;
  extent_list& of_missing = missing == side::outer ? q.shape.outer : q.shape.inner;
  if (refusal const bad = match_ranks(t, s_t, known, s_known, extents, of_known)) return bad;
  if (refusal const bad = divide_extents(extents, of_known, of_missing)) return bad;
  if (operation == composed_by::tile)
    if (refusal const bad = missing == side::outer ? spans_of(known, q.missing_scale)
                                                   : span_quotients(t, known, q.known_scale))
      return bad;
  outcome<layout> cut;
  if (cut_factor(q, cut.value)) return cut;
  outcome<layout> const found = verified(q, plain_factor(q, steps), steps);
  if (found || (t.swizzle.none() && known.swizzle.none()) || !is_about_the_map(found.why.which))
    return found;
  layout const plain_t = unswizzled(q.t);
  layout const plain_known = unswizzled(q.known);
  if (plain_t.swizzle.none() && plain_known.swizzle.none()) {
    // A refusal about plain layouts would name digits that the caller did not write.
    outcome<layout> const plain =
        factor_of(valid_layout::proved(plain_t), s_t, valid_layout::proved(plain_known), s_known,
                  missing, operation, steps);
    return plain || !is_about_the_map(plain.why.which) ? plain : found;
  }
  return verified(q, factor_by_fit(q, found.why, steps), steps);
}

AXE_LAZY_FN constexpr outcome<layout> factor(layout const& t, shape const& s_t, layout const& known,
                                             shape const& s_known, side missing,
                                             composed_by operation, step_limit steps) {
  valid_layout whole, part;
  if (refusal const bad = admit_both(whole, t, part, known)) return bad;
  return factor_of(whole, s_t, part, s_known, missing, operation, steps);
}

}  // namespace detail

AXE_LAZY_FN constexpr outcome<layout> try_tile_outer(layout const& t, shape const& s_t,
                                                     layout const& b, shape const& s_b,
                                                     step_limit steps = {}) {
  return detail::factor(t, s_t, b, s_b, detail::side::outer, detail::composed_by::tile, steps);
}
AXE_LAZY_FN constexpr layout tile_outer(layout const& t, shape const& s_t, layout const& b,
                                        shape const& s_b) {
  return detail::stop_on(try_tile_outer(t, s_t, b, s_b), "tile_outer", {&t, &b, &s_t, &s_b});
}
AXE_CARRIER_FORM(tile_outer);

AXE_LAZY_FN constexpr outcome<layout> try_tile_inner(layout const& t, shape const& s_t,
                                                     layout const& a, shape const& s_a,
                                                     step_limit steps = {}) {
  return detail::factor(t, s_t, a, s_a, detail::side::inner, detail::composed_by::tile, steps);
}
AXE_LAZY_FN constexpr layout tile_inner(layout const& t, shape const& s_t, layout const& a,
                                        shape const& s_a) {
  return detail::stop_on(try_tile_inner(t, s_t, a, s_a), "tile_inner", {&t, &a, &s_t, &s_a});
}
AXE_CARRIER_FORM(tile_inner);

AXE_LAZY_FN constexpr outcome<layout> try_sum_outer(layout const& t, shape const& s_t,
                                                    layout const& b, shape const& s_b,
                                                    step_limit steps = {}) {
  return detail::factor(t, s_t, b, s_b, detail::side::outer, detail::composed_by::sum, steps);
}
AXE_LAZY_FN constexpr layout sum_outer(layout const& t, shape const& s_t, layout const& b,
                                       shape const& s_b) {
  return detail::stop_on(try_sum_outer(t, s_t, b, s_b), "sum_outer", {&t, &b, &s_t, &s_b});
}
AXE_CARRIER_FORM(sum_outer);

AXE_LAZY_FN constexpr outcome<layout> try_sum_inner(layout const& t, shape const& s_t,
                                                    layout const& a, shape const& s_a,
                                                    step_limit steps = {}) {
  return detail::factor(t, s_t, a, s_a, detail::side::inner, detail::composed_by::sum, steps);
}
AXE_LAZY_FN constexpr layout sum_inner(layout const& t, shape const& s_t, layout const& a,
                                       shape const& s_a) {
  return detail::stop_on(try_sum_inner(t, s_t, a, s_a), "sum_inner", {&t, &a, &s_t, &s_a});
}
AXE_CARRIER_FORM(sum_inner);

}  // namespace AXE_NAMESPACE
}  // namespace axe
