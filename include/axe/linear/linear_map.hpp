// SPDX-License-Identifier: MIT
// linear_map: y = matrix * x ^ offset over F2, with named axes on both sides.
//
//     {lane: 1 -> (0,1), 2 -> (2,1)} to (dim0: 4, dim1: 4)
//         lane 3 maps to (0,1) ^ (2,1) = (2,0)
//
// The first axis has the lowest bits. A side has at most 64 bits and 16 axes. Source: "Linear
// Layouts" (Zhou et al., arXiv 2505.23819).
#pragma once

#include <axe/layout/place.hpp>
#include <axe/linear/engine/bit_space.hpp>
#include <axe/sentence/stop.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// The axis of a tensor's dimension k, 0 <= k < 100: dim0, dim1, …
AXE_FN constexpr axis dimension_axis(int k) {
  char name[5]{'d', 'i', 'm'};
  int length = 3;
  if (k >= 10) name[length++] = static_cast<char>('0' + k / 10);
  name[length++] = static_cast<char>('0' + k % 10);
  return detail::pack_axis(name, length, kind::memory);
}

namespace axes {
/// dim<3> prints as dim3. In code, dim3 is CUDA's type.
template <int Number>
  requires(Number >= 0 && Number < 100)
inline constexpr axis dim = dimension_axis(Number);
/// Numbers the replicas of an element.
inline constexpr axis replica = memory_axis("replica");
}  // namespace axes

/// Positions 0 to 2^bits - 1 of an axis.
struct linear_axis {
  axis on = axis::null;
  int bits = 0;

  constexpr bool operator==(linear_axis const&) const = default;
};

struct linear_axes {
  list<linear_axis, capacity::axes> axes;

  constexpr linear_axes() = default;
  AXE_FN constexpr linear_axes(initializer_list<linear_axis> from) : axes(from) {}

  constexpr bool operator==(linear_axes const&) const = default;

  AXE_FN constexpr int bits() const {
    int sum = 0;
    for (linear_axis const& a : axes) sum += a.bits;
    return sum;
  }
  AXE_FN constexpr bool names(axis on) const { return detail::any_on(axes, on); }
  AXE_FN constexpr int bits_on(axis on) const {
    for (linear_axis const& a : axes)
      if (a.on == on) return a.bits;
    return 0;
  }
  AXE_FN constexpr int first_bit(axis on) const {
    int first = 0;
    for (linear_axis const& a : axes) {
      if (a.on == on) break;
      first += a.bits;
    }
    return first;
  }
  AXE_FN constexpr bit_word on(axis a, bit_word word) const {
    int const bits = bits_on(a);
    return bits == 0 ? 0 : (word >> first_bit(a)) & detail::low_bits(bits);
  }
  /// 2^k on axis a, if bit i is bit k of a.
  AXE_FN constexpr term bit_at(int i) const {
    for (linear_axis const& a : axes) {
      if (i < a.bits) return {integer{1} << i, a.on};
      i -= a.bits;
    }
    return {};
  }
  AXE_FN constexpr place place_of(bit_word word) const {
    place p;
    for (linear_axis const& a : axes) p.terms.push({static_cast<integer>(on(a.on, word)), a.on});
    return p;
  }
};

struct linear_map {
  linear_axes in;
  linear_axes out;
  bit_matrix matrix;
  bit_word offset = 0;  // the image of input 0

  constexpr linear_map() = default;
  AXE_FN constexpr linear_map(linear_axes const& from, linear_axes const& to)
      : in(from), out(to), matrix(to.bits(), from.bits()) {}

  constexpr bool operator==(linear_map const&) const = default;

  AXE_FN constexpr bit_word operator()(bit_word x) const { return matrix(x) ^ offset; }
};

namespace detail {

AXE_FN constexpr refusal check(linear_axes const& side) {
  int sum = 0;
  for (int i = 0; i < side.axes.size(); ++i) {
    linear_axis const& a = side.axes[i];
    if (a.on == axis::null || a.bits < 0 || a.bits > 62)
      return {rule::linear_axis_bits, {a.bits}, {a.on}};
    sum += a.bits;
    for (int j = 0; j < i; ++j)
      if (side.axes[j].on == a.on) return {rule::linear_axis_twice, {}, {a.on}};
  }
  if (sum > 64) return {rule::linear_bits, {sum}};
  return {};
}

AXE_FN constexpr refusal about_bit(rule which, linear_axes const& side, int i) {
  term const at = side.bit_at(i);
  return {which, {at.n}, {at.on}};
}

/// Moves the bits of each axis of `from` to the same axis of `into`, above the bits of `below`.
struct bit_renaming {
  int to[64]{};  // bit of `into`, or -1
  AXE_FN constexpr bit_renaming(linear_axes const& from, linear_axes const& into,
                                linear_axes const& below = {}) {
    int i = 0;
    for (linear_axis const& a : from.axes)
      for (int k = below.bits_on(a.on), last = k + a.bits; k < last; ++k)
        to[i++] = k < into.bits_on(a.on) ? into.first_bit(a.on) + k : -1;
  }
  AXE_FN constexpr bit_word operator()(bit_word word) const {
    bit_word moved = 0;
    for (; word != 0; word &= word - 1)
      if (int const j = to[lowest_bit(word)]; j >= 0) moved |= bit(j);
    return moved;
  }
  /// The lowest set bit that `into` lacks, or -1.
  AXE_FN constexpr int lowest_missing(bit_word word) const {
    for (; word != 0; word &= word - 1)
      if (to[lowest_bit(word)] < 0) return lowest_bit(word);
    return -1;
  }
};

}  // namespace detail

AXE_FN constexpr refusal check(linear_map const& m) {
  if (refusal const bad = detail::check(m.in)) return bad;
  if (refusal const bad = detail::check(m.out)) return bad;
  bit_word outside = m.offset;
  for (int c = 0; c < 64; ++c)
    outside |= c < m.matrix.columns || m.matrix.column[c] == 0 ? m.matrix.column[c] : ~bit_word{0};
  if (m.matrix.columns != m.in.bits() || m.matrix.rows != m.out.bits() ||
      (outside & ~detail::low_bits(m.matrix.rows)) != 0)
    return {rule::linear_matrix, {m.matrix.columns, m.matrix.rows, m.in.bits(), m.out.bits()}};
  return {};
}

namespace detail {

/// Adds `part` to `whole`, on each axis above the bits of `below_in` and `below_out`. Drops bits
/// that `whole` lacks.
AXE_FN constexpr void add_map(linear_map& whole, linear_map const& part,
                              linear_axes const& below_in = {}, linear_axes const& below_out = {}) {
  bit_renaming const column(part.in, whole.in, below_in);
  bit_renaming const row(part.out, whole.out, below_out);
  for (int c = 0; c < part.matrix.columns; ++c)
    if (column.to[c] >= 0) whole.matrix.column[column.to[c]] = row(part.matrix.column[c]);
  whole.offset |= row(part.offset);
}
/// m on other axes. Drops bits that these axes lack.
AXE_FN constexpr linear_map on_axes(linear_map const& m, linear_axes const& in,
                                    linear_axes const& out) {
  linear_map moved(in, out);
  add_map(moved, m);
  return moved;
}

AXE_FN constexpr refusal check_both(linear_map const& a, linear_map const& b) {
  refusal const bad = axe::check(a);
  return bad ? bad : axe::check(b);
}

}  // namespace detail

/// Input axes that `from` lacks are 0. Rejects positions outside the input axes.
AXE_FN constexpr outcome<place> try_apply(linear_map const& m, place const& from) {
  if (refusal const bad = check(m)) return bad;
  bit_word word = 0;
  for (term const& t : from.terms) {
    integer const last = static_cast<integer>(detail::low_bits(m.in.bits_on(t.on)));
    if (t.n < 0 || t.n > last) return refusal{rule::linear_input_outside, {t.n, last}, {t.on}};
    if (t.n != 0) word |= static_cast<bit_word>(t.n) << m.in.first_bit(t.on);
  }
  return m.out.place_of(m(word));
}
AXE_FN constexpr place apply(linear_map const& m, place const& from) {
  return detail::stop_on(try_apply(m, from), "linear.apply");
}

/// Ignores the order of axes, axes without bits, and output bits that are never set.
AXE_FN constexpr outcome<bool> try_equivalent(linear_map const& a, linear_map const& b) {
  if (refusal const bad = detail::check_both(a, b)) return bad;
  for (linear_axis const& side : a.in.axes)
    if (b.in.bits_on(side.on) != side.bits) return false;
  if (a.in.bits() != b.in.bits()) return false;
  return detail::on_axes(a, b.in, b.out) == b && detail::on_axes(b, a.in, a.out) == a;
}
AXE_FN constexpr bool equivalent(linear_map const& a, linear_map const& b) {
  return detail::stop_on(try_equivalent(a, b), "linear.equivalent");
}

AXE_FN constexpr linear_map linear_identity(axis from, int bits, axis to) {
  linear_map m({{from, bits}}, {{to, bits}});
  m.matrix = bit_matrix::identity(bits);
  return m;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
