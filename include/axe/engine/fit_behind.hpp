// SPDX-License-Identifier: MIT
// fit_behind(source, g, steps): the layout g o L that has the places of a source.
//
//     g = none, places {0,1}, {4,5}, {8,9}        S[3:4] + R[2:1]
//
// L's D maps an element to the smallest of its places. All elements must have the same replicas.
// Definition: docs/algebra.md, D10.
#pragma once

#include <axe/engine/fit_digits.hpp>
#include <axe/engine/listed_places.hpp>
#include <axe/engine/place_source.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// g^-1 of the places. operator() returns an element's smallest component on each axis.
struct places_before {
  place_source const* source;
  axe::swizzle g;

  AXE_FN constexpr int cost() const {
    return source->cost * static_cast<int>(smaller(source->count, 1000));
  }
  AXE_LAZY_FN constexpr place at(integer x, integer j) const {
    place p = source->at(x, j);
    for (term& t : p.terms)
      if (t.is_on(axis::m)) t.n = g.inverse(t.n);
    return p;
  }
  AXE_FN constexpr place operator()(integer x) const;
  AXE_FN constexpr integer next(integer i, integer spacing) const {
    return g.none() && source->count == 1 ? source->next(i, spacing) : i;
  }
};

struct replicas_at {
  places_before const* of;
  integer x = 0;

  AXE_LAZY_FN constexpr place operator()(integer j) const { return of->at(x, j); }
};

AXE_FN constexpr place places_before::operator()(integer x) const {
  return source->count == 1 ? at(x, 0) : corner_of(replicas_at{this, x}, source->count);
}

AXE_LAZY_FN constexpr bool is_large(integer size, step_limit const& steps) {
  return size > 4096 && steps.allowed > 100'000;
}

/// Element i of a pseudorandom sample. Sample 0 is the layout's last element.
AXE_LAZY_FN constexpr integer sampled_element(int i, integer size) {
  if (i == 0) return size - 1;
  return static_cast<integer>(static_cast<stl::uint64_t>(i) * 0x9e37'79b9'7f4a'7c15u >> 2) % size;
}

using divisor_list = list<integer, 256>;

/// The divisors above 1, or none if they are too many or n is hard to factor.
AXE_LAZY_FN constexpr divisor_list divisors_of(integer n) {
  divisor_list divisors;
  divisors.push(1);
  for (integer prime = 2; n > 1; ++prime) {
    if (prime > 65'536 && n > (integer{1} << 32)) return {};
    if (prime * prime > n) prime = n;
    for (int count = divisors.count; n % prime == 0; n /= prime)
      for (int k = divisors.count - count, end = divisors.count; k < end; ++k)
        if (!divisors.push(divisors[k] * prime)) return {};
  }
  divisors.erase(0);
  return divisors;
}

/// Makes fit_digits visit only divisors of the size and the entries before them.
struct places_at_divisors {
  places_before const* f;
  divisor_list const* divisors;

  AXE_FN constexpr int cost() const { return divisors->count + f->cost(); }
  AXE_LAZY_FN constexpr place operator()(integer x) const { return (*f)(x); }
  AXE_LAZY_FN constexpr integer next(integer i, integer spacing) const {
    integer first = largest;
    for (integer d : *divisors)
      if (d % spacing == 0 && d / spacing >= i) first = smaller(first, d / spacing);
    return first;
  }
};

/// A refusal if element x + high * spacing does not lie at `at` + high * d.stride. It names a step
/// of `spacing` elements that differs from d, found by bisection. `at`: the place of x.
AXE_LAZY_FN constexpr refusal check_digit(places_before const& f, integer x, place const& at,
                                          integer spacing, iter const& d, integer high) {
  auto const agrees = [&](integer n) {
    integer moved = n;
    return multiply(moved, d.stride) && steps_by(at, f(x + n * spacing), {moved, d.on});
  };
  if (agrees(high)) return {};
  integer low = 0;
  while (low + 1 < high) (agrees((low + high) / 2) ? low : high) = (low + high) / 2;
  integer const to = x + high * spacing;
  term broken;
  if (!single_step(f(to - spacing), f(to), broken))
    return on_two_axes(f, to - spacing, to, f(to - spacing), f(to));
  return {
      rule::no_layout_steps, {0, spacing, d.stride, to - spacing, to, broken.n}, {d.on, broken.on}};
}

/// A refusal if some elements show that no digits fit. If digits fit, the first step that differs
/// from f(1) - f(0) is at a divisor of the size. Then elements at divisors give the only possible
/// digits, and other elements are compared with these.
AXE_LAZY_FN constexpr refusal rule_out_digits(places_before const& f, integer size,
                                              divisor_list const& divisors, step_limit& steps) {
  if (divisors.count == 0 || f.source->count > 1000 || !steps.take(f.cost())) return {};
  outcome<iter_list> const digits = fit_digits(places_at_divisors{&f, &divisors}, size, steps);
  if (digits.why.is(rule::undecided) || digits.why.is(rule::too_many_shards)) return {};
  if (digits.why) return digits.why;
  place const origin = f(0);
  for (int i = 0; i < 128; ++i) {
    if (!steps.take((1 + digits->count) * f.cost())) return {};
    integer x = 0;
    place at = origin;
    integer spacing = size;
    for (iter const& d : *digits) {
      spacing /= d.extent;
      integer const digit = sampled_element(i, size) / spacing % d.extent;
      if (refusal const bad = check_digit(f, x, at, spacing, d, digit)) return bad;
      x += digit * spacing;
      at.add({digit * d.stride, d.on});
    }
  }
  return {};
}

/// fit_digits. If it is undecided for a large size, tries to rule out digits instead.
AXE_LAZY_FN constexpr outcome<iter_list> fit_or_rule_out_digits(places_before const& f,
                                                                integer size, step_limit& steps) {
  step_limit const before = steps;
  outcome<iter_list> const found = fit_digits(f, size, steps);
  if (!found.why.is(rule::undecided) || !is_large(size, steps)) return found;
  step_limit few(100'000);
  refusal const bad = rule_out_digits(f, size, divisors_of(size), few);
  if (!bad) return found;
  steps = before;
  return bad;
}

AXE_LAZY_FN constexpr refusal replicas_before(places_before const& before, layout& into,
                                              step_limit& steps) {
  integer const count = before.source->count;
  if (count < 0 || count > steps.allowed) return steps.refusal();
  listed_places set;
  if (!list_places(replicas_at{&before}, count, set)) return steps.refusal();
  for (integer x = 0; x < before.source->size; ++x) {
    if (!steps.take(1 + count)) return steps.refusal();
    if (is_product(set, replicas_at{&before, x}, count, before(x), steps)) continue;
    if (steps.spent()) return steps.refusal();
    return {rule::no_layout_replicas, {x}};
  }
  return replicas_of(set, into.replicas, steps);
}

/// `more`: further replicas of all elements, which the source does not list.
AXE_LAZY_FN constexpr outcome<layout> fit_behind(place_source const& source, axe::swizzle g,
                                                 step_limit& steps,
                                                 replica_iters const& more = {}) {
  places_before const before{&source, g};
  layout found;
  found.swizzle = g;
  found.replicas = more;
  if (source.count != 1)
    if (refusal const bad = replicas_before(before, found, steps)) return bad;
  outcome<iter_list> const digits = fit_or_rule_out_digits(before, source.size, steps);
  if (digits.why) return digits.why;
  found.shards = *digits;
  if (refusal const bad = add_offset(found, before(0))) return bad;
  return canonical_result(found);
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
