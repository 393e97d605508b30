// The calculator: one line in, one answer out. Names are kept from line to line.
//
//     calculator::session s;
//     s.evaluate("T = S[(8,4):(4@lane,1@lane)]").text()     S[(8,4):(4@lane,1@lane)]
//     s.evaluate("span(T, lane)").text()                    32
//     s.evaluate("span(T, lnae)").text()     error: position 8: nothing is called lnae; …
//
// A rejected or malformed line changes nothing.
#pragma once

#include "eval/names.hpp"
#include "eval/record.hpp"

namespace calculator {

enum class outcome_of_line { blank, answered, refused, malformed };

struct answer {
  outcome_of_line how = outcome_of_line::blank;
  value held;             // answered
  std::string words;      // the value in one line, or the sentence without "refused: " or "error: "
  int position = 0;       // malformed: counted from 0
  axe::refusal why;       // refused: the rule and its numbers
  std::string operation;  // refused: the function; empty for an invalid layout
  std::optional<axe::shape> shape;  // of a layout that an instruction prescribes
  std::vector<std::string> others;  // "TIRx's notation for S[8:1]": the layouts of others in it

  /// The line that `axe eval` prints.
  std::string text() const;
};

class session {
 public:
  /// `steps`: the limit on searching and listing for one line.
  explicit session(axe::integer steps = axe::step_limit{}.allowed) : most_steps(steps) {}

  /// `record`: the calls of the line are added to it.
  answer evaluate(std::string_view line, std::vector<recorded_call>* record = nullptr);

  /// Declares an axis. Returns what is wrong, or an empty string.
  std::string declare(std::string_view name, std::string_view of_kind);

  /// The shape of encodings of Triton that do not say theirs.
  void set_tensor(axe::shape const& extents) { tensor = extents; }

  axe::integer steps() const { return most_steps; }

 private:
  names known;
  axe::integer most_steps;
  std::optional<axe::shape> tensor;
};

}  // namespace calculator
