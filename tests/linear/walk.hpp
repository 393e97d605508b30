// What a linear map means, found by walking: every input, every bit of its image as a sum modulo 2 along a row. No formula of the library is used.
//
//     walk({lane: 1 -> (1), 2 -> (3)} to (m: 4)) = {0, 1, 3, 2}         the first in-axis is the fastest
//
// Inputs and outputs are words, the bits of their axes side by side, lowest axis first; component() reads one axis off a word.
#pragma once

#include "oracle/convert.hpp"
#include "oracle/samples.hpp"

#include <axe/linear/linear_map.hpp>

#include <vector>

namespace axe_test {

using axe::bit_word;
using axe::linear_map;
using words = std::vector<bit_word>;

constexpr words walk(linear_map const& m) {
  words images;
  for (bit_word x = 0; x < bit_word{1} << m.matrix.columns; ++x) {
    bit_word y = 0;
    for (int r = 0; r < m.matrix.rows; ++r) {
      int ones = static_cast<int>((m.offset >> r) & 1);
      for (int c = 0; c < m.matrix.columns; ++c)
        ones += m.matrix.at(r, c) ? static_cast<int>((x >> c) & 1) : 0;
      if (ones % 2 != 0) y += bit_word{1} << r;
    }
    images.push_back(y);
  }
  return images;
}

/// The component of a word on an axis; 0 where the side does not name it.
constexpr oracle::number component(axe::linear_axes const& side, axe::axis a, bit_word word) {
  for (axe::linear_axis const& here : side.axes) {
    bit_word const size = bit_word{1} << here.bits;
    if (here.on == a) return static_cast<oracle::number>(word % size);
    word /= size;
  }
  return 0;
}

/// The word with the same components on another side's axes; false when that side has no such place.
constexpr bool renamed(axe::linear_axes const& from, bit_word word, axe::linear_axes const& to,
                       bit_word& out) {
  for (axe::linear_axis const& a : from.axes)
    if (component(from, a.on, word) >= (oracle::number{1} << to.bits_on(a.on))) return false;
  out = 0;
  bit_word unit = 1;
  for (axe::linear_axis const& a : to.axes) {
    out += unit * static_cast<bit_word>(component(from, a.on, word));
    unit <<= a.bits;
  }
  return true;
}

/// A map of up to `most` bits an axis between two or three axes a side. `dense`: every entry is drawn, else at most one 1 a row.
constexpr linear_map draw_map(draw& d, axe::axis const (&from)[3], axe::axis const (&to)[3], int most) {
  axe::linear_axes in;
  axe::linear_axes out;
  int const turn_in = d.between(0, 2);
  int const turn_out = d.between(0, 2);
  for (int i = 0; i < 3; ++i) {
    if (d.between(0, 3) != 0) in.axes.push({from[(i + turn_in) % 3], d.between(0, most)});
    if (d.between(0, 3) != 0) out.axes.push({to[(i + turn_out) % 3], d.between(0, most)});
  }
  linear_map m(in, out);
  bit_word const all = (bit_word{1} << m.matrix.rows) - 1;
  bool const sparse = d.between(0, 2) == 0;
  for (int c = 0; c < m.matrix.columns; ++c) {
    if (sparse && m.matrix.rows > 0)
      m.matrix.column[c] = d.between(0, 4) == 0 ? 0 : bit_word{1} << d.between(0, m.matrix.rows - 1);
    else
      m.matrix.column[c] = d.next() & all;
  }
  if (d.between(0, 2) == 0) m.offset = d.next() & all;
  return m;
}

}  // namespace axe_test
