// Reading and computing one expression, in one pass over the line.
//
//     expression := operand [ ':' operand ]                  4:2, (4,2):(1,4), lane: 32
//     operand    := layout | swizzle(3,3,3) | swizzle_128B<16> | place | integer | true | false | name | axis | axis = sum
//                 | function '(' [ expression { ',' expression } ] ')'
//                 | '(' [ expression { ',' expression } ] ')'  a shape, coordinate, region or tuple of axes
//                 | '{' shape { ',' shape } '}'
//                 | '{' [ bases { ';' bases } ] '}' to '(' … ')'   a linear map: {lane: 1 -> (1)} to (m: 2)
//                 | 'Sw<' B ',' M ',' S '>' 'o' [ offset 'o' ] shape ':' strides      as CuTe prints it
//                 | '<' expression { ',' expression } '>'      CuTe layouts, one for each mode
//     sum        := [ n '*' ] axis { '+' [ n '*' ] axis }      the value of a composition
//
// A mistake (text that is no expression, an unknown name, an argument of the wrong kind) ends the
// line with its position. A refusal is an answer: the rest of the line is still read and checked,
// nothing more is
// computed, and the first refusal is what the line says.
#pragma once

#include "eval/names.hpp"

namespace calculator {

/// The first refusal in a line, with the operation that refused and the sentence.
struct refused_call {
  axe::refusal why;
  std::string operation;  // empty: reading the layout itself
  std::string sentence;
};

class expression {
 public:
  expression(names const& known, axe::integer steps, std::string_view line)
      : in{line.data(), static_cast<int>(line.size()), 0, known.axes()},
        scope(known),
        most_steps(steps) {}

  /// Reads one expression from the current position. False: `failed()` or, when the library cannot
  /// read on, `refused()`.
  bool read(value& out);

  /// `4*mesh_y + mesh_x`, the position being behind '='.
  bool read_sum(axe::axis whole, axe::axis_composition& out);

  /// The word that is next, with the dots of `cute.composition`; empty when it is none.
  std::string_view word();
  bool at_end() { return in.next() == '\0' && in.position >= in.length; }

  bool fail(int position, std::string const& words);
  bool fail_unexpected(std::string const& wanted);
  bool failed() const { return !complaint.empty(); }
  void refuse(std::string_view operation, axe::refusal const& why, axe::operands const& about);
  bool refused() const { return !refusals.empty(); }

  axe::reader in;
  std::string complaint;  // "position 4: …"
  int complained_at = 0;
  std::vector<refused_call> refusals;  // at most one

 private:
  bool operand(value& out);
  bool number_or_place(value& out);
  bool layout_or_swizzle(value& out);
  bool hardware_swizzle(int bits, value& out);
  bool tuple(value& out);
  bool shape_list(value& out);
  bool sees_linear_map() const;
  bool linear_map(value& out);
  bool name(value& out);
  bool cute_layout(value& out);
  bool tiles(std::vector<argument> const& entries, value& out);
  bool call(std::string_view called, int position, value& out);
  void compose_axis(std::string_view called, std::size_t position, value& given) const;
  void take_for_region(std::string_view called, std::size_t position, value& given) const;
  bool apply(std::string_view called, int position, std::vector<argument> const& given, value& out);
  bool arguments(char closing, std::vector<argument>& out);
  bool combine(value const& left, value const& right, int position, value& out);
  bool reader_failed();

  names const& scope;
  axe::integer most_steps;
  int depth = 0;
};

}  // namespace calculator
