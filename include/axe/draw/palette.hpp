// SPDX-License-Identifier: MIT
// palette(n, few): n colours for light and dark pages, distinct hues if `few`, else a ramp.
//
// Colours are OKLCH, in which equal steps look equal.
#pragma once

#include <axe/config.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace drawing {

struct rgb {
  int r = 0, g = 0, b = 0;

  std::string text() const;
};

struct palette {
  std::vector<rgb> light, dark;

  explicit palette(int classes, bool few);
};

inline constexpr double pi = 3.14159265358979323846;

inline int channel(double linear) {
  double const c = std::clamp(linear, 0.0, 1.0);
  double const coded = c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055;
  return static_cast<int>(std::lround(255 * coded));
}

inline rgb from_oklch(double lightness, double chroma, double hue) {
  double const a = chroma * std::cos(hue * pi / 180);
  double const b = chroma * std::sin(hue * pi / 180);
  double const l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
  double const m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
  double const s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
  return {channel(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
          channel(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
          channel(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

// Neighbours differ in hue and lightness, for colour-blind readers.
inline constexpr double hues[8] = {255, 70, 160, 340, 215, 110, 300, 30};

inline std::string rgb::text() const {
  char out[8];
  std::snprintf(out, sizeof out, "#%02x%02x%02x", static_cast<unsigned>(r) & 255u,
                static_cast<unsigned>(g) & 255u, static_cast<unsigned>(b) & 255u);
  return out;
}

inline palette::palette(int classes, bool few) {
  for (int i = 0; i < classes; ++i) {
    if (few) {
      double const shade = i % 2 == 0 ? 0 : 0.035;
      light.push_back(from_oklch(0.84 + shade, 0.085, hues[i % 8]));
      dark.push_back(from_oklch(0.40 + shade, 0.075, hues[i % 8]));
    } else {
      double const t = classes == 1 ? 0 : static_cast<double>(i) / (classes - 1);
      light.push_back(from_oklch(0.76 + 0.16 * t, 0.095, 270 - 200 * t));
      dark.push_back(from_oklch(0.33 + 0.20 * t, 0.085, 270 - 200 * t));
    }
  }
}

}  // namespace drawing
}  // namespace AXE_NAMESPACE
}  // namespace axe
