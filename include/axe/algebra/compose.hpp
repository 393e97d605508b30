// compose(A, B): A after B, C(x) = A(B(x)); B's one axis counts the elements of A. compose(swizzle, L): L's addresses through a swizzle.
//
//     compose(S[(4,8):(8,1)], S[4:8])               S[4:8]          every eighth element of A
//     compose(S[(4,3):(1,8)], S[7:1])               refused: A(B(i)) is no layout, with the elements that show it
//     compose(S[8:4], S[2:1] + R[2:2])              S[2:4] + R[2:8]
//     compose(S[64:2], swizzle(1,1,1) o S[8:1])     swizzle(M=2,B=1,S=1) o S[8:2]
//     compose(swizzle{3, 3, 3}, S[(64,64):(64,1)])  swizzle(M=3,B=3,S=3) o S[(64,64):(64,1)]
//
// The digits of C are those of x -> D_A(B(x)), by the table method; where B's digits nest inside A's they are cut directly. With replicas in B the copies of
// every element are listed: they must be one set, moved, and that set a sum of replicas (algebra/value_set.hpp). A swizzle of B stays where A is one digit on m
// with a step that is a power of two; elsewhere the table sees through it. The result is canonical.
// Refused: B on more than one axis or leaving A's elements, a result that is no layout, out of steps.
// Definition: docs/algebra.md, D15.
#pragma once

#include <axe/algebra/direct_sum.hpp>
#include <axe/algebra/interleave.hpp>
#include <axe/algebra/pack.hpp>
#include <axe/algebra/tile.hpp>
#include <axe/algebra/value_set.hpp>

namespace axe::inline AXE_NAMESPACE {

namespace detail {

/// x -> D_A(base + D_B(x)).
struct composed_function {
  digit_function outer;
  iter_list inner;
  integer base = 0;
  axe::swizzle inner_swizzle{};

  static constexpr bool of_operand = false;
  AXE_FN constexpr int cost() const { return outer.cost() + inner.size(); }
  AXE_FN constexpr integer element(integer x) const { return x; }
  AXE_FN constexpr integer index(integer x) const { return inner_swizzle(plain_index(x)); }
  /// Before B's swizzle.
  AXE_FN constexpr integer plain_index(integer x) const {
    integer at = base;
    for (int k = inner.size() - 1; k >= 0; --k) {
      at += x % inner[k].extent * inner[k].stride;
      x /= inner[k].extent;
    }
    return at;
  }
  AXE_FN constexpr place operator()(integer x) const { return outer(index(x)); }
};

/// The only axis that B names; null where it names none (B is constant).
AXE_FN constexpr refusal only_axis(layout const& b, axis& a) {
  axis_list const axes = axes_of(b);
  a = axes.empty() ? axis::null : axes[0];
  if (axes.size() > 1) return {rule::inner_on_several_axes, {}, {axes[0], axes[1]}};
  return {};
}

/// Digits of B that nest: strides that multiply up with no carry between them, so A is cut once for each.
AXE_FN constexpr bool compose_digits_directly(iter_list const& a, iter_list const& b, integer base,
                                              axe::swizzle const& f, digit_builder& in_order) {
  if (!f.none() || base != 0) return false;
  list<iter, capacity::shards> sorted;  // strides ascending
  for (iter const& i : b) {
    if (i.stride < 0) return false;
    if (i.stride == 0) continue;
    int at = 0;
    while (at < sorted.size() && sorted[at].stride < i.stride) ++at;
    sorted.insert(at, i);
  }
  for (int k = 0; k + 1 < sorted.size(); ++k)
    if (sorted[k + 1].stride % sorted[k].stride != 0 ||
        sorted[k + 1].stride / sorted[k].stride < sorted[k].extent)
      return false;
  for (iter const& i : b) {
    if (i.stride == 0) {
      in_order.push({i.extent, 0, axis::null});
      continue;
    }
    if (!emit_between(a, i.stride, i.stride * i.extent, in_order)) return false;
  }
  return true;
}

/// All places of A at the copies of element x of B, A's own replicas included: what C must hold there.
struct composed_copies {
  composed_function f;  // one element of A
  iter_list of_b;       // replicas of B, as digits on the index
  iter_list of_a;       // replicas of A
  integer x = 0;

  /// How many, with repetitions; -1 when that leaves 64 bits.
  AXE_FN constexpr integer count() const {
    integer n = 1;
    for (iter_list const* list : {&of_b, &of_a})
      for (iter const& r : *list)
        if (!multiply(n, r.extent)) return -1;
    return n;
  }
  AXE_FN constexpr place operator()(integer j) const {
    place p = digit_function(of_a)(j % product_of_extents(of_a));
    j /= product_of_extents(of_a);
    integer moved = f.plain_index(x);
    for (iter const& r : of_b) {
      moved += j % r.extent * r.stride;
      j /= r.extent;
    }
    return f.outer(f.inner_swizzle(moved)) + p;
  }
};

/// x -> the corner of its copies.
struct corner_function {
  composed_copies copies;
  integer count = 1;

  static constexpr bool of_operand = false;
  AXE_FN constexpr int cost() const { return static_cast<int>(smaller(count, 1'000'000)) * copies.f.cost(); }
  AXE_FN constexpr integer element(integer x) const { return x; }
  AXE_FN constexpr place operator()(integer x) const {
    composed_copies here = copies;
    here.x = x;
    return corner_of(here, count);
  }
};

/// The copies at element 0 as a function, for the table method.
struct in_digits {
  static constexpr bool of_operand = false;
  composed_copies copies;

  AXE_FN constexpr int cost() const { return copies.f.cost(); }
  AXE_FN constexpr integer element(integer j) const { return j; }
  AXE_FN constexpr place operator()(integer j) const { return copies(j); }
};

/// The list at hand: B's replicas as digits of A at element 0, and A's own. True when its set is the one that was listed.
AXE_FN constexpr bool obvious_replicas(composed_copies const& copies, listed_places const& set,
                                       list<iter, capacity::replicas>& out, step_budget& steps) {
  composed_copies of_b = copies;
  of_b.of_a = iter_list{};
  outcome<iter_list> const digits = recognise(in_digits{of_b}, of_b.count(), steps);
  if (!digits) return false;
  for (int i = 0; i < set.axes.size(); ++i) {
    wide_sum_set sums = sums_on_wide(*digits, copies.of_a, set.axes[i]);
    sums.least = 0;
    step_budget own;
    outcome<bool> const same = same_set(sums, set.values[i], own);
    if (sums.full || !same || !*same) return false;
    for (run const& r : sums.runs)
      if (!out.push({r.extent, r.stride, set.axes[i]})) return false;
  }
  return true;
}

/// C where B has replicas: one set of copies for all elements, and its corner as digits.
AXE_FN constexpr refusal compose_copies(composed_copies copies, integer size, layout& into,
                                        step_budget& steps) {
  integer const count = copies.count();
  if (count < 0 || count > steps.allowed || size > steps.allowed / count) return steps.refusal();
  steps.taken += size * count;
  listed_places set;
  if (!list_places(copies, count, set)) return steps.refusal();
  for (integer x = 0; x < size; ++x) {
    copies.x = x;
    if (!is_product(set, copies, count, corner_of(copies, count), steps))
      return {rule::copies_are_no_replicas, {x}};
  }
  outcome<iter_list> const digits = recognise(corner_function{copies, count}, size, steps);
  if (!digits) return digits.why;
  into.shards = *digits;
  if (!add_offset(into, set.least)) return {rule::too_many_offsets, {into.offsets.size() + 1}};
  copies.x = 0;
  if (obvious_replicas(copies, set, into.replicas, steps)) return {};
  into.replicas.clear();
  return replicas_of(set, into.replicas, steps);
}

/// Is A one digit on m whose step is a power of two? Then A(f(b)) is the swizzle, widened, of A's multiples of b.
AXE_FN constexpr bool widens_swizzles(layout const& a, iter_list const& digits) {
  return a.swizzle.none() && digits.size() == 1 && digits[0].on == axis::m && digits[0].stride > 0 &&
         (digits[0].stride & (digits[0].stride - 1)) == 0;
}
AXE_FN constexpr outcome<layout> widen_swizzle(layout const& a, integer step, layout const& b, axis along,
                                               step_budget& steps) {
  outcome<layout> inner = scale(b, [&] {
    axis_factors by;
    by.by.push({step, along});
    return by;
  }());
  if (!inner) return inner;
  layout wide = *inner;
  wide.swizzle.M += log2_of(step);
  if (refusal const bad = check(wide); bad.which != rule::none) return bad;
  layout outer;
  outer.replicas = a.replicas;
  outer.offsets = a.offsets;
  extent_list none;
  extent_list size;
  none.push(1);
  size.push(product_of_extents(wide.shards));
  return sum_of(outer, wide, interleave(none, size), steps);
}

}  // namespace detail

AXE_FN constexpr outcome<layout> try_compose(layout const& a, layout const& inner, step_budget steps = {}) {
  if (refusal const bad = check(a); bad.which != rule::none) return bad;
  outcome<layout> const canonical_inner = try_canonicalize(inner);  // a swizzle that moves nothing goes
  if (!canonical_inner) return canonical_inner;
  layout const& b = *canonical_inner;
  axis along = axis::null;
  if (refusal const bad = detail::only_axis(b, along); bad.which != rule::none) return bad;
  outcome<detail::interval> const reach = detail::reach_of(b, along);
  if (!reach) return reach.why;
  integer const size_a = detail::product_of_extents(a.shards);
  if (reach->least < 0 || reach->largest >= size_a)
    return refusal{rule::inner_leaves_the_outer, {reach->least, reach->largest, size_a - 1}};
  if (!b.swizzle.none() && detail::widens_swizzles(a, detail::canonical_shards(a.shards))) {
    outcome<layout> const widened =
        detail::widen_swizzle(a, detail::canonical_shards(a.shards)[0].stride, b, along, steps);
    if (widened) return widened;
  }
  layout done;
  done.swizzle = a.swizzle;
  detail::sum_set const copies = detail::sums_on(b.replicas, along);
  detail::composed_function const f{detail::digit_function(detail::canonical_shards(a.shards)), b.shards,
                                    b.offset(along) + copies.least, b.swizzle};
  integer const size = detail::product_of_extents(b.shards);
  done.offsets = a.offsets;
  if (!copies.runs.empty()) {
    detail::composed_copies all{f, {}, {}, 0};
    for (detail::run const& r : copies.runs) all.of_b.push({r.extent, r.stride, axis::m});
    outcome<layout> const canonical = try_canonicalize(a);
    if (!canonical) return canonical;
    for (iter const& r : canonical->replicas) all.of_a.push(r);
    done.offsets = canonical->offsets;
    if (refusal const bad = detail::compose_copies(all, size, done, steps); bad.which != rule::none)
      return bad;
    return try_canonicalize(done);
  }
  done.replicas = a.replicas;
  if (detail::digit_builder direct;
      detail::compose_digits_directly(f.outer.digits, b.shards, f.base, b.swizzle, direct)) {
    if (refusal const bad = direct.finish(done.shards); bad.which != rule::none) return bad;
  } else {
    outcome<detail::iter_list> const digits = detail::recognise(f, size, steps);
    if (!digits) return digits.why;
    done.shards = *digits;
  }
  if (!detail::add_offset(done, f(0))) return refusal{rule::too_many_offsets, {done.offsets.size() + 1}};
  return try_canonicalize(done);
}

AXE_FN constexpr layout compose(layout const& a, layout const& b, step_budget steps = {}) {
  outcome<layout> const result = try_compose(a, b, steps);
  detail::stop_on(result.why, "compose", {&a, &b});
  return *result;
}
AXE_LIFT(compose);

/// L's addresses on m, its only axis, through a swizzle. A swizzled L is refused: two swizzles are one linear map, not one swizzle.
AXE_FN constexpr outcome<layout> try_compose(axe::swizzle const& f, layout const& l) {
  if (refusal const bad = check(l); bad.which != rule::none) return bad;
  if (!l.swizzle.none() && !f.none()) return refusal{rule::already_swizzled};
  layout done = l;
  if (!f.none()) done.swizzle = f;
  if (refusal const bad = check(done); bad.which != rule::none) return bad;
  return done;
}
AXE_FN constexpr layout compose(axe::swizzle const& f, layout const& l) {
  outcome<layout> const result = try_compose(f, l);
  detail::stop_on(result.why, "compose", {&l});
  return *result;
}

}  // namespace axe::inline AXE_NAMESPACE
