// A swizzled layout whose places are those of a plain one, as that one: operations that are read
// from strides give one map one answer, however it is spelled.
//
//     Sw<2,3,3> o 0 o 2:2        2:2        the swizzle moves no place
//     Sw<1,0,1> o 0 o 2:2        2:3        it moves 2 to 3
//     Sw<1,0,1> o 0 o 8:1        as it is: 0 1 3 2 is no layout
//
// Definition: docs/algebra.md, D16, "What a swizzle leaves legal".
#pragma once

#include <axe/cute/bit_image.hpp>
#include <axe/cute/layout.hpp>
#include <axe/engine/fit_digits.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace cute {
namespace detail {

/// The places of a layout as a function of the element's number, for the table method.
struct places_of_elements {
  layout const& of;

  static constexpr bool of_operand = true;
  AXE_FN constexpr int cost() const { return of.leaves.size() + 1; }
  AXE_FN constexpr integer element(integer i) const { return i; }
  AXE_FN constexpr place operator()(integer i) const {
    place p;
    p.terms.push({value_at(of, i), axis::m});
    return p;
  }
};

/// A checked layout without a swizzle that moves none of its places. The modes stay.
AXE_FN constexpr layout without_idle_swizzle(layout l) {
  if (l.swizzle.none()) return l;
  axe::layout flat;
  flat.swizzle = l.swizzle;
  for (leaf const& d : l.leaves)
    flat.shards.push({d.extent, d.stride, d.stride == 0 ? axis::null : axis::m});
  if (l.offset != 0) flat.offsets.push({l.offset, axis::m});
  l.swizzle = axe::detail::drop_idle_swizzle(flat).swizzle;
  return l;
}

/// A checked layout, flat and without its swizzle where a plain layout has the same places; else as
/// it is. Powers of two by their bits, others element by element.
AXE_FN constexpr layout as_plain(layout const& l) {
  if (l.swizzle.none()) return l;
  layout const own = without_idle_swizzle(l);
  if (own.swizzle.none()) return own;
  leaf_list leaves;
  if (bit_image const image(own); image.exact) {
    if (!image.adds_up() || !image.digits(leaves)) return own;
  } else {
    step_budget steps;
    outcome<iter_list> const found = fit_digits(places_of_elements{own}, size_of(own), steps);
    if (!found) return own;
    for (int k = found->size() - 1; k >= 0; --k)
      add_coalesced(leaves, {(*found)[k].extent, (*found)[k].stride});
  }
  layout plain = of_leaves(leaves);
  plain.offset = value_at(own, 0);
  return plain;
}

}  // namespace detail
}  // namespace cute
}  // namespace AXE_NAMESPACE
}  // namespace axe
