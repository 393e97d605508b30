// Implements terminal.hpp. The variable NO_COLOR turns colours off (no-color.org).
#include "terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>
#include <cstdlib>
#include <iostream>

namespace draw {

axe::drawing::text_options picture_options(std::ostream const& out) {
  axe::drawing::text_options options;
  if (&out != &std::cout || ::isatty(STDOUT_FILENO) == 0) return options;
  char const* const no_color = std::getenv("NO_COLOR");
  options.ansi = no_color == nullptr || *no_color == '\0';
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40)
    options.width = size.ws_col;
  return options;
}

}  // namespace draw
