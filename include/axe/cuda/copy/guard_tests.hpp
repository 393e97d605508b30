// SPDX-License-Identifier: MIT
// guard_tests: the bounds tests of a copy, found at compile time. guard.hpp executes them.
//
//     step < left               left = extent - coordinate, step: a constant of each issue
//     1,000 rows, row 990       left = 10: of the steps 0, 8 and 16 the thread executes 0 and 8
#pragma once

#include <axe/cuda/copy/side_addresses.hpp>

#ifdef __CUDACC__

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

struct copy_test {
  static constexpr int of_issues = -1, of_thread = -2;

  int mode;                   // the mode whose end is tested, or -1
  int dimension;              // the dimension whose end is tested, or that of the mode
  bool of_source, of_target;  // the tensors whose end is tested
  bool both_ends;             // the tile may begin below 0
  // Accesses begin and the tensor ends at multiples of `grain`. Issues whose steps round down to
  // the same multiple share a comparison.
  integer grain;
  integer value_step;  // distance of neighbouring values of an access along the dimension, or 0
  bool varies;         // the step depends on the issue
  // True if the test is `unsigned(coordinate + step) < extent` or, with of_known_extent,
  // `coordinate < extent - step`.
  bool by_coordinate;
  integer issues;  // of a thread along the dimension

  /// `extent - step` is a constant: nvcc drops the test if it always holds.
  AXE_FN constexpr bool of_known_extent() const { return by_coordinate && varies && !both_ends; }
  /// `which` is of_thread (tests with one step for all issues), of_issues (all others), or a
  /// dimension (those of_issues that test its end).
  AXE_FN constexpr bool is_among(int which) const {
    return varies ? which == of_issues || dimension == which : which == of_thread;
  }
  AXE_FN constexpr integer step(copy_steps const& plan, integer issue) const {
    return mode >= 0 ? plan.issue_step(mode, issue) : dimension_step(plan, dimension, issue);
  }
  AXE_FN constexpr integer tested_step(copy_steps const& plan, integer issue) const {
    integer const s = step(plan, issue);
    return s - s % grain;
  }
  /// Puts the test with the fewest issues last for sm_100a, else first: ptxas keeps the results of
  /// only that test.
  AXE_FN constexpr bool comes_before(copy_test const& t) const {
    return from_sm_100 ? issues > t.issues : issues < t.issues;
  }
  /// True if a test of the smaller `left` can serve both tensors.
  AXE_FN constexpr bool joins() const { return mode < 0 && varies && !by_coordinate; }
};
using copy_tests = list<copy_test, 32>;

AXE_FN constexpr int first_among(copy_tests const& tests, int which) {
  for (int n = 0; n < tests.count; ++n)
    if (tests.at[n].is_among(which)) return n;
  return -1;
}
/// Bits of tests: all that vary, those that compare `left`, the one whose results ptxas keeps.
struct varying_tests {
  unsigned all = 0, by_left = 0, kept_by_ptxas = 0;

  AXE_FN constexpr varying_tests(copy_tests const& tests) {
    for (int n = 0; n < tests.count; ++n) {
      unsigned const bit = tests.at[n].varies ? 1u << n : 0;
      all |= bit;
      if (!tests.at[n].by_coordinate) by_left |= bit;
      if (bit != 0 && (from_sm_100 || kept_by_ptxas == 0)) kept_by_ptxas = bit;
    }
  }
};
/// True if the source has no tests. A thread whose first element is in bounds then loads all.
AXE_FN constexpr bool loads_before_tests(copy_steps const& plan, copy_tests const& tests) {
  bool loads = plan.from_space == memory_space::global && plan.to_space == memory_space::global &&
               plan.outside != copy_outside::zero && !plan.cut;
  for (copy_test const& t : tests) loads = loads && t.mode < 0 && !t.of_source && !t.both_ends;
  return loads && varying_tests(tests).all != 0;
}
AXE_FN constexpr bool most_issues_change_step(copy_test const& t, copy_steps const& plan) {
  integer changes = 1;
  for (integer issue = 1; issue < plan.issues; ++issue)
    changes += t.tested_step(plan, issue) != t.tested_step(plan, issue - 1) ? 1 : 0;
  return 2 * changes > plan.issues;
}
/// Adds t, or joins it with the other tensor's test of its dimension. Without a mode, t tests the
/// end of `side`.
AXE_FN constexpr void add_test(copy_tests& tests, copy_steps const& plan, copy_test t,
                               operand_facts const& side) {
  t.issues = 1;
  for (int k = 0; k < plan.modes.count; ++k) {
    copy_mode const& m = plan.modes.at[k];
    if (m.dimension == t.dimension) t.issues *= m.issues;
    bool const along = t.mode < 0 && m.dimension == t.dimension;
    if (along && m.threads > 1)
      t.grain = greatest_common_divisor(t.grain, m.coordinate_step * m.values);
    if (m.values > 1 && m.values == plan.values && t.value_step == 0)
      t.value_step = t.mode == k ? 1 : along ? m.coordinate_step : 0;
  }
  for (integer issue = 1; issue < plan.issues; ++issue)
    t.varies = t.varies || t.tested_step(plan, issue) != t.tested_step(plan, 0);
  if (t.mode < 0 && !(plan.cut && t.value_step > 0))
    t.by_coordinate = (side.narrow_extents >> t.dimension & 1) != 0 &&
                      (!t.varies || (side.static_extents >> t.dimension & 1) != 0);
  t.by_coordinate = t.by_coordinate || t.both_ends;
  int n = tests.count;
  for (int k = 0; k < tests.count; ++k) {
    copy_test& other = tests.at[k];
    if (t.dimension == other.dimension && t.joins() && other.joins()) {
      other.of_target = true;
      other.grain = greatest_common_divisor(other.grain, t.grain);
      return;
    }
    if (n > k && t.comes_before(other)) n = k;
  }
  tests.insert(n, t);
}
AXE_FN constexpr void add_ends(copy_tests& tests, copy_steps const& plan, operand_facts const& side,
                               shape const& tile, bool of_source) {
  for (int d = 0; d < side.edges.count; ++d)
    if (integer const edge = side.edges.at[d]; edge != 0) {
      copy_test t{};
      t.mode = -1;
      t.dimension = d;
      t.of_source = of_source;
      t.of_target = !of_source;
      t.both_ends = (side.below_zero >> d & 1) != 0;
      t.grain = greatest_common_divisor(edge, tile.extent(d));
      add_test(tests, plan, t, side);
    }
}
/// A test for each end of a mode or tensor that an access may reach past.
AXE_FN constexpr copy_tests make_tests(copy_steps const& plan, operand_facts const& source,
                                       operand_facts const& target, shape const& tile,
                                       bool of_source, bool of_target) {
  copy_tests tests;
  for (int k = 0; k < plan.modes.count; ++k) {
    copy_mode const& m = plan.modes.at[k];
    if (m.covered() == m.extent) continue;
    copy_test t{};
    t.mode = k;
    t.dimension = m.dimension;
    t.grain = 1;
    add_test(tests, plan, t, target);
  }
  if (of_source) add_ends(tests, plan, source, tile, true);
  if (of_target) add_ends(tests, plan, target, tile, false);
  return tests;
}

template <int Count> struct test_steps {
  int rounded[Count + 1]{};
  int exact[Count + 1]{};
};
template <class Case, bool OfSource, bool OfTarget> struct guard_tests {
  static constexpr copy_tests value =
      make_tests(Case::plan, Case::source::facts, Case::target::facts,
                 Case::target::tile_shape::value, OfSource, OfTarget);
  static constexpr int count = value.count;
  using steps = test_steps<count>;
  static constexpr int first_varying = first_among(value, copy_test::of_issues);
  static constexpr varying_tests varying{value};
  static constexpr bool only_left_varies =
      varying.by_left == varying.all && is_power_of_two(integer{varying.all});
  /// True if nvcc must not derive the comparisons of the only test from each other.
  static constexpr bool hides_left = from_sm_100 && only_left_varies && Case::plan.issues > 8 &&
                                     most_issues_change_step(value.at[first_varying], Case::plan);
  /// True if the results of the only test do not fit in the seven predicate registers.
  static constexpr bool overflows_predicates =
      !from_sm_100 && only_left_varies && value.at[first_varying].issues > 7;
  static constexpr unsigned computed_again =
      overflows_predicates ? varying.all : varying.by_left & ~varying.kept_by_ptxas;

  /// True if has_value() includes the only test of accesses.
  static constexpr bool values_suffice = Case::plan.cut && count == 1 && first_varying == 0 &&
                                         value.at[0].value_step > 0 && !value.at[0].by_coordinate &&
                                         !hides_left;

  AXE_FN static consteval steps steps_of(integer issue) {
    steps all;
    for (int n = 0; n < count; ++n) {
      all.rounded[n] = static_cast<int>(value.at[n].tested_step(Case::plan, issue));
      all.exact[n] = static_cast<int>(value.at[n].step(Case::plan, issue));
    }
    return all;
  }
};

template <class Tests, int Issue>
inline constexpr typename Tests::steps test_steps_of = Tests::steps_of(Issue);
template <class Access, class Steps> struct copy_issue {
  Access access;
  Steps steps;
};
template <class Side, class Guard, int Issue>
inline constexpr copy_issue issue_at{access_at<Side, Issue>,
                                     test_steps_of<typename Guard::tests, Issue>};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
