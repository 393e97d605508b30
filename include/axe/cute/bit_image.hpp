// A layout whose extents are powers of two and whose places do not carry, bit by bit: each bit of
// an element's number changes bits of its own.
//
//     Sw<1,1,2> o 0 o (4,8):(8,1)       bits of the element to places: 8, 16 ^ 4 … before the swizzle 8, 16, 1, 2, 4, behind it 8 ^ 2, 16, 1, 2, 4
//
// Such a layout is affine over F2, its swizzle included. What is asked of all its elements is asked
// of its bits, at any size: where they lie apart, before some other swizzle, they add up, and a
// layout is what adds up. Exact: `exact` is false where an extent is no power of two, steps carry
// (linear/carry.hpp decides that), a place is negative or 2^61 and more.
// Definition: docs/algebra.md, D18, D22.
#pragma once

#include <axe/cute/coalesce.hpp>
#include <axe/cute/layout.hpp>
#include <axe/linear/bit_space.hpp>
#include <axe/linear/carry.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace cute {
namespace detail {

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
    if (carry_free(steps, axis::m, image)) return;
    start = image.start;
    for (int j = 0; j < steps.count; ++j) change[steps.input[j]] = image.changes[j];
    exact = true;
  }

  AXE_FN constexpr bit_word swizzled(bit_word place) const {
    return static_cast<bit_word>(f(static_cast<integer>(place)));
  }
  /// The first element whose place differs from that of element 0 by this, before the swizzle; -1
  /// where there is none.
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
  /// Where it adds up: the digits of the same places without a swizzle. False where they are too
  /// many.
  AXE_FN constexpr bool digits(leaf_list& found) const {
    integer const origin = static_cast<integer>(swizzled(start));
    for (int j = 0; j < bits; ++j)
      if (!add_coalesced(found, {2, (origin ^ static_cast<integer>(swizzled(change[j]))) - origin}))
        return false;
    return true;
  }
  /// The least and the largest place.
  AXE_FN constexpr interval reach() const {
    bit_space moved;
    for (int j = 0; j < bits; ++j) moved.add(swizzled(change[j]));
    bit_word const least = moved.remainder(swizzled(start));
    bit_word largest = least;
    for (bit_word one : moved.with_leading) largest ^= one;
    return {static_cast<integer>(least), static_cast<integer>(largest)};
  }
  /// Does the swizzle only permute the places before it?
  AXE_FN constexpr bool keeps_its_places() const {
    for (int j = 0; j < bits; ++j)
      if (element(swizzled(change[j])) < 0) return false;
    return element(swizzled(start) ^ start) >= 0;
  }
};

/// Places that are sums mod 2: that of element 0, and what each bit of an element changes, swizzles
/// included.
struct bit_places {
  bool exact = false;
  bit_word start = 0;
  bit_list change{};
};

/// A after B, by the bits of B's elements.
AXE_FN constexpr bit_places composed(bit_image const& a, bit_image const& b) {
  bit_places places;
  places.exact = a.exact && b.exact;
  if (!places.exact) return places;
  auto const moved = [&](bit_word elements) {
    bit_word sum = 0;
    for (; elements != 0; elements &= elements - 1) sum ^= a.change[lowest_bit(elements)];
    return sum;
  };
  places.start = a.swizzled(a.start ^ moved(b.swizzled(b.start)));
  for (int j = 0; j < b.bits; ++j)
    places.change.push(static_cast<integer>(a.swizzled(moved(b.swizzled(b.change[j])))));
  return places;
}

/// The elements at the places 0, 1, 2, 4, …, as far as every place below is one of an element.
struct bit_prefix {
  integer origin = -1;  // the element at place 0
  bit_list change;      // of the element, by each bit of the place

  AXE_FN constexpr explicit bit_prefix(bit_image const& image) : origin(image.first_at(0)) {
    while (origin >= 0 && change.size() < 62) {
      integer const one =
          image.element(static_cast<bit_word>(image.f.inverse(integer{1} << change.size())));
      if (one < 0) break;
      change.push(one);
    }
  }
  AXE_FN constexpr integer places() const { return origin < 0 ? 0 : integer{1} << change.size(); }

  /// Digits that have the elements of the places 0 to `size` - 1, behind a swizzle.
  struct digits {
    integer size = 1;
    bool too_many = false;  // for a layout
    integer origin = 0;
    leaf_list leaves{};

    AXE_FN constexpr void add(integer extent, integer step) {
      if (!add_coalesced(leaves, {extent, step})) too_many = true;
      size *= extent;
    }
  };
  /// The longest list of digits that has these elements. `covering`: it may go on to places without
  /// elements, so that it has all that are here where one has.
  AXE_FN constexpr digits behind(axe::swizzle g, bool covering = false) const {
    digits found;
    found.origin = undone(g, origin);
    integer taken = 0;
    bit_list moved;
    for (integer one : change) {
      moved.push(undone(g, one));
      if ((moved.back() & taken) != 0) {
        go_on(found, moved, g, covering);
        break;
      }
      taken |= moved.back();
      found.add(2, (found.origin ^ moved.back()) - found.origin);
    }
    return found;
  }

 private:
  /// Bit b of the place, the last that was moved, shares bits with earlier ones, and a place with
  /// both is no sum. So no digit begins at 2^b. The one before goes on where b's step is twice that
  /// of bit b - 1: up to 2^b + 2^shared, b and the first that it shares with. Another digit that
  /// begins there repeats what lies below, and only at 3 * 2^(b - 1) is that no sum with b at once.
  /// It is one of 2, and the last: its third multiple, and place 7 * 2^(b - 1) of a next digit,
  /// would be sums of bits that share. (Signed bits make different sums, so no other carries make
  /// up for it.)
  AXE_FN constexpr void go_on(digits& found, bit_list const& moved, axe::swizzle g,
                              bool covering) const {
    int const b = moved.size() - 1;
    auto const step = [&](integer by) { return (found.origin ^ by) - found.origin; };
    int last = b - 1;  // where the last digit begins
    while (last > 0 && step(moved[last]) == 2 * step(moved[last - 1])) --last;
    int shared = 0;
    while ((moved[shared] & moved[b]) == 0) ++shared;
    if (shared < last || step(moved[b]) != 2 * step(moved[b - 1])) return;
    found.leaves.back().extent += integer{1} << (shared - last);
    found.size += integer{1} << shared;
    if (shared + 1 < b) return;
    integer const next = step(moved[b - 1] ^ moved[b]);
    if (b + 1 < change.size()) {
      integer const above = undone(g, change[b + 1]);
      integer below = 0;
      for (int k = 0; k < b; ++k) below |= moved[k];
      if ((above & below) != 0 || step(above) != next + step(moved[b - 1])) return;
    } else if (!covering) {
      return;
    }
    found.add(2, next);
  }
};

}  // namespace detail
}  // namespace cute
}  // namespace AXE_NAMESPACE
}  // namespace axe
