// A layout as a grid of text: for terminals, and for whoever cannot open a picture.
//
//     tensor_text("S[(2,2):(1@lane,1@reg)]"_axe, {2, 2})
//
//     tensor view: who holds element (i,j); each cell lane/reg
//      i   0   1  j
//      0 0/0 0/1
//      1 1/0 1/1
//
// The same cells as in the SVG, in characters. What does not fit is left out, and a sentence says
// how much. A shape that the layout does not admit is refused: axe::refused, as by the library's
// own plain forms.
#pragma once

#include <axe/axe.hpp>

#include <string>

namespace draw {

struct text_options {
  bool ansi = false;     // colour the cells' background: only for a terminal
  int width = 160;       // characters a line may have
  int rows = 64;         // rows of one grid that are printed
  int grids = 64;        // grids that are printed
  std::string color;     // an axis, or AXIS/N, AXIS%N, AXIS/N%M; empty: chosen by the layout
  axe::integer row = 0;  // addresses in a line of the memory view; 0: chosen by the layout
};

/// Who holds element (i,j): every element with the components of its places, copies as 6,10.
std::string tensor_text(axe::layout const& l, axe::shape const& s,
                        text_options const& options = {});

/// What each owner, or each place in memory, holds: coordinates, `.` where there is no element.
std::string hardware_text(axe::layout const& l, axe::shape const& s,
                          text_options const& options = {});

/// Lines by banks of shared memory: the elements of so many bits in each 4-byte word.
std::string bank_text(axe::layout const& l, axe::shape const& s, int bits,
                      text_options const& options = {});

/// The elements at which two layouts differ, `=` at the others, and how many there are.
std::string difference_text(axe::layout const& a, axe::layout const& b, axe::shape const& s,
                            text_options const& options = {});

}  // namespace draw
