// A list of elements with their places, for people and as JSON.
//
//     (2,8)  {8@lane + 6@warp + 0@reg, 8@lane + 10@warp + 0@reg}
//     (2,9)  {8@lane + 6@warp + 1@reg, 8@lane + 10@warp + 1@reg}
//     126 of 128 elements are left out
#pragma once

#include <axe/axe.hpp>

#include <string>
#include <vector>

namespace program {

class listing {
 public:
  listing(axe::layout const& of, axe::shape const& seen_as, axe::integer most_places)
      : l(of), s(seen_as), steps(most_places) {}

  void add(axe::coordinate const& c, axe::placement const& where);
  void leave_out(axe::integer count) { left_out = count; }
  axe::integer size() const { return static_cast<axe::integer>(rows.size()); }

  std::string text() const;
  /// {"layout":…,"shape":…,"elements":[{"at":…,"places":[…]}],"left_out":0}
  std::string json() const;

  axe::refusal why;  // an element has more places than can be listed

 private:
  struct row {
    std::string at, places;
    axe::coordinate c;
    axe::placement where;
  };

  axe::layout l;
  axe::shape s;
  axe::integer steps;
  axe::integer left_out = 0;
  std::vector<row> rows;
};

}  // namespace program
