// SPDX-License-Identifier: MIT
// Arranges a picture's views on a page: which views, how much text, positions.
#pragma once

#include <axe/draw/picture.hpp>
#include <axe/draw/split_grids.hpp>
#include <axe/draw/svg_measure.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace drawing {

struct placed_view {
  view shown;
  measure size;
  double x = 0, y = 0;
  std::vector<integer> outlined;  // rows and columns of the repeated block
};

struct page {
  std::vector<placed_view> views;
  double width = 0, height = 0;
};

inline constexpr double view_gap = 28;
inline constexpr double least_coloured_height = 200;  // of the views above a block
inline constexpr double height_tolerance = 1.1;       // for a page with text in all cells

inline page flow_views(std::vector<placed_view> views, double width) {
  page out;
  double x = 0, y = 0, tallest = 0;
  for (placed_view& v : views) {
    if (x > 0 && x + v.size.width > width) {
      x = 0;
      y += tallest + view_gap * 0.6;
      tallest = 0;
    }
    v.x = x;
    v.y = y;
    x += v.size.width + view_gap;
    tallest = std::max(tallest, v.size.height);
    out.width = std::max(out.width, v.x + v.size.width);
  }
  out.height = y + tallest;
  out.views = std::move(views);
  return out;
}

inline page labelled_page(std::vector<view> const& views, detail_level level, double width) {
  std::vector<placed_view> placed;
  for (view const& v : views) {
    view whole = without_empty_grids(v);
    measure m = measure_labels(whole, level, width);
    if (m.grid_width > width) {
      double const spare = m.grid_width - width;
      integer const fitting =
          whole.grids.front().columns - static_cast<integer>(std::ceil(spare / m.cell_width));
      whole = split_wide_grids(whole, std::max<integer>(fitting, 1));
      m = measure_labels(whole, level, width);
    }
    placed.push_back({std::move(whole), m, 0, 0, {}});
  }
  return flow_views(std::move(placed), width);
}

inline std::vector<placed_view> coloured(std::vector<view> views, double width, double height) {
  std::vector<placed_view> placed;
  auto const count = static_cast<double>(views.size());
  double const room = (width - (count - 1) * view_gap) / std::max(count, 1.0);
  for (view& v : views) {
    view whole = without_empty_grids(std::move(v));
    measure const m = measure_colors(whole, room, height);
    placed.push_back({std::move(whole), m, 0, 0, {}});
  }
  return placed;
}

inline bool may_be_labelled(std::vector<view> const& views) {
  return std::all_of(views.begin(), views.end(),
                     [](view const& v) { return cells_of(v) <= most_labelled_cells; });
}

/// The views in colours, above the first `shown` views of a block. Empty if they do not fit.
inline page block_page(picture const& p, block_views const& block, std::size_t shown, double width,
                       double height) {
  std::vector<view> const some(block.views.begin(),
                               block.views.begin() + static_cast<std::ptrdiff_t>(shown));
  if (!may_be_labelled(some)) return {};
  for (detail_level level : {detail_level::names, detail_level::values}) {
    page const words = labelled_page(some, level, width);
    double const rest = height - words.height - view_gap;
    if (words.width > width || rest < least_coloured_height) continue;
    std::vector<view> not_below;
    for (view const& v : p.views)
      if (std::none_of(some.begin(), some.end(),
                       [&](view const& below) { return below.heading == v.heading; }))
        not_below.push_back(v);
    if (not_below.empty()) continue;
    std::vector<placed_view> all = coloured(std::move(not_below), width, rest);
    if (!block.extents.empty()) all.front().outlined = block.extents;
    page over = flow_views(std::move(all), width);
    if (over.width > width || over.height > rest) continue;
    for (placed_view v : words.views) {
      v.y += over.height + view_gap;
      over.views.push_back(v);
    }
    over.width = std::max(over.width, words.width);
    over.height += view_gap + words.height;
    return over;
  }
  return {};
}

inline page arrange_page(picture const& p, double width, double height) {
  if (may_be_labelled(p.views))
    for (detail_level level : {detail_level::names, detail_level::values}) {
      page const whole = labelled_page(p.views, level, width);
      if (whole.width <= width && whole.height <= height_tolerance * height) return whole;
    }
  for (bool const both : {true, false})
    for (block_views const& block : p.blocks) {
      page const found = block_page(p, block, both ? block.views.size() : 1, width, height);
      if (!found.views.empty()) return found;
    }
  return flow_views(coloured(p.views, width, height), width);
}

}  // namespace drawing
}  // namespace AXE_NAMESPACE
}  // namespace axe
