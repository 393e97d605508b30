// A swizzled layout in wider elements where the swizzle reads below them: the places of all wide
// elements are asked, and the layout that has them, if one does.
//
//     Sw<1,0,-2> o 0 o (2,8):(8,1) by 2        the swizzle reads bit 0, which tells the two halves of a wide element apart: no layout
//     Sw<1,0,-2> o 0 o (2,4):(8,2) by 2        bit 0 is 0 everywhere: (2,4):(4,1)
//
// Leaves are cut as upcast cuts them: `in_one` neighbours of each are one wide element. Tried are
// no swizzle, the given one in wide elements, then every other one that reads and writes bits of
// the places; each leaf must be a digit list of its own, and all of them must add up. Powers of two
// by their bits, at any size.
// Definition: docs/algebra.md, D22.
#pragma once

#include <axe/cute/modes_behind.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace cute {
namespace detail {

/// Neighbours of a leaf that come to lie in one wide element; 0 where that does not come out.
AXE_FN constexpr integer in_one_of(leaf const& d, integer n) {
  if (d.extent == 1 || d.stride % n == 0) return 1;
  integer const step = magnitude(d.stride);
  if (n % step != 0) return 0;
  integer const in_one = smaller(n / step, d.extent);
  return d.extent % in_one == 0 ? in_one : 0;
}

struct wide_elements {
  layout narrow;  // no leaf has an in_one_of 0
  integer n = 1;

  AXE_FN constexpr cute::profile const& profile() const { return narrow.profile; }
  AXE_FN constexpr int cost() const { return 2 * narrow.leaves.size(); }
  AXE_FN constexpr integer extent(int k) const { return cut(k).extent; }
  AXE_FN constexpr leaf cut(int k) const {
    leaf const& d = narrow.leaves[k];
    return {d.extent / in_one_of(d, n), d.stride};
  }
  AXE_FN constexpr integer size() const {
    integer product = 1;
    for (int k = 0; k < narrow.leaves.size(); ++k) product *= cut(k).extent;
    return product;
  }
  /// Wide element j: where its first narrow one, of all leaves at 0 inside, lies.
  AXE_FN constexpr integer at(integer j) const {
    integer place = narrow.offset;
    for (int k = 0; k < narrow.leaves.size(); ++k) {
      leaf const d = cut(k);
      place += j % d.extent * (narrow.leaves[k].extent / d.extent) * d.stride;
      j /= d.extent;
    }
    return floor_divide(narrow.swizzle(place), n);
  }
  AXE_FN constexpr integer wide_of(integer i) const {
    integer j = 0;
    integer weight = 1;
    for (int k = 0; k < narrow.leaves.size(); ++k) {
      leaf const& d = narrow.leaves[k];
      j += i % d.extent / in_one_of(d, n) * weight;
      weight *= cut(k).extent;
      i /= d.extent;
    }
    return j;
  }
  /// Do all narrow elements of each wide one lie in it?
  AXE_FN constexpr bool hold_together(integer& largest, step_budget& steps) const {
    for (integer i = 0, size = size_of(narrow); i < size; ++i) {
      steps.taken += 2 * narrow.leaves.size();
      if (!steps.take()) return false;
      integer const wide = floor_divide(value_at(narrow, i), n);
      largest = larger(largest, magnitude(wide));
      if (at(wide_of(i)) != wide) return false;
    }
    return true;
  }
};

/// The places of wide elements by bits, 2^`bits` narrow ones in each: not exact where the narrow
/// ones do not lie in one wide element.
AXE_FN constexpr bit_places wide_bits(wide_elements const& wide, bit_image const& narrow,
                                      int bits) {
  bit_places places;
  places.exact = true;
  places.start = narrow.swizzled(narrow.start) >> bits;
  int j = 0;
  for (leaf const& d : wide.narrow.leaves) {
    integer inside = in_one_of(d, wide.n);
    for (integer extent = d.extent; extent > 1; extent /= 2) {
      bit_word const changed = narrow.swizzled(narrow.change[j++]) >> bits;
      if (inside == 1)
        places.change.push(static_cast<integer>(changed));
      else
        places.exact = places.exact && changed == 0;
      inside = larger(inside / 2, 1);
    }
  }
  return places;
}

/// The layout of the wide elements, `like` its swizzle if it has that one, or no layout: `found` is
/// false.
AXE_FN constexpr layout widened(wide_elements const& wide, axe::swizzle like, bool& found,
                                step_budget& steps) {
  layout done;
  integer largest = 0;
  if (bit_image const narrow(wide.narrow); narrow.exact && exact_log2(wide.n) >= 0) {
    bit_places const places = wide_bits(wide, narrow, exact_log2(wide.n));
    largest = narrow.reach().largest / wide.n;
    found = places.exact && bits_behind_any(wide, places, like, largest, done);
    return done;
  }
  found = wide.hold_together(largest, steps) && modes_behind_any(wide, like, largest, done, steps);
  return done;
}

}  // namespace detail
}  // namespace cute
}  // namespace AXE_NAMESPACE
}  // namespace axe
