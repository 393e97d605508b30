// Which number colours a cell, and what the numbers that occur are called in the legend.
//
//     read_color("warp")        the component on warp
//     read_color("m/8%8")       the 16-byte chunk in a line of 64 two-byte elements
//
// A cell is coloured by the first place of its element, so copies carry the colour of their
// original.
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

/// The key that `text` spells, or the one that shows most of l where it is empty. Throws
/// std::invalid_argument with a sentence.
color_key read_color(std::string const& text, axe::layout const& l);

/// The values of the key that a picture shows, each with the positions that its elements have: 5 ->
/// "5,9".
class color_scale {
 public:
  void note(integer value, std::string const& positions) { seen_.emplace(value, positions); }

  bool empty() const { return seen_.empty(); }
  /// Few values have a colour each, many lie on a ramp.
  bool few() const { return seen_.size() <= 8; }
  int classes() const { return few() ? static_cast<int>(seen_.size()) : 32; }
  int class_of(integer value) const;
  std::map<integer, std::string> const& values() const { return seen_; }

 private:
  std::map<integer, std::string> seen_;
};

std::string name_of_axis(axis a);

}  // namespace draw
