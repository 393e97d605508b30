// Dimensions against digits: where a shape's boundaries fall in a canonical digit list, and the
// blocks between them.
//
//     D = (4:7, 5:1), shape (2,2,5)       every boundary is one of D: three blocks (2:14) (2:7) (5:1)
//     D = (2:100, 6:1), shape (3,4)       4 falls inside 6: one run of two dimensions over the block (2:100, 6:1)
//
// A boundary with P elements behind it is one of D iff the digits below it multiply to P, cutting
// at most one digit at a divisor. Each is decided by itself, so dimensions without a common
// boundary form the shortest runs that do have one.
// Definition: docs/algebra.md, D7.
// Source: the Axe paper, section 3.3 and Appendix B (grouping), boundary by boundary.
#pragma once

#include <axe/engine/normal_form.hpp>
#include <axe/map/coordinates.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// How many elements are behind each boundary of a digit list, slowest first, so that any boundary
/// is found in O(log iters).
struct digit_boundaries {
  iter_list const* digits;
  list<integer, capacity::shards + 1> behind;  // of digit k its upper boundary, then 1

  AXE_FN constexpr explicit digit_boundaries(iter_list const& from) : digits(&from) {
    behind.count = from.count + 1;
    behind.at[from.count] = 1;
    for (int k = from.count - 1; k >= 0; --k) behind.at[k] = behind.at[k + 1] * from.at[k].extent;
  }

  /// The slowest digit whose lower boundary has fewer than `elements` behind it; one past the last
  /// digit where none has.
  AXE_FN constexpr int first_below(integer elements) const {
    int first = 0;
    int last = digits->count;
    while (first < last) {
      int const middle = (first + last) / 2;
      if (behind.at[middle + 1] >= elements)
        first = middle + 1;
      else
        last = middle;
    }
    return first;
  }

  /// Is there a boundary with `below` elements behind it?
  AXE_FN constexpr bool cuts_at(integer below) const {
    int const k = first_below(below);
    if (k == digits->count) return below == 1;
    return below <= behind.at[k] && below % behind.at[k + 1] == 0 && behind.at[k] % below == 0;
  }

  /// The digits of the elements [low, high) per step of the slower ones: what lies between the
  /// boundaries `low` and `high`, slowest first. False when a digit cannot be cut there; high is a
  /// multiple of low.
  template <class Sink>
  AXE_FN constexpr bool emit_between(integer low, integer high, Sink& sink) const {
    for (int k = first_below(high); k < digits->count && behind.at[k] > low; ++k) {
      iter const& i = digits->at[k];
      integer const bottom = behind.at[k + 1];
      integer const from = larger(bottom, low);
      integer const to = smaller(behind.at[k], high);
      if (from % bottom != 0 || to % from != 0 || behind.at[k] % to != 0) return false;
      sink.push({to / from, from == bottom ? i.stride : i.stride * (from / bottom), i.on});
    }
    return true;
  }
};

AXE_PLANNER constexpr bool cuts_at(iter_list const& digits, integer below) {
  return digit_boundaries(digits).cuts_at(below);
}
template <class Sink>
AXE_FN constexpr bool emit_between(iter_list const& digits, integer low, integer high, Sink& sink) {
  return digit_boundaries(digits).emit_between(low, high, sink);
}

/// Takes digits off the slow end of a list, dimension by dimension.
struct digit_cursor {
  iter_list const* digits;
  int next = 0;
  iter open{1, 0, axis::null};  // what is left of a digit that was cut

  AXE_FN constexpr explicit digit_cursor(iter_list const& from) : digits(&from) {}

  /// The digits of the next dimension, slowest first; false when its boundary falls inside a digit
  /// at no divisor.
  template <class Sink> AXE_FN constexpr bool take(integer extent, Sink& sink) {
    while (extent > 1) {
      if (open.extent == 1) open = digits->at[next++];
      if (extent % open.extent == 0) {
        sink.push(open);
        extent /= open.extent;
        open.extent = 1;
      } else if (open.extent % extent == 0) {
        open.extent /= extent;
        sink.push({extent, open.stride * open.extent, open.on});
        return true;
      } else {
        return false;
      }
    }
    return true;
  }
};

/// The shortest runs of dimensions with common boundaries, slowest first: visit(first, count,
/// digits) for each, until one refuses.
template <class Extents, class Visit>
AXE_FN constexpr refusal for_each_run(iter_list const& digits, Extents const& extents,
                                      Visit const& visit) {
  digit_boundaries const boundaries(digits);
  integer below = boundaries.behind.at[0];
  integer high = below;
  int first = 0;
  for (int d = 0; d < extents.size(); ++d) {
    below /= extents[d];
    if (!boundaries.cuts_at(below)) continue;
    iter_list block;
    boundaries.emit_between(below, high, block);
    if (refusal const bad = visit(first, d + 1 - first, block)) return bad;
    first = d + 1;
    high = below;
  }
  return {};
}

/// A digit list as a function of the element.
struct digit_function {
  iter_list digits;
  axis_list axes;

  AXE_FN constexpr explicit digit_function(iter_list const& from) : digits(from) {
    for (iter const& i : digits) note_axis(axes, i.on);
  }
  AXE_FN constexpr int cost() const { return digits.size(); }
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

/// The first i >= from at which a table of the digits at begin, begin + pitch, begin + 2 * pitch, …
/// has to look at the step to entry i; other steps repeat ones that it has seen, at positions
/// whose greatest common divisor is the same. All but the first steps cross a boundary of a digit.
/// Where the pitch divides the digit that it moves, all steps to multiples of one boundary, and not
/// of the next, are equal: the first eight multiples have the divisor of all.
AXE_PLANNER constexpr integer next_to_look_at(iter_list const& digits, integer begin, integer pitch,
                                              integer from) {
  if (from <= 8) return from;
  int k = digits.count - 1;
  for (; k >= 0 && pitch % digits.at[k].extent == 0; --k) {  // these stand still
    pitch /= digits.at[k].extent;
    begin /= digits.at[k].extent;
  }
  if (k < 0) return largest;
  integer boundary = digits.at[k].extent;
  if (boundary % pitch != 0) {
    if (pitch > boundary / 3) return from;
    integer const to_boundary = boundary - (begin + (from - 1) * pitch) % boundary;
    return from - 1 + ceil_divide(to_boundary, pitch);
  }
  integer next = largest;
  begin /= pitch;
  boundary /= pitch;
  for (; k > 0; boundary *= digits.at[--k].extent) {
    integer const first = boundary - begin % boundary;
    integer const passed = from > first ? ceil_divide(from - first, boundary) : 0;
    if (passed < 8 && passed <= (largest - first) / boundary)
      next = smaller(next, first + passed * boundary);
  }
  return next;
}

/// A walk through the elements of a digit list: dimensions of a box, each with the elements that
/// one step of it moves.
struct box_walk {
  struct dimension {
    integer extent = 1;
    integer pitch = 0;
  };
  static constexpr bool of_operand = true;

  digit_function f;
  integer begin = 0;
  list<dimension, capacity::shards + 1> box{};  // slowest first
  integer first = 0;                            // the operand's element at position 0 of the list
  integer scale = 1;                            // elements of the operand that a position is

  AXE_FN constexpr int cost() const { return f.cost() + box.size(); }
  AXE_FN constexpr integer size() const {
    integer product = 1;
    for (dimension const& d : box) product *= d.extent;
    return product;
  }
  AXE_FN constexpr integer element(integer x) const { return first + scale * position(x); }
  AXE_FN constexpr integer position(integer x) const {
    integer position = begin;
    for (int d = box.size() - 1; d >= 0; --d) {
      position += x % box[d].extent * box[d].pitch;
      x /= box[d].extent;
    }
    return position;
  }
  AXE_FN constexpr place operator()(integer x) const { return f(position(x)); }
  /// As next_to_look_at, of every grain-th element of a walk in one dimension.
  AXE_FN constexpr integer next(integer from, integer grain) const {
    if (box.size() != 1) return from;
    return next_to_look_at(f.digits, begin, grain * box[0].pitch, from);
  }
};

/// Adds a place to the offsets of a layout: false when a ninth axis would get one.
AXE_PLANNER constexpr bool add_offset(layout& l, place const& by) {
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

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
