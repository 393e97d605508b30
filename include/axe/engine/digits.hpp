// SPDX-License-Identifier: MIT
// Cuts digits D at the boundaries of dimensions, and evaluates D as a function.
//
//     D = (2:100, 6:1), shape (3,4)       one run of both dimensions: 4 does not divide 6
//
// Definition: docs/algebra.md, D7.
#pragma once

#include <axe/engine/memory_digits.hpp>
#include <axe/engine/normal_form.hpp>
#include <axe/map/coordinates.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// Digit k lies between the boundaries at positions[k] and positions[k + 1].
struct digit_boundaries {
  iter_list const* digits;
  list<integer, capacity::shards + 1> positions;

  AXE_LAZY_FN constexpr explicit digit_boundaries(iter_list const& from) : digits(&from) {
    positions.count = from.count + 1;
    positions.at[from.count] = 1;
    for (int k = from.count - 1; k >= 0; --k)
      positions.at[k] = positions.at[k + 1] * from.at[k].extent;
  }

  /// The slowest digit with steps of fewer elements.
  AXE_LAZY_FN constexpr int first_below(integer elements) const {
    int k = 0;
    while (k < digits->count && positions.at[k + 1] >= elements) ++k;
    return k;
  }

  AXE_LAZY_FN constexpr bool cuts_at(integer below) const {
    int k = first_below(below);
    if (k == digits->count) return below == 1;
    return below <= positions.at[k] && below % positions.at[k + 1] == 0 &&
           positions.at[k] % below == 0;
  }

  /// Pushes the digits between two boundaries: (2:7) for 5 and 10 of (4:7, 5:1). False if one cuts
  /// a digit unevenly.
  AXE_FN constexpr bool emit_between(integer least, integer most, auto& sink) const {
    for (int k = first_below(most); k < digits->count && positions.at[k] > least; ++k) {
      iter const& i = digits->at[k];
      integer const bottom = positions.at[k + 1];
      integer const from = larger(bottom, least);
      integer const to = smaller(positions.at[k], most);
      if (from % bottom != 0 || to % from != 0 || positions.at[k] % to != 0) return false;
      if (from < to)
        sink.push({to / from, from == bottom ? i.stride : i.stride * (from / bottom), i.on});
    }
    return true;
  }
};

/// Cuts digits like digit_boundaries, but compiles faster.
struct digit_cursor {
  iter_list const* digits;
  int next = 0;
  iter rest_of_cut{1, 0, axis::null};

  /// Appends the digits of the next dimension. False if it cuts a digit unevenly.
  AXE_LAZY_FN constexpr bool take(integer extent, digit_builder& into) {
    while (extent > 1) {
      if (rest_of_cut.extent == 1) rest_of_cut = digits->at[next++];
      integer const taken = smaller(extent, rest_of_cut.extent);
      if (larger(extent, rest_of_cut.extent) % taken != 0) return false;
      extent /= taken;
      rest_of_cut.extent /= taken;
      into.push({taken, rest_of_cut.stride * rest_of_cut.extent, rest_of_cut.on});
    }
    return true;
  }
};

AXE_FN constexpr bool emit_between(iter_list const& digits, integer low, integer high, auto& sink) {
  return digit_boundaries(digits).emit_between(low, high, sink);
}

/// A run is one dimension or several that share digits. Calls visit(first dimension, number of
/// dimensions, digits) for each run.
AXE_FN constexpr refusal for_each_run(iter_list const& digits, auto const& extents,
                                      auto const& visit) {
  digit_boundaries const boundaries(digits);
  integer below = boundaries.positions.at[0];
  integer high = below;
  int first = 0;
  for (int d = 0; d < extents.count; ++d) {
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

struct digit_function {
  iter_list digits;
  axis_list axes;

  AXE_FN constexpr explicit digit_function(iter_list const& from) : digits(from) {
    for (int k = 0; k < digits.count; ++k) note_axis(axes, digits.at[k].on);
  }
  AXE_FN constexpr int cost() const { return digits.count; }
  AXE_LAZY_FN constexpr place operator()(integer x) const {
    place p;
    for (axis a : axes) p.terms.push({0, a});
    for (int k = digits.count - 1; k >= 0; --k) {
      p.add({x % digits[k].extent * digits[k].stride, digits[k].on});
      x /= digits[k].extent;
    }
    return p;
  }
};

/// Entry i is the place of element begin + i * pitch. Returns the first i >= from at which the step
/// from entry i - 1 may differ from all steps before. Steps inside a digit are equal. If the pitch
/// divides a digit's extent, all steps across a boundary equal one of the first eight.
AXE_LAZY_FN constexpr integer next_new_step(iter_list const& digits, integer begin, integer pitch,
                                            integer from) {
  if (from <= 8) return from;
  int k = digits.count - 1;
  for (; k >= 0 && pitch % digits.at[k].extent == 0; --k) {
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

/// The places of a box of f's elements, in row-major order of the box.
struct box_walk {
  static constexpr bool of_operand = true;

  digit_function f;
  integer begin = 0;
  list<iter, capacity::shards + 1> box{};
  integer first = 0;  // operand's element at position 0
  integer scale = 1;  // operand's elements per position

  AXE_FN constexpr int cost() const { return f.cost() + box.count; }
  AXE_LAZY_FN constexpr integer size() const { return product_of_extents(box); }
  AXE_LAZY_FN constexpr integer element(integer x) const { return first + scale * position(x); }
  AXE_LAZY_FN constexpr integer position(integer x) const { return begin + sum_of_digits(box, x); }
  AXE_LAZY_FN constexpr place operator()(integer x) const { return f(position(x)); }
  AXE_LAZY_FN constexpr integer next(integer from, integer spacing) const {
    if (box.count != 1) return from;
    return next_new_step(f.digits, begin, spacing * box[0].stride, from);
  }
};

AXE_LAZY_FN constexpr refusal add_offset(layout& l, place const& by) {
  for (term const& t : by.terms)
    if (refusal const bad = add_to_offset(l, t.n, t.on)) return bad;
  order_offsets(l);
  return {};
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
