// A layout whose extents are powers of two and whose places do not carry, bit by bit: each bit of an element's number changes bits of its own.
//
//     Sw<1,1,2> o 0 o (4,8):(8,1)       bits of the element to places: 8, 16 ^ 4 … before the swizzle 8, 16, 1, 2, 4, behind it 8 ^ 2, 16, 1, 2, 4
//
// Such a layout is affine over F2, its swizzle included. What is asked of all its elements is asked of its bits, at any size: where they lie apart, before
// some other swizzle, they add up, and a layout is what adds up. Exact: `exact` is false where an extent is no power of two, steps carry (linear/carry.hpp
// decides that), a place is negative or 2^61 and more.
// Definition: docs/algebra.md, D18, D22.
#pragma once

#include <axe/cute/coalesce.hpp>
#include <axe/cute/layout.hpp>
#include <axe/linear/carry.hpp>

namespace axe::inline AXE_NAMESPACE::cute::detail {

/// A value of bits, one for each place or element bit.
using bit_list = list<integer, 64>;

/// g^-1 at a value, in one step where g undoes itself.
AXE_FN constexpr integer undone(axe::swizzle g, integer at) {
  return (g.S < 0 ? -g.S : g.S) >= g.B ? g(at) : g.inverse(at);
}

struct bit_image {
  bool exact = false;
  int bits = 0;           // of an element's number
  bit_word start = 0;     // the place of element 0, before the swizzle
  bit_word change[64]{};  // … by each bit of the element: no two share one; 0 where it makes copies
  axe::swizzle f{};

  AXE_FN constexpr explicit bit_image(layout const& l) : f(l.swizzle) {
    constexpr integer most = integer{1} << 61;
    interval reach;
    if (!plain_reach(l, reach) || reach.least < 0 || reach.largest >= most) return;
    bit_steps steps;
    steps.origin = l.offset;
    for (leaf const& d : l.leaves) {
      int const more = exact_log2(d.extent);
      if (more < 0 || bits + more > 61) return;
      for (int j = 0; j < more; ++j) steps.add(d.stride * (integer{1} << j), bits++);
    }
    carried image;
    if (carry_free(steps, axis::m, image).which != rule::none) return;
    start = image.start;
    for (int j = 0; j < steps.count; ++j) change[steps.input[j]] = image.changes[j];
    exact = true;
  }

  AXE_FN constexpr bit_word swizzled(bit_word place) const {
    return static_cast<bit_word>(f(static_cast<integer>(place)));
  }
  /// The first element whose place differs from that of element 0 by this, before the swizzle; -1 where there is none.
  AXE_FN constexpr integer element(bit_word difference) const {
    bit_word found = 0;
    for (int j = 0; j < bits; ++j)
      if (bit_word const here = difference & change[j]; here != 0) {
        if (here != change[j]) return -1;
        difference ^= here;
        found |= bit(j);
      }
    return difference == 0 ? static_cast<integer>(found) : -1;
  }
  /// The first element at a place.
  AXE_FN constexpr integer first_at(integer place) const {
    return element(static_cast<bit_word>(f.inverse(place)) ^ start);
  }
  /// Do bits of the element lie apart, so that their places add up?
  AXE_FN constexpr bool adds_up() const {
    bit_word taken = 0;
    for (int j = 0; j < bits; ++j) {
      bit_word const one = swizzled(change[j]);
      if ((one & taken) != 0) return false;
      taken |= one;
    }
    return true;
  }
  /// Where it adds up: the digits of the same places without a swizzle. False where they are too many.
  AXE_FN constexpr bool digits(leaf_list& found) const {
    integer const origin = static_cast<integer>(swizzled(start));
    for (int j = 0; j < bits; ++j)
      if (!add_coalesced(found, {2, (origin ^ static_cast<integer>(swizzled(change[j]))) - origin}))
        return false;
    return true;
  }
  /// Does the swizzle only permute the places before it?
  AXE_FN constexpr bool keeps_its_places() const {
    for (int j = 0; j < bits; ++j)
      if (element(swizzled(change[j])) < 0) return false;
    return element(swizzled(start) ^ start) >= 0;
  }
};

/// The elements at the places 0, 1, 2, 4, …, as far as every place below is one of an element.
struct bit_prefix {
  integer origin = -1;  // the element at place 0
  bit_list change;      // of the element, by each bit of the place

  AXE_FN constexpr explicit bit_prefix(bit_image const& image) : origin(image.first_at(0)) {
    while (origin >= 0 && change.size() < 62) {
      integer const one = image.element(static_cast<bit_word>(image.f.inverse(integer{1} << change.size())));
      if (one < 0) break;
      change.push(one);
    }
  }
  AXE_FN constexpr integer places() const { return origin < 0 ? 0 : integer{1} << change.size(); }

  /// What the elements are behind g, as digits: 2^`bits` places are the longest such list that is made of bits.
  struct digits {
    int bits = 0;
    bool goes_on = false;   // perhaps the last digit reaches into the next bit
    bool too_many = false;  // for a layout
    integer origin = 0;
    leaf_list leaves;
  };
  AXE_FN constexpr digits behind(axe::swizzle g) const {
    digits found;
    found.origin = undone(g, origin);
    integer taken = 0;
    bit_list steps;
    for (integer one : change) {
      integer const moved = undone(g, one);
      integer const step = (found.origin ^ moved) - found.origin;
      if ((moved & taken) != 0) {
        // The next place whose digits do not add up is a power of two further; it must not lie inside the last digit's own steps.
        int last = found.bits - 1;
        while (last > 0 && steps[last] == 2 * steps[last - 1]) --last;
        found.goes_on = found.bits > 0 && step == 2 * steps[found.bits - 1];
        for (int k = 0; k < last; ++k) found.goes_on = found.goes_on && (undone(g, change[k]) & moved) == 0;
        break;
      }
      taken |= moved;
      steps.push(step);
      if (!add_coalesced(found.leaves, {2, step})) found.too_many = true;
      ++found.bits;
    }
    return found;
  }
};

}  // namespace axe::inline AXE_NAMESPACE::cute::detail
