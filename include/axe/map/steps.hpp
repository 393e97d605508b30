// The bound of exact procedures that could explode: so many steps, then the refusal `undecided`,
// never a compiler's own limit.
//
//     equivalent(a, b, step_budget{1'000'000})      more than the default 50,000 (12,000 in a constant expression)
// Definition: docs/algebra.md, D17.
// Source: ours, a bound that is named beats the limit of a compiler (docs/decisions.md).
#pragma once

#include <axe/refusal/refusal.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

struct step_budget {
  integer allowed;
  integer taken = 0;

  /// 50,000; in a constant expression 12,000, because clang and nvcc give up after a million of
  /// their own, some fifty for one of ours.
  AXE_FN constexpr step_budget() : allowed(__builtin_is_constant_evaluated() ? 12'000 : 50'000) {}
  AXE_FN constexpr explicit step_budget(integer steps) : allowed(steps) {}

  /// Counts one step; false when there is none left.
  AXE_FN constexpr bool take() { return ++taken <= allowed; }
  /// Leaves no step: what asked has no answer, as where its numbers leave 64 bits.
  AXE_FN constexpr void end() {
    if (allowed == 0x7fff'ffff'ffff'ffff) --allowed;
    taken = allowed + 1;
  }
  AXE_FN constexpr axe::refusal refusal() const { return {rule::undecided, {allowed}}; }
};

}  // namespace AXE_NAMESPACE
}  // namespace axe
