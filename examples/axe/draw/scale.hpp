// The number that colours a cell, and its name in the legend.
//
//     read_color("warp")        the position on warp
//     read_color("m/8%8")       the 16-byte chunk in a line of 64 two-byte elements
//
// A cell is coloured by the first place of its element. Replicas have the same colour.
#pragma once

#include <axe/axe.hpp>

#include <map>
#include <string>

namespace draw {

using axe::axis;
using axe::integer;

struct color_key {
  axis on = axis::null;
  integer divide = 1;
  integer modulo = 0;  // 0: none

  integer of(integer position) const;
  std::string text() const;
};

/// Reads AXIS, AXIS/N, AXIS%N or AXIS/N%M; chooses one for an empty text. Throws
/// std::invalid_argument.
color_key read_color(std::string const& text, axe::layout const& l);

/// The values of the key in a picture, each with the positions of its elements: 5 -> "5,9".
class color_scale {
 public:
  void note(integer value, std::string const& positions) { seen_.emplace(value, positions); }

  bool empty() const { return seen_.empty(); }
  /// Few values have different hues, many lie on a ramp.
  bool few() const { return seen_.size() <= 8; }
  int classes() const { return few() ? static_cast<int>(seen_.size()) : 32; }
  int class_of(integer value) const;
  std::map<integer, std::string> const& values() const { return seen_; }

 private:
  std::map<integer, std::string> seen_;
};

std::string name_of_axis(axis a);

}  // namespace draw
