// Writes elements with their places while they are enumerated, as text or as JSON.
//
//     (0,0)  {0@lane + 5@warp + 0@reg, 0@lane + 9@warp + 0@reg}
//     (0,1)  {0@lane + 5@warp + 1@reg, 0@lane + 9@warp + 1@reg}
//     126 of 128 elements are left out; --limit 128 lists all
#pragma once

#include "commands/request.hpp"
#include "support/json.hpp"

namespace program {

class listing {
 public:
  /// `width` is that of the first column: the length of the longest coordinate.
  listing(request const& of, std::ostream& to, std::size_t width);

  void add(axe::coordinate const& at, axe::placement const& where);
  void finish(axe::integer left_out);

 private:
  request const& asked;
  std::ostream& out;
  text::json json;
  std::size_t column;
};

/// Lists the first `count` elements of the layout. Returns false and writes nothing if an element
/// has too many places.
bool list_elements(request& r, std::ostream& out, axe::integer count);

}  // namespace program
