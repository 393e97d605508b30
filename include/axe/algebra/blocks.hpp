// Dimensions against digits: where a shape's boundaries fall in a canonical digit list, and the blocks between them.
//
//     D = (4:7, 5:1), shape (2,2,5)       every boundary is one of D: three blocks (2:14) (2:7) (5:1)
//     D = (2:100, 6:1), shape (3,4)       4 falls inside 6: one run of two dimensions over the block (2:100, 6:1)
//
// A boundary after which P elements remain is one of D iff the digits below it multiply to P, cutting at most one digit at a divisor. Each is
// decided by itself, so dimensions without a common boundary form the shortest runs that do have one.
#pragma once

#include <axe/algebra/canonicalize.hpp>
#include <axe/map/coordinates.hpp>

namespace axe::inline AXE_NAMESPACE::detail {

/// Splits a canonical list into the digits slower than `inner` elements and the rest; false when a digit cannot be cut there.
AXE_FN constexpr bool split_digits(iter_list const& shards, integer inner, iter_list& slow, iter_list& fast) {
  slow = shards;
  list<iter, capacity::shards + 1> taken;  // fastest first
  while (inner > 1) {
    iter& last = slow.back();
    if (inner % last.extent == 0) {
      inner /= last.extent;
      taken.push(last);
      slow.pop();
    } else if (last.extent % inner == 0) {
      taken.push({inner, last.stride, last.on});
      last.extent /= inner;
      last.stride *= inner;
      inner = 1;
    } else {
      return false;
    }
  }
  fast = iter_list{};
  for (int k = taken.size() - 1; k >= 0; --k)
    if (!fast.push(taken[k])) return false;
  return true;
}

/// Some consecutive dimensions and the digits that they share.
struct dimension_run {
  int first = 0;
  int count = 0;
  iter_list digits;
};
using run_list = list<dimension_run, capacity::shards>;

/// The shortest runs of dimensions with common boundaries; extents multiply to the size of the canonical list.
template <class Extents>
AXE_FN constexpr run_list runs_of(iter_list const& shards, Extents const& extents) {
  list<dimension_run, capacity::shards> backward;
  iter_list left = shards;
  integer within = 1;
  int last = extents.size();
  for (int d = extents.size() - 1; d >= 0; --d) {
    within *= extents[d];
    iter_list slow;
    iter_list fast;
    if (!split_digits(left, within, slow, fast)) continue;
    backward.push({d, last - d, fast});
    left = slow;
    within = 1;
    last = d;
  }
  run_list forward;
  for (int r = backward.size() - 1; r >= 0; --r) forward.push(backward[r]);
  return forward;
}

/// A digit list as a function of the element, for the table method.
struct digit_function {
  iter_list digits;
  axis_list axes;

  AXE_FN constexpr explicit digit_function(iter_list const& from) : digits(from) {
    for (iter const& i : digits) note_axis(axes, i.on);
  }
  AXE_FN constexpr int cost() const { return digits.size(); }
  AXE_FN constexpr integer element(integer x) const { return x; }
  AXE_FN constexpr place operator()(integer x) const {
    place p;
    for (axis a : axes) p.terms.push({0, a});
    for (int k = digits.size() - 1; k >= 0; --k) {
      p.add({x % digits[k].extent * digits[k].stride, digits[k].on});
      x /= digits[k].extent;
    }
    return p;
  }
};

/// A walk through a digit function: dimensions of a box, each with the elements that one step of it moves.
struct box_walk {
  struct dimension {
    integer extent = 1;
    integer pitch = 0;
  };
  digit_function f;
  integer begin = 0;
  list<dimension, capacity::shards + 1> box;  // slowest first

  AXE_FN constexpr int cost() const { return f.cost() + box.size(); }
  AXE_FN constexpr integer size() const {
    integer product = 1;
    for (dimension const& d : box) product *= d.extent;
    return product;
  }
  AXE_FN constexpr integer element(integer x) const {
    integer position = begin;
    for (int d = box.size() - 1; d >= 0; --d) {
      position += x % box[d].extent * box[d].pitch;
      x /= box[d].extent;
    }
    return position;
  }
  AXE_FN constexpr place operator()(integer x) const { return f(element(x)); }
};

/// The top entries of a shape, nested ones multiplied out. At most 24.
AXE_FN constexpr refusal dimensions_of(shape const& s, extent_list& dimensions) {
  if (s.rank() > capacity::shards) return {rule::too_many_dimensions, {s.rank()}};
  for (int d = 0; d < s.rank(); ++d) dimensions.push(product_below(s, s.entry(d)));
  return {};
}

/// Adds a place to the offsets of a layout: false when a ninth axis would get one.
AXE_FN constexpr bool add_offset(layout& l, place const& by) {
  for (term const& t : by.terms) {
    if (t.n == 0) continue;
    bool found = false;
    for (term& mine : l.offsets)
      if (mine.on == t.on) {
        mine.n += t.n;
        found = true;
      }
    if (!found && !l.offsets.push(t)) return false;
  }
  order_offsets(l);
  return true;
}

}  // namespace axe::inline AXE_NAMESPACE::detail
