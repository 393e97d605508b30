// The bound of exact procedures that could explode: so many steps, then the refusal `undecided`, never a compiler's own limit.
//
//     equivalent(a, b, step_budget{1'000'000})      more than the default 50,000
// Definition: docs/algebra.md, D17.
// Source: ours, a bound that is named beats the limit of a compiler (docs/decisions.md).
#pragma once

#include <axe/refusal/stop.hpp>

namespace axe::inline AXE_NAMESPACE {

struct step_budget {
  integer allowed = 50'000;
  integer taken = 0;

  constexpr step_budget() = default;
  AXE_FN constexpr explicit step_budget(integer steps) : allowed(steps) {}

  /// Counts one step; false when there is none left.
  AXE_FN constexpr bool take() { return ++taken <= allowed; }
  AXE_FN constexpr axe::refusal refusal() const { return {rule::undecided, {allowed}}; }
};

}  // namespace axe::inline AXE_NAMESPACE
