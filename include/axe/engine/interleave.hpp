// SPDX-License-Identifier: MIT
// interleave: the dimensions of a tile or direct sum, alternately of A and of B. Adjacent ones of
// one operand are merged. sum_digits: the digits of the sum.
//
//     interleave((4,1), (1,8))      A's 4, then B's 8
//
// Definition: docs/algebra.md, D11.
#pragma once

#include <axe/engine/fit_behind.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

struct dimension {
  integer extent = 1;
  bool belongs_to_b = false;
};
using domain = list<dimension, 2 * capacity::shards>;

AXE_LAZY_FN constexpr domain interleave(extent_list const& outer, extent_list const& inner) {
  domain d;
  auto const append = [&](integer extent, bool is_inner) {
    if (extent == 1) return;
    if (d.count != 0 && d.back().belongs_to_b == is_inner)
      d.back().extent *= extent;
    else
      d.push({extent, is_inner});
  };
  for (int i = 0; i < outer.count; ++i) {
    append(outer[i], false);
    append(inner[i], true);
  }
  return d;
}

/// The places sigma * A + B. There is one sigma, for m, because swizzled operands lie on m only.
struct summed_places : place_source {
  layout_function outer;
  layout_function inner;
  domain dimensions;
  integer sigma_on_m;

  AXE_LAZY_FN constexpr summed_places(layout const& a, integer sigma, layout const& b,
                                      domain const& d)
      : outer(a), inner(b), dimensions(d), sigma_on_m(sigma) {
    size = product_of_extents(a.shards) * product_of_extents(b.shards);
    count_pairs(outer, inner);
    cost += dimensions.count;
  }
  AXE_FN constexpr place at(integer x, integer j) const override {
    integer elements[2] = {0, 0};
    integer weights[2] = {1, 1};
    for (int k = dimensions.count - 1; k >= 0; --k) {
      dimension const& d = dimensions[k];
      elements[d.belongs_to_b] += x % d.extent * weights[d.belongs_to_b];
      weights[d.belongs_to_b] *= d.extent;
      x /= d.extent;
    }
    place p = outer(elements[0], j % outer.count);
    for (term& t : p.terms)
      if (t.is_on(axis::m)) t.n *= sigma_on_m;
    return p + inner(elements[1], j / outer.count);
  }
};

AXE_LAZY_FN constexpr refusal sum_digits(iter_list const& outer, iter_list const& inner,
                                         domain const& dimensions, iter_list& digits,
                                         step_limit& steps) {
  digit_builder builder;
  digit_cursor of_outer{&outer};
  digit_cursor of_inner{&inner};
  bool cut = true;
  for (dimension const& d : dimensions)
    cut = cut && (d.belongs_to_b ? of_inner : of_outer).take(d.extent, builder);
  if (cut) return builder.finish(digits);
  axis_reaches reaches;  // rejects places that overflow fit_digits
  layout a;
  layout b;
  a.shards = outer;
  b.shards = inner;
  if (refusal const bad = reaches.add_iters(outer)) return about_result(bad);
  if (refusal const bad = reaches.add_iters(inner)) return about_result(bad);
  summed_places const source(a, 1, b, dimensions);
  outcome<iter_list> const found = fit_or_rule_out_digits({&source, {}}, source.size, steps);
  if (found.why) return found.why;
  digits = *found;
  return {};
}

AXE_LAZY_FN constexpr refusal match_ranks(layout const& a, shape const& s_a, layout const& b,
                                          shape const& s_b, extent_list& of_a, extent_list& of_b) {
  if (refusal const bad = admit_dimensions(a, s_a, of_a)) return bad;
  if (refusal const bad = admit_dimensions(b, s_b, of_b)) return of_operand(1, bad);
  if (of_a.count != of_b.count) return {rule::shapes_have_other_ranks, {of_a.count, of_b.count}};
  return {};
}

struct summed_operands {
  valid_layout a;
  valid_layout b;
  extent_list outer;
  extent_list inner;

  AXE_LAZY_FN constexpr refusal admit(layout const& l_a, shape const& s_a, layout const& l_b,
                                      shape const& s_b) {
    if (refusal const bad = admit_both(a, l_a, b, l_b)) return bad;
    if (refusal const bad = match_ranks(l_a, s_a, l_b, s_b, outer, inner)) return bad;
    integer const size_a = product_of_extents(l_a.shards);
    integer const size_b = product_of_extents(l_b.shards);
    if (integer size = size_a; !multiply(size, size_b))
      return {rule::result_size_overflows, {size_a, size_b}};
    return {};
  }
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
