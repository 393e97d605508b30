// SPDX-License-Identifier: MIT
// equivalent(A, B): true if A and B are the same map.
//
//     equivalent(S[(2,2):(2,1)], S[4:1])            true
//
// Definition: docs/algebra.md, D6.
#pragma once

#include <axe/algebra/difference.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

AXE_LAZY_FN constexpr outcome<bool> same_map(valid_layout one, valid_layout two, step_limit steps) {
  layout const& a = one;
  layout const& b = two;
  if (product_of_extents(a.shards) != product_of_extents(b.shards)) return false;
  outcome<integer> const x = first_difference(one, two, steps);
  if (x.why) return x.why;
  return *x == nowhere;
}

}  // namespace detail

AXE_LAZY_FN constexpr outcome<bool> try_equivalent(layout const& a, layout const& b,
                                                   step_limit steps = {}) {
  detail::valid_layout one, two;
  if (refusal const bad = detail::admit_both(one, a, two, b)) return bad;
  return detail::same_map(one, two, steps);
}

AXE_LAZY_FN constexpr bool equivalent(layout const& a, layout const& b) {
  return detail::stop_on(try_equivalent(a, b), "equivalent", {&a, &b});
}

namespace detail {

AXE_LAZY_FN constexpr refusal why_different(layout const& a, layout const& b) {
  outcome<layout_difference> const d = try_difference(a, b);
  if (d.why) return d.why;
  if (!d->found) return {};
  integer const size_a = product_of_extents(a.shards);
  integer const size_b = product_of_extents(b.shards);
  if (size_a != size_b) return {rule::sizes_differ, {size_a, size_b}};
  place const in_a = d->a.first();
  place const in_b = d->b.first();
  for (place const& one : {in_a, in_b})
    for (term const& t : one.terms)
      if (in_a[t.on] != in_b[t.on])
        return {rule::layouts_differ, {d->at, in_a[t.on], in_b[t.on]}, {t.on}};
  return {rule::replicas_differ, {d->at, d->a.size(), d->b.size()}};
}

template <layout A, layout B> struct equivalence {
  AXE_FN static constexpr refusal why() { return why_different(A, B); }
  AXE_FN static constexpr refusal_text text() {
    constexpr layout a = A;
    constexpr layout b = B;
    return sentence(why(), {&a, &b});
  }
};

}  // namespace detail

/// Stops the build and names the difference, if any.
template <layout A, layout B> AXE_FN constexpr bool require_equivalent() {
  using source = detail::equivalence<A, B>;
  using stop [[maybe_unused]] = detail::verdict<source>::stop;
  return true;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
