// SPDX-License-Identifier: MIT
// The boxes of a tensor copy (TMA): the box of each element, and the start of each box.
#pragma once

#include <axe/draw/svg_picture.hpp>

#include <axe/plan/print/print_tma.hpp>
#include <axe/plan/tma_plan.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace drawing {

inline std::vector<tma_box> boxes_of(tma_plan const& plan) {
  std::vector<tma_box> out;
  for (integer n = 0; n < plan.issues; ++n) out.push_back(box_of(plan, n));
  return out;
}

inline integer box_at(std::vector<tma_box> const& all, integer bytes, integer at) {
  for (std::size_t k = 0; k < all.size(); ++k)
    if (all[k].shared <= at && at < all[k].shared + bytes) return static_cast<integer>(k);
  return -1;
}

inline view box_view(subject const& drawn, layout const& shared, tma_plan const& plan,
                     color_scale& scale) {
  std::vector<tma_box> const all = boxes_of(plan);
  int const bits = bits_of(plan.type);
  color_scale unused;
  view v = tensor_view(drawn, default_key(drawn.where), unused);
  v.heading = "the box that moves element (i,j)";
  v.units.assign(1, "");
  for (grid& g : v.grids)
    for (cell& c : g.cells) {
      if (c.kind != cell::held) continue;
      integer const byte = places(shared, c.element).first()[axis::m] * bits / 8;
      c.color = box_at(all, plan.box_bytes, byte);
      c.plain = c.color < 0;
      c.words = {c.plain ? "-" : std::to_string(c.color)};
      if (!c.plain) scale.add_value(c.color, std::to_string(c.color));
      if (!c.hint.empty())
        c.hint = "element (" + coordinate_text(drawn, c.element) + joined("): box ", c.color) +
                 joined(", byte ", byte, " of shared memory");
    }
  return v;
}

inline view box_table(tma_plan const& plan, color_scale& scale) {
  constexpr std::size_t most_boxes = 32;
  std::vector<tma_box> const all = boxes_of(plan);
  view v;
  v.heading = "where each box begins: the coordinates of the map, and the byte of shared memory";
  v.rows_are = "box";
  v.units.emplace_back();
  grid g;
  g.rows = static_cast<integer>(std::min(all.size(), most_boxes));
  g.columns = plan.rank() + 1;
  for (int k = 0; k < plan.rank(); ++k) g.column_names.push_back(std::to_string(k));
  g.column_names.emplace_back("shared");
  v.columns_are = " ";
  for (integer n = 0; n < g.rows; ++n) {
    tma_box const& box = all[static_cast<std::size_t>(n)];
    g.row_names.push_back(std::to_string(n));
    scale.add_value(n, std::to_string(n));
    for (integer k = 0; k < g.columns; ++k) {
      cell c;
      c.kind = cell::held;
      c.color = n;
      bool const byte = k + 1 == g.columns;
      integer const value = byte ? box.shared : box.coordinates[k];
      c.words = {(byte ? "byte " : "") + std::to_string(value)};
      c.hint = joined("box ", n,
                      byte ? " begins at byte " : joined(" adds to coordinate ", k, ": "), value);
      g.cells.push_back(c);
    }
  }
  v.grids.push_back(g);
  if (all.size() > most_boxes)
    v.notes.push_back("drawn: " + with_commas(g.rows) + " of " + with_commas(plan.issues) +
                      " boxes");
  return v;
}

inline std::string box_text(tma_plan const& plan) {
  std::string out = "box {";
  for (int k = 0; k < plan.rank(); ++k)
    out += (k == 0 ? "" : ", ") + std::to_string(plan.dimensions[k].box);
  return out + "} of " + with_commas(plan.box_bytes) + " bytes, " + with_commas(plan.issues) +
         (plan.issues == 1 ? " box" : " boxes");
}

inline picture box_picture(tma_plan const& plan, layout const& shared, shape const& s) {
  layout tile;
  tile.shards.push({size(shared), 1, axis::m});
  if (size(shared) > most_cells)
    detail::stop_on(refusal{rule::picture_too_large, {size(shared), most_cells}}, "draw_boxes");
  subject const drawn = make_subject(tile, s);
  picture p;
  p.layout_text = text_of(shared);
  p.summary =
      std::string("tensor ") + name_of(plan.kind) + ", one thread issues: " + box_text(plan);
  p.colors_are = "box";
  p.views.push_back(box_view(drawn, shared, plan, p.scale));
  p.views.push_back(box_table(plan, p.scale));
  p.blocks.push_back({{p.views.back()}, {}});
  return p;
}

}  // namespace drawing

inline std::string draw_boxes(tma_plan const& plan, layout const& shared, shape const& s,
                              draw_options const& options = {}) {
  return drawing::svg_picture(drawing::box_picture(plan, shared, s), options);
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
