// axe: the command-line program. `axe --help` lists the commands.
#include "commands/command.hpp"

#include <axe/config.hpp>

#include <exception>
#include <iostream>

namespace {

using program::command;

bool asks_for_help(std::string const& word) { return word == "--help" || word == "-h"; }

int run(command const& c, std::vector<std::string> const& words) {
  for (std::string const& word : words) {
    if (word == "--") break;
    if (!asks_for_help(word)) continue;
    std::cout << c.help();
    return program::answered;
  }
  try {
    return c.run(words, std::cout, std::cerr);
  } catch (std::exception const& refusal) {  // the pictures use the library's stopping forms
    std::cerr << "axe " << c.name << ": " << refusal.what() << '\n';
    return program::bad_input;
  }
}

int dispatch(std::vector<std::string> const& words) {
  if (words.empty()) {
    std::cerr << "axe: which command? see axe --help\n";
    return program::bad_input;
  }
  if (asks_for_help(words[0]) || (words[0] == "help" && words.size() == 1)) {
    std::cout << program::help();
    return program::answered;
  }
  if (words[0] == "--version") {
    std::cout << "axe " << AXE_VERSION_MAJOR << '.' << AXE_VERSION_MINOR << '.' << AXE_VERSION_PATCH
              << '\n';
    return program::answered;
  }
  bool const wants_help = words[0] == "help";
  std::string const& name = wants_help ? words[1] : words[0];
  for (command const& c : program::commands())
    if (name == c.name)
      return run(c, wants_help ? std::vector<std::string>{"--help"}
                               : std::vector(words.begin() + 1, words.end()));
  std::cerr << "axe: no command is called '" << name << "'; see axe --help\n";
  return program::bad_input;
}

}  // namespace

int main(int count, char** words) {
  std::ios::sync_with_stdio(false);
  int const code = dispatch(std::vector<std::string>(words + (count > 0 ? 1 : 0), words + count));
  std::cout.flush();
  if (std::cout) return code;
  std::cerr << "axe: cannot write the answer to standard output\n";
  return program::bad_input;
}
