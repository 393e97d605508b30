// What the commands about layouts have in common: LAYOUT, --shape, --at, --axis, read by the
// calculator.
//
//     request r("map", given, {{"--at", true}});
//     if (!r.read(1)) return r.report(err);
//     r.layouts[0], r.shape
//
// LAYOUT is any expression with that value, so `tile(...)` too. Without --shape a grouped layout
// has the shape of its blocks, any other the shape (size). The first thing that is wrong becomes
// the sentence.
#pragma once

#include "commands/command.hpp"
#include "commands/words.hpp"
#include "eval/session.hpp"

namespace program {

class request {
 public:
  /// The options common to all, --shape, --axis, --json and --steps, and `more`.
  request(char const* command, std::vector<std::string> const& given, std::vector<option> more);

  /// Reads `count` layouts and the shape; `what` names the layouts in the usage, "LAYOUT" or "A B".
  bool read(int count, char const* what);

  /// The two halves of it, for commands whose layouts have shapes of their own: one layout for each
  /// name; a shape as `8,16`.
  bool read_layouts(std::vector<std::string> const& names, std::string const& what);
  bool read_shape(char const* option, axe::shape& out);
  bool read_layout(std::string const& name, std::string const& text, axe::layout& out);

  /// A coordinate as `2,9` or `(2,9)`, a place as `8@lane + 6@warp`.
  bool read_coordinate(std::string const& text, axe::coordinate& out);
  bool read_place(std::string const& text, axe::place& out);
  /// A number of at least 1, `otherwise` when the option is not given.
  bool read_number(char const* option, axe::integer otherwise, axe::integer& out);

  bool fail(std::string const& sentence);
  bool refuse(axe::refusal const& why, axe::operands const& about);
  /// What is wrong; empty where nothing is.
  std::string const& sentence() const { return problem; }
  /// The sentence on `err`, for the exit code bad_input.
  int report(std::ostream& err) const;

  bool json() const { return given.has("--json"); }
  axe::integer steps() const { return most_steps; }

  words given;
  std::vector<axe::layout> layouts;
  axe::shape shape;

 private:
  /// `enclosed`: the text stands between parentheses that nobody wrote.
  bool evaluate(std::string const& what, std::string const& text, calculator::value& out,
                bool enclosed = false);
  bool read_tuple(std::string const& what, std::string const& text, axe::tree& out);

  std::string command;
  std::string problem;
  axe::integer most_steps = axe::step_budget{}.allowed;
  calculator::session session;
};

/// The shape that a layout has by itself.
axe::shape own_shape(axe::layout const& l);

}  // namespace program
