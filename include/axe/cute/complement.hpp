// complement(L, n): where the copies of L go so that together they fill 0 to n - 1. complement(L):
// n = cosize of L.
//
//     complement(4:2, 24)                  (2,3):(1,8)        {0, 2, 4, 6} at 0, 1, 8, 9, 16, 17
//     complement((4,2):(1,6), 24)          2:12               … 4 and 5 stay free: a gap of 2 is no room for 4
//     complement((2,2):(2,3), 12)          2:6                digits that overlap are one block of 6
//     complement((2,2):(1,1), 4)           refused: the elements 1 and 2 are at the same place 1
//
// R satisfies: R(0) = 0, R ascends, the sums L(i) + R(j) differ for different places L(i) and
// different j, and cosize of (L, R) rounded up to the end of its last period reaches n; where the
// strides of L divide one another the sums are every number from 0 to a multiple of the period,
// once. Built digit by digit: a digit e:d of L above a block of b leaves room for d / b copies of
// it, rounded down; then blocks of e*d, as many as n needs. L's leaves of stride 0 do not count,
// the sign of a stride does not either. CuTe refuses (2,2):(2,3), whose digits overlap although no
// place is taken twice. A swizzle that permutes L's places among themselves and an offset change
// nothing.
// Refused: two elements at one place, an L swizzled to other places of no plain layout, more places
// than 64 bits hold, out of steps (only where digits overlap).
// Definition: docs/algebra.md, D22.
#pragma once

#include <axe/cute/as_plain.hpp>
#include <axe/cute/bit_image.hpp>
#include <axe/cute/coalesce.hpp>
#include <axe/cute/element_at.hpp>
#include <axe/map/steps.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace cute {

namespace detail {

/// Leaves that move, |stride| ascending.
AXE_FN constexpr leaf_list by_stride(leaf_list const& leaves) {
  leaf_list sorted;
  for (leaf const& d : leaves) {
    if (d.extent == 1 || d.stride == 0) continue;
    leaf const one{d.extent, magnitude(d.stride)};
    int at = 0;
    while (at < sorted.size() && sorted[at].stride <= one.stride) ++at;
    sorted.insert(at, one);
  }
  return sorted;
}

/// Searches two elements at one place: digit by digit, largest stride first, what the digits differ
/// by; the rest must be able to make up for it.
struct collision {
  leaf_list sorted;  // |stride| ascending
  integer differs[capacity::shards]{};

  AXE_FN constexpr bool find(int k, integer off, bool same, step_budget& steps) {
    if (!steps.take()) return false;
    if (k < 0) return off == 0 && !same;
    integer rest = 0;
    for (int j = 0; j < k; ++j) rest += (sorted[j].extent - 1) * sorted[j].stride;
    leaf const d = sorted[k];
    integer const least = larger(1 - d.extent, ceil_divide(-rest - off, d.stride));
    integer const most = smaller(d.extent - 1, floor_divide(rest - off, d.stride));
    for (integer c = same ? larger(least, 0) : least; c <= most;
         ++c) {  // the first that differs is larger, by symmetry
      differs[k] = c;
      if (find(k - 1, off + c * d.stride, same && c == 0, steps)) return true;
    }
    return false;
  }
};

/// Two elements at one place, leaves of stride 0 left aside, or a refusal with rule::none.
AXE_FN constexpr refusal two_at_one_place(leaf_list const& leaves, step_budget& steps) {
  collision search{by_stride(leaves)};
  if (!search.find(search.sorted.size() - 1, 0, true, steps))
    return steps.taken > steps.allowed ? steps.refusal() : refusal{};
  integer one = 0;
  integer other = 0;
  integer weight = 1;
  bool taken[capacity::shards]{};
  for (leaf const& d : leaves) {
    int k = 0;  // this leaf's entry in the sorted list
    bool const moves = d.extent > 1 && d.stride != 0;
    while (moves && (taken[k] || search.sorted[k] != leaf{d.extent, magnitude(d.stride)})) ++k;
    if (moves) {
      taken[k] = true;
      integer const c = d.stride < 0 ? -search.differs[k] : search.differs[k];
      (c > 0 ? one : other) += magnitude(c) * weight;
    }
    weight *= d.extent;
  }
  return {rule::cute_two_elements,
          {smaller(one, other), larger(one, other), plain_at(leaves, one)}};
}

/// Leaves [0, count) of an ascending list whose digits overlap: the block that holds them, and how
/// many they are.
struct overlap {
  int count = 0;
  integer block = 1;
};
AXE_FN constexpr overlap overlapping(leaf_list const& sorted) {
  overlap found;
  integer below = 1;  // the block under the next digit
  integer span = 1;   // all digits so far
  for (int k = 0; k < sorted.size(); ++k) {
    span += (sorted[k].extent - 1) * sorted[k].stride;
    if (sorted[k].stride < below) {
      found = {k + 1, span};
      below = span;
    } else {
      below = sorted[k].stride * sorted[k].extent;
    }
  }
  return found;
}

AXE_FN constexpr outcome<layout> complement(leaf_list const& leaves, integer n,
                                            step_budget& steps) {
  leaf_list const sorted = by_stride(leaves);
  leaf_list done;
  overlap const tangled = overlapping(sorted);
  if (tangled.count > 0)
    if (refusal const bad = two_at_one_place(leaves, steps)) return bad;
  integer block = tangled.block;
  for (int k = tangled.count; k < sorted.size(); ++k) {
    add_coalesced(done, {sorted[k].stride / block, block});
    block = sorted[k].stride;
    if (!multiply(block, sorted[k].extent)) return refusal{rule::cute_overflows};
  }
  add_coalesced(done, {larger(ceil_divide(n, block), 1), block});
  layout result = of_leaves(done);
  if (refusal const bad = check(result)) return bad;
  return result;
}

/// Does the swizzle only permute the places before it?
AXE_FN constexpr bool keeps_its_places(layout const& l, step_budget& steps) {
  if (bit_image const image(l); image.exact) return image.keeps_its_places();
  element_search elements(l.leaves, l.offset);
  integer distinct = 1;
  for (counted_leaf const& d : elements.sorted) distinct *= d.extent;
  if (integer const n = elements.span() + 1;
      elements.least == 0 && n == distinct && n % l.swizzle.period() == 0)
    return true;
  integer const size = size_of(l);
  for (integer i = 0; i < size; ++i)
    if (elements.first_at(value_at(l, i), steps) < 0 || steps.taken > steps.allowed) return false;
  return true;
}

}  // namespace detail

AXE_FN constexpr outcome<layout> try_complement(layout const& l, integer n,
                                                step_budget steps = {}) {
  if (refusal const bad = check(l)) return bad;
  layout const plain = detail::as_plain(l);
  if (!plain.swizzle.none() && !detail::keeps_its_places(plain, steps))
    return steps.taken > steps.allowed ? steps.refusal() : refusal{rule::cute_is_composed};
  if (n < 1) return refusal{rule::extent_argument_below_one, {n}};
  return detail::complement(plain.leaves, n, steps);
}

/// n as a shape: its number of elements.
AXE_FN constexpr outcome<layout> try_complement(layout const& l, int_tuple const& shape,
                                                step_budget steps = {}) {
  outcome<layout> const whole = try_make_layout(shape);
  if (!whole) return whole;
  return try_complement(l, detail::size_of(*whole), steps);
}

AXE_FN constexpr outcome<layout> try_complement(layout const& l, step_budget steps = {}) {
  if (refusal const bad = check(l)) return bad;
  layout const plain = detail::as_plain(l);
  integer span = 1;
  for (leaf const& d : plain.leaves) span += (d.extent - 1) * detail::magnitude(d.stride);
  return try_complement(plain, span, steps);
}

AXE_FN constexpr layout complement(layout const& l, integer n, step_budget steps = {}) {
  outcome<layout> const result = try_complement(l, n, steps);
  if (!result) detail::stop_on(result.why, "complement", {});
  return *result;
}
AXE_FN constexpr layout complement(layout const& l, int_tuple const& shape,
                                   step_budget steps = {}) {
  outcome<layout> const result = try_complement(l, shape, steps);
  if (!result) detail::stop_on(result.why, "complement", {});
  return *result;
}
AXE_FN constexpr layout complement(layout const& l, step_budget steps = {}) {
  outcome<layout> const result = try_complement(l, steps);
  if (!result) detail::stop_on(result.why, "complement", {});
  return *result;
}
AXE_CUTE_LIFT(complement);

}  // namespace cute
}  // namespace AXE_NAMESPACE
}  // namespace axe
