// SPDX-License-Identifier: MIT
// The hardware view: the element at each place, and the region of each owner (a thread or device).
//
//     S[(2,32,2,64):(1@gpuid,128@m,2@gpuid,1@m)]      gpuid 3 holds (32:64, 64:128)
#pragma once

#include <axe/draw/hardware_plan.hpp>
#include <axe/draw/window.hpp>

#include <axe/algebra/owned_by.hpp>

#include <algorithm>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace drawing {

inline constexpr integer most_owners_looked_at = 4'096;
inline constexpr integer most_owners_drawn_empty = 16;

struct position_range {
  integer first = 0, count = 1;
};

/// If plan.line > 0, `rows` counts lines.
struct frame {
  hardware_plan const& plan;
  position_range rows{}, columns{};

  explicit frame(hardware_plan const& p) : plan(p) {
    if (plan.line > 0) {
      integer const first = detail::floor_divide(plan.columns.least, plan.line);
      rows = {first, detail::floor_divide(plan.columns.most, plan.line) - first + 1};
      columns = {0, plan.line};
      return;
    }
    if (plan.rows.on != axis::null) rows = {plan.rows.least, plan.rows.count()};
    if (plan.columns.on != axis::null) columns = {plan.columns.least, plan.columns.count()};
  }

  bool locate(integer r, integer c, place& at) const {
    if (plan.line > 0) {
      integer position = rows.first + r;
      if (!detail::multiply(position, plan.line) || !detail::add(position, c)) return false;
      if (position < plan.columns.least || position > plan.columns.most) return false;
      return at.add({position, plan.columns.on});
    }
    if (plan.rows.on != axis::null) at.add({rows.first + r, plan.rows.on});
    if (plan.columns.on != axis::null) at.add({columns.first + c, plan.columns.on});
    return true;
  }

  std::string row_name(integer r) const {
    integer name = rows.first + r;
    if (plan.line > 0 && !detail::multiply(name, plan.line)) return "";
    return plan.line == 0 && plan.rows.on == axis::null ? "" : std::to_string(name);
  }
  std::string column_name(integer c) const {
    return plan.columns.on == axis::null ? ""
                                         : std::to_string(plan.line > 0 ? c : columns.first + c);
  }
};

inline place grid_place(hardware_plan const& plan, integer index) {
  place at;
  std::vector<integer> positions(plan.grids.size());
  for (std::size_t k = plan.grids.size(); k-- > 0;) {
    positions[k] = plan.grids[k].least + index % plan.grids[k].count();
    index /= plan.grids[k].count();
  }
  for (std::size_t k = 0; k < positions.size(); ++k) at.add({positions[k], plan.grids[k].on});
  return at;
}

inline std::string owner_name(place const& at) {
  std::string out;
  for (term const& t : at.terms)
    out += (out.empty() ? "" : ", ") + name_of_axis(t.on) + " " + std::to_string(t.n);
  return out;
}

/// `holds (0:8, 8:16)` if the owner holds one region, else empty.
inline std::string holding(subject const& drawn, place const& owner) {
  ownership const owned = owned_by(drawn.where, drawn.seen_as, owner);
  auto i = owned.begin();
  piece const piece = *i;
  if (++i != owned.end() || piece.flattened || !piece.is_region()) return "";
  std::string out;
  for (int d = 0; d < piece.extents.rank(); ++d) {
    if (!piece.extents[d].is_integer()) return "";
    integer const begin = piece.origin[d].nodes.value(0);
    out += (d > 0 ? ", " : "") + std::to_string(begin) + ":" +
           std::to_string(begin + piece.extents[d].nodes.value(0));
  }
  return "holds (" + out + ")";
}

inline grid draw_grid(subject const& drawn, frame const& f, window const& w, place const& owner,
                      color_key const& key, color_scale& scale) {
  grid g;
  g.rows = w.rows;
  g.columns = w.columns;
  for (integer c = 0; c < w.columns; ++c) g.column_names.push_back(f.column_name(c));
  for (integer r = 0; r < w.rows; ++r) {
    g.row_names.push_back(f.row_name(r));
    for (integer c = 0; c < w.columns; ++c) {
      place at = owner;
      g.cells.push_back(f.locate(r, c, at) ? place_cell(drawn, at, key, scale) : cell{});
    }
  }
  return g;
}

struct idle_owners {
  std::string names;
  integer count = 0;

  void add(std::string const& name) {
    if (++count <= 6) names += (names.empty() ? "" : "; ") + name;
  }
  std::string sentence() const {
    if (count == 0) return "";
    return "empty, not drawn: " + names +
           (count > 6 ? " and " + with_commas(count - 6) + " more" : "");
  }
};

inline void describe(view& v, hardware_plan const& plan) {
  if (plan.line > 0) {
    v.heading = "hardware view: the element at each position of " + name_of_axis(plan.columns.on) +
                ", " + std::to_string(plan.line) + " in a line";
    v.rows_are = name_of_axis(plan.columns.on);
    v.columns_are = "+";
  } else {
    v.heading = "hardware view: the element at each place";
    if (plan.rows.on != axis::null) v.rows_are = name_of_axis(plan.rows.on);
    if (plan.columns.on != axis::null) v.columns_are = name_of_axis(plan.columns.on);
  }
  if (!plan.grids.empty()) {
    std::string owners;
    for (axis_range const& a : plan.grids)
      owners += (owners.empty() ? "" : ", ") + name_of_axis(a.on);
    v.heading += ", one grid for each " + owners;
  }
  v.units.emplace_back();
}

inline view hardware_view(subject const& drawn, color_key const& key, color_scale& scale,
                          integer row) {
  hardware_plan const plan = plan_hardware(drawn.where, row);
  frame const f(plan);
  integer total = 1;
  for (axis_range const& a : plan.grids)
    if (!detail::multiply(total, a.count())) total = detail::largest;
  window const all{total, f.rows.count, f.columns.count};
  window w = cut(all, drawn.most_cells);

  view v;
  describe(v, plan);
  idle_owners idle;
  integer looked_at = 0;
  for (; looked_at < std::min(total, most_owners_looked_at) &&
         static_cast<integer>(v.grids.size()) < w.grids;
       ++looked_at) {
    place const owner = grid_place(plan, looked_at);
    bool const holds =
        plan.owner_count == 0 || !elements(drawn.where, drawn.seen_as, owner).empty();
    if (!holds && total > most_owners_drawn_empty) {
      idle.add(owner_name(owner));
      continue;
    }
    v.grids.push_back(draw_grid(drawn, f, w, owner, key, scale));
    v.grids.back().title = owner_name(owner);
    if (!holds) v.grids.back().title += " holds nothing";
    if (holds && plan.owner_count > 0 && plan.owner_count == plan.grids.size())
      if (std::string const region = holding(drawn, owner); !region.empty())
        v.grids.back().title += " " + region;
  }
  w.grids = looked_at;
  if (std::string const rest = left_out(w, all, "owners"); !rest.empty()) v.notes.push_back(rest);
  if (std::string const nothing = idle.sentence(); !nothing.empty()) v.notes.push_back(nothing);
  summarize_cells(v);
  return v;
}

}  // namespace drawing
}  // namespace AXE_NAMESPACE
}  // namespace axe
