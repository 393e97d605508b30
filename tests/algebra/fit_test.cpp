// Tests fit_digits, which finds the digits of a function: the digits found, the elements that prove
// that no digits exist, and the refusal at the step limit.
#include <axe/axe.hpp>

using namespace axe;

namespace {

constexpr detail::iter_list fitted(integer const* places, integer size) {
  step_limit steps;
  auto const f = [&](integer x) { return place(term{places[x], axis::m}); };
  return *detail::fit_digits(f, size, steps);
}
constexpr integer nested[] = {0, 1, 2, 10, 11, 12, 20, 21, 22, 30, 31, 32};
static_assert(fitted(nested, 12) == detail::iter_list{{4, 10, axis::m}, {3, 1, axis::m}});
constexpr integer constant[] = {5, 5, 5, 5};
static_assert(fitted(constant, 4) == detail::iter_list{{4, 0, axis::null}});

constexpr refusal refuted() {
  step_limit steps;
  auto const squares = [](integer x) { return place(term{x * x, axis::reg}); };
  return detail::fit_digits(squares, 5, steps).why;
}
static_assert(refuted() ==
              refusal{rule::no_layout_steps, {0, 1, 1, 1, 2, 3}, {axis::reg, axis::reg}});

// Elements 0, 1 and 2 are at 0@reg, 1@reg and 2@lane, so that 1 and 2 differ on two axes.
constexpr refusal bent() {
  step_limit steps;
  auto const f = [](integer x) {
    return x < 2 ? term{x, axis::reg} + term{0, axis::lane}
                 : term{0, axis::reg} + term{x, axis::lane};
  };
  return detail::fit_digits(f, 3, steps).why;
}
static_assert(bent() == refusal{rule::no_layout_two_axes, {1, 2, -1, 2}, {axis::reg, axis::lane}});

constexpr refusal asymmetric() {
  step_limit none(0);
  detail::listed_places set;
  set.axes.push(axis::m);
  set.values.push({});
  for (integer v : {0, 1, 3}) set.values[0].add(v);
  layout l;
  return detail::replicas_of(set, l.replicas, none);
}
static_assert(asymmetric() == refusal{rule::no_layout_replicas, {0}});

// All sums of 3, 5, 7 and 16 except 15 and 16. The smallest missing value bounds the stride of the
// next iter, so that the search takes about 100 steps instead of 1200.
constexpr refusal not_sums() {
  step_limit steps(200);
  detail::listed_places set;
  set.axes.push(axis::m);
  set.values.push({});
  for (integer v : {0, 3, 5, 7, 8, 10, 12, 19, 21, 23, 24, 26, 28, 31}) set.values[0].add(v);
  layout l;
  return detail::replicas_of(set, l.replicas, steps);
}
static_assert(not_sums() == refusal{rule::no_layout_replicas, {0}});

constexpr refusal undecided() {
  step_limit steps(10);
  auto const line = [](integer x) { return place(term{x, axis::m}); };
  return detail::fit_digits(line, 100, steps).why;
}
static_assert(undecided() == refusal{rule::undecided, {10}});

}  // namespace
