// The parts of `axe explain`. They derive an answer step by step and write lines of text.
//
//     rule_of("tile")->section               D11
//     formula(out, L, (8,16), (2,9))         (2,9) of (8,16) is element 41; its digits …
//     elements_by_definition(out, call)      three elements of the result, from the operands
//
// The elements are computed from places of the operands, not with the operation that is explained.
#pragma once

#include "eval/record.hpp"

#include <string>
#include <vector>

namespace explain {

struct rule {
  char const* function;
  char const* section;   // the section of docs/algebra.md
  char const* sentence;  // what the answer means; "" if the function's help says it
};

/// The rule behind a function, or nullptr.
rule const* rule_of(std::string_view function);

/// The digits of a layout, slowest first, and their row-major strides.
std::string digits_of(axe::layout const& l);
/// The row-major strides of a shape. They are the positions of its boundaries.
std::string boundaries_of(axe::shape const& s);

/// Writes the name of a layout, the layout, its canonical form and its digits.
void write_layout(std::string& out, std::string const& name, axe::layout const& l);

/// The rule of a refusal, such as `  rule does_not_group (docs/refusals.md), numbers 5, 3, 1`.
std::string rule_of_refusal(axe::refusal const& why);

/// Writes the formula of the places of one element, with its numbers.
void formula(std::string& out, axe::layout const& l, axe::shape const& s, axe::coordinate const& c);

/// The lines about boundaries and digits inside an operation, up to its result or its refusal.
std::string derivation_of(calculator::recorded_call const& call);

/// A sentence about an element, and whether it is true.
struct statement {
  std::string words;
  bool holds = true;
};

/// Statements about an answer that places do not explain: a measure, a cost, a linear map, a
/// conflict-free layout or a conversion. Most are about three elements.
std::vector<statement> statements_of(calculator::recorded_call const& call);
std::vector<statement> of_measures(calculator::recorded_call const& call);
std::vector<statement> of_cute_numbers(calculator::recorded_call const& call);
std::vector<statement> of_costs(calculator::recorded_call const& call);
std::vector<statement> of_linear(calculator::recorded_call const& call);
/// Statements about three elements that a conversion plan moves between register layouts.
std::vector<statement> of_conversion(axe::layout const& from, axe::layout const& to,
                                     axe::conversion_plan const& plan);
std::vector<statement> of_conversions(calculator::recorded_call const& call);

/// Writes up to three elements of the result, computed from the operands and compared with the
/// result. Writes nothing if the result has no elements. Returns false if an element differs.
bool elements_by_definition(std::string& out, calculator::recorded_call const& call);

}  // namespace explain
