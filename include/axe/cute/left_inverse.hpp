// left_inverse(L): from every place that L reaches back to its element: R(L(i)) = i for every i, L's leaves of stride 0 left aside.
//
//     left_inverse((4,8):(8,1))            (8,4):(4,1)
//     left_inverse(4:2)                    (2,4):(0,1)          nothing lies at 1, 3, 5
//     left_inverse((2,2):(2,3))            (2,3):(1,1)          {0, 2, 3, 5} to 0, 1, 2, 3
//     left_inverse((3,2):(0,1))            2:3                  L(R(L(i))) = L(i): copies have one element, the first
//     left_inverse((2,2):(1,1))            refused: the elements 1 and 2 are at the same place 1
//
//     left_inverse(Sw<0,0,1> o 8 o 4:1)    Sw<0,0,1> o -8 o 12:1
//     left_inverse(Sw<1,2,2> o 0 o (4,8):(8,1))         Sw<1,0,-2> o 0 o (8,4):(4,1)
//
// Where the strides divide one another: digits from stride to stride, what lies between them steps nowhere; an offset that carries into none of them is taken
// off. Elsewhere the layouts with boundaries d1 | d2 | … below cosize are searched, fewest digits first, each a system of linear equations for its strides; CuTe
// refuses those. A swizzled L that reaches every place below its size has its right inverse; of others, all layouts are searched, behind no swizzle or, where L
// has one, behind any that reads and writes bits of the elements, in binary digits first. R's size is at least cosize(L).
// Refused: two elements at one place, a negative place, no such layout, out of steps.
// Definition: docs/algebra.md, D22.
#pragma once

#include <axe/cute/complement.hpp>
#include <axe/cute/composition.hpp>
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
  static constexpr int most = 26;
  int unknowns = 0;
  integer particular[most]{};
  integer basis[most][most]{};
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

/// Strides r_k on boundaries 1 | b_0 | b_1 | …, and a start where L has one, with start + sum r_k * (digit k of L(i)) = g^-1(i) for all i.
struct inverse_search {
  weighted_list leaves;
  layout like{};                                        // its swizzle and offset
  list<integer, integer_solutions::most - 2> bounds{};  // where each digit but the first begins
  axe::swizzle g{};
  leaf_list found{};
  integer start = 0;

  AXE_FN constexpr void digits_of(integer at, integer* into) const {
    integer begin = 1;
    for (int k = 0; k < bounds.size(); ++k) {
      into[k] = at % bounds[k] / begin;
      begin = bounds[k];
    }
    into[bounds.size()] = at / begin;
  }

  /// The equation of the i-th element that the leaves count.
  AXE_FN constexpr bool demand(integer_solutions& strides, integer i) const {
    integer at = like.offset;
    integer element = 0;
    for (weighted_leaf const& w : leaves) {
      at += i % w.digit.extent * w.digit.stride;
      element += i % w.digit.extent * w.weight;
      i /= w.digit.extent;
    }
    integer digits[integer_solutions::most]{};
    digits_of(like.swizzle(at), digits);
    digits[bounds.size() + 1] = 1;
    return strides.add(digits, g.inverse(element));
  }

  AXE_FN constexpr bool solves(integer most, step_budget& steps) {
    integer_solutions strides(bounds.size() + (like.plain() ? 1 : 2));
    integer size = 1;
    for (weighted_leaf const& w : leaves) size *= w.digit.extent;
    if (!like.plain() && !demand(strides, 0)) return false;
    // Two bits of the element at a time show soonest that a swizzle does not add up.
    for (integer one = 1; !like.swizzle.none() && one < size; one *= 2)
      for (integer other = one; other > 0; other /= 2) {
        steps.taken += leaves.size();
        if (!steps.take()) return false;
        integer const i = other == one ? one : one + other;
        if (i < size && !demand(strides, i)) return false;
      }
    for (integer i = 1; i < size; ++i) {
      steps.taken += leaves.size();
      if (!steps.take() || !demand(strides, i)) return false;
    }
    found.clear();
    start = like.plain() ? 0 : strides.particular[bounds.size() + 1];
    integer begin = 1;
    for (int k = 0; k <= bounds.size(); ++k) {
      integer const end = k < bounds.size() ? bounds[k] : (most / begin + 1) * begin;
      add_coalesced(found, {end / begin, strides.particular[k]});
      begin = end;
    }
    return true;
  }

  /// Behind some swizzle.
  AXE_FN constexpr bool solves_behind(integer most, step_budget& steps) {
    integer size = 1;
    for (weighted_leaf const& w : leaves) size = larger(size, w.weight * w.digit.extent);
    return each_swizzle(like.swizzle, log2_of(size),
                        [&](axe::swizzle const& behind) {
                          g = behind;
                          return solves(most, steps) || steps.taken > steps.allowed;
                        }) &&
           steps.taken <= steps.allowed;
  }

  /// All lists of boundaries that no further one fits between: what solves a shorter list solves them.
  AXE_FN constexpr bool search_all(integer largest_place, step_budget& steps) {
    integer const begin = bounds.empty() ? 1 : bounds.back();
    if (2 * begin > largest_place) return solves_behind(largest_place, steps);
    for (integer by = 2; by * begin <= largest_place; ++by) {
      bool prime = true;
      for (integer n = 2; n * n <= by; ++n) prime = prime && by % n != 0;
      if (!prime) continue;
      if (!bounds.push(by * begin)) steps.taken = steps.allowed;
      if (!steps.take()) return false;
      if (search_all(largest_place, steps)) return true;
      bounds.pop();
    }
    return false;
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

/// Strides that divide one another: digits from stride to stride. False where they do not.
AXE_FN constexpr bool nested_left_inverse(weighted_list const& sorted, integer offset, leaf_list& done) {
  integer begin = 1;
  integer weight = 0;
  for (weighted_leaf const& w : sorted) {
    if (w.digit.stride % begin != 0) return false;
    add_coalesced(done, {w.digit.stride / begin, weight});
    begin = w.digit.stride;
    weight = w.weight;
  }
  integer const extent = sorted.empty() ? 1 : sorted.back().digit.extent;
  add_coalesced(done, {extent + offset / begin, weight});
  return true;
}

/// Does no digit of the offset carry when the layout's are added?
AXE_FN constexpr bool keeps_digits(weighted_list const& sorted, integer offset) {
  for (int k = 0; k + 1 < sorted.size(); ++k) {
    integer const in_digit = offset % sorted[k + 1].digit.stride / sorted[k].digit.stride;
    if ((in_digit + sorted[k].digit.extent - 1) * sorted[k].digit.stride >= sorted[k + 1].digit.stride)
      return false;
  }
  return sorted.empty() || sorted[0].digit.stride > 0;
}

/// Of a layout behind a swizzle or an offset, its places 0 to `most`.
AXE_FN constexpr outcome<layout> left_inverse_behind(layout const& l, integer most, step_budget steps) {
  weighted_list const sorted = by_stride_with_weights(coalesced(l.leaves));
  layout result;
  if (leaf_list done;
      l.swizzle.none() && keeps_digits(sorted, l.offset) && nested_left_inverse(sorted, l.offset, done)) {
    result = of_leaves(done);
    result.offset = -plain_at(done, l.offset);
  } else {
    integer distinct = 1;
    for (weighted_leaf const& w : sorted) distinct *= w.digit.extent;
    outcome<layout> const right = try_right_inverse(l, steps);
    if (right && size_of(*right) == distinct) return right;
    inverse_search search{sorted, l};
    if (!search.search_all(most, steps))
      return steps.taken > steps.allowed ? steps.refusal() : refusal{rule::cute_no_left_inverse, {most}};
    result = of_leaves(search.found);
    result.swizzle = search.g;
    result.offset = search.start;
  }
  if (refusal const bad = check(result); bad.which != rule::none) return bad;
  return result;
}

}  // namespace detail

AXE_FN constexpr outcome<layout> try_left_inverse(layout const& operand, step_budget steps = {}) {
  if (refusal const bad = check(operand); bad.which != rule::none) return bad;
  layout const l = detail::as_plain(operand);
  outcome<detail::interval> const reached = detail::reach(l);
  if (!reached) return reached.why;
  if (reached->least < 0) return refusal{rule::cute_negative_place, {reached->least}};
  if (refusal bad = detail::two_at_one_place(l.leaves, steps); bad.which != rule::none) {
    if (bad.which == rule::cute_two_elements) bad.numbers[2] = detail::value_at(l, bad.numbers[0]);
    return bad;
  }
  if (!l.plain()) return detail::left_inverse_behind(l, reached->largest, steps);
  detail::weighted_list const sorted = detail::by_stride_with_weights(detail::coalesced(l.leaves));
  leaf_list done;
  if (!detail::nested_left_inverse(sorted, 0, done)) return detail::search_left_inverse(sorted, steps);
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
