// SPDX-License-Identifier: MIT
// A register conversion: the lanes before, the lane that each shuffle reads, the lanes after.
//
// Colours show the lane that held an element before.
#pragma once

#include <axe/draw/svg_picture.hpp>

#include <axe/convert/print_conversion.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace drawing {

struct string_sink {
  std::string& out;

  void put(char c) { out += c; }
  void put(char const* words) { out += words; }
  void put(integer n) { out += std::to_string(n); }
};

inline view shuffle_view(conversion_plan const& plan, color_scale& scale) {
  view v;
  v.heading = "the lane that each lane reads, shuffle by shuffle";
  v.rows_are = "shuffle";
  v.columns_are = "lane";
  v.units.emplace_back();
  grid g;
  g.columns = detail::warp_lanes;
  for (integer lane = 0; lane < g.columns; ++lane) g.column_names.push_back(std::to_string(lane));
  int value = plan.inputs.size();
  for (conversion_step const s : plan.steps) {
    int const made = value++;
    if (s.op != conversion_op::shuffle) continue;
    std::string name;
    string_sink to{name};
    print(to, detail::printed_value{plan, made});
    g.row_names.push_back(name);
    ++g.rows;
    for (int lane = 0; lane < detail::warp_lanes; ++lane) {
      int const from = plan.maps[s.map](lane);
      cell c;
      c.kind = cell::held;
      c.words = {std::to_string(from)};
      c.color = from;
      c.hint = joined("lane ", lane, " reads lane ", from, ": ") + name + " = ";
      string_sink hint{c.hint};
      detail::print_step(hint, plan, s);
      scale.add_value(from, std::to_string(from));
      g.cells.push_back(c);
    }
  }
  if (g.rows > 0) v.grids.push_back(g);
  if (plan.repeats.size() > 1)
    v.notes.push_back("the shuffles run " + with_commas(plan.repeats.size()) +
                      " times, each time for other registers");
  return v;
}

inline picture conversion_picture(layout const& from, layout const& to,
                                  conversion_plan const& plan) {
  shape const flat{size(from)};
  subject const before = make_subject(from, flat), after = make_subject(to, flat);
  picture p;
  p.layout_text = text_of(from) + "\n" + text_of(to);
  string_sink summary{p.summary};
  print_summary(summary, plan);
  p.key.on = axis::lane;
  p.colors_are = "from lane";
  color_scale unused;
  view first = hardware_view(before, p.key, p.scale, 0);
  first.heading = "before: the element at each place";
  view last = hardware_view(after, p.key, unused, 0);
  last.heading = "after: the element at each place";
  for (grid& g : last.grids)
    for (cell& c : g.cells)
      if (c.kind == cell::held) c.color = places(from, c.element).first()[axis::lane];
  p.views.push_back(first);
  view const shuffles = shuffle_view(plan, p.scale);
  if (!shuffles.grids.empty()) p.views.push_back(shuffles);
  p.views.push_back(last);
  return p;
}

}  // namespace drawing

/// Both layouts must lie on lane, reg and possibly warp.
inline std::string draw_conversion(layout const& from, layout const& to,
                                   conversion_plan const& plan, draw_options const& options = {}) {
  return drawing::svg_picture(drawing::conversion_picture(from, to, plan), options);
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
