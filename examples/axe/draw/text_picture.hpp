// A layout as a grid of text.
//
//     tensor_text("S[(2,2):(1@lane,1@reg)]"_axe, {2, 2})      i   0   1  j
//                                                             0 0/0 0/1
//                                                             1 1/0 1/1
//
// The cells are those of the SVG. A sentence counts the cells that do not fit. Throws axe::refused
// for a shape that the layout does not have.
#pragma once

#include <axe/axe.hpp>

#include <string>

namespace draw {

struct text_options {
  bool ansi = false;     // coloured cells, for a terminal
  int width = 160;       // characters in a line
  int rows = 64;         // rows of one grid that are printed
  int grids = 64;        // grids that are printed
  std::string color;     // an axis, or AXIS/N, AXIS%N, AXIS/N%M; empty: chosen by the layout
  axe::integer row = 0;  // addresses in a line of the memory view; 0: chosen by the layout
};

/// The tensor view: the positions of each element, replicas as 6,10.
std::string tensor_text(axe::layout const& l, axe::shape const& s,
                        text_options const& options = {});

/// The hardware view: the element at each place, `.` for none.
std::string hardware_text(axe::layout const& l, axe::shape const& s,
                          text_options const& options = {});

/// The bank view: the elements of `bits` bits in each 4-byte word.
std::string bank_text(axe::layout const& l, axe::shape const& s, int bits,
                      text_options const& options = {});

/// The elements at which two layouts differ, `=` at the others, and their number.
std::string difference_text(axe::layout const& a, axe::layout const& b, axe::shape const& s,
                            text_options const& options = {});

}  // namespace draw
