// The layouts that take given places to given elements: boundaries of digits 1 | b0 | b1 | …,
// strides that solve linear equations, behind a swizzle where L has one.
//
//     places 0 2 3 5 to 0 1 2 3         boundaries 1 | 2: r0 * 0 + r1 * 1 = 1, r0 * 1 + r1 * 1 = 2, …: (2,3):(1,1)
//
// For every swizzle, boundaries by prime factors, one after another, two first. Places between two
// multiples of a boundary differ in the digits below it alone, so that most lists of boundaries end
// at their first factor: the differences of the least places have no strides. What is found so is
// then asked of every place.
// Definition: docs/algebra.md, D22.
#pragma once

#include <axe/cute/boundaries.hpp>
#include <axe/cute/element_at.hpp>
#include <axe/cute/integer_solutions.hpp>
#include <axe/cute/right_inverse.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace cute {
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

/// How many numbers the elements have, copies but the first left out.
AXE_FN constexpr integer elements_of(weighted_list const& leaves) {
  integer most = 1;
  for (weighted_leaf const& w : leaves) most = larger(most, w.weight * w.digit.extent);
  return most;
}

/// Strides r_k on boundaries 1 | b_0 | b_1 | …, and a start where L has one, with start + sum r_k *
/// (digit k of L(i)) = g^-1(i) for all i.
struct inverse_search {
  struct known_place {
    integer place = 0;
    integer element = 0;
  };
  weighted_list leaves;
  layout like;                     // its swizzle and offset
  integer most;                    // the largest place
  list<known_place, 256> known{};  // the least places that have elements
  boundaries bounds{};
  axe::swizzle g{};
  layout found{};
  bool left_out = false;  // a list had more boundaries, or larger numbers, than there is room for

  AXE_FN constexpr inverse_search(weighted_list const& sorted, layout const& l,
                                  integer largest_place)
      : leaves(sorted), like(l), most(largest_place) {}

  /// Demands digits . r = value of the strides. Where 64 bits do not hold what that makes, a list
  /// of boundaries is left out.
  AXE_FN constexpr bool holds(integer_solutions& strides, integer const* digits, integer value,
                              step_budget& steps) {
    bool const held = strides.add(digits, value, steps);
    left_out = left_out || !strides.fits;
    return held;
  }

  AXE_FN constexpr integer distinct() const {
    integer size = 1;
    for (weighted_leaf const& w : leaves) size *= w.digit.extent;
    return size;
  }
  /// The i-th element that the leaves count.
  AXE_FN constexpr known_place counted(integer i) const {
    known_place one{like.offset, 0};
    for (weighted_leaf const& w : leaves) {
      one.place += i % w.digit.extent * w.digit.stride;
      one.element += i % w.digit.extent * w.weight;
      i /= w.digit.extent;
    }
    one.place = like.swizzle(one.place);
    return one;
  }
  /// Its equation.
  AXE_FN constexpr bool demand(integer_solutions& strides, integer i, step_budget& steps) {
    known_place const one = counted(i);
    integer digits[integer_solutions::most]{};
    bounds.digits_of(one.place, digits);
    digits[bounds.size() + 1] = 1;
    return holds(strides, digits, g.inverse(one.element), steps);
  }

  AXE_FN constexpr bool solves(step_budget& steps) {
    integer_solutions strides(bounds.size() + (like.plain() ? 1 : 2));
    integer const size = distinct();
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
    bool const too_many = !bounds.leaves(strides.particular, most, digits);
    found = layout_behind(g, like.plain() ? 0 : strides.particular[bounds.size() + 1], digits,
                          too_many);
    if (!check(found)) return true;
    left_out = true;
    return false;
  }

  /// The least places: by asking the first 2048 of them, or each element where less than one place
  /// in eight has one.
  AXE_FN constexpr void look(integer least, step_budget& steps) {
    integer const size = distinct();
    if (size <= 4096 && (most - least) / 8 > size) {
      for (integer i = 0; i < size && steps.taken <= steps.allowed; ++i) know(counted(i), steps);
      return;
    }
    element_search elements(like.leaves, like.offset);
    for (integer p = least; p <= most && p < least + 2048 && known.size() < known.capacity; ++p) {
      integer const e = elements.first_at(like.swizzle.inverse(p), steps);
      if (steps.taken > steps.allowed) return;
      if (e >= 0) known.push({p, e});
    }
  }
  /// Of sparse places fewer where each of many swizzles asks them all: with 64 most is decided in a
  /// given number of steps.
  AXE_FN constexpr void know(known_place const& one, step_budget& steps) {
    int const room = like.swizzle.none() ? known.capacity : 64;
    steps.taken += leaves.size();
    if (known.size() == room) {
      if (one.place > known.back().place) return;
      known.pop();
    }
    int at = known.size();
    while (at > 0 && known[at - 1].place > one.place) --at;
    steps.taken += (known.size() - at) / 8;
    known.insert(at, one);
  }

  /// What a digit from `begin` on, its stride the last of `strides`, demands of two known places
  /// that follow each other in one block of it.
  AXE_FN constexpr bool meets(integer_solutions& strides, int k, integer begin,
                              step_budget& steps) {
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
    return holds(strides, digits, g.inverse(known[k].element) - g.inverse(known[k - 1].element),
                 steps);
  }
  /// Is there a known place that refutes every such digit that ends at `end`?
  AXE_FN constexpr bool refuted(integer_solutions& strides, integer begin, integer end,
                                step_budget& steps) {
    for (int k = 1; k < known.size() && steps.taken <= steps.allowed; ++k) {
      integer const one = known[k - 1].place;
      integer const other = known[k].place;
      steps.taken += k % 4 == 0;
      if (one / end != other / end || one / begin == other / begin) continue;
      if (!meets(strides, k, begin, steps)) return true;
    }
    return false;
  }
  /// Places that cannot lie in one block of a digit, `from` to `to`: a multiple of its end comes
  /// between them.
  struct conflict {
    integer from = 0;
    integer to = 0;

    AXE_FN constexpr bool inside_one(integer end) const { return from / end == to / end; }
  };
  /// The first that the known places from the k-th on make, as short as it ends there; k becomes
  /// its last. False where there is none.
  AXE_FN constexpr bool breaks(integer_solutions const& fresh, int& k, integer begin,
                               conflict& made, step_budget& steps) {
    auto const apart = [&](int at) {
      return known[at - 1].place / begin != known[at].place / begin;
    };
    integer_solutions strides = fresh;
    while (++k < known.size() && steps.taken <= steps.allowed) {
      if (!apart(k) || meets(strides, k, begin, steps)) continue;
      int first = k;
      for (strides = fresh; first > 1 && (!apart(first) || meets(strides, first, begin, steps));)
        --first;
      made = {known[first - 1].place, known[k].place};
      return true;
    }
    return false;
  }

  /// Every further list of boundaries that no other one fits between: what solves a shorter list
  /// solves them.
  AXE_FN constexpr bool refine(integer_solutions const& known_strides, step_budget& steps) {
    integer const begin = bounds.last();
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
    } else if ((known.size() == distinct() || 2 * begin > most) && solves(steps)) {
      return true;  // all places are known, or no boundary is left
    }
    if (steps.taken > steps.allowed || 2 * begin > most) return false;
    for (integer by = 2; by * begin <= farthest; ++by) {
      integer factor = 2;
      while (factor * factor <= by && by % factor != 0) ++factor;
      steps.taken += factor / 16;
      if (factor * factor <= by) continue;
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

  /// Behind some swizzle; `can_begin` says quickly of most that there is none.
  template <class CanBegin>
  AXE_FN constexpr bool find(int element_bits, CanBegin const& can_begin, step_budget& steps) {
    return each_swizzle(like.swizzle, element_bits,
                        [&](axe::swizzle const& behind) {
                          g = behind;
                          bounds.clear();
                          return !steps.take() ||
                                 (can_begin(behind) && refine(integer_solutions(0), steps)) ||
                                 steps.taken > steps.allowed;
                        }) &&
           steps.taken <= steps.allowed;
  }
};

}  // namespace detail
}  // namespace cute
}  // namespace AXE_NAMESPACE
}  // namespace axe
