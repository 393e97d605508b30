// SPDX-License-Identifier: MIT
// The legend of colours, corners, hatches and frames.
#pragma once

#include <axe/draw/page.hpp>
#include <axe/draw/svg_grid.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace drawing {

inline constexpr double ramp_width = 192;
inline constexpr double swatch = 13;

class legend {
 public:
  legend(svg_writer& out, double x, double y, double width)
      : out_(out), left_(x), x_(x), y_(y), right_(x + width) {}

  void item(std::string const& words, auto const& mark, double mark_width = swatch) {
    double const width = mark_width + 6 + sans_width(words, font::small) + 20;
    if (x_ + width - 20 > right_ && x_ > left_) {
      x_ = left_;
      y_ += 20;
    }
    mark(x_, y_);
    out_.text(x_ + mark_width + (mark_width > 0 ? 6 : 0), y_ + 10.5, "small", words);
    x_ += width;
  }
  double bottom() const { return y_ + 20; }

 private:
  svg_writer& out_;
  double left_, x_, y_, right_;
};

inline void legend_colors(svg_writer& out, legend& items, picture const& p) {
  if (p.scale.few()) {
    for (auto const& [value, positions] : p.scale.values())
      items.item(value_name(p, value), [&, v = value](double x, double y) {
        out.rect(x, y, swatch, swatch, joined("c", p.scale.class_of(v), " k"));
      });
    return;
  }
  integer const least = p.scale.values().begin()->first;
  integer const most = p.scale.values().rbegin()->first;
  int const steps = p.scale.classes();
  auto const ramp = [&](double x, double y) {
    for (int i = 0; i < steps; ++i)
      out.rect(x + i * ramp_width / steps, y, ramp_width / steps, swatch, joined("ramp c", i));
  };
  std::string const counted =
      p.colors_are.empty() ? p.key.text() + ", " + with_commas(least) + " to " + with_commas(most)
                           : p.colors_are + " " + p.scale.values().begin()->second + " to " +
                                 p.scale.values().rbegin()->second + p.colors_note;
  items.item(counted + (p.replicas > 1 ? " (of the first place)" : ""), ramp, ramp_width);
}

inline std::string corner_mark(double x, double y) { return triangle(x + swatch - 1, y + 1, 6); }

struct marks_on_page {
  bool replicas = false, empty = false, corners = false, contested = false, outlined = false;

  explicit marks_on_page(page const& shown) {
    for (placed_view const& v : shown.views) {
      bool const elements = !v.shown.units.empty() && v.shown.units.front().empty();
      replicas = replicas || v.shown.has_replicas;
      empty = empty || v.shown.has_empty;
      corners =
          corners || (v.shown.has_several && !elements && v.size.level != detail_level::color);
      contested = contested || (v.shown.has_several && elements);
      outlined = outlined || !v.outlined.empty();
    }
  }
};

inline void legend_marks(svg_writer& out, legend& items, picture const& p, page const& shown) {
  marks_on_page const has(shown);
  for (legend_entry const& e : p.legend)
    items.item(e.words,
               [&](double x, double y) { out.rect(x, y, swatch, swatch, e.classes + " k"); });
  if (has.outlined)
    items.item("the block that is drawn below", [&](double x, double y) {
      out.rect(x + 1, y + 1, swatch - 2, swatch - 2, "outline");
    });
  if (has.corners)
    items.item(joined("lies at ", p.replicas > 1 ? with_commas(p.replicas) : "several", " places"),
               [&](double x, double y) {
                 out.rect(x, y, swatch, swatch, "n k");
                 out.path(corner_mark(x, y), "many");
               });
  if (has.replicas)
    items.item("a replica: the first place of the element is elsewhere", [&](double x, double y) {
      out.rect(x, y, swatch, swatch, "n k");
      out.rect(x, y, swatch, swatch, "replica k");
    });
  if (has.empty)
    items.item("no element here", [&](double x, double y) {
      out.rect(x + 0.5, y + 0.5, swatch - 1, swatch - 1, "e k");
    });
  if (has.contested)
    items.item("several elements at one place", [&](double x, double y) {
      out.rect(x, y, swatch, swatch, "n k");
      out.path(corner_mark(x, y), "alert");
    });
  for (placed_view const& v : shown.views)
    if (v.size.level == detail_level::values && v.shown.units.size() > 1) {
      items.item(
          "in a cell of the tensor view, from the top: " + listed(v.shown.units, ", "),
          [](double, double) {}, 0);
      break;
    }
}

}  // namespace drawing
}  // namespace AXE_NAMESPACE
}  // namespace axe
