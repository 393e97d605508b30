// axe draw: draw/command.hpp, with the calculator as the reader of LAYOUT.
#include "draw/command.hpp"

#include "commands/request.hpp"

#include <stdexcept>

namespace program {

namespace {

axe::layout read_expression(std::string const& text, std::vector<std::string> const& declared) {
  std::vector<std::string> words;
  for (std::string const& one : declared) words.insert(words.end(), {"--axis", one});
  words.insert(words.end(), {"--", text});
  request r("draw", words, {});
  if (!r.read_layouts({"LAYOUT"}, "LAYOUT")) throw std::runtime_error(r.sentence());
  return r.layouts.front();
}

}  // namespace

int run_draw(std::vector<std::string> const& given, std::ostream& out, std::ostream& err) {
  return draw::command(given, out, err, read_expression);
}

std::string help_draw() { return draw::usage(); }

}  // namespace program
