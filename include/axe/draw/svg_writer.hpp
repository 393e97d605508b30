// SPDX-License-Identifier: MIT
// svg_writer: builds SVG text with short numbers and escaped words.
#pragma once

#include <axe/draw/joined.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <string_view>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace drawing {

/// 0 if the first character is not UTF-8 or XML forbids it.
inline std::size_t bytes_of_xml_character(std::string_view text) {
  auto const byte = [&](std::size_t k) {
    return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u;
  };
  unsigned code = byte(0);
  std::size_t const length = code < 0x80   ? 1
                             : code < 0xc0 ? 0
                             : code < 0xe0 ? 2
                             : code < 0xf0 ? 3
                             : code < 0xf8 ? 4
                                           : 0;
  if (length > 1) code &= 0x7fu >> length;
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(k) & 0xc0) != 0x80) return 0;
    code = code << 6 | (byte(k) & 0x3f);
  }
  if (code == '\t' || code == '\n' || code == '\r') return length == 1 ? 1 : 0;
  constexpr unsigned least[]{0, ' ', 0x80, 0x800, 0x1'0000};
  bool const permitted = code >= least[length] && code <= 0x10'ffff && code / 0x800 != 0x1b &&
                         code != 0xfffe && code != 0xffff;
  return permitted ? length : 0;
}

class svg_writer {
 public:
  void raw(std::string const& markup) { out_ += markup; }

  static std::string escaped(std::string_view text) {
    std::string out;
    while (!text.empty()) {
      std::size_t const bytes = bytes_of_xml_character(text);
      switch (bytes == 0 ? '?' : text[0]) {
        case '?': out += '?'; break;
        case '&': out += "&amp;"; break;
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        case '"': out += "&quot;"; break;
        default: out += text.substr(0, bytes);
      }
      text.remove_prefix(std::max<std::size_t>(bytes, 1));
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
