// axe draw: the pictures; the command itself is draw/command.hpp.
#include "draw/command.hpp"

#include "commands/command.hpp"

namespace program {

int run_draw(std::vector<std::string> const& given, std::ostream& out, std::ostream& err) {
  return draw::command(given, out, err);
}

std::string help_draw() { return draw::usage(); }

}  // namespace program
