// The arguments that the commands share: LAYOUT, --shape, --at, --axis.
//
//     request r("map", given, {{"--at", true}});
//     if (!r.read(1, "LAYOUT")) return r.report(err);
//     r.layouts[0], r.shape
//
// LAYOUT is any expression of the calculator that has a layout as its value, or a layout in the
// notation of CuTe, TIRx or Triton. The first mistake becomes the sentence.
#pragma once

#include "commands/command.hpp"
#include "eval/session.hpp"
#include "text/words.hpp"

namespace program {

using text::option;

class request {
 public:
  /// Accepts --shape, --axis, --json, --steps and `more`.
  request(char const* command, std::vector<std::string> const& given, std::vector<option> more);

  /// Reads `count` layouts and the shape. `what` names the layouts: "LAYOUT" or "A B".
  bool read(int count, char const* what);

  /// For commands with several shapes: one layout for each name, then a shape as `8,16`.
  bool read_layouts(std::vector<std::string> const& names, std::string const& what);
  /// For texts that another reader reads: the words, one for each name, and the options.
  bool read_words(std::vector<std::string> const& names, std::string const& what,
                  std::vector<std::string>& out);
  bool read_shape(char const* option, axe::shape& out);
  bool read_layout(std::string const& name, std::string const& text, axe::layout& out);
  /// "A is CuTe's notation for S[…]": a line for each layout that is not in axe's notation.
  void write_notes(std::ostream& err) const;
  /// Keeps a line for write_notes: `what` is "is JAX's notation for ".
  void note(std::string const& name, std::string const& what, axe::layout const& l);
  /// The same for the layouts inside of an expression.
  void note_others(std::string const& name, calculator::answer const& a);
  /// The shape of layouts[k] without --shape: that of the instruction that prescribes it, else one
  /// extent for each block, else (size).
  axe::shape own_shape(std::size_t k) const;

  /// A coordinate as `2,9` or `(2,9)`, a place as `8@lane + 6@warp`.
  bool read_coordinate(std::string const& text, axe::coordinate& out);
  bool read_place(std::string const& text, axe::place& out);
  /// A number of at least 1; `otherwise` without the option.
  bool read_number(char const* option, axe::integer otherwise, axe::integer& out);

  bool fail(std::string const& sentence);
  bool refuse(axe::refusal const& why, axe::operands const& about);
  /// Rejects more places of one element than --steps.
  bool can_list(axe::placement const& where);
  /// The mistake, or an empty string.
  std::string const& sentence() const { return problem; }
  /// Writes the sentence. Returns the exit code.
  int report(std::ostream& err) const;

  bool json() const { return given.has("--json"); }
  axe::integer steps() const { return most_steps; }

  text::words given;
  /// "plan copy"
  std::string const& name() const { return command; }

  std::vector<axe::layout> layouts;
  std::vector<std::string> layout_names;  // "LAYOUT", "FROM", …
  std::vector<char const*> notations;     // of each layout: "axe", "CuTe", "TIRx", …
  axe::shape shape;

 private:
  /// `enclosed`: reads `(text)` and hides the added parentheses from the sentence.
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
  std::vector<std::optional<axe::shape>> prescribed;  // one for each layout
};

}  // namespace program
