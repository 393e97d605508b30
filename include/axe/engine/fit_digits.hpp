// SPDX-License-Identifier: MIT
// fit_digits(f, size, steps): the iters with the places f(0) to f(size - 1), or a refusal.
//
//     0 1 2 10 11 12 20 21 22        (3,3):(10,1)
//     0 1 3                          rejected: the steps are 1 and 2, and 3 is prime
//
// The fastest digit has the stride f(1) - f(0). Its extent is the greatest common divisor of the
// size and all positions at which the step differs. The function then fits every extent-th entry.
// Source: the Axe paper, Appendix A. Definition: docs/algebra.md, D10.
#pragma once

#include <axe/engine/normal_form.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// Sets `step` to the difference of two places. False if they differ on two axes.
AXE_LAZY_FN constexpr bool single_step(place const& from, place const& to, term& step) {
  step = {};
  for (term const& t : to.terms) {
    integer const n = t.n - from[t.on];
    if (n == 0) continue;
    if (step.n != 0) return false;
    step = {n, t.on};
  }
  return true;
}

AXE_LAZY_FN constexpr bool steps_by(place const& from, place const& to, term step) {
  for (term const& t : to.terms)
    if (t.n - from[t.on] != (t.on == step.on ? step.n : 0)) return false;
  return true;
}

AXE_LAZY_FN constexpr term other_step(place const& from, place const& to, term expected) {
  for (term const& t : to.terms)
    if (t.n - from[t.on] != (t.on == expected.on ? expected.n : 0)) return {t.n - from[t.on], t.on};
  return {};
}

/// The iters of f(x) - f(0), slowest first. f maps an integer to a place. All its places name the
/// same axes. Optional members of f:
///     cost()           the steps of one call
///     element(x)       the element that a refusal names for x, of the operand if of_operand
///     next(i, grain)   the first entry from i on that must be visited
template <class Function>
AXE_FN constexpr outcome<iter_list> fit_digits(Function const& f, integer size, step_limit& steps) {
  constexpr bool of_operand = requires { requires Function::of_operand; };
  auto const number = [&](integer x) {
    if constexpr (requires { f.element(x); }) x = f.element(x);
    return x;
  };
  int cost = 1;
  if constexpr (requires { f.cost(); }) cost = f.cost();
  list<iter, 64> fastest_first;
  place const origin = f(0);
  for (integer grain = 1; grain < size;) {
    integer const entries = size / grain;
    place previous = f(grain);
    term step;
    if (!single_step(origin, previous, step)) {
      term const one = other_step(origin, previous, {});
      term const two = other_step(origin, previous, one);
      return refusal{of_operand ? rule::no_layout_two_axes_there : rule::no_layout_two_axes,
                     {number(0), number(grain), one.n, two.n},
                     {one.on, two.on}};
    }
    integer run = entries;
    term broken;
    integer broken_at = 0;
    integer seen = 1;
    for (integer i = 2; i < entries; ++i) {
      if constexpr (requires { f.next(i, grain); })
        if (i = f.next(i, grain); i >= entries) break;
      steps.taken += cost;
      if (!steps.take()) return steps.refusal();
      if (seen != i - 1) previous = f((i - 1) * grain);
      place const here = f(i * grain);
      if (!steps_by(previous, here, step)) {
        broken = other_step(previous, here, step);
        broken_at = i - 1;
        run = greatest_common_divisor(run, i);
        if (run == 1) break;
      }
      previous = here;
      seen = i;
    }
    if (run == 1)
      return refusal{of_operand ? rule::no_layout_steps_there : rule::no_layout_steps,
                     {number(0), number(grain), step.n, number(broken_at * grain),
                      number((broken_at + 1) * grain), broken.n},
                     {step.on, broken.on}};
    fastest_first.push({run, step.n, step.n == 0 ? axis::null : step.on});
    grain *= run;
  }
  iter_list digits;
  for (int k = fastest_first.count - 1; k >= 0; --k)
    if (!digits.push(fastest_first[k]))
      return refusal{rule::too_many_shards, {fastest_first.count}};
  return canonical_shards(digits);
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
