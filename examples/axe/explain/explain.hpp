// The parts of `axe explain`: they derive an answer step by step, as lines of text.
//
//     rule_of("tile")->section               D11
//     formula(out, L, (8,16), (2,9))         (2,9) is element 41 = 2*16 + 9; its digits …
//     elements_by_hand(out, call)            three elements of the result, from the operands
//
// Only `places` of the library is used for elements computed by hand.
#pragma once

#include "eval/record.hpp"

#include <string>
#include <vector>

namespace explain {

struct rule {
  char const* function;
  char const* section;   // of docs/algebra.md
  char const* sentence;  // the meaning of the function's answer; empty if its help has it
};

/// The rule of a function, or nullptr.
rule const* rule_of(std::string_view function);

/// The digits of a layout, slowest first, and how many elements lie behind each.
std::string digits_of(axe::layout const& l);
/// The boundaries of a shape: how many elements lie behind each dimension.
std::string boundaries_of(axe::shape const& s);

/// A layout with its canonical form and digits, below its name.
void write_layout(std::string& out, std::string const& name, axe::layout const& l);

/// `  rule does_not_group (docs/refusals.md), numbers 5, 3, 1`
std::string rule_of_refusal(axe::refusal const& why);

/// The formula of an element's places with its numbers.
void formula(std::string& out, axe::layout const& l, axe::shape const& s, axe::coordinate const& c);

/// The boundaries and digits inside an operation, up to its result or its refusal.
std::string derivation_of(calculator::recorded_call const& call);

/// A sentence about an element, and whether it holds.
struct statement {
  std::string words;
  bool holds = true;
};

/// Statements about three elements, for answers that are not layouts: measures, costs, linear maps.
std::vector<statement> statements_of(calculator::recorded_call const& call);
std::vector<statement> of_measures(calculator::recorded_call const& call);
std::vector<statement> of_cute_numbers(calculator::recorded_call const& call);
std::vector<statement> of_costs(calculator::recorded_call const& call);
std::vector<statement> of_linear(calculator::recorded_call const& call);
/// A plan between register layouts.
std::vector<statement> of_conversion(axe::layout const& from, axe::layout const& to,
                                     axe::conversion_plan const& plan);
std::vector<statement> of_conversions(calculator::recorded_call const& call);

/// Up to three elements of the result, computed from the operands, each compared with the result.
/// Nothing if the result has no elements. Returns false if one of them differs.
bool elements_by_hand(std::string& out, calculator::recorded_call const& call);

}  // namespace explain
