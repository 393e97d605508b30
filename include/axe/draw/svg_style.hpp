// SPDX-License-Identifier: MIT
// A picture's style sheet: fonts, and colours for light and dark pages.
#pragma once

#include <axe/draw/joined.hpp>
#include <axe/draw/palette.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace drawing {

struct page_colors {
  char const *page, *ink, *quiet, *empty, *edge, *neutral, *alert_fill, *alert;
};
inline constexpr page_colors in_the_light{"#ffffff", "#1f2328", "#59636e", "#e9edf1",
                                          "#c3ccd5", "#e3e7eb", "#ffc9c2", "#cf222e"};
inline constexpr page_colors in_the_dark{"#0d1117", "#e6edf3", "#9198a1", "#1a2029",
                                         "#3d444d", "#2a313c", "#7d2a2a", "#ff7b72"};

/// Classes: .e empty, .n neutral, .x alert, .c0 to .cN colours. With an s before the name: strokes.
inline std::string rules(page_colors const& c, std::vector<rgb> const& fills) {
  std::string out;
  auto const rule = [&](std::string const& selector, char const* property,
                        std::string const& value) {
    out += joined(selector, "{", property, value, "}");
  };
  rule(".page", "fill:", c.page);
  rule("text", "fill:", c.ink);
  rule(".quiet,.tick,.caption", "fill:", c.quiet);
  rule(".e", "fill:", joined(c.empty, ";stroke:", c.edge));
  rule(".se", "stroke:", c.empty);
  rule(".n", "fill:", c.neutral);
  rule(".sn", "stroke:", c.neutral);
  rule(".x", "fill:", c.alert_fill);
  rule(".sx", "stroke:", c.alert_fill);
  rule(".alert", "fill:", c.alert);
  rule(".salert", "stroke:", c.alert);
  rule(".faint,.clear", "stroke:", c.page);
  rule(".hatch,.outline", "stroke:", c.ink);
  rule(".many", "fill:", c.ink);
  for (std::size_t i = 0; i < fills.size(); ++i) {
    rule(joined(".c", i), "fill:", fills[i].text());
    rule(joined(".sc", i), "stroke:", fills[i].text());
  }
  return out;
}

inline std::string style(palette const& colors) {
  return "<style>\n"
         "text{font-family:system-ui,\"Segoe UI\",Helvetica,Arial,\"DejaVu Sans\",sans-serif;"
         "font-size:12px;pointer-events:none}\n"
         ".title,.tick,.caption,.big,.num{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"
         "\"DejaVu Sans Mono\",monospace}\n"
         ".name{font-size:18px;font-weight:600}.title{font-size:15px}"
         ".heading{font-size:14px;font-weight:600}\n"
         ".tick,.caption,.big,.num{font-size:11px}.caption{font-weight:700}"
         ".block{font-size:12px;paint-order:stroke;stroke-width:4px;stroke-linejoin:round}"
         ".large{font-size:16px}\n"
         ".big,.num,.block,.mid{text-anchor:middle}.end{text-anchor:end}.unit{fill-opacity:.6}\n"
         ".runs{fill:none;stroke-width:1;shape-rendering:crispEdges}.replica{fill:url(#replica)}\n"
         ".k{rx:2px}.e.k{stroke-width:1;stroke-dasharray:2 2}"
         ".hatch{stroke-width:1.4;stroke-opacity:.34;fill:none}.many{fill-opacity:.6}\n"
         ".faint{fill:none;stroke-width:.5}.clear{fill:none;stroke-width:1.2}"
         ".ramp{shape-rendering:crispEdges}.salert{stroke-opacity:.8;stroke-dasharray:.3 .7}\n"
         ".replica,.many{pointer-events:none}.hover{fill-opacity:0}"
         ".outline{fill:none;stroke-width:2;pointer-events:none}\n" +
         rules(in_the_light, colors.light) + "\n@media (prefers-color-scheme:dark){" +
         rules(in_the_dark, colors.dark) + "}\n</style>\n";
}

}  // namespace drawing
}  // namespace AXE_NAMESPACE
}  // namespace axe
