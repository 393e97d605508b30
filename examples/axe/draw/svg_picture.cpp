#include "svg_picture.hpp"

#include "cells.hpp"
#include "palette.hpp"
#include "svg_grid.hpp"

#include <algorithm>

namespace draw {

namespace {

constexpr double margin = 24;
constexpr double view_gap = 48;
constexpr double ramp_width = 192;
constexpr double swatch = 13;

struct page_colors {
  char const *page, *ink, *quiet, *empty, *edge, *neutral, *alert_fill, *alert;
};
constexpr page_colors in_the_light{"#ffffff", "#1f2328", "#59636e", "#e9edf1",
                                   "#c3ccd5", "#e3e7eb", "#ffc9c2", "#cf222e"};
constexpr page_colors in_the_dark{"#0d1117", "#e6edf3", "#9198a1", "#1a2029",
                                  "#3d444d", "#2a313c", "#7d2a2a", "#ff7b72"};

std::string rules(page_colors const& c, std::vector<rgb> const& fills) {
  std::string out;
  auto const rule = [&](std::string const& selector, std::string const& body) {
    out += selector + "{" + body + "}";
  };
  std::string const page = c.page;
  std::string const ink = c.ink;
  rule(".page", "fill:" + page);
  rule("text", "fill:" + ink);
  rule(".quiet,.tick,.caption", std::string("fill:") + c.quiet);
  rule(".e", std::string("fill:") + c.empty + ";stroke:" + c.edge);
  rule(".se", std::string("stroke:") + c.empty);
  rule(".n", std::string("fill:") + c.neutral);
  rule(".sn", std::string("stroke:") + c.neutral);
  rule(".x", std::string("fill:") + c.alert_fill);
  rule(".sx", std::string("stroke:") + c.alert_fill);
  rule(".alert", std::string("fill:") + c.alert);
  rule(".salert", std::string("stroke:") + c.alert);
  rule(".faint,.clear", "stroke:" + page);
  rule(".hatch", "stroke:" + ink);
  rule(".many", "fill:" + ink);
  for (std::size_t i = 0; i < fills.size(); ++i) {
    rule(joined(".c", i), joined("fill:", fills[i].text()));
    rule(joined(".sc", i), joined("stroke:", fills[i].text()));
  }
  return out;
}

std::string style(palette const& colors) {
  return "<style>\n"
         "text{font-family:system-ui,\"Segoe UI\",Helvetica,Arial,\"DejaVu "
         "Sans\",sans-serif;font-size:11px}\n"
         ".title,.tick,.caption,.big,.num{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"
         "\"DejaVu "
         "Sans Mono\",monospace}\n"
         ".name{font-size:18px;font-weight:600}.title{font-size:15px}.heading{font-size:13px;font-"
         "weight:600}"
         "\n"
         ".tick,.caption{font-size:9px}.caption{font-weight:700}.big{font-size:10px}.num{font-size:"
         "9px}."
         "block{font-size:11px;paint-order:stroke;stroke-width:4px;stroke-linejoin:round}.large{"
         "font-size:"
         "16px}\n"
         ".big,.num,.block,.mid{text-anchor:middle}.end{text-anchor:end}.unit{fill-opacity:.55}\n"
         ".runs{fill:none;stroke-width:1;shape-rendering:crispEdges}.replica{fill:url(#replica)}\n"
         ".k{rx:2px}.e.k{stroke-width:1;stroke-dasharray:2 "
         "2}.hatch{stroke-width:1.4;stroke-opacity:.34;fill:none}.many{fill-opacity:.6}\n"
         ".faint{fill:none;stroke-width:.5}.clear{fill:none;stroke-width:1.2}.ramp{shape-rendering:"
         "crispEdges}.salert{stroke-opacity:.8;stroke-dasharray:.3 .7}\n" +
         rules(in_the_light, colors.light) + "\n@media (prefers-color-scheme:dark){" +
         rules(in_the_dark, colors.dark) + "}\n</style>\n";
}

/// Items from left to right, wrapped.
class legend {
 public:
  legend(svg_writer& out, double x, double y, double width)
      : out_(out), left_(x), x_(x), y_(y), right_(x + width) {}

  template <class Mark>
  void item(std::string const& words, Mark const& mark, double mark_width = swatch) {
    double const width = mark_width + 6 + sans_width(words, type::small) + 20;
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

void legend_colors(svg_writer& out, legend& items, picture const& p) {
  if (p.scale.few()) {
    for (auto const& [value, positions] : p.scale.values())
      items.item(value_name(p, value), [&, v = value](double x, double y) {
        out.rect(x, y, swatch, swatch, joined("c", p.scale.class_of(v), " k").c_str());
      });
    return;
  }
  integer const least = p.scale.values().begin()->first;
  integer const most = p.scale.values().rbegin()->first;
  int const steps = p.scale.classes();
  auto const ramp = [&](double x, double y) {
    for (int i = 0; i < steps; ++i)
      out.rect(x + i * ramp_width / steps, y, ramp_width / steps, swatch,
               joined("ramp c", i).c_str());
  };
  std::string const counted =
      p.colors_are.empty() ? p.key.text() + ", " + with_commas(least) + " to " + with_commas(most)
                           : p.colors_are + " " + p.scale.values().begin()->second + " to " +
                                 p.scale.values().rbegin()->second + ", 16 bytes each";
  items.item(counted + (p.replicas > 1 ? " (of the first place)" : ""), ramp, ramp_width);
}

std::string corner_mark(double x, double y) {
  return joined("M", svg_writer::number(x + swatch - 7), " ", svg_writer::number(y + 1), "h6v6z");
}

void legend_marks(svg_writer& out, legend& items, picture const& p,
                  std::vector<measure> const& measures) {
  bool replicas = false, empty = false, corners = false, contested = false;
  for (std::size_t i = 0; i < p.views.size(); ++i) {
    view const& v = p.views[i];
    bool const elements = v.units.front().empty();
    replicas = replicas || v.has_replicas;
    empty = empty || v.has_empty;
    corners = corners || (v.has_several && !elements && measures[i].level != detail_level::color);
    contested = contested || (v.has_several && elements);
  }
  if (corners)
    items.item(joined("lies at ", with_commas(p.replicas), " places"), [&](double x, double y) {
      out.rect(x, y, swatch, swatch, "n k");
      out.path(corner_mark(x, y), "many");
    });
  if (replicas)
    items.item("a replica: the first place of the element is elsewhere", [&](double x, double y) {
      out.rect(x, y, swatch, swatch, "n k");
      out.rect(x, y, swatch, swatch, "replica k");
    });
  if (empty)
    items.item("no element here", [&](double x, double y) {
      out.rect(x + 0.5, y + 0.5, swatch - 1, swatch - 1, "e k");
    });
  if (contested)
    items.item("several elements at one place", [&](double x, double y) {
      out.rect(x, y, swatch, swatch, "n k");
      out.path(corner_mark(x, y), "alert");
    });
  for (std::size_t i = 0; i < p.views.size(); ++i)
    if (measures[i].level == detail_level::values && p.views[i].units.size() > 1) {
      std::string order;
      for (std::string const& unit : p.views[i].units) order += (order.empty() ? "" : ", ") + unit;
      items.item("in a cell of the tensor view, from the top: " + order, [](double, double) {}, 0);
    }
}

void legend_difference(svg_writer& out, legend& items) {
  items.item("the same places in both",
             [&](double x, double y) { out.rect(x, y, swatch, swatch, "n k"); });
  items.item("different places: those of the first layout, below them those of the second",
             [&](double x, double y) { out.rect(x, y, swatch, swatch, "x k"); });
}

/// The text of a layout, broken before ` + ` or after a comma.
std::vector<std::string> wrapped(std::string const& text, double width) {
  auto const room =
      static_cast<std::size_t>(std::max(20.0, width / (type::layout * type::mono_advance)));
  std::vector<std::string> lines(1);
  std::size_t start = 0;
  while (start < text.size()) {
    std::size_t end = text.find_first_of(",\n ", start);
    end = end == std::string::npos ? text.size() : end + 1;
    std::string const word = text.substr(start, end - start);
    if (!lines.back().empty() && lines.back().size() + word.size() > room)
      lines.emplace_back("    ");
    lines.back() += word;
    if (lines.back().back() == '\n') {
      lines.back().pop_back();
      lines.emplace_back();
    }
    start = end;
  }
  return lines;
}

}  // namespace

std::string svg_picture(picture const& p) {
  std::vector<measure> measures;
  for (view const& v : p.views) measures.push_back(measure_view(v));
  double stacked_width = 0, side_width = -view_gap;
  for (measure const& m : measures) {
    stacked_width = std::max(stacked_width, m.width);
    side_width += m.width + view_gap;
  }
  bool const beside = measures.size() > 1 && side_width <= widest + 60;
  double const inside = std::max({beside ? side_width : stacked_width,
                                  std::min(mono_width(p.layout_text, type::layout), 720.0),
                                  std::min(sans_width(p.summary, 12), 720.0), 360.0});

  svg_writer body;
  double y = margin;
  if (!p.name.empty()) body.text(margin, (y += 24) - 8, "name", p.name);
  for (std::string const& line : wrapped(p.layout_text, inside))
    body.text(margin, (y += 21) - 6, "title", line);
  body.text(margin, (y += 18) - 4, "quiet", p.summary);
  y += 8;
  legend items(body, margin, y, inside);
  if (p.scale.empty()) {
    legend_difference(body, items);
  } else {
    legend_colors(body, items, p);
    legend_marks(body, items, p, measures);
  }
  y = items.bottom() + 14;
  double x = margin, bottom = y;
  for (std::size_t i = 0; i < p.views.size(); ++i) {
    write_view(body, p, p.views[i], measures[i], x, y);
    bottom = std::max(bottom, y + measures[i].height);
    if (beside)
      x += measures[i].width + view_gap;
    else
      y += measures[i].height + view_gap * 0.75;
  }

  std::string const width = svg_writer::number(std::ceil(inside + 2 * margin));
  std::string const height = svg_writer::number(std::ceil(bottom + margin));
  svg_writer out;
  out.raw(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
      "role=\"img\" "
      "width=\"" +
      width + "\" height=\"" + height + "\" viewBox=\"0 0 " + width + " " + height + "\">\n");
  out.raw("<title>" + svg_writer::escaped((p.name.empty() ? "" : p.name + ": ") + p.layout_text) +
          "</title>\n");
  out.raw("<desc>" + svg_writer::escaped(p.summary) + "</desc>\n");
  out.raw(style(palette(p.scale.classes(), p.scale.few())));
  out.raw(
      "<defs><pattern id=\"replica\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
      "patternTransform=\"rotate(45)\">"
      "<path class=\"hatch\" d=\"M0 0v6\"/></pattern></defs>\n");
  out.rect(0, 0, std::ceil(inside + 2 * margin), std::ceil(bottom + margin), "page");
  out.raw(body.str());
  out.raw("</svg>\n");
  return out.str();
}

std::string svg_of(axe::layout const& l, axe::shape const& s, request asked) {
  for (;; asked.cells /= 2) {
    std::string svg = svg_picture(make_picture(l, s, asked));
    if (svg.size() <= most_bytes || asked.cells <= 1'024) return svg;
  }
}

}  // namespace draw
