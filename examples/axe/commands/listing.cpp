#include "commands/listing.hpp"

#include "eval/json.hpp"
#include "eval/print.hpp"
#include "text/sink.hpp"

#include <algorithm>

namespace program {

namespace {

/// The width of the widest of the first `count` coordinates. One of these is the widest: for each
/// dimension, the last coordinate that has the largest indices in all later dimensions.
std::size_t widest_coordinate(axe::shape const& s, axe::integer count) {
  axe::detail::extent_list extents;
  axe::integer size = 0;
  axe::detail::leaves_of(s, extents, size);
  std::size_t widest = 0;
  axe::integer block = 1;
  for (int k = extents.size(); k >= 0 && block <= count; --k) {
    axe::integer const x = count / block * block - 1;
    widest = std::max(widest, text::printed(axe::detail::coordinate_of(s, x)).size());
    if (k > 0) block *= extents[k - 1];
  }
  return widest;
}

}  // namespace

listing::listing(request const& of, std::ostream& to, std::size_t width)
    : asked(of), out(to), json(to), column(width + 2) {
  if (!asked.json()) return;
  json.object().key("layout");
  calculator::write(json, asked.layouts.front());
  json.key("shape");
  calculator::write(json, asked.shape);
  json.key("elements").array();
}

void listing::add(axe::coordinate const& at, axe::placement const& where) {
  if (asked.json()) {
    json.object().key("at");
    calculator::write(json, at);
    json.key("places");
    calculator::write(json, where);
    json.end();
    return;
  }
  std::string row = text::printed(at);
  row.resize(std::max(row.size(), column), ' ');
  calculator::print_places(row, where, asked.steps());
  out << row << '\n';
}

void listing::finish(axe::integer left_out) {
  if (asked.json()) {
    json.end().key("left_out").number(left_out).end().flush();
    out << '\n';
  } else if (left_out > 0) {
    axe::integer const all = axe::size(asked.layouts.front());
    out << left_out << " of " << all << (left_out == 1 ? " elements is" : " elements are")
        << " left out; --limit " << all << " lists all\n";
  }
}

bool list_elements(request& r, std::ostream& out, axe::integer count) {
  axe::layout const& l = r.layouts.front();
  axe::element_range const elements = axe::elements(l, r.shape);
  if (!r.can_list((*elements.begin()).where)) return false;
  listing list(r, out, widest_coordinate(r.shape, count));
  axe::integer left = count;
  for (axe::element const& e : elements) {
    if (left-- == 0 || !out) break;
    list.add(e.at, e.where);
  }
  list.finish(axe::size(l) - count);
  return true;
}

}  // namespace program
