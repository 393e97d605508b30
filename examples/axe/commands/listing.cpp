// Elements with their places: see listing.hpp.
#include "commands/listing.hpp"

#include "eval/json.hpp"
#include "eval/print.hpp"
#include "text/sink.hpp"

#include <algorithm>

namespace program {

void listing::add(axe::coordinate const& c, axe::placement const& where) {
  row r{text::printed(c), "", c, where};
  if (!calculator::print_places(r.places, where, steps)) why = {axe::rule::undecided, {steps}};
  rows.push_back(std::move(r));
}

std::string listing::text() const {
  std::string out;
  std::size_t width = 0;
  for (row const& r : rows) width = std::max(width, r.at.size());
  for (row const& r : rows)
    out += r.at + std::string(width - r.at.size() + 2, ' ') + r.places + '\n';
  if (left_out > 0)
    out += std::to_string(left_out) + " of " + std::to_string(axe::size(l)) +
           (left_out == 1 ? " elements is" : " elements are") + " left out; --limit " +
           std::to_string(axe::size(l)) + " lists all\n";
  return out;
}

std::string listing::json() const {
  ::text::json out;
  out.object().key("layout");
  calculator::write(out, l);
  out.key("shape");
  calculator::write(out, s);
  out.key("elements").array();
  for (row const& r : rows) {
    out.object().key("at");
    calculator::write(out, r.c);
    out.key("places");
    calculator::write(out, r.where);
    out.end();
  }
  out.end().key("left_out").number(left_out).end();
  return out.str() + '\n';
}

}  // namespace program
