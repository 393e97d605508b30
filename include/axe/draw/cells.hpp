// SPDX-License-Identifier: MIT
// element_cell, place_cell: one cell of the tensor view and of the hardware view.
#pragma once

#include <axe/draw/joined.hpp>
#include <axe/draw/subject.hpp>

#include <algorithm>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace drawing {

inline constexpr int most_positions = 64;
inline constexpr int most_counted_elements = 999;

inline std::string with_commas(integer n) {
  std::string digits = std::to_string(n);
  for (std::size_t i = digits.size(); i > (n < 0 ? 4u : 3u);) digits.insert(i -= 3, 1, ',');
  return digits;
}

inline std::string counted(integer n, std::string const& noun) {
  return with_commas(n) + " " + noun + (n == 1 ? "" : "s");
}

/// Prints positions: `8`; `6,10`; `0,1,…127`.
inline std::string positions_text(std::vector<integer> const& positions, bool more) {
  std::string out;
  bool const all = positions.size() <= 4 && !more;
  std::size_t const shown = all ? positions.size() : 2;
  for (std::size_t i = 0; i < shown; ++i) out += joined(i > 0 ? "," : "", positions[i]);
  if (!all) out += more ? ",…" : joined(",…", positions.back());
  return out;
}

/// The first most_positions positions. Sets `more` if others exist.
inline std::vector<integer> positions_on(placement const& where, axis a, bool& more) {
  std::vector<integer> positions;
  more = false;
  if (where.swizzle.none()) {
    step_limit unbounded(detail::largest);
    detail::sum_set const set = where.on(a);
    for (integer v = set.at_least(set.least, unbounded); v != detail::sum_set::none;
         v = set.at_least(v + 1, unbounded)) {
      more = positions.size() == most_positions;
      if (more) break;
      positions.push_back(v);
    }
    return positions;
  }
  for (place const& p : where) {
    more = positions.size() == most_positions;
    if (more) break;
    positions.push_back(p[a]);
  }
  return positions;
}

inline std::string coordinate_text(subject const& drawn, integer index) {
  std::string out;
  for (auto extent = drawn.extents.rbegin(); extent != drawn.extents.rend(); ++extent) {
    out = std::to_string(index % *extent) + (out.empty() ? "" : ",") + out;
    index /= *extent;
  }
  return out.empty() ? "()" : out;
}

std::string text_of(auto const& value) {
  auto const text = to_text(value);
  return {text.begin(), text.end()};
}
inline std::string text_of(shape const& s) { return text_of(static_cast<tree const&>(s)); }

inline std::string places_text(placement const& where) {
  std::string out;
  int count = 0;
  for (place const& p : where) {
    if (count == 64) return out + ", …}";
    out += (count++ == 0 ? "{" : ", ") + text_of(p);
  }
  return out + "}";
}

inline cell element_cell(subject const& drawn, integer x, color_key const& key,
                         color_scale& scale) {
  placement const where = places(drawn.where, x);
  cell c;
  c.kind = cell::held;
  c.element = x;
  for (term const& t : where.base.terms) {
    bool more = false;
    std::vector<integer> const positions = positions_on(where, t.on, more);
    c.several = c.several || positions.size() > 1;
    c.words.push_back(positions_text(positions, more));
  }
  if (where.base.terms.empty()) c.words.push_back("0");  // all strides are 0
  if (drawn.hints) c.hint = "element (" + coordinate_text(drawn, x) + "): " + places_text(where);
  c.color = key.value_at(where.first()[key.on]);
  if (key.on == axis::null) scale.add_value(0, "0");
  for (int i = 0; i < where.base.terms.size(); ++i)
    if (where.base.terms[i].on == key.on)
      scale.add_value(c.color, c.words[static_cast<std::size_t>(i)]);
  return c;
}

inline cell place_cell(subject const& drawn, place const& at, color_key const& key,
                       color_scale& scale) {
  cell c;
  c.kind = cell::empty;
  int others = -1;
  element_range const here = elements(drawn.where, drawn.seen_as, at);
  for (auto i = here.begin(); i != here.end() && others < most_counted_elements; ++i, ++others) {
    if (others >= 0) continue;
    element const e = *i;
    place const original = e.where.first();
    c.kind = cell::held;
    c.words.push_back(coordinate_text(drawn, e.index));
    c.element = e.index;
    c.replica = !(original == at);
    c.color = key.value_at(original[key.on]);
    bool more = false;
    scale.add_value(c.color, positions_text(positions_on(e.where, key.on, more), more));
  }
  if (drawn.hints)
    c.hint = text_of(at) + ": " +
             (c.kind == cell::held ? "element (" + c.words[0] + ")"
                                   : std::string("no element") + drawn.part);
  if (others > 0) {
    c.several = true;
    std::string const rest = joined(" +", others, others == most_counted_elements ? "…" : "");
    c.words[0] += rest;
    if (drawn.hints) c.hint += " and " + rest.substr(2) + " more" + drawn.part;
  }
  return c;
}

}  // namespace drawing
}  // namespace AXE_NAMESPACE
}  // namespace axe
