// The layouts that take given places to given elements: boundaries of digits 1 | b0 | b1 | …, strides that solve linear equations, behind a swizzle where L has one.
//
//     places 0 2 3 5 to 0 1 2 3         boundaries 1 | 2: r0 * 0 + r1 * 1 = 1, r0 * 1 + r1 * 1 = 2, …: (2,3):(1,1)
//
// A plain L is asked first for one boundary at one of its strides. Then, for every swizzle, boundaries by prime factors, one after another, two first. Places
// between two multiples of a boundary differ in the digits below it alone, so that most lists of boundaries end at their first factor: the differences of the
// least places have no strides. What is found so is then asked of every place.
// Definition: docs/algebra.md, D22.
#pragma once

#include <axe/cute/element_at.hpp>
#include <axe/cute/right_inverse.hpp>

namespace axe::inline AXE_NAMESPACE::cute::detail {

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

/// How many numbers the elements have, copies but the first left out.
AXE_FN constexpr integer elements_of(weighted_list const& leaves) {
  integer most = 1;
  for (weighted_leaf const& w : leaves) most = larger(most, w.weight * w.digit.extent);
  return most;
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
  /// sum += a * b; where 64 bits do not hold it the search has no answer, and its steps end.
  AXE_FN static constexpr void accumulate(integer& sum, integer a, integer b, step_budget& steps) {
    // Most are so small that no division is needed to know that all fits.
    using word = axe::detail::stl::uint64_t;
    constexpr word small = 1 << 28;
    if (((static_cast<word>(a) + small) | (static_cast<word>(b) + small)) < 2 * small &&
        sum >> 61 == sum >> 63) {
      sum += a * b;
      return;
    }
    if (!axe::detail::add_product(sum, a, b) || sum == axe::detail::smallest)
      steps.end();  // it has no quotient by -1
  }
  AXE_FN constexpr integer times(integer const* a, integer const* r, step_budget& steps) const {
    integer sum = 0;
    for (int j = 0; j < unknowns; ++j)
      if (a[j] != 0 && r[j] != 0) accumulate(sum, a[j], r[j], steps);
    return sum;
  }
  /// One more unknown, of which nothing is known.
  AXE_FN constexpr void grow() {
    for (int j = 0; j < most; ++j) basis[count][j] = j == unknowns;
    ++count;
    ++unknowns;
  }
  AXE_FN constexpr void subtract(integer* from, integer const* what, integer n, step_budget& steps) const {
    for (int j = 0; j < unknowns; ++j)
      if (what[j] != 0) accumulate(from[j], -n, what[j], steps);
  }
  /// Demands a . r = value; false when no solution is left, or no step. Euclid's steps on the basis leave one vector that a sees, by the greatest common divisor.
  AXE_FN constexpr bool add(integer const* a, integer value, step_budget& steps) {
    // What an equation takes clang of its million steps in a constant expression.
    if (__builtin_is_constant_evaluated()) steps.taken += 2 + unknowns;
    integer missing = value;
    accumulate(missing, -1, times(a, particular, steps), steps);
    int seen = -1;
    for (int k = 0; k < count; ++k) {
      integer g = times(a, basis[k], steps);
      if (g == 0) continue;
      if (seen < 0) {
        seen = k;
        continue;
      }
      for (integer h = times(a, basis[seen], steps); g != 0 && steps.taken <= steps.allowed;) {
        subtract(basis[seen], basis[k], h / g, steps);
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
    if (seen < 0 || steps.taken > steps.allowed) return missing == 0 && steps.taken <= steps.allowed;
    integer const step = times(a, basis[seen], steps);
    if (steps.taken > steps.allowed || missing % step != 0) return false;
    subtract(particular, basis[seen], -(missing / step), steps);
    --count;
    for (int j = 0; j < unknowns; ++j) basis[seen][j] = basis[count][j];
    return steps.taken <= steps.allowed;
  }
};

/// Strides r_k on boundaries 1 | b_0 | b_1 | …, and a start where L has one, with start + sum r_k * (digit k of L(i)) = g^-1(i) for all i.
struct inverse_search {
  struct known_place {
    integer place = 0;
    integer element = 0;
  };
  weighted_list leaves;
  layout like;                                          // its swizzle and offset
  integer most;                                         // the largest place
  list<known_place, 256> known{};                       // the least places that have elements
  list<integer, integer_solutions::most - 2> bounds{};  // where each digit but the first begins
  axe::swizzle g{};
  layout found{};
  bool left_out = false;  // a list had more boundaries than there is room for

  AXE_FN constexpr inverse_search(weighted_list const& sorted, layout const& l, integer largest_place)
      : leaves(sorted), like(l), most(largest_place) {}

  AXE_FN constexpr void digits_of(integer at, integer* into) const {
    integer begin = 1;
    for (int k = 0; k < bounds.size(); ++k) {
      into[k] = at % bounds[k] / begin;
      begin = bounds[k];
    }
    into[bounds.size()] = at / begin;
  }

  /// The equation of the i-th element that the leaves count.
  AXE_FN constexpr bool demand(integer_solutions& strides, integer i, step_budget& steps) const {
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
    return strides.add(digits, g.inverse(element), steps);
  }

  AXE_FN constexpr bool solves(step_budget& steps) {
    integer_solutions strides(bounds.size() + (like.plain() ? 1 : 2));
    integer size = 1;
    for (weighted_leaf const& w : leaves) size *= w.digit.extent;
    if (!like.plain() && !demand(strides, 0, steps)) return false;
    // Two bits of the element at a time show soonest that a swizzle does not add up.
    for (integer one = 1; !like.swizzle.none() && one < size; one *= 2)
      for (integer other = one; other > 0; other /= 2) {
        steps.taken += leaves.size();
        if (!steps.take()) return false;
        integer const i = other == one ? one : one + other;
        if (i < size && !demand(strides, i, steps)) return false;
      }
    for (integer i = 1; i < size; ++i) {
      steps.taken += leaves.size();
      if (!steps.take() || !demand(strides, i, steps)) return false;
    }
    leaf_list digits;
    bool too_many = false;
    integer begin = 1;
    for (int k = 0; k <= bounds.size(); ++k) {
      integer const end = k < bounds.size() ? bounds[k] : (most / begin + 1) * begin;
      if (!add_coalesced(digits, {end / begin, strides.particular[k]})) too_many = true;
      begin = end;
    }
    if (!digits.empty()) {
      begin /= digits.back().extent;  // the last digit need not go on behind the last place
      digits.back().extent = most / begin + 1;
    }
    found = layout_behind(g, like.plain() ? 0 : strides.particular[bounds.size() + 1], digits, too_many);
    return true;
  }

  AXE_FN constexpr void look(integer least, step_budget& steps) {
    element_search elements(like.leaves, like.offset);
    for (integer p = least; p <= most && p < least + 2048 && known.size() < known.capacity; ++p) {
      integer const e = elements.first_at(like.swizzle.inverse(p), steps);
      if (steps.taken > steps.allowed) return;
      if (e >= 0) known.push({p, e});
    }
  }

  /// What a digit from `begin` on, its stride the last of `strides`, demands of two known places that follow each other in one block of it.
  AXE_FN constexpr bool meets(integer_solutions& strides, int k, integer begin, step_budget& steps) const {
    integer const one = known[k - 1].place;
    integer const other = known[k].place;
    steps.taken += 1 + strides.unknowns / 4;
    integer digits[integer_solutions::most]{};
    integer below = 1;
    for (int j = 0; j < bounds.size(); ++j) {
      digits[j] = other % bounds[j] / below - one % bounds[j] / below;
      below = bounds[j];
    }
    digits[bounds.size()] = other / begin - one / begin;
    return strides.add(digits, g.inverse(known[k].element) - g.inverse(known[k - 1].element), steps);
  }
  /// Is there a known place that refutes every such digit that ends at `end`?
  AXE_FN constexpr bool refuted(integer_solutions& strides, integer begin, integer end,
                                step_budget& steps) const {
    for (int k = 1; k < known.size() && steps.taken <= steps.allowed; ++k) {
      integer const one = known[k - 1].place;
      integer const other = known[k].place;
      steps.taken += k % 4 == 0;
      if (one / end != other / end || one / begin == other / begin) continue;
      if (!meets(strides, k, begin, steps)) return true;
    }
    return false;
  }
  /// Places that cannot lie in one block of a digit, `from` to `to`: a multiple of its end comes between them.
  struct conflict {
    integer from = 0;
    integer to = 0;

    AXE_FN constexpr bool inside_one(integer end) const { return from / end == to / end; }
  };
  /// The first that the known places from the k-th on make, as short as it ends there; k becomes its last. False where there is none.
  AXE_FN constexpr bool breaks(integer_solutions const& fresh, int& k, integer begin, conflict& made,
                               step_budget& steps) const {
    auto const apart = [&](int at) { return known[at - 1].place / begin != known[at].place / begin; };
    integer_solutions strides = fresh;
    while (++k < known.size() && steps.taken <= steps.allowed) {
      if (!apart(k) || meets(strides, k, begin, steps)) continue;
      int first = k;
      for (strides = fresh; !apart(first) || meets(strides, first, begin, steps);) --first;
      made = {known[first - 1].place, known[k].place};
      return true;
    }
    return false;
  }

  /// Every further list of boundaries that no other one fits between: what solves a shorter list solves them.
  AXE_FN constexpr bool refine(integer_solutions const& known_strides, step_budget& steps) {
    integer const begin = bounds.empty() ? 1 : bounds.back();
    integer_solutions fresh = known_strides;
    fresh.grow();
    steps.taken += 4;
    conflict one;
    conflict other;
    integer farthest = most;  // where each block holds one of two conflicts
    if (int k = 0; breaks(fresh, k, begin, one, steps)) {
      if (2 * begin > most) return false;
      if (!breaks(fresh, k, begin, other, steps))
        other = one;
      else
        farthest = smaller(most, other.to - one.from);
    }
    if (steps.taken > steps.allowed) return false;
    if (2 * begin > most) return solves(steps);
    for (integer by = 2; by * begin <= farthest; ++by) {
      bool prime = true;
      for (integer n = 2; n * n <= by; ++n) prime = prime && by % n != 0;
      if (!prime) continue;
      if (!steps.take()) return false;
      integer const end = by * begin;
      if (one.to > 0 && (one.inside_one(end) || other.inside_one(end))) continue;
      integer_solutions strides = fresh;
      if (refuted(strides, begin, end, steps)) continue;
      if (steps.taken > steps.allowed) return false;
      if (!bounds.push(end)) {
        left_out = true;
        continue;
      }
      if (refine(strides, steps)) return true;
      bounds.pop();
    }
    return false;
  }

  /// One boundary, at a stride of L or a divisor of it, no less than a 64th: many plain layouts with wide strides have an inverse so.
  AXE_FN constexpr bool one_boundary(step_budget& steps) {
    for (weighted_leaf const& w : leaves)
      for (integer part = 1, stride = magnitude(w.digit.stride); part <= 64 && part < stride; ++part) {
        if (stride % part != 0 || stride / part > most) continue;
        bounds.clear();
        bounds.push(stride / part);
        if (!steps.take()) return false;
        if (solves(steps)) return true;
      }
    bounds.clear();
    return false;
  }

  /// Behind some swizzle; `can_begin` says quickly of most that there is none.
  template <class CanBegin>
  AXE_FN constexpr bool find(int element_bits, CanBegin const& can_begin, step_budget& steps) {
    return each_swizzle(like.swizzle, element_bits,
                        [&](axe::swizzle const& behind) {
                          g = behind;
                          bounds.clear();
                          return !steps.take() || (like.plain() && g.none() && one_boundary(steps)) ||
                                 (can_begin(behind) && refine(integer_solutions(0), steps)) ||
                                 steps.taken > steps.allowed;
                        }) &&
           steps.taken <= steps.allowed;
  }
};

}  // namespace axe::inline AXE_NAMESPACE::cute::detail
