// composition(A, B): A after B, with B's modes: R(c) = A(B(c)) for every coordinate c of B.
// composition(A, <t0, t1, …>): mode by mode.
//
//     composition((6,2):(8,2), (4,3):(3,1))            ((2,2),3):((24,2),8)
//     composition((4,2):(1,4), (2,2):(2,1))            (2,2):(2,1)
//     composition(20:2, (5,4):(4,1))                   (5,4):(8,2)
//     composition((4,6,8):(2,3,5), 6:3)                refused: R is 0, 6, 7, 8, …, and the steps 6 and 1 do not repeat
//     composition((12,(4,8)):(59,(13,1)), (3,8))       (3,(4,2)):(59,(13,1))       modes without a tiler go
//
// A is coalesced first, so equal maps give equal answers. Each leaf of B is cut out of A's digits
// where its stride and reach fall on their boundaries, else the table method decides
// (engine/fit_digits.hpp); that the leaves do not carry into one another follows from the digits
// they use, else every element is compared. A's swizzle and offset stay outside; what is no layout
// behind it is looked for behind another, and so is a swizzled B behind A. Powers of two whose
// places do not carry are compared and looked for bit by bit, at any size. Refused: B leaving A's
// elements, a mode of B that composes to no layout or modes that interact (with an i each), out of
// steps. CuTe checks some of the divisibility and only between static numbers; what it then returns
// can be another map (docs/peers.md).
// Definition: docs/algebra.md, D22.
#pragma once

#include <axe/cute/as_plain.hpp>
#include <axe/cute/modes_behind.hpp>
#include <axe/cute/tiler.hpp>
#include <axe/map/reach.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace cute {

namespace detail {

/// The addresses of a layout, swizzle seen through.
AXE_FN constexpr outcome<interval> reach(layout const& l) {
  interval plain;
  if (!plain_reach(l, plain)) return refusal{rule::cute_overflows};
  if (l.swizzle.none()) return plain;
  if (bit_image const image(l); image.exact) return image.reach();
  axe::layout flat;
  flat.swizzle = l.swizzle;
  for (leaf const& d : l.leaves)
    flat.shards.push({d.extent, d.stride, d.stride == 0 ? axis::null : axis::m});
  if (l.offset != 0) flat.offsets.push({l.offset, axis::m});
  return reach_of(flat, axis::m);
}

/// One leaf of B through A, as a function for the table method: c -> A(B at c).
struct leaf_function {
  leaf_list const& outer;
  layout const& inner;
  integer step = 0;
  integer weight = 1;  // of c in an element's number

  static constexpr bool of_operand = false;
  AXE_FN constexpr int cost() const { return outer.size() + 1; }
  AXE_FN constexpr integer element(integer c) const { return c * weight; }
  AXE_FN constexpr place operator()(integer c) const {
    place p;
    p.terms.push({plain_at(outer, inner.swizzle(inner.offset + c * step)), axis::m});
    return p;
  }
};

/// Composes a checked B that stays inside A, leaf by leaf.
struct composer {
  leaf_list outer;      // A's digits
  layout const& inner;  // B
  layout done{};
  integer used[capacity::shards]{};  // how far the leaves so far move each digit of A
  bool carries = false;              // perhaps: then every element is compared

  /// The leaf n:d cut out of A's digits. False where a boundary falls inside a digit.
  AXE_FN constexpr bool cut(integer n, integer d, leaf_list& digits) {
    for (int j = 0; j < outer.size() && n > 1; ++j) {
      leaf const a = outer[j];
      bool const last = j + 1 == outer.size();
      if (!last && d % a.extent == 0) {
        d /= a.extent;
        continue;
      }
      integer taken = n;
      if (!last && d * (n - 1) >= a.extent) {
        if (a.extent % d != 0 || n % (a.extent / d) != 0) return false;
        taken = a.extent / d;
      }
      digits.push({taken, d * a.stride});
      used[j] += d * (taken - 1);
      carries = carries || (!last && used[j] >= a.extent);
      n /= taken;
      d = 1;
    }
    return true;
  }

  AXE_FN constexpr refusal add(leaf const& b, int in_mode, integer weight, step_budget& steps) {
    leaf_list digits;
    if (b.extent == 1) {
    } else if (b.stride == 0) {
      digits.push({b.extent, 0});
    } else if (inner.offset != 0 || !inner.swizzle.none() || b.stride < 0 ||
               !cut(b.extent, b.stride, digits)) {
      carries = true;
      leaf_function const f{outer, inner, b.stride, weight};
      outcome<iter_list> const found = fit_digits(f, b.extent, steps);
      if (!found) return why_not(found.why, in_mode);
      digits.clear();
      for (int k = found->size() - 1; k >= 0; --k)
        digits.push({(*found)[k].extent, (*found)[k].stride});
    }
    add_mode(done, digits);
    return {};
  }

  AXE_FN static constexpr refusal why_not(refusal why, int in_mode) {
    if (why.which != rule::no_layout_steps) return why;
    integer const* n = why.numbers;
    return {rule::cute_mode_is_no_layout, {in_mode, n[1], n[2], n[3], n[4], n[5]}};
  }

  /// Modes that were composed one by one must add up: R(i) - R(0) against A(B(i)) - A(B(0)).
  AXE_FN constexpr refusal compare(step_budget& steps) const {
    integer const origin = plain_at(outer, inner.swizzle(inner.offset));
    auto const differs = [&](integer i) -> refusal {
      integer const wanted = plain_at(outer, value_at(inner, i)) - origin;
      integer const found = plain_at(done.leaves, i);
      return wanted == found ? refusal{} : refusal{rule::cute_modes_interact, {i, wanted, found}};
    };
    bit_places const places = composed(bit_image(of_leaves(outer)), bit_image(inner));
    for (int k = 0; k < places.change.size(); ++k)
      for (int j = 0; j < k; ++j)
        if ((places.change[j] & places.change[k]) != 0)
          return differs((integer{1} << k) + (integer{1} << j));
    if (places.exact) return {};
    for (integer i = 1, size = size_of(inner); i < size; ++i) {
      steps.taken += 2 * inner.leaves.size() + outer.size();
      if (!steps.take()) return steps.refusal();
      if (refusal const found = differs(i)) return found;
    }
    return {};
  }

  AXE_FN constexpr refusal run(step_budget& steps) {
    int moving = 0;
    integer weight = 1;
    cursor at;
    int last_of_mode = rank(inner) > 1 || inner.profile[0] != leaf_node
                           ? skip(inner, entry(inner, {}, 0)).leaf
                           : 1;
    int in_mode = 0;
    for (; at.node < inner.profile.size(); ++at.node) {
      if (inner.profile[at.node] != leaf_node) {
        add_group(done, inner.profile[at.node]);
        continue;
      }
      while (at.leaf >= last_of_mode) last_of_mode = skip(inner, entry(inner, {}, ++in_mode)).leaf;
      leaf const b = inner.leaves[at.leaf++];
      moving += b.extent > 1 && b.stride != 0 ? 1 : 0;
      if (refusal const bad = add(b, in_mode, weight, steps)) return bad;
      weight *= b.extent;
    }
    if (done.flaw != flaw::none) return {rule::cute_too_large};
    if (carries && moving > 1)
      if (refusal const bad = compare(steps)) return bad;
    done.offset = plain_at(outer, inner.swizzle(inner.offset));
    return {};
  }
};

/// A as one digit whose step is a power of two, or the elements themselves: 0 or log2 of the step,
/// else -1.
AXE_FN constexpr int widening(leaf_list const& outer) {
  return outer.size() == 1 ? exact_log2(outer[0].stride) : -1;
}

/// B's swizzle behind a step of 2^bits: A(f(b)) = f'(A(b)), f' the same swizzle bits higher.
AXE_FN constexpr outcome<layout> widen(layout const& b, int bits) {
  layout wide = b;
  for (leaf& d : wide.leaves) d.stride *= integer{1} << bits;
  wide.offset *= integer{1} << bits;
  wide.swizzle.M += bits;
  if (refusal const bad = check(wide)) return bad;
  return wide;
}

/// A after B, place by place, with B's modes.
struct composed_places {
  layout const& a;
  layout const& b;

  AXE_FN constexpr cute::profile const& profile() const { return b.profile; }
  AXE_FN constexpr int cost() const { return a.leaves.size() + b.leaves.size() + 1; }
  AXE_FN constexpr integer extent(int k) const { return b.leaves[k].extent; }
  AXE_FN constexpr integer at(integer i) const { return value_at(a, value_at(b, i)); }
};

/// What is no layout behind A's swizzle may be one behind another.
AXE_FN constexpr outcome<layout> through_swizzle(layout const& a, layout const& b,
                                                 refusal const& why, step_budget steps) {
  axe::swizzle const own = without_idle_swizzle(b).swizzle;
  axe::swizzle const like = own.none() ? without_idle_swizzle(a).swizzle : own;
  if (like.none() ||
      (why.which != rule::cute_mode_is_no_layout && why.which != rule::cute_modes_interact))
    return why;
  outcome<interval> const reached = reach(a);
  if (!reached) return reached.why;
  integer const largest = larger(reached->largest, magnitude(reached->least));
  layout done;
  composed_places const source{a, b};
  if (bit_places const places = composed(bit_image(a), bit_image(b)); places.exact)
    return bits_behind_any(source, places, like, largest, done) ? outcome<layout>(done) : why;
  if (modes_behind_any(source, like, largest, done, steps)) return done;
  return steps.taken > steps.allowed ? steps.refusal() : why;
}

AXE_FN constexpr outcome<layout> compose(layout const& a, layout const& b, step_budget steps) {
  outcome<interval> const reached = reach(b);
  if (!reached) return reached.why;
  integer const size = size_of(a);
  if (reached->least < 0 || reached->largest >= size)
    return refusal{rule::cute_inner_leaves, {reached->least, reached->largest, size - 1}};
  composer work{coalesced(a.leaves), b};
  if (!b.swizzle.none() && a.plain())
    if (int const bits = widening(work.outer); bits >= 0) return widen(b, bits);
  step_budget own = steps;
  if (refusal const bad = work.run(own)) return through_swizzle(a, b, bad, steps);
  work.done.swizzle = a.swizzle;
  work.done.offset += a.offset;
  return work.done;
}

}  // namespace detail

AXE_FN constexpr outcome<layout> try_composition(layout const& a, tiler const& b,
                                                 step_budget steps = {}) {
  if (refusal const bad = check(a)) return bad;
  if (refusal const bad = detail::check_tiler(b)) return bad;
  return detail::each_mode(a, b, false, [&](layout const& mode, layout const& by) {
    return detail::compose(mode, by, steps);
  });
}

AXE_FN constexpr layout composition(layout const& a, tiler const& b, step_budget steps = {}) {
  outcome<layout> const result = try_composition(a, b, steps);
  if (!result) detail::stop_on(result.why, "composition", {});
  return *result;
}
AXE_CUTE_LIFT(composition);

}  // namespace cute
}  // namespace AXE_NAMESPACE
}  // namespace axe
