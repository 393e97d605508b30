// The layout of given modes that has given places, behind whichever swizzle there is one: what an
// operation gives where a swizzle stands in its way.
//
//     places 0 2 4 6 8 10 12 14, modes (2,4)              (2,4):(2,4)
//     places 0 1 3 2 4 5 7 6, modes (4,2)                 Sw<1,0,1> o 0 o (4,2):(1,4)
//
// A source names its modes by a profile and an extent for each leaf, and the place of each element.
// Each leaf must be a digit list of its own, behind one swizzle for all, and they must add up:
// every element is compared, or every bit where the places are sums of bits.
// Definition: docs/algebra.md, D22.
#pragma once

#include <axe/cute/bit_image.hpp>
#include <axe/cute/element_at.hpp>
#include <axe/engine/fit_digits.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace cute {
namespace detail {

/// One leaf of a source's places before g, as a function for the table method.
template <class Source> struct leaf_before {
  Source const* source;
  axe::swizzle g;
  integer weight = 1;

  static constexpr bool of_operand = false;
  AXE_FN constexpr int cost() const { return source->cost(); }
  AXE_FN constexpr integer element(integer c) const { return c * weight; }
  AXE_FN constexpr place operator()(integer c) const {
    place p;
    p.terms.push({g.inverse(source->at(c * weight)), axis::m});
    return p;
  }
};

template <class Source>
AXE_FN constexpr bool modes_behind(Source const& source, axe::swizzle g, layout& done,
                                   step_budget& steps) {
  done = {};
  done.swizzle = g;
  done.offset = g.inverse(source.at(0));
  integer weight = 1;
  int next = 0;
  for (int node : source.profile()) {
    if (node != leaf_node) {
      add_group(done, node);
      continue;
    }
    integer const extent = source.extent(next++);
    outcome<iter_list> const found =
        fit_digits(leaf_before<Source>{&source, g, weight}, extent, steps);
    if (!found) return false;
    leaf_list digits;
    for (int k = found->size() - 1; k >= 0; --k)
      digits.push({(*found)[k].extent, (*found)[k].stride});
    add_mode(done, digits);
    weight *= extent;
  }
  for (integer j = 0; j < weight; ++j) {
    steps.taken += source.cost();
    if (!steps.take() || value_at(done, j) != source.at(j)) return false;
  }
  return done.flaw == flaw::none;
}

/// The layout of the source's modes and places, `largest` the largest of them: behind no swizzle,
/// `like`, or another. False where there is none, or out of steps.
template <class Source>
AXE_FN constexpr bool modes_behind_any(Source const& source, axe::swizzle like, integer largest,
                                       layout& done, step_budget& steps) {
  return each_swizzle(like, log2_of(largest + 1),
                      [&](axe::swizzle const& g) {
                        return modes_behind(source, g, done, steps) || steps.taken > steps.allowed;
                      }) &&
         steps.taken <= steps.allowed && !check(done);
}

/// The same of a source whose extents are powers of two and whose places are sums mod 2: its digits
/// are powers of two then, and they add up where no two bits change one.
template <class Source>
AXE_FN constexpr bool bits_behind_any(Source const& source, bit_places const& places,
                                      axe::swizzle like, integer largest, layout& done) {
  return each_swizzle(like, log2_of(largest + 1), [&](axe::swizzle const& g) {
    integer const origin = undone(g, static_cast<integer>(places.start));
    integer taken = 0;
    int bit = 0;
    int next = 0;
    done = {};
    done.swizzle = g;
    done.offset = origin;
    for (int node : source.profile()) {
      if (node != leaf_node) {
        add_group(done, node);
        continue;
      }
      leaf_list digits;
      for (integer extent = source.extent(next++); extent > 1; extent /= 2) {
        integer const one = undone(g, places.change[bit++]);
        if ((taken & one) != 0 || !add_coalesced(digits, {2, (origin ^ one) - origin}))
          return false;
        taken |= one;
      }
      add_mode(done, digits);
    }
    return !check(done);
  });
}

/// Two layouts side by side as the modes of one, each with a swizzle of its own, and one around
/// both: outer(offset + A(i) + B(j)).
struct two_halves {
  layout const& first;
  layout const& second;
  axe::swizzle outer{};
  integer offset = 0;

  AXE_FN constexpr cute::profile profile() const {
    layout both;
    add_group(both, 2);
    add_all(both, first);
    add_all(both, second);
    return both.profile;
  }
  AXE_FN constexpr int cost() const { return first.leaves.size() + second.leaves.size() + 1; }
  AXE_FN constexpr integer extent(int k) const {
    int const own = first.leaves.size();
    return k < own ? first.leaves[k].extent : second.leaves[k - own].extent;
  }
  AXE_FN constexpr integer at(integer i) const {
    integer const size = size_of(first);
    return outer(offset + value_at(first, i % size) + value_at(second, i / size));
  }

  /// Does every step of l, and where it begins, leave the swizzle alone: f(x + step) = f(x) + step?
  AXE_FN static constexpr bool passes(layout const& l, axe::swizzle f) {
    bool whole = l.offset % f.period() == 0;
    for (leaf const& d : l.leaves) whole = whole && (d.extent == 1 || d.stride % f.period() == 0);
    return whole;
  }
  /// Does l keep below all that the swizzled half moves?
  AXE_FN static constexpr bool fits_below(layout const& l, layout const& swizzled) {
    integer unit = integer{1} << swizzled.swizzle.M;
    unit = greatest_common_divisor(unit, magnitude(swizzled.offset));
    for (leaf const& d : swizzled.leaves)
      if (d.extent > 1) unit = greatest_common_divisor(unit, magnitude(d.stride));
    interval reached;
    return plain_reach(l, reached) && reached.least >= 0 && reached.largest < unit;
  }
};

/// Both halves as one layout, their modes (A, B). Refused: no layout has these places, out of
/// steps.
AXE_FN constexpr outcome<layout> side_by_side(two_halves const& halves, step_budget& steps) {
  layout const& a = halves.first;
  layout const& b = halves.second;
  layout both;
  add_group(both, 2);
  add_all(both, a);
  add_all(both, b);
  both.offset = halves.offset + a.offset + b.offset;
  both.swizzle = halves.outer;
  bool const plain = a.swizzle.none() && b.swizzle.none();
  bool const one =
      halves.outer.none() && halves.offset == 0 && a.swizzle.none() != b.swizzle.none();
  layout const& swizzled = a.swizzle.none() ? b : a;
  layout const& other = a.swizzle.none() ? a : b;
  if (one &&
      (two_halves::passes(other, swizzled.swizzle) || two_halves::fits_below(other, swizzled))) {
    both.swizzle = swizzled.swizzle;
  } else if (!plain) {
    integer largest = 0;
    for (integer i = 0, size = size_of(both); i < size; ++i) {
      steps.taken += halves.cost();
      if (!steps.take()) return steps.refusal();
      largest = larger(largest, magnitude(halves.at(i)));
    }
    bool const found = modes_behind_any(halves, swizzled.swizzle, largest, both, steps);
    if (steps.taken > steps.allowed) return steps.refusal();
    if (!found) return refusal{rule::cute_is_composed};
  }
  if (refusal const bad = check(both)) return bad;
  return both;
}

}  // namespace detail
}  // namespace cute
}  // namespace AXE_NAMESPACE
}  // namespace axe
