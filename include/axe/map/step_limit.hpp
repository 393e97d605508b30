// SPDX-License-Identifier: MIT
// step_limit: the most work that an exact search may do. Beyond it, the search is `undecided`.
//
//     try_equivalent(a, b, step_limit{50'000'000})
//
// Definition: docs/algebra.md, D17.
#pragma once

#include <axe/sentence/stop.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

struct step_limit {
  integer allowed;
  integer taken = 0;

  /// Fewer steps in a constant expression: clang and nvcc stop after a million of their own, about
  /// 50 for each step here.
  AXE_FN constexpr step_limit() : allowed(__builtin_is_constant_evaluated() ? 12'000 : 1'000'000) {}
  /// For searches with long steps, such as shuffles of a conversion.
  AXE_FN static constexpr step_limit of_long_steps() {
    step_limit steps;
    if (steps.allowed > 50'000) steps.allowed = 50'000;
    return steps;
  }
  AXE_FN constexpr explicit step_limit(integer steps) : allowed(steps) {}

  AXE_FN constexpr bool take(integer n = 1) { return (taken += n) <= allowed; }
  /// If true, the search stopped early and its answer means nothing.
  AXE_FN constexpr bool spent() const { return taken > allowed; }
  AXE_FN constexpr void spend_all() {
    if (allowed == 0x7fff'ffff'ffff'ffff) --allowed;
    taken = allowed + 1;
  }
  AXE_FN constexpr axe::refusal refusal() const { return {rule::undecided, {allowed}}; }
};

}  // namespace AXE_NAMESPACE
}  // namespace axe
