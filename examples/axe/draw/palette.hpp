// Colours for a light and a dark background.
//
//     palette(2).light[0]       #rrggbb: one of a few clearly different hues
//     palette(32)               a ramp from blue over green to orange with rising lightness
//
// Colours are chosen in OKLCH, where equal steps look equal, and written as sRGB.
#pragma once

#include <string>
#include <vector>

namespace draw {

struct rgb {
  int r = 0, g = 0, b = 0;

  std::string text() const;
};

struct palette {
  std::vector<rgb> light, dark;

  explicit palette(int classes, bool few);
};

}  // namespace draw
