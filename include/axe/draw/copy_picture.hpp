// SPDX-License-Identifier: MIT
// A copy plan: the thread that moves each element, and each thread's elements, by issue.
#pragma once

#include <axe/draw/box_view.hpp>

#include <axe/plan/copy_plan.hpp>
#include <axe/plan/print/print_copy.hpp>

#include <map>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace drawing {

/// `thread` counts from the first thread of the copy.
struct copy_access {
  integer thread = 0, issue = 0;
};

/// The access of each element, to its first replica in the destination.
inline std::vector<copy_access> accesses_of(copy_plan const& plan) {
  std::vector<copy_access> out(static_cast<std::size_t>(plan.tile));
  auto const drawn_extent = [&](copy_mode const& m) {  // replica modes step by whole tiles
    return m.step % plan.tile == 0 ? 1 : m.extent;
  };
  integer all = 1;
  for (copy_mode const& m : plan.modes) all *= drawn_extent(m);
  for (integer n = 0; n < all; ++n) {
    integer rest = n, element = 0;
    copy_access a;
    for (int k = plan.modes.size() - 1; k >= 0; --k) {
      copy_mode const& m = plan.modes[k];
      integer const c = rest % drawn_extent(m);
      rest /= drawn_extent(m);
      element += m.step * c;
      integer const access = c / m.values;
      if (m.threads > 1) a.thread += access % m.threads * m.thread_stride;
      if (m.issues > 1) a.issue += access / m.threads * m.issue_stride;
    }
    out.at(static_cast<std::size_t>(element)) = a;
  }
  return out;
}

inline cell access_cell(copy_plan const& plan, subject const& drawn,
                        std::vector<integer> const& elements, integer issue, integer thread) {
  cell c;
  c.kind = cell::held;
  c.element = elements.front();
  integer const more = static_cast<integer>(elements.size()) * plan.packed - 1;
  c.words = {coordinate_text(drawn, c.element) + (more > 0 ? joined(" +", more) : "")};
  c.color = issue;
  c.hint = joined("thread ", thread, ", issue ", issue, ": elements");
  for (std::size_t k = 0; k < elements.size() && k < 16; ++k)
    c.hint += " (" + coordinate_text(drawn, elements[k]) + ")";
  return c;
}

inline view access_view(copy_plan const& plan, subject const& drawn,
                        std::vector<copy_access> const& all, color_scale& scale) {
  constexpr integer most_threads = 32, most_issues = 16;
  window const whole{1, plan.issues, plan.threads};
  window const shown{1, std::min(plan.issues, most_issues), std::min(plan.threads, most_threads)};
  std::map<std::pair<integer, integer>, std::vector<integer>> elements;
  for (std::size_t x = 0; x < all.size(); ++x)
    elements[{all[x].issue, all[x].thread}].push_back(static_cast<integer>(x) * plan.packed);
  view v;
  v.heading = "the first element of each access, and how many follow";
  v.rows_are = "issue";
  v.columns_are = "thread";
  v.units.emplace_back();
  grid g;
  g.rows = shown.rows;
  g.columns = shown.columns;
  for (integer thread = 0; thread < g.columns; ++thread)
    g.column_names.push_back(std::to_string(thread));
  for (integer issue = 0; issue < g.rows; ++issue) {
    g.row_names.push_back(std::to_string(issue));
    for (integer thread = 0; thread < g.columns; ++thread) {
      cell c;
      c.kind = cell::empty;
      if (auto const found = elements.find({issue, thread}); found != elements.end()) {
        c = access_cell(plan, drawn, found->second, issue, thread);
        scale.add_value(issue, std::to_string(issue));
      }
      g.cells.push_back(c);
    }
  }
  v.grids.push_back(g);
  summarize_cells(v);
  std::string rest = left_out(shown, whole, "");
  if (!rest.empty()) v.notes.push_back(rest + ": rows are issues, columns are threads");
  return v;
}

inline view thread_view(subject const& drawn, copy_plan const& plan,
                        std::vector<copy_access> const& all, color_scale& scale) {
  color_scale unused;
  view v = tensor_view(drawn, default_key(drawn.where), unused);
  v.heading = "the thread that moves element (i,j)";
  v.units.assign(1, "");
  for (grid& g : v.grids)
    for (cell& c : g.cells) {
      if (c.kind != cell::held) continue;
      copy_access const a = all.at(static_cast<std::size_t>(c.element / plan.packed));
      c.words = {std::to_string(a.thread)};
      c.color = a.issue;
      scale.add_value(a.issue, std::to_string(a.issue));
      if (!c.hint.empty())
        c.hint = "element (" + coordinate_text(drawn, c.element) +
                 joined("): thread ", a.thread, ", issue ", a.issue);
    }
  return v;
}

inline picture copy_picture(copy_plan const& plan, shape const& s) {
  if (plan.instruction == copy_instruction::tma) {
    picture boxes =
        box_picture(plan.tensor, plan.to_space == memory_space::shared ? plan.to : plan.from, s);
    boxes.layout_text = text_of(plan.from) + "\n" + text_of(plan.to);
    return boxes;
  }
  layout tile;
  tile.shards.push({plan.tile * plan.packed, 1, axis::m});
  subject const drawn = make_subject(tile, s);
  if (size(tile) > most_cells)
    detail::stop_on(refusal{rule::picture_too_large, {size(tile), most_cells}}, "draw_copy");
  std::vector<copy_access> const all = accesses_of(plan);
  picture p;
  p.layout_text = text_of(plan.from) + "\n" + text_of(plan.to);
  p.summary = std::string(name_of(plan.instruction)) + " from " + name_of(plan.from_space) +
              " to " + name_of(plan.to_space);
  p.views.push_back(thread_view(drawn, plan, all, p.scale));
  p.summary += ": " + counted(plan.threads, "thread") + ", " + counted(plan.issues, "issue") +
               " of " + counted(plan.values, "element") + " (" + counted(plan.bytes, "byte") + ")";
  p.colors_are = "issue";
  p.views.push_back(access_view(plan, drawn, all, p.scale));
  p.blocks.push_back({{p.views.back()}, {}});
  return p;
}

}  // namespace drawing

inline std::string draw_copy(copy_plan const& plan, shape const& s,
                             draw_options const& options = {}) {
  return drawing::svg_picture(drawing::copy_picture(plan, s), options);
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
