// compose(A, B): A after B, C(x) = A(B(x)); B's one axis counts the elements of A. compose(swizzle,
// L): L's addresses through a swizzle.
//
//     compose(S[(4,8):(8,1)], S[4:8])               S[4:8]          every eighth element of A
//     compose(S[(4,3):(1,8)], S[7:1])               refused: A(B(i)) is no layout, with the elements that show it
//     compose(S[8:4], S[2:1] + R[2:2])              S[2:4] + R[2:8]
//     compose(S[64:2], swizzle(1,1,1) o S[8:1])     swizzle(M=2,B=1,S=1) o S[8:2]
//     compose(swizzle{3, 3, 3}, S[(64,64):(64,1)])  swizzle(M=3,B=3,S=3) o S[(64,64):(64,1)]
//
//     compose(swizzle{0, 2, 2}, swizzle(0,2,2) o S[16:1])  S[16:1]
//
// The digits of C are those of x -> D_A(B(x)), by the table method; where B's digits nest inside
// A's they are cut directly. With replicas in B the copies of every element are listed: they must
// be one set, moved, and that set a sum of replicas (engine/listed_places.hpp). A swizzle of B stays
// where A is one digit on m with a step that is a power of two; elsewhere C is looked for behind
// every swizzle and behind none (engine/fit.hpp). The result is canonical.
// Refused: B on more than one axis or leaving A's elements, a result that is no layout, out of
// steps.
// Definition: docs/algebra.md, D15.
// Source: composition of CuTe's layout algebra, exact for every extent or refused; its Swizzle<B,
// M, S> for compose(swizzle, L).
#pragma once

#include <axe/algebra/canonicalize.hpp>
#include <axe/algebra/direct_sum.hpp>
#include <axe/algebra/pack.hpp>
#include <axe/algebra/tile.hpp>
#include <axe/base/sort.hpp>
#include <axe/construct/carrier.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

/// Copies of A's elements at the copies of B's.
struct composed_places : place_source {
  copies_of outer;
  copies_of inner;
  axis along;

  AXE_FN constexpr composed_places(layout const& a, layout const& b, axis on)
      : outer(a), inner(b), along(on) {
    size = product_of_extents(b.shards);
    count = inner.count;
    if (count < 0 || outer.count < 0 || !multiply(count, outer.count)) count = -1;
    cost = outer.cost() + inner.cost();
    on_m = address_bound(a);
  }
  AXE_FN constexpr place at(integer x, integer j) const override {
    return outer(inner(x, j / outer.count)[along], j % outer.count);
  }
};

/// The only axis that B names; null where it names none (B is constant).
AXE_PLANNER constexpr refusal only_axis(layout const& b, axis& a) {
  axis_list const axes = axes_of(b);
  a = axes.empty() ? axis::null : axes[0];
  if (axes.size() > 1) return {rule::inner_on_several_axes, {}, {axes[0], axes[1]}};
  return {};
}

/// Digits of B that nest: strides that multiply up with no carry between them, so A is cut once for
/// each.
AXE_PLANNER constexpr bool compose_digits_directly(iter_list const& a, layout const& b, axis along,
                                                   digit_builder& in_order) {
  if (!b.swizzle.none() || b.offset(along) != 0) return false;
  list<iter, capacity::shards> sorted;  // strides ascending
  for (iter const& i : b.shards) {
    if (i.stride < 0) return false;
    if (i.stride == 0) continue;
    sorted.push(i);
  }
  sort_by(sorted, [](iter const& i) { return i.stride; });
  for (int k = 0; k + 1 < sorted.size(); ++k)
    if (sorted[k + 1].stride % sorted[k].stride != 0 ||
        sorted[k + 1].stride / sorted[k].stride < sorted[k].extent)
      return false;
  digit_boundaries boundaries(a);
  for (iter const& i : b.shards) {
    if (i.stride == 0) {
      in_order.push({i.extent, 0, axis::null});
      continue;
    }
    integer end = i.stride;
    if (!multiply(end, i.extent)) return false;
    // A's slowest digit has no boundary above: B stays inside, so where that would be cuts nothing.
    if (end > boundaries.behind[1]) boundaries.behind[0] = end;
    if (!boundaries.emit_between(i.stride, end, in_order)) return false;
  }
  return true;
}

/// Is A one digit on m whose step is a power of two? Then A(f(b)) is the swizzle, widened, of A's
/// multiples of b.
AXE_PLANNER constexpr bool widens_swizzles(layout const& a, iter_list const& digits) {
  return a.swizzle.none() && digits.size() == 1 && digits[0].on == axis::m &&
         digits[0].stride > 0 && (digits[0].stride & (digits[0].stride - 1)) == 0;
}
AXE_PLANNER constexpr outcome<layout> widen_swizzle(layout const& a, integer step, layout const& b,
                                                    axis along, step_budget& steps) {
  axis_factors by;
  by.by.push({step, along});
  layout wide;
  if (refusal const bad = scale(b, by, wide)) return bad;
  for (term& o : wide.offsets) o.n *= step;  // B stays inside A, whose places fit
  wide.swizzle = b.swizzle;
  wide.swizzle.M += log2_of(step);
  if (refusal const bad = check(wide)) return bad;
  layout outer;
  outer.replicas = a.replicas;
  outer.offsets = a.offsets;
  extent_list none;
  extent_list size;
  none.push(1);
  size.push(product_of_extents(wide.shards));
  return sum_of(outer, {}, wide, interleave(none, size), steps);
}

}  // namespace detail

AXE_PLANNER constexpr outcome<layout> try_compose(layout const& a, layout const& inner,
                                                  step_budget steps = {}) {
  if (refusal const bad = check(a)) return bad;
  outcome<layout> const canonical_inner =
      try_canonicalize(inner);  // a swizzle that moves nothing goes
  if (!canonical_inner) return of_operand(1, canonical_inner.why);
  layout const& b = *canonical_inner;
  axis along = axis::null;
  if (refusal const bad = detail::only_axis(b, along)) return bad;
  outcome<detail::interval> const reach = detail::reach_of(b, along);
  if (!reach) return of_operand(1, reach.why);
  integer const size_a = detail::product_of_extents(a.shards);
  if (reach->least < 0 || reach->largest >= size_a)
    return refusal{rule::inner_leaves_the_outer, {reach->least, reach->largest, size_a - 1}};
  if (!b.swizzle.none() && detail::widens_swizzles(a, detail::canonical_shards(a.shards))) {
    outcome<layout> const widened =
        detail::widen_swizzle(a, detail::canonical_shards(a.shards)[0].stride, b, along, steps);
    if (widened) return widened;
  }
  outcome<layout> const canonical_outer = try_canonicalize(a);
  if (!canonical_outer) return canonical_outer;
  layout outer = *canonical_outer;
  bool const one_copy = b.replicas.empty();  // then A's replicas stay as they are
  if (detail::digit_builder direct;
      one_copy && detail::compose_digits_directly(outer.shards, b, along, direct)) {
    if (refusal const bad = direct.finish(outer.shards)) return bad;
    return try_canonicalize(outer);
  }
  if (one_copy) outer.replicas.clear();
  detail::composed_places const source(outer, b, along);
  outcome<layout> const composed =
      detail::fit_behind(source, outer.swizzle, steps,
                         one_copy ? canonical_outer->replicas : list<iter, capacity::replicas>{});
  if (composed || !detail::is_about_the_map(composed.why.which) ||
      (outer.swizzle.none() && b.swizzle.none()))
    return composed;
  return detail::fit(detail::composed_places(*canonical_outer, b, along), outer.swizzle, b.swizzle,
                     steps);
}

AXE_PLANNER constexpr layout compose(layout const& a, layout const& b, step_budget steps = {}) {
  outcome<layout> const result = try_compose(a, b, steps);
  if (!result) detail::stop_on(result.why, "compose", {&a, &b});
  return result.value;
}
AXE_LIFT(compose);

/// L's addresses on m, its only axis, through a swizzle. Refused where L has one already, and both
/// together are no single one.
AXE_PLANNER constexpr outcome<layout> try_compose(axe::swizzle const& f, layout const& l,
                                                  step_budget steps = {}) {
  if (refusal const bad = check(l)) return bad;
  layout done = l;
  if (!f.none()) done.swizzle = f;
  if (refusal const bad = detail::check_result(done)) return bad;
  if (l.swizzle.none() || f.none()) return done;
  outcome<layout> const canonical = try_canonicalize(l);
  if (!canonical) return canonical;
  done = *canonical;
  if (done.swizzle.none()) {
    done.swizzle = f;
    return done;
  }
  detail::walked_places twice(done, detail::walk_of(detail::product_of_extents(done.shards), 1));
  twice.then = f;
  twice.on_m = detail::swizzled_bound(twice.on_m, f);
  outcome<layout> const once = detail::fit(twice, f, done.swizzle, steps);
  return once || once.why.which == rule::undecided ? once : refusal{rule::already_swizzled};
}
AXE_PLANNER constexpr layout compose(axe::swizzle const& f, layout const& l) {
  outcome<layout> const result = try_compose(f, l);
  if (!result) detail::stop_on(result.why, "compose", {&l});
  return result.value;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
