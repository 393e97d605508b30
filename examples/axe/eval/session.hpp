// The calculator: one line in, one answer out. Names are kept from line to line.
//
//     calculator::session s;
//     s.evaluate("T = S[(8,4):(4@lane,1@lane)]").text()     S[(8,4):(4@lane,1@lane)]
//     s.evaluate("span(T, lane)").text()                    32
//     s.evaluate("span(T, lnae)").text()     error: position 8: nothing is called lnae; …
//
// A rejected or malformed line changes no names.
#pragma once

#include "eval/names.hpp"
#include "eval/record.hpp"

namespace calculator {

enum class outcome_of_line { blank, answered, refused, malformed };

struct answer {
  outcome_of_line how = outcome_of_line::blank;
  value held;             // the value, if answered
  std::string words;      // the value in one line, or the sentence without "refused: " or "error: "
  int position = 0;       // if malformed, the position of the mistake, counted from 0
  axe::refusal why;       // if refused, the rule and its numbers
  std::string operation;  // if refused, the function; "" for an invalid layout
  std::optional<axe::shape> shape;  // the shape, if an instruction prescribes it
  // One for each layout in another notation: "TIRx's notation for S[8:1]".
  std::vector<std::string> notes;

  /// The line that `axe eval` prints for the answer.
  std::string text() const;
};

class session {
 public:
  /// `steps` is the step limit of each search, and the most entries that a line lists.
  explicit session(axe::integer steps = axe::step_limit{}.allowed) : most_steps(steps) {}

  /// Answers a line. If `record` is not null, each call of the line is appended to it.
  answer evaluate(std::string_view line, std::vector<recorded_call>* record = nullptr);

  /// Declares an axis of the kind "thread", "memory" or "device". Returns the mistake, or an empty
  /// string.
  std::string declare(std::string_view name, std::string_view of_kind);

  /// Sets the shape for encodings of Triton without a shape.
  void set_tensor(axe::shape const& extents) { tensor = extents; }

  axe::integer steps() const { return most_steps; }

 private:
  names known;
  axe::integer most_steps;
  std::optional<axe::shape> tensor;
};

}  // namespace calculator
