// axe: the command-line program. `axe --help` lists the commands.
#include "commands/command.hpp"
#include "text/nearest.hpp"

#include <axe/config.hpp>

#include <exception>
#include <iostream>
#include <new>
#include <stdexcept>

namespace {

using program::command;

constexpr char const* out_of_memory =
    "the answer does not fit in memory; lower --limit or --steps, or take a smaller layout";

bool asks_for_help(std::string const& word) { return word == "--help" || word == "-h"; }

int fail(command const& c, char const* sentence) {
  std::cerr << "axe " << c.name << ": " << sentence << '\n';
  return program::bad_input;
}

int run(command const& c, std::vector<std::string> const& words) {
  for (std::string const& word : words) {
    if (word == "--") break;
    if (!asks_for_help(word)) continue;
    std::cout << c.help();
    return program::answered;
  }
  try {
    return c.run(words, std::cout, std::cerr);
  } catch (std::bad_alloc const&) {
    return fail(c, out_of_memory);
  } catch (std::length_error const&) {  // of a string
    return fail(c, out_of_memory);
  } catch (std::exception const& refusal) {  // axe::refused
    return fail(c, refusal.what());
  }
}

int unknown(std::string const& name) {
  text::nearest meant(name);
  std::string all;
  for (command const& c : program::commands()) {
    meant.offer(c.name);
    all += (all.empty() ? "" : ", ") + std::string(c.name);
  }
  std::cerr << "axe: no command is called '" << name << "'" << meant.question()
            << (meant.question().empty() ? ";" : "") << " the commands are " << all << '\n';
  return program::bad_input;
}

int dispatch(std::vector<std::string> const& words) {
  if (words.empty()) {
    std::cerr << "axe: a command is missing, as in axe table 'S[(8,4):(4@lane,1@lane)]'; axe "
                 "--help lists all\n";
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
  return unknown(name);
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
