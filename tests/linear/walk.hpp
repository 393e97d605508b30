// Computes the images of a linear map over F2 for all inputs, row by row. An oracle: it includes no
// header of the library.
//
//     walk({(lane, 2 bits)} to {(m, 2 bits)}, rows 0b11 and 0b10) = {0, 1, 3, 2}
//
// Inputs and outputs are words, in which the bits of the axes follow each other, those of the first
// axis lowest. component() reads one axis of a word.
#pragma once

#include "oracle/oracle.hpp"

#include <vector>

namespace oracle {

using word = unsigned long long;
using words = std::vector<word>;

struct bit_axis {
  int on = nowhere;
  int bits = 0;

  friend constexpr bool operator==(bit_axis const&, bit_axis const&) = default;
};
using bit_axes = std::vector<bit_axis>;  // the axis of the lowest bits is first

struct bit_map {
  bit_axes in;
  bit_axes out;
  words rows;  // for each output bit, a mask of the input bits whose sum it is
  word offset = 0;
};

constexpr int bits_of(bit_axes const& side) {
  int sum = 0;
  for (bit_axis const& a : side) sum += a.bits;
  return sum;
}
constexpr bool names(bit_axes const& side, int on) {
  for (bit_axis const& a : side)
    if (a.on == on) return true;
  return false;
}
/// The number of bits of an axis, which is 0 if the side does not name it.
constexpr int bits_on(bit_axes const& side, int on) {
  for (bit_axis const& a : side)
    if (a.on == on) return a.bits;
  return 0;
}

/// The images of a map, or nothing if the map does not exist.
struct images_or_none {
  bool exists = false;
  words images;
};

/// The image of every input. Each of its bits is a sum modulo 2 along a row.
constexpr words walk(bit_map const& map) {
  words images;
  for (word x = 0; x < word{1} << bits_of(map.in); ++x) {
    word y = map.offset;
    for (std::size_t r = 0; r < map.rows.size(); ++r)
      for (word added = map.rows[r] & x; added != 0; added >>= 1)
        if (added % 2 != 0) y ^= word{1} << r;
    images.push_back(y);
  }
  return images;
}

/// The component of a word on an axis; 0 if the side does not name the axis.
constexpr number component(bit_axes const& side, int on, word w) {
  for (bit_axis const& here : side) {
    word const size = word{1} << here.bits;
    if (here.on == on) return static_cast<number>(w % size);
    w /= size;
  }
  return 0;
}

/// The word whose component on each axis is what `of` returns, cut to the bits of the axis.
template <class Component> constexpr word assembled(bit_axes const& side, Component of) {
  word w = 0;
  word unit = 1;
  for (bit_axis const& a : side) {
    w += unit * (static_cast<word>(of(a.on)) % (word{1} << a.bits));
    unit <<= a.bits;
  }
  return w;
}

/// Writes the same components as a word of another side. False if that side has no room for them.
constexpr bool renamed(bit_axes const& from, word w, bit_axes const& to, word& out) {
  for (bit_axis const& a : from)
    if (component(from, a.on, w) >= (number{1} << bits_on(to, a.on))) return false;
  out = assembled(to, [&](int on) { return component(from, on, w); });
  return true;
}

}  // namespace oracle
