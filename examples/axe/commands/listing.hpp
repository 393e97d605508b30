// Writes elements with their places while they are enumerated, as text or as JSON.
//
//     (2,8)  {8@lane + 6@warp + 0@reg, 8@lane + 10@warp + 0@reg}
//     (2,9)  {8@lane + 6@warp + 1@reg, 8@lane + 10@warp + 1@reg}
//     126 of 128 elements are left out; --limit 128 lists all
#pragma once

#include "commands/request.hpp"
#include "support/json.hpp"

namespace program {

class listing {
 public:
  /// `width` is the width of the widest coordinate, which is the first column.
  listing(request const& of, std::ostream& to, std::size_t width);

  void add(axe::coordinate const& at, axe::placement const& where);
  void finish(axe::integer left_out);

 private:
  request const& asked;
  std::ostream& out;
  text::json json;
  std::size_t column;
};

/// Lists the first `count` elements of the layout. If an element has too many places, it writes
/// nothing and fails. Looking at one element is enough, because all have equally many places.
bool list_elements(request& r, std::ostream& out, axe::integer count);

}  // namespace program
