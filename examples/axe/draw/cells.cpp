#include "cells.hpp"

#include <algorithm>

namespace draw {

namespace {

constexpr int most_positions = 64;  // replicas in the text of one cell
constexpr int most_together = 999;  // elements counted at one place

}  // namespace

std::string with_commas(integer n) {
  std::string digits = std::to_string(n);
  for (std::size_t i = digits.size(); i > (n < 0 ? 4u : 3u);) digits.insert(i -= 3, 1, ',');
  return digits;
}

std::string positions_text(std::vector<integer> const& positions, bool more) {
  std::string out;
  bool const all = positions.size() <= 4 && !more;
  std::size_t const shown = all ? positions.size() : 2;
  for (std::size_t i = 0; i < shown; ++i) out += joined(i > 0 ? "," : "", positions[i]);
  if (!all) out += more ? ",…" : joined(",…", positions.back());
  return out;
}

std::vector<integer> positions_on(axe::placement const& where, axis a, bool& more) {
  std::vector<integer> positions;
  more = false;
  if (where.swizzle.none()) {  // the set is a product of one set for each axis
    axe::step_limit unbounded(axe::detail::largest);
    axe::detail::sum_set const set = where.on(a);
    for (integer v = set.at_least(set.least, unbounded); v != axe::detail::sum_set::none;
         v = set.at_least(v + 1, unbounded)) {
      more = positions.size() == most_positions;
      if (more) break;
      positions.push_back(v);
    }
    return positions;
  }
  for (axe::place const& p : where) {
    more = positions.size() == most_positions;
    if (more) break;
    positions.push_back(p[a]);
  }
  return positions;
}

axe::coordinate coordinate_of(std::vector<integer> const& at) {
  axe::coordinate c;
  for (integer entry : at) c.append(axe::tree(entry));
  return c;
}

std::string coordinate_text(subject const& of, integer index) {
  std::string out;
  for (auto extent = of.extents.rbegin(); extent != of.extents.rend(); ++extent) {
    out = std::to_string(index % *extent) + (out.empty() ? "" : ",") + out;
    index /= *extent;
  }
  return out.empty() ? "()" : out;
}

cell element_cell(subject const& of, std::vector<integer> const& at, color_key const& key,
                  color_scale& scale) {
  axe::placement const where = axe::places(of.of, of.seen_as, coordinate_of(at));
  cell c;
  c.kind = cell::held;
  for (axis a : where.axes) {
    bool more = false;
    std::vector<integer> const positions = positions_on(where, a, more);
    c.several = c.several || positions.size() > 1;
    c.words.push_back(positions_text(positions, more));
  }
  if (where.axes.empty()) c.words.push_back("0");  // all strides are 0
  c.color = key.of(where.first()[key.on]);
  if (key.on == axis::null) scale.note(0, "0");
  for (int i = 0; i < where.axes.size(); ++i)
    if (where.axes[i] == key.on) scale.note(c.color, c.words[static_cast<std::size_t>(i)]);
  return c;
}

cell place_cell(subject const& of, axe::place const& at, color_key const& key, color_scale& scale) {
  cell c;
  c.kind = cell::empty;
  int others = -1;
  axe::element_range const here = axe::elements(of.of, of.seen_as, at);
  for (auto i = here.begin(); i != here.end() && others < most_together; ++i, ++others) {
    if (others >= 0) continue;  // counted only
    axe::element const e = *i;
    axe::place const original = e.where.first();
    c.kind = cell::held;
    c.words.push_back(coordinate_text(of, e.index));
    c.replica = !(original == at);
    c.color = key.of(original[key.on]);
    bool more = false;
    scale.note(c.color, positions_text(positions_on(e.where, key.on, more), more));
  }
  if (others > 0) {
    c.several = true;
    c.words[0] += joined(" +", others, others == most_together ? "…" : "");
  }
  return c;
}

}  // namespace draw
