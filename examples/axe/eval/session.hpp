// The calculator: one line in, one answer out, names kept from line to line. `axe eval`, the other
// commands and the demo use it.
//
//     calculator::session s;
//     s.evaluate("T = S[(8,4):(4@lane,1@lane)]").text()       S[(8,4):(4@lane,1@lane)]
//     s.evaluate("span(T, lane)").text()                      32
//     s.evaluate("places(S[4:1], (4), (7))").text()           refused: places: entry 0 of the coordinate is 7, …
//     s.evaluate("span(T, lnae)").text()                      error: position 8: nothing is called lnae; did you mean lane?
//
// No line ends the session or changes anything but names: a value is bound only when its line was
// answered.
#pragma once

#include "eval/names.hpp"

namespace calculator {

enum class outcome_of_line { blank, answered, refused, malformed };

struct answer {
  outcome_of_line how = outcome_of_line::blank;
  value held;  // answered
  std::string
      words;  // answered: the value in one line; else the sentence, without "refused: " or "error: "
  int position = 0;       // malformed: counted from 0
  axe::refusal why;       // refused: the rule and its numbers
  std::string operation;  // refused: who refused; empty when a layout could not be read

  /// The line that `axe eval` prints.
  std::string text() const;
};

class session {
 public:
  /// `steps`: how much searching and listing one question may take before it is refused as
  /// undecided.
  explicit session(axe::integer steps = axe::step_budget{}.allowed) : most_steps(steps) {}

  answer evaluate(std::string_view line);

  /// Declares an axis; empty, or why not.
  std::string declare(std::string_view name, std::string_view of_kind);

  axe::integer steps() const { return most_steps; }

 private:
  names known;
  axe::integer most_steps;
};

}  // namespace calculator
