// Runs one command line of `axe`. It finds the command, and reports what the command throws.
#include "commands/command.hpp"
#include "text/nearest.hpp"
#include "text/shortened.hpp"

#include <axe/config.hpp>

#include <exception>
#include <new>
#include <ostream>
#include <stdexcept>

namespace program {

namespace {

/// The sentence if memory is exhausted: it names only options that the command has.
char const* out_of_memory(command const& c) {
  std::string const help = c.help();
  if (help.find("--steps") == std::string::npos)
    return "the answer does not fit in memory; use a smaller layout";
  if (help.find("--limit") == std::string::npos)
    return "the answer does not fit in memory; lower --steps, or use a smaller layout";
  return "the answer does not fit in memory; lower --limit or --steps, or use a smaller layout";
}

bool asks_for_help(std::string const& word) { return word == "--help" || word == "-h"; }

int fail(command const& c, std::ostream& err, char const* sentence) {
  err << "axe " << c.name << ": " << sentence << '\n';
  return bad_input;
}

int print_help(command const& c, std::vector<std::string> const& words, std::ostream& out) {
  out << (c.help_of_kind && !words.empty() ? c.help_of_kind(words.front()) : c.help());
  return answered;
}

int run_command(command const& c, std::vector<std::string> const& words, std::ostream& out,
                std::ostream& err) {
  for (std::string const& word : words) {
    if (word == "--") break;
    if (asks_for_help(word)) return print_help(c, words, out);
  }
  char const* const exhausted = out_of_memory(c);  // made while there is memory
  try {
    return c.run(words, out, err);
  } catch (std::bad_alloc const&) {
    return fail(c, err, exhausted);
  } catch (std::length_error const&) {  // thrown by std::string if a text is too long
    return fail(c, err, exhausted);
  } catch (std::exception const& refusal) {  // mostly axe::refused
    return fail(c, err, refusal.what());
  }
}

int unknown(std::string const& name, std::ostream& err) {
  text::nearest meant(name);
  std::string all;
  for (command const& c : commands()) {
    meant.offer(c.name);
    all += (all.empty() ? "" : ", ") + std::string(c.name);
  }
  err << "axe: no command is called '" << text::shortened(name) << "'" << meant.question()
      << (meant.question().empty() ? ";" : "") << " the commands are " << all << '\n';
  return bad_input;
}

}  // namespace

int run(std::vector<std::string> const& words, std::ostream& out, std::ostream& err) {
  if (words.empty()) {
    err << "axe: a command is missing, as in axe table 'S[(8,4):(4@lane,1@lane)]'; axe --help "
           "lists all commands\n";
    return bad_input;
  }
  if (asks_for_help(words[0]) || (words[0] == "help" && words.size() == 1)) {
    out << help();
    return answered;
  }
  if (words[0] == "--version") {
    out << "axe " << AXE_VERSION_MAJOR << '.' << AXE_VERSION_MINOR << '.' << AXE_VERSION_PATCH
        << '\n';
    return answered;
  }
  bool const wants_help = words[0] == "help";
  std::string const& name = wants_help ? words[1] : words[0];
  std::vector<std::string> const rest(words.begin() + (wants_help ? 2 : 1), words.end());
  for (command const& c : commands())
    if (name == c.name)
      return wants_help ? print_help(c, rest, out) : run_command(c, rest, out, err);
  return unknown(name, err);
}

}  // namespace program
