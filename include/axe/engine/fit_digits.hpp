// SPDX-License-Identifier: MIT
// fit_digits(f, size, steps): the iters with the places f(0) to f(size - 1).
//
//     0 1 2 10 11 12 20 21 22        (3,3):(10,1)
//
// Definition: docs/algebra.md, D10.
#pragma once

#include <axe/engine/normal_form.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// The first component of to - from that differs from `expected`, or a term on no axis.
AXE_LAZY_FN constexpr term other_step(place const& from, place const& to, term expected) {
  for (term const& t : to.terms)
    if (t.n - from[t.on] != (t.is_on(expected.on) ? expected.n : 0))
      return {t.n - from[t.on], t.on};
  return {};
}

AXE_LAZY_FN constexpr bool steps_by(place const& from, place const& to, term step) {
  return other_step(from, to, step).is_on(axis::null);
}

AXE_LAZY_FN constexpr bool single_step(place const& from, place const& to, term& step) {
  step = other_step(from, to, {});
  return steps_by(from, to, step);
}

AXE_FN constexpr integer named_element(auto const& f, integer x) {
  if constexpr (requires { f.element(x); }) x = f.element(x);
  return x;
}

template <class Function>
AXE_FN constexpr refusal on_two_axes(Function const& f, integer x, integer y, place const& from,
                                     place const& to) {
  constexpr bool of_operand = requires { requires Function::of_operand; };
  term const one = other_step(from, to, {});
  term const two = other_step(from, to, one);
  return {of_operand ? rule::no_layout_two_axes_there : rule::no_layout_two_axes,
          {named_element(f, x), named_element(f, y), one.n, two.n},
          {one.on, two.on}};
}

/// The longest digit of entries f(i * spacing): its extent divides each i at which the step from
/// entry i - 1 differs from the first step.
template <class Function>
AXE_FN constexpr refusal fit_digit(Function const& f, integer size, integer spacing, iter& digit,
                                   step_limit& steps) {
  constexpr bool of_operand = requires { requires Function::of_operand; };
  int cost = 1;
  if constexpr (requires { f.cost(); }) cost = f.cost();
  place const origin = f(0);
  place previous = f(spacing);
  term step;
  if (!single_step(origin, previous, step)) return on_two_axes(f, 0, spacing, origin, previous);
  integer const entries = size / spacing;
  integer extent = entries;
  integer previous_entry = 1;
  for (integer i = 2; i < entries; ++i) {
    if constexpr (requires { f.next(i, spacing); })
      if (i = f.next(i, spacing); i >= entries) break;
    if (!steps.take(1 + cost)) return steps.refusal();
    integer const before = (i - 1) * spacing;
    if (previous_entry != i - 1) previous = f(before);
    place const here = f(i * spacing);
    if (!steps_by(previous, here, step)) extent = greatest_common_divisor(extent, i);
    if (extent == 1) {
      term broken;
      if (!single_step(previous, here, broken))
        return on_two_axes(f, before, i * spacing, previous, here);
      return {of_operand ? rule::no_layout_steps_there : rule::no_layout_steps,
              {named_element(f, 0), named_element(f, spacing), step.n, named_element(f, before),
               named_element(f, i * spacing), broken.n},
              {step.on, broken.on}};
    }
    previous = here;
    previous_entry = i;
  }
  digit = {extent, step.n, step.on};
  return {};
}

/// The iters of f(x) - f(0), slowest first. All places must name the same axes. f may have:
///     cost()           the steps of one call
///     element(x)       the element that a refusal names for x
///     of_operand       true: element(x) counts elements of the operand
///     next(i, spacing) the next entry to visit from i on; entry i is f(i * spacing)
AXE_FN constexpr outcome<iter_list> fit_digits(auto const& f, integer size, step_limit& steps) {
  list<iter, 64> fastest_first;
  for (integer spacing = 1; spacing < size;) {
    iter digit{};
    if (refusal const bad = fit_digit(f, size, spacing, digit, steps)) return bad;
    fastest_first.push(digit);
    spacing *= digit.extent;
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
