// Reads a gallery: named layouts with shapes, and the values that their published sources print.
//
//     [tensor-memory]
//     layout = S[(2,128,112):(112@TCol,1@TLane,1@TCol)]
//     shape  = 2,128,112
//     value  = (1,127,111) = {127@TLane + 223@TCol}
//
// The head of examples/gallery.axe describes the format. An error names its line and is thrown.
#pragma once

#include <axe/axe.hpp>

#include <iosfwd>
#include <stdexcept>
#include <string>
#include <vector>

namespace demo {

/// The places that a source prints for one element.
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
  int bits = 0;  // the width of an element if the banks are drawn too, else 0
  std::vector<printed_value> values;
};

/// The message begins with the line, as in `line 12: …`.
struct bad_gallery : std::runtime_error {
  bad_gallery(int line, std::string const& sentence)
      : std::runtime_error("line " + std::to_string(line) + ": " + sentence) {}
};

std::vector<entry> read_gallery(std::istream& in);

/// True if the library gives the set of places that the source prints.
bool agrees(entry const& e, printed_value const& v);

}  // namespace demo
