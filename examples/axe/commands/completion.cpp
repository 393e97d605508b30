// axe completion: writes a script for bash, zsh or fish that completes commands, kinds of plans and
// options.
//
// The words come from the help texts of the commands, so that they are not listed twice.
#include "commands/command.hpp"
#include "text/words.hpp"

#include <algorithm>
#include <ostream>

namespace program {

namespace {

bool in_option(char c) { return (c >= 'a' && c <= 'z') || c == '-'; }

/// The options that a help text names, without duplicates.
std::vector<std::string> options_in(std::string const& help) {
  std::vector<std::string> found;
  for (std::size_t at = help.find("--"); at != help.npos; at = help.find("--", at + 2)) {
    std::size_t end = at;
    while (end < help.size() && in_option(help[end])) ++end;
    std::string const option = help.substr(at, end - at);
    if (option.size() > 2 && std::find(found.begin(), found.end(), option) == found.end())
      found.push_back(option);
    at = end - 2;
  }
  return found;
}

/// The words that can follow a command: the options in the command's help, and the words that
/// follow `axe COMMAND` there, such as the kinds of `axe plan` and `axe draw`.
std::string words_after(command const& c) {
  std::string words;
  std::string const text = c.help();
  std::string const line = "axe " + std::string(c.name) + " ";
  std::vector<std::string> kinds;
  for (std::size_t at = text.find(line); at != text.npos; at = text.find(line, at + 1)) {
    std::size_t begin = at + line.size(), end = begin;
    for (;; begin = ++end) {  // kinds may be separated by '|'
      while (end < text.size() && text[end] >= 'a' && text[end] <= 'z') ++end;
      std::string const kind = text.substr(begin, end - begin);
      if (!kind.empty() && std::find(kinds.begin(), kinds.end(), kind) == kinds.end())
        kinds.push_back(kind);
      if (end == text.size() || text[end] != '|') break;
    }
  }
  for (std::string const& kind : kinds) words += kind + " ";
  std::vector<std::string> options = options_in(text);
  // Each of these commands has --axis, but few help texts name it.
  if (c.name != std::string("completion") &&
      std::find(options.begin(), options.end(), "--axis") == options.end())
    options.push_back("--axis");
  for (std::string const& option : options) words += option + " ";
  return words + "--help";
}

void write_bash(std::ostream& out) {
  std::string names;
  out << "_axe() {\n  local words\n  case \"${COMP_WORDS[1]}\" in\n";
  for (command const& c : commands()) {
    names += std::string(c.name) + " ";
    out << "    " << c.name << ") words=\"" << words_after(c) << "\" ;;\n";
  }
  out << "  esac\n  if [ \"$COMP_CWORD\" -eq 1 ]; then words=\"" << names
      << "--help --version\"; fi\n"
      << "  COMPREPLY=($(compgen -W \"$words\" -- \"${COMP_WORDS[COMP_CWORD]}\"))\n}\n"
      << "complete -o default -F _axe axe\n";
}

void write_fish(std::ostream& out) {
  for (command const& c : commands()) {
    out << "complete -c axe -n __fish_use_subcommand -a " << c.name << " -d \"" << c.summary
        << "\"\n";
    std::string const words = words_after(c);
    for (std::size_t at = 0; at < words.size();) {
      std::size_t const end = std::min(words.find(' ', at), words.size());
      std::string const word = words.substr(at, end - at);
      out << "complete -c axe -n \"__fish_seen_subcommand_from " << c.name << "\" "
          << (word.starts_with("--") ? "-l " + word.substr(2) : "-a " + word) << '\n';
      at = end + 1;
    }
  }
}

}  // namespace

int run_completion(std::vector<std::string> const& given, std::ostream& out, std::ostream& err) {
  text::words const w = text::split(given, {});
  std::string const shell = w.rest.size() == 1 ? w.rest[0] : "";
  if (!w.problem.empty() || (shell != "bash" && shell != "zsh" && shell != "fish")) {
    err << "axe completion: "
        << (w.problem.empty() ? "expected one shell: bash, zsh or fish" : w.problem)
        << "; see axe completion --help\n";
    return bad_input;
  }
  if (shell == "zsh") out << "autoload -U +X bashcompinit && bashcompinit\n";
  if (shell == "fish")
    write_fish(out);
  else
    write_bash(out);
  return answered;
}

std::string help_completion() {
  return R"(usage: axe completion SHELL

Prints a script that completes the commands and options of axe. SHELL is bash, zsh or fish.

examples:
  axe completion bash > ~/.local/share/bash-completion/completions/axe
  axe completion fish > ~/.config/fish/completions/axe.fish
  axe completion zsh > ~/.axe-completion.zsh     then, in ~/.zshrc: source ~/.axe-completion.zsh
)";
}

}  // namespace program
