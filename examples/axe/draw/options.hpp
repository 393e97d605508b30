// The options of `axe draw`, read and checked before anything is drawn.
#pragma once

#include "command.hpp"

#include <axe/draw.hpp>

#include <stdexcept>

namespace draw {

/// A sentence about wrong options. The exit code is 2.
struct wrong_usage : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct options {
  axe::layout of;
  axe::shape seen_as;
  axe::draw_options asked;
  std::string file = "layout.svg";
  bool text = false;
  bool help = false;
};

options read_options(std::vector<std::string> const& given, layout_reader const& read);

/// Reads a shape such as `8,16` or `(8,16)`, which may be nested as in `((2,4),16)`.
axe::shape read_shape(std::string const& text);

/// Reads AXIS, AXIS/N, AXIS%N or AXIS/N%M. For an empty text the layout decides what colours mean.
axe::drawing::color_key read_color(std::string const& text, axe::layout const& l);

/// Reads the number of addresses in a line of the memory view. Sentences name the `option`.
axe::integer read_row(std::string const& option, std::string const& text);

/// Reads the width of an element in bits: a power of two from 1 to 128.
int read_bits(std::string const& option, std::string const& text);

/// Throws wrong_usage if the layout has an axis other than m.
void require_memory(axe::layout const& l);

}  // namespace draw
