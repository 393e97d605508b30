// Reads and computes one expression in one pass. docs/cli.md has the grammar.
//
// Reading stops at the first mistake, and the complaint names its position. After a refusal the
// rest of the line is still checked, but nothing more is computed, and the first refusal is the
// answer.
#pragma once

#include "eval/names.hpp"
#include "eval/record.hpp"

namespace calculator {

struct refused_call {
  axe::refusal why;
  std::string operation;  // "" if a layout is invalid
  std::string sentence;
};

class expression {
 public:
  expression(names const& known, axe::integer steps, std::string_view line)
      : in{line.data(), static_cast<int>(line.size()), 0, known.axes()},
        scope(known),
        most_steps(steps) {}

  /// Reads one expression. False after a mistake in the text, or if a refusal makes the rest
  /// unreadable.
  bool read(value& out);

  /// Reads a sum such as `4*mesh_y + mesh_x`.
  bool read_sum(axe::axis whole, axe::axis_composition& out);

  /// The next word, or "" if there is none. A dot is part of a word, as in `cute.composition`.
  std::string_view word();
  bool at_end() { return in.next() == '\0' && in.position >= in.length; }

  bool fail(int position, std::string const& words);
  bool fail_unexpected(std::string const& wanted);
  bool failed() const { return !complaint.empty(); }
  void refuse(std::string_view operation, axe::refusal const& why, axe::operands const& about);
  bool refused() const { return !refusals.empty(); }

  axe::reader in;
  std::string complaint;  // the mistake, such as "position 4: …"
  int complained_at = 0;
  std::vector<refused_call> refusals;  // the first refusal, if any
  // One for each layout in another notation: "TIRx's notation for S[8:1]".
  std::vector<std::string> notes;
  std::optional<axe::shape> shape_of_last;  // the shape that the last call or tensor<…> prescribes
  axe::shape const* tensor = nullptr;       // the shape for Triton encodings without a shape
  std::vector<recorded_call>* record = nullptr;  // if not null, each call is appended

 private:
  bool operand(value& out);
  bool number_or_place(value& out);
  bool layout(value& out);
  bool layout_or_swizzle(value& out);
  bool hardware_swizzle(int bits, value& out);
  bool tirx_layout(value& out);
  bool triton_layout(value& out);
  bool tuple(value& out);
  bool shape_list(value& out);
  bool sees_linear_map() const;
  bool linear_map(value& out);
  bool name(value& out);
  bool cute_layout(value& out);
  bool tiles(std::vector<argument> const& entries, value& out);
  bool call(std::string_view called, int position, value& out);
  void compose_axis(std::string_view called, std::size_t position, value& given) const;
  void adapt_tuple(std::string_view called, std::size_t position, value& given) const;
  void adapt_cute(std::string_view called, std::size_t position, value& given);
  bool apply(std::string_view called, int position, std::vector<argument> const& given, value& out);
  bool arguments(char closing, std::vector<argument>& out);
  bool combine(value const& left, value const& right, int position, value& out);
  bool reader_failed();
  void note(char const* notation, axe::layout const& l);

  names const& scope;
  axe::integer most_steps;
  int depth = 0;
};

}  // namespace calculator
