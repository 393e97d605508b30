// SPDX-License-Identifier: MIT
// cut_factor, missing_replicas: remove the known operand of a tile or direct sum from T.
//
//     T = S[(2,8,3,8):(192,8,64,1)], known S[(8,8):(8,1)]      (2:192)(3:64) / 64 = (6:1)
//
// T = missing_scale * missing + known_scale * known; one scale is 1.
// Definition: docs/algebra.md, D12.
#pragma once

#include <axe/engine/place_source.hpp>
#include <axe/engine/set_search.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

enum class side : unsigned char { outer, inner };
enum class composed_by : unsigned char { tile, sum };

struct split_shape {
  extent_list outer;
  extent_list inner;

  AXE_LAZY_FN constexpr extent_list both() const {
    extent_list all;
    for (int d = 0; d < outer.count; ++d) {
      all.push(outer[d]);
      all.push(inner[d]);
    }
    return all;
  }
};

struct factor_question {
  valid_layout t;
  valid_layout known;
  side missing = side::outer;
  composed_by operation = composed_by::tile;
  split_shape shape{};
  axis_factors known_scale{};
  axis_factors missing_scale{};
};

AXE_LAZY_FN constexpr refusal divide(iter_list& digits, axis_factors const& sigma) {
  for (iter& i : digits) {
    if (i.stride % sigma[i.on] != 0)
      return {rule::stride_is_not_a_multiple, {i.stride, sigma[i.on]}, {i.on}};
    i.stride /= sigma[i.on];
  }
  return {};
}

/// Solves R_T = missing_scale * R + R_known, and the same for O. The strides of `known` are already
/// multiplied by known_scale, its offsets are not.
AXE_LAZY_FN constexpr refusal missing_replicas(factor_question const& q, layout const& known,
                                               layout& missing, step_limit& steps) {
  layout const& t = q.t;
  axis_list axes;
  if (!note_axes(axes, t) || !note_axes(axes, known)) return {rule::result_too_many_axes};
  if (!has_replicas_or_offset(t) && !has_replicas_or_offset(known)) return {};
  for (axis on : axes) {
    integer const unit = q.missing_scale[on];
    set_search<sum_set> search{
        sums_on(t.replicas, on), sums_on(known.replicas, on), unit, &steps, {}};
    integer o = t.offset(on) + search.whole.least;
    integer const own = known.offset(on);
    if (!add(o, -search.part.least)) return {rule::result_places_overflow, {}, {on}};
    search.whole.least = search.part.least = 0;
    if (!search.subtract())
      if (refusal const bad = search.find_fewest_iters(on)) return bad;
    if (refusal const bad = push_replicas(missing.replicas, search.found, on, unit)) return bad;
    if (unit == 1) {
      integer left = -own;
      if (!multiply_add(left, q.known_scale[on], o))
        return {rule::result_places_overflow, {}, {on}};
      o = left;
    } else {  // o - own may overflow, but (o - own) / unit does not
      integer const rest = o % unit - own % unit;
      if (rest % unit != 0)
        return {rule::offset_is_not_a_multiple, {add(o, -own) ? o : rest, unit}, {on}};
      o = o / unit - own / unit + rest / unit;
    }
    if (refusal const bad = add_to_offset(missing, o, on)) return bad;
  }
  order_offsets(missing);
  return {};
}

/// Finds the missing operand by cutting T's digits. If the result is false, the operand may still
/// exist.
AXE_LAZY_FN constexpr bool cut_factor(factor_question const& q, layout& missing) {
  layout const& t = q.t;
  layout const& known = q.known;
  if (has_replicas_or_offset(t) || has_replicas_or_offset(known) || !t.swizzle.none() ||
      !known.swizzle.none())
    return false;
  iter_list const whole = canonical_shards(t.shards);
  iter_list const own = canonical_shards(known.shards);
  digit_builder of_known;
  digit_builder of_missing;
  digit_cursor digits{&whole};
  digit_builder& of_outer = q.missing == side::outer ? of_missing : of_known;
  digit_builder& of_inner = q.missing == side::outer ? of_known : of_missing;
  for (int d = 0; d < q.shape.outer.count; ++d)
    if (!digits.take(q.shape.outer[d], of_outer) || !digits.take(q.shape.inner[d], of_inner))
      return false;
  if (of_known.done.count != own.count || of_missing.finish(missing.shards)) return false;
  for (int k = 0; k < own.count; ++k) {
    iter const& found = of_known.done.at[k];
    iter const& i = own.at[k];
    integer const by = q.known_scale[i.on];
    if (found.extent != i.extent || !found.is_on(i.on) || found.stride % by != 0 ||
        found.stride / by != i.stride)
      return false;
  }
  return !divide(missing.shards, q.missing_scale);
}

/// sigma = span(T) / span(A), because the spans of a tile multiply.
AXE_LAZY_FN constexpr refusal span_quotients(layout const& t, layout const& a,
                                             axis_factors& sigma) {
  axis_factors part;
  if (refusal const bad = spans_of(t, sigma)) return bad;
  if (refusal const bad = spans_of(a, part)) return bad;
  for (term& of_t : sigma.by) {
    integer const of_a = part[of_t.on];
    if (of_t.n % of_a != 0) return {rule::span_is_not_a_multiple, {of_t.n, of_a}, {of_t.on}};
    of_t.n /= of_a;
  }
  for (term const& of_a : part.by)
    if (of_a.n != 1 && !any_on(sigma.by, of_a.on))
      return {rule::span_is_not_a_multiple, {1, of_a.n}, {of_a.on}};
  return {};
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
