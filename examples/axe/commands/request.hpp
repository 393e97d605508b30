// Reads the arguments that commands share: LAYOUT, --shape, --at, --axis.
//
//     request r("map", given, {{"--at", true}});
//     if (!r.read(1, "LAYOUT")) return r.report(err);
//     r.layouts[0], r.shape
//
// LAYOUT is any expression of the calculator whose value is a layout, or a layout in the notation
// of CuTe, TIRx or Triton. report() writes the first mistake as a sentence.
#pragma once

#include "commands/command.hpp"
#include "eval/session.hpp"
#include "text/words.hpp"

namespace program {

using text::option;

/// Declares the axes of the options --axis. Returns the mistake, or an empty string.
std::string declare_axes(calculator::session& to, text::words const& given);

class request {
 public:
  /// Accepts the options --shape, --axis, --json, --steps and those in `more`.
  request(char const* command, std::vector<std::string> const& given, std::vector<option> more);

  /// Reads `count` layouts and the shape. `what` names the layouts for sentences: "LAYOUT" or "A
  /// B".
  bool read(int count, char const* what);

  /// Reads one layout for each name, and no shape, for commands with several shapes.
  bool read_layouts(std::vector<std::string> const& names, std::string const& what);
  /// Takes the words as they are, one for each name, for commands that read them in another way.
  bool read_words(std::vector<std::string> const& names, std::string const& what,
                  std::vector<std::string>& out);
  bool read_shape(char const* option, axe::shape& out);
  bool read_layout(std::string const& name, std::string const& text, axe::layout& out);
  /// Writes a line "A is CuTe's notation for S[…]" for each layout that is not in axe's notation.
  void write_notes(std::ostream& err) const;
  /// Keeps a line for write_notes. `what` is a text such as "is JAX's notation for ".
  void note(std::string const& name, std::string const& what, axe::layout const& l);
  /// Keeps such a line for each layout in another notation inside an expression.
  void note_inner_layouts(std::string const& name, calculator::answer const& a);
  /// The shape of layouts[k] if --shape is missing: the one that an instruction prescribes, else
  /// one extent for each block, else (size).
  axe::shape own_shape(std::size_t k) const;

  /// Read a coordinate such as `2,9` or `(2,9)`, and a place such as `8@lane + 6@warp`.
  bool read_coordinate(std::string const& text, axe::coordinate& out);
  bool read_place(std::string const& text, axe::place& out);
  /// Reads a number of at least 1. Without the option it is `otherwise`.
  bool read_number(char const* option, axe::integer otherwise, axe::integer& out);

  bool fail(std::string const& sentence);
  bool refuse(axe::refusal const& why, axe::operands const& about);
  /// Fails if an element has more places than --steps.
  bool can_list(axe::placement const& where);
  /// The first mistake, or an empty string.
  std::string const& sentence() const { return problem; }
  /// Writes the first mistake. Returns the exit code.
  int report(std::ostream& err) const;

  bool json() const { return given.has("--json"); }
  axe::integer steps() const { return most_steps; }

  text::words given;
  /// The name of the command, such as "plan copy".
  std::string const& name() const { return command; }

  std::vector<axe::layout> layouts;
  std::vector<std::string> layout_names;  // "LAYOUT", "FROM", …
  std::vector<char const*> notations;     // one for each layout: "axe", "CuTe", "TIRx", …
  axe::shape shape;

 private:
  /// If `enclosed`, reads `(text)` and counts positions without the added parentheses.
  bool evaluate(std::string const& what, std::string const& text, calculator::answer& out,
                bool enclosed = false);
  bool read_prescribed(std::string const& name, std::string const& text, axe::layout& out,
                       std::optional<axe::shape>& shape_of_it);
  bool take_layout(std::string const& name, std::string const& text, calculator::answer const& a,
                   axe::layout& out);
  bool read_tuple(std::string const& what, std::string const& text, axe::tree& out);

  std::string command;
  std::string problem;
  std::string notes;
  axe::integer most_steps = axe::step_limit{}.allowed;
  calculator::session session;
  // For each layout, the shape that an instruction prescribes.
  std::vector<std::optional<axe::shape>> prescribed;
};

}  // namespace program
