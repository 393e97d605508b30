// A gallery: named layouts with their shapes and the values that their sources print, from a text
// file.
//
//     [tensor-memory]
//     layout = S[(2,128,112):(112@TCol,1@TLane,1@TCol)]
//     shape  = 2,128,112
//     value  = (1,127,111) = {127@TLane + 223@TCol}
//
// The form is written down at the head of examples/gallery.axe. Reading checks everything: a layout
// is one, a shape is admitted, a value's coordinate lies in it. The first mistake is thrown with
// its line.
#pragma once

#include <axe/axe.hpp>

#include <iosfwd>
#include <stdexcept>
#include <string>
#include <vector>

namespace demo {

/// Places that a source prints for one element.
struct printed_value {
  int line = 0;
  axe::coordinate at;
  std::vector<axe::place> places;
};

struct entry {
  int line = 0;
  std::string name, title, source, about, color;
  axe::layout layout;
  axe::shape shape;
  axe::integer row = 0;
  int bits = 0;  // not 0: drawn as banks too
  std::vector<printed_value> values;
};

/// `line 12: …`
struct bad_gallery : std::runtime_error {
  bad_gallery(int line, std::string const& sentence)
      : std::runtime_error("line " + std::to_string(line) + ": " + sentence) {}
};

std::vector<entry> read_gallery(std::istream& in);

/// Does the library place the element where the source says, as sets?
bool agrees(entry const& e, printed_value const& v);

}  // namespace demo
