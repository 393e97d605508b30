// SPDX-License-Identifier: MIT
// svg_writer: builds an SVG text with short numbers and escaped words.
//
//     svg_writer out;
//     out.text(24, 30, "title", "S[8:1]");      <text class="title" x="24" y="30">S[8:1]</text>
#pragma once

#include <axe/draw/joined.hpp>

#include <cmath>
#include <cstdio>
#include <string>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace drawing {

class svg_writer {
 public:
  void raw(std::string const& markup) { out_ += markup; }

  /// XML has no control characters except tabs and ends of lines. The others become '?'.
  static std::string escaped(std::string const& text) {
    std::string out;
    for (char c : text) {
      if (c >= 0 && c < ' ' && c != '\t' && c != '\n' && c != '\r') c = '?';
      switch (c) {
        case '&': out += "&amp;"; break;
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        case '"': out += "&quot;"; break;
        default: out += c;
      }
    }
    return out;
  }

  static std::string number(double value) {
    double const rounded = std::round(value * 10) / 10;
    char text[32];
    std::snprintf(text, sizeof text, rounded == std::floor(rounded) ? "%.0f" : "%.1f", rounded);
    return text;
  }

  void rect(double x, double y, double w, double h, std::string const& classes,
            std::string const& hint = {}) {
    out_ += "<rect class=\"" + classes + "\" x=\"" + number(x) + "\" y=\"" + number(y) +
            "\" width=\"" + number(w) + "\" height=\"" + number(h) + "\"";
    out_ += hint.empty() ? "/>\n" : "><title>" + escaped(hint) + "</title></rect>\n";
  }
  void path(std::string const& d, std::string const& classes) {
    out_ += "<path class=\"" + classes + "\" d=\"" + d + "\"/>\n";
  }
  /// Writes words and, in a fainter colour, their unit.
  void text(double x, double y, std::string const& classes, std::string const& words,
            std::string const& unit = "") {
    out_ += "<text class=\"" + classes + "\" x=\"" + number(x) + "\" y=\"" + number(y) + "\">" +
            escaped(words);
    if (!unit.empty()) out_ += "<tspan class=\"unit\">@" + escaped(unit) + "</tspan>";
    out_ += "</text>\n";
  }

  std::string const& str() const { return out_; }

 private:
  std::string out_;
};

}  // namespace drawing
}  // namespace AXE_NAMESPACE
}  // namespace axe
