// Elements with their places, written as they are enumerated, for people or as JSON.
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
  /// `width`: that of the widest coordinate.
  listing(request const& of, std::ostream& to, std::size_t width);

  void add(axe::coordinate const& at, axe::placement const& where);
  void finish(axe::integer left_out);

 private:
  request const& asked;
  std::ostream& out;
  text::json json;
  std::size_t column;
};

/// The first `count` elements of the layout. Rejects, before anything is written, places that are
/// too many to list: all elements have equally many.
bool list_elements(request& r, std::ostream& out, axe::integer count);

}  // namespace program
