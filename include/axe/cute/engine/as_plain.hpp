// SPDX-License-Identifier: MIT
// bit_image: a layout as a map over F2. Each bit of an element's number flips bits of its place.
//
//     Sw<1,1,2> o 0 o (4,8):(8,1)       element bits 1 2 4 8 16 flip the place bits 10 16 1 2 4
//
// `exact` is false unless extents are powers of two, places are in [0, 2^61), and sums are XORs
// (linear/engine/carry.hpp).
//
// as_plain(L): the map of L without a swizzle if possible: Sw<2,3,3> o 0 o 2:2 is 2:2.
#pragma once

#include <axe/cute/layout.hpp>
#include <axe/engine/fit.hpp>
#include <axe/linear/engine/bit_space.hpp>
#include <axe/linear/engine/carry.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace cute {
namespace detail {

using bit_list = list<integer, 64>;

struct bit_image {
  bool exact = false;
  int element_bits = 0;
  integer start = 0;     // place of element 0 before the swizzle
  integer change[64]{};  // place bits that each element bit flips before the swizzle
  axe::swizzle f{};

  AXE_FN constexpr explicit bit_image(axe::layout const& l) : f(l.swizzle) {
    constexpr integer most = integer{1} << 61;
    interval const reach = reach_before_swizzle(l, axis::m);
    if (reach.least < 0 || reach.largest >= most) return;
    bit_steps steps;
    steps.origin = l.offset(axis::m);
    for (int k = l.shards.size() - 1; k >= 0; --k) {
      iter const& d = l.shards[k];
      int const more = exact_log2(d.extent);
      if (more < 0 || element_bits + more > 61) return;
      for (int j = 0; j < more; ++j) steps.add(d.stride * (integer{1} << j), element_bits++);
    }
    if (find_xors(steps, axis::m)) return;
    start = static_cast<integer>(steps.start);
    for (int j = 0; j < steps.count; ++j)
      change[steps.input[j]] = static_cast<integer>(steps.changes[j]);
    exact = true;
  }

  /// The first element with place `start ^ difference` before the swizzle, or -1.
  AXE_FN constexpr integer element(integer difference) const {
    integer found = 0;
    for (int j = 0; j < element_bits; ++j)
      if (integer const here = difference & change[j]; here != 0) {
        if (here != change[j]) return -1;
        difference ^= here;
        found |= integer{1} << j;
      }
    return difference == 0 ? found : -1;
  }
  AXE_FN constexpr integer first_at(integer place) const {
    return element(f.inverse(place) ^ start);
  }
  /// True if element bits flip disjoint place bits after the swizzle.
  AXE_FN constexpr bool adds_up() const {
    integer taken = 0;
    for (int j = 0; j < element_bits; ++j) {
      integer const one = f(change[j]);
      if ((one & taken) != 0) return false;
      taken |= one;
    }
    return true;
  }
  /// The same map without a swizzle. Precondition: adds_up().
  AXE_FN constexpr memory_digits digits() const {
    integer const origin = f(start);
    memory_digits found;
    for (int j = 0; j < element_bits; ++j) found.add(2, (origin ^ f(change[j])) - origin);
    return found;
  }
  AXE_FN constexpr interval reach() const {
    bit_space moved;
    for (int j = 0; j < element_bits; ++j) moved.add(static_cast<bit_word>(f(change[j])));
    bit_word const least = moved.remainder(static_cast<bit_word>(f(start)));
    bit_word largest = least;
    for (bit_word one : moved.with_leading) largest ^= one;
    return {static_cast<integer>(least), static_cast<integer>(largest)};
  }
};

/// The elements at places 0 to 2^n - 1, for the largest possible n.
struct bit_prefix {
  integer origin = -1;  // the element at place 0
  bit_list change;      // element bits that each of the n place bits flips

  AXE_FN constexpr explicit bit_prefix(bit_image const& image) : origin(image.first_at(0)) {
    while (origin >= 0 && change.size() < 62) {
      integer const one = image.element(image.f.inverse(integer{1} << change.size()));
      if (one < 0) break;
      change.push(one);
    }
  }
  AXE_FN constexpr integer places() const { return origin < 0 ? 0 : integer{1} << change.size(); }

  struct listed : memory_digits {
    integer origin = 0;
  };
  /// The longest digits with g(origin + digits(p)) = the element at place p. If `covering`, they
  /// may continue beyond places().
  AXE_FN constexpr listed elements(axe::swizzle g, bool covering = false) const {
    listed found;
    found.origin = g.inverse(origin);
    integer taken = 0;
    bit_list moved;
    for (integer one : change) {
      moved.push(g.inverse(one));
      if ((moved.back() & taken) != 0) {
        extend(found, moved, g, covering);
        break;
      }
      taken |= moved.back();
      found.add(2, (found.origin ^ moved.back()) - found.origin);
    }
    return found;
  }

 private:
  /// Place bits `shared` and b flip the same element bit, so no digit begins at place 2^b. If the
  /// last digit has place bit `shared`, and the step of b is twice that of b - 1, this digit grows
  /// to 2^b + 2^shared places. If shared is b - 1, a digit of extent 2 may follow: elements 0 3 6 5
  /// are (2:5, 3:3).
  AXE_FN constexpr void extend(listed& found, bit_list const& moved, axe::swizzle g,
                               bool covering) const {
    int const b = moved.size() - 1;
    auto const step = [&](integer by) { return (found.origin ^ by) - found.origin; };
    int last_begin = b - 1;
    while (last_begin > 0 && step(moved[last_begin]) == 2 * step(moved[last_begin - 1]))
      --last_begin;
    int shared = 0;
    while ((moved[shared] & moved[b]) == 0) ++shared;
    if (shared < last_begin || step(moved[b]) != 2 * step(moved[b - 1])) return;
    found.digits[0].extent += integer{1} << (shared - last_begin);
    found.size += integer{1} << shared;
    if (shared + 1 < b) return;
    integer const next = step(moved[b - 1] ^ moved[b]);
    if (b + 1 < change.size()) {
      integer const above = g.inverse(change[b + 1]);
      integer below = 0;
      for (int k = 0; k < b; ++k) below |= moved[k];
      if ((above & below) != 0 || step(above) != next + step(moved[b - 1])) return;
    } else if (!covering) {
      return;
    }
    found.add(2, next);
  }
};

AXE_FN constexpr layout without_idle_swizzle(layout l) {
  if (!l.swizzle().none()) l.map.swizzle = drop_idle_swizzle(valid_layout::proved(l.map)).swizzle;
  return l;
}

/// The result is canonical. Reads all places if bit_image is not exact.
AXE_FN constexpr axe::layout as_plain(layout const& l) {
  axe::layout map = without_idle_swizzle(l).map;
  map.shards = canonical_shards(map.shards);
  if (map.swizzle.none()) return map;
  bit_image const image(map);
  if (!image.exact) return unswizzled(valid_layout::proved(map));
  outcome<axe::layout> const plain = image.digits().behind({}, place_of(map, 0));
  return image.adds_up() && plain ? *plain : map;
}

AXE_FN constexpr outcome<interval> reach(axe::layout const& map) {
  if (!map.swizzle.none())
    if (bit_image const image(map); image.exact) return image.reach();
  return reach_of(map, axis::m);
}

AXE_FN constexpr outcome<interval> reach_from_zero(axe::layout const& map) {
  outcome<interval> const reached = reach(map);
  if (reached.why || reached.value.least >= 0) return reached;
  return refusal{rule::cute_negative_place, {reached.value.least}};
}

}  // namespace detail
}  // namespace cute
}  // namespace AXE_NAMESPACE
}  // namespace axe
