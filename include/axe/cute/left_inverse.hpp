// left_inverse(L): from every place that L reaches back to its element: R(L(i)) = i for every i, L's leaves of stride 0 left aside.
//
//     left_inverse((4,8):(8,1))            (8,4):(4,1)
//     left_inverse(4:2)                    (2,4):(0,1)          nothing lies at 1, 3, 5
//     left_inverse((2,2):(2,3))            (2,3):(1,1)          {0, 2, 3, 5} to 0, 1, 2, 3
//     left_inverse((3,2):(0,1))            2:3                  L(R(L(i))) = L(i): copies have one element, the first
//     left_inverse((2,2):(1,1))            refused: the elements 1 and 2 are at the same place 1
//
// Where the strides divide one another: digits from stride to stride, what lies between them steps nowhere. Elsewhere the layouts with boundaries
// d1 | d2 | … below cosize are searched, fewest digits first, each a system of linear equations for its strides; CuTe refuses those. R's size is at least cosize(L).
// Refused: two elements at one place, a negative place, a swizzle or an offset, no such layout, out of steps.
// Definition: docs/algebra.md, D22.
#pragma once

#include <axe/cute/complement.hpp>
#include <axe/cute/right_inverse.hpp>

#if !defined(__CUDACC_RTC__)
#include <utility>
#endif

namespace axe::inline AXE_NAMESPACE::cute {

namespace detail {

/// A leaf that moves: its weight is what a step counts in an element's number.
struct weighted_leaf {
  leaf digit;
  integer weight = 0;
};
using weighted_list = list<weighted_leaf, capacity::shards>;

AXE_FN constexpr weighted_list by_stride_with_weights(leaf_list const& digits) {
  weighted_list sorted;
  integer weight = 1;
  for (leaf const& d : digits) {
    int at = 0;
    while (at < sorted.size() && sorted[at].digit.stride <= d.stride) ++at;
    if (d.stride != 0) sorted.insert(at, {d, weight});
    weight *= d.extent;
  }
  return sorted;
}

/// All integer solutions of the equations so far: particular + every sum of basis vectors. One equation takes at most one vector away.
struct integer_solutions {
  int unknowns = 0;
  integer particular[24]{};
  integer basis[24][24]{};
  int count = 0;

  AXE_FN constexpr explicit integer_solutions(int n) : unknowns(n), count(n) {
    for (int k = 0; k < n; ++k) basis[k][k] = 1;
  }
  AXE_FN constexpr integer times(integer const* a, integer const* r) const {
    integer sum = 0;
    for (int j = 0; j < unknowns; ++j) sum += a[j] * r[j];
    return sum;
  }
  AXE_FN constexpr void subtract(integer* from, integer const* what, integer n) const {
    for (int j = 0; j < unknowns; ++j) from[j] -= n * what[j];
  }
  /// Demands a . r = value; false when no solution is left. Euclid's steps on the basis leave one vector that a sees, by the greatest common divisor.
  AXE_FN constexpr bool add(integer const* a, integer value) {
    integer const missing = value - times(a, particular);
    int seen = -1;
    for (int k = 0; k < count; ++k) {
      integer g = times(a, basis[k]);
      if (g == 0) continue;
      if (seen < 0) {
        seen = k;
        continue;
      }
      for (integer h = times(a, basis[seen]); g != 0;) {
        subtract(basis[seen], basis[k], h / g);
        for (int j = 0; j < unknowns; ++j) {
          integer const moved = basis[seen][j];
          basis[seen][j] = basis[k][j];
          basis[k][j] = moved;
        }
        integer const rest = h % g;
        h = g;
        g = rest;
      }
    }
    if (seen < 0) return missing == 0;
    integer const step = times(a, basis[seen]);
    if (missing % step != 0) return false;
    subtract(particular, basis[seen], -(missing / step));
    --count;
    for (int j = 0; j < unknowns; ++j) basis[seen][j] = basis[count][j];
    return true;
  }
};

/// Strides r_k on boundaries 1 | b_0 | b_1 | …, with sum r_k * (digit k of L(i)) = i for all i.
struct inverse_search {
  weighted_list leaves;
  list<integer, 23> bounds{};  // where each digit but the first begins
  leaf_list found{};

  AXE_FN constexpr void digits_of(integer at, integer* into) const {
    integer begin = 1;
    for (int k = 0; k < bounds.size(); ++k) {
      into[k] = at % bounds[k] / begin;
      begin = bounds[k];
    }
    into[bounds.size()] = at / begin;
  }

  AXE_FN constexpr bool solves(integer most, step_budget& steps) {
    integer_solutions strides(bounds.size() + 1);
    integer size = 1;
    for (weighted_leaf const& w : leaves) size *= w.digit.extent;
    for (integer i = 1; i < size; ++i) {
      steps.taken += leaves.size();
      if (!steps.take()) return false;
      integer at = 0;
      integer element = 0;
      integer rest = i;
      for (weighted_leaf const& w : leaves) {
        at += rest % w.digit.extent * w.digit.stride;
        element += rest % w.digit.extent * w.weight;
        rest /= w.digit.extent;
      }
      integer digits[24]{};
      digits_of(at, digits);
      if (!strides.add(digits, element)) return false;
    }
    found.clear();
    integer begin = 1;
    for (int k = 0; k < strides.unknowns; ++k) {
      integer const end = k < bounds.size() ? bounds[k] : (most / begin + 1) * begin;
      add_coalesced(found, {end / begin, strides.particular[k]});
      begin = end;
    }
    return true;
  }

  /// `more` further boundaries, each a multiple of the one before and at most `largest`.
  AXE_FN constexpr bool search(int more, integer largest_place, step_budget& steps) {
    if (more == 0) return solves(largest_place, steps);
    integer const begin = bounds.empty() ? 1 : bounds.back();
    for (integer next = 2 * begin; next <= largest_place; next += begin) {
      if (!steps.take()) return false;
      bounds.push(next);
      if (search(more - 1, largest_place, steps)) return true;
      bounds.pop();
    }
    return false;
  }
};

AXE_FN constexpr outcome<layout> search_left_inverse(weighted_list const& leaves, step_budget& steps) {
  integer most = 0;
  for (weighted_leaf const& w : leaves) most += (w.digit.extent - 1) * w.digit.stride;
  inverse_search search{leaves};
  int most_bounds = 0;
  for (integer n = most; n > 1; n /= 2) ++most_bounds;
  for (int more = 0; more <= most_bounds && more < search.bounds.capacity; ++more) {
    if (search.search(more, most, steps)) return of_leaves(search.found);
    if (steps.taken > steps.allowed) return steps.refusal();
  }
  return refusal{rule::cute_no_left_inverse, {most}};
}

}  // namespace detail

AXE_FN constexpr outcome<layout> try_left_inverse(layout const& operand, step_budget steps = {}) {
  if (refusal const bad = check(operand); bad.which != rule::none) return bad;
  layout const l = detail::as_plain(operand);
  if (!l.swizzle.none() && l.offset == 0) {
    outcome<layout> const turned = try_right_inverse(l, steps);
    if (!turned || detail::size_of(*turned) == detail::size_of(l)) return turned;
  }
  if (!l.plain()) return refusal{rule::cute_is_composed};
  integer least = 0;
  for (leaf const& d : l.leaves) least += (d.extent - 1) * detail::smaller(d.stride, 0);
  if (least < 0) return refusal{rule::cute_negative_place, {least}};
  if (refusal const bad = detail::two_at_one_place(l.leaves, steps); bad.which != rule::none) return bad;
  detail::weighted_list const sorted = detail::by_stride_with_weights(detail::coalesced(l.leaves));
  leaf_list done;
  integer begin = 1;
  integer weight = 0;
  for (detail::weighted_leaf const& w : sorted) {
    if (w.digit.stride % begin != 0) return detail::search_left_inverse(sorted, steps);
    detail::add_coalesced(done, {w.digit.stride / begin, weight});
    begin = w.digit.stride;
    weight = w.weight;
  }
  if (!sorted.empty()) detail::add_coalesced(done, {sorted.back().digit.extent, weight});
  layout result = detail::of_leaves(done);
  if (refusal const bad = check(result); bad.which != rule::none) return bad;
  return result;
}

AXE_FN constexpr layout left_inverse(layout const& l, step_budget steps = {}) {
  outcome<layout> const result = try_left_inverse(l, steps);
  detail::stop_on(result.why, "left_inverse", {});
  return *result;
}
AXE_CUTE_LIFT(left_inverse);

}  // namespace axe::inline AXE_NAMESPACE::cute
