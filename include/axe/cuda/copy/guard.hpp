// SPDX-License-Identifier: MIT
// copy_guard: decides which accesses (issues) of a copy a thread executes: those in the tile and in
// bounds of both tensors, if the thread takes part and is the first that stores the element.
//
//     1,000 rows, a thread at row 990      left = 10: of the steps 0, 8 and 16, it executes 0 and 8
//
// A test is `step < left`. left = extent - coordinate is computed once; step is a constant of each
// issue. compares_coordinates names the tests of another form. Definition: docs/plans.md, "Copy".
#pragma once

#include <axe/cuda/copy/place.hpp>

#ifdef __CUDACC__

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

struct copy_test {
  int mode = -1;       // the mode whose end is tested, or -1
  int dimension = -1;  // the dimension whose end is tested, or -1
  bool of_source = false;
  bool both_ends = false;  // also tests coordinate >= 0, because the tile may begin below 0
};

template <class Side> AXE_FN constexpr void add_ends(list<copy_test, 32>& tests, bool of_source) {
  for (int d = 0; d < Side::facts.edges.count; ++d)
    if (Side::facts.edges[d] != 0) tests.push({-1, d, of_source, Side::may_be_below(d)});
}

/// One test for each mode that threads, issues and values do not divide, and for each end of a
/// tensor that its tile may reach past.
template <class Case, bool OfSource, bool OfTarget> struct guard_tests {
  AXE_FN static constexpr list<copy_test, 32> make() {
    list<copy_test, 32> tests;
    for (int k = 0; k < Case::plan.modes.count; ++k)
      if (Case::plan.modes[k].threads * Case::plan.modes[k].issues * Case::plan.modes[k].values !=
          Case::plan.modes[k].extent)
        tests.push({k, -1, false});
    if (OfSource) add_ends<typename Case::source>(tests, true);
    if (OfTarget) add_ends<typename Case::target>(tests, false);
    return tests;
  }
  static constexpr list<copy_test, 32> value = make();
  static constexpr int count = value.count;

  AXE_FN static constexpr integer step(int n, integer issue) {
    copy_test const t = value[n];
    return t.mode >= 0 ? Case::plan.issue_step(t.mode, issue)
                       : dimension_step(Case::plan, t.dimension, issue);
  }
  /// Accesses begin at multiples of this number, and the tensor ends at one. So steps may be
  /// rounded down, and issues with equal rounded steps share a comparison.
  AXE_FN static constexpr integer grain(int n) {
    copy_test const t = value[n];
    if (t.mode >= 0) return 1;
    integer g = greatest_common_divisor(t.of_source ? Case::source::facts.edges[t.dimension]
                                                    : Case::target::facts.edges[t.dimension],
                                        Case::target::tile_shape::value.extent(t.dimension));
    for (copy_mode const& m : Case::plan.modes)
      if (m.dimension == t.dimension && m.threads > 1)
        g = greatest_common_divisor(g, m.radix * m.values);
    return g;
  }
  AXE_FN static constexpr integer tested_step(int n, integer issue) {
    integer const s = step(n, issue);
    return s - s % grain(n);
  }
  struct issue_steps {
    int at[count + 1]{};
  };
  AXE_FN static constexpr issue_steps steps(integer issue) {
    issue_steps all;
    for (int n = 0; n < count; ++n) all.at[n] = static_cast<int>(tested_step(n, issue));
    return all;
  }
  /// True if the step of test n depends on the issue.
  AXE_FN static constexpr bool moves(int n) {
    for (integer issue = 1; issue < Case::plan.issues; ++issue)
      if (tested_step(n, issue) != tested_step(n, 0)) return true;
    return false;
  }
  AXE_FN static constexpr int dimension_of(int n) {
    copy_test const t = value[n];
    return t.mode >= 0 ? Case::plan.modes[t.mode].dimension : t.dimension;
  }
  static constexpr int of_issues = -1, of_thread = -2;
  /// `which` selects tests:
  ///     of_thread        tests with the same step in all issues
  ///     of_issues        all other tests
  ///     a dimension      the other tests in this dimension
  AXE_FN static constexpr bool is_among(int n, int which) {
    return moves(n) ? which == of_issues || dimension_of(n) == which : which == of_thread;
  }
  template <int Number, int Which> static constexpr bool among = is_among(Number, Which);
  /// True if this test is `unsigned(coordinate + step) < extent`, as for tiles that may begin below
  /// 0, or `coordinate < extent - step` (of_known_extent). Whole accesses that all begin at one
  /// 32-bit coordinate use the first test, because the compiler drops the test after an early
  /// return by the same comparison.
  template <int Number> AXE_FN static constexpr bool compares_coordinates() {
    constexpr copy_test t = value.at[Number];
    if constexpr (t.both_ends || t.mode >= 0 || (Case::plan.cut && value_step(Number) > 0)) {
      return t.both_ends;
    } else {
      using sizes =
          stl::conditional_t<t.of_source, typename Case::source, typename Case::target>::sizes;
      return !is_wide<t.dimension, sizes> &&
             (!moves(Number) || sizes::template dimension_type<t.dimension>::known());
    }
  }
  template <int Number> static constexpr bool by_coordinate = compares_coordinates<Number>();
  /// True if the test is `coordinate < extent - step`. With a static extent the right side is a
  /// constant, and nvcc drops the test if the coordinate is always smaller.
  template <int Number>
  static constexpr bool of_known_extent =
      by_coordinate<Number> && moves(Number) && !value.at[Number].both_ends;
  AXE_FN static constexpr int find_first(int which) {
    for (int n = 0; n < count; ++n)
      if (is_among(n, which)) return n;
    return -1;
  }
  template <int Which> static constexpr int first = find_first(Which);
  static constexpr int first_moving = first<of_issues>;
  /// The distance of neighbouring values of an access in the coordinate of test n, or 0.
  AXE_FN static constexpr integer value_step(int n) {
    for (int k = 0; k < Case::plan.modes.count; ++k) {
      copy_mode const m = Case::plan.modes[k];
      if (m.values > 1 && m.values == Case::plan.values) {
        if (value[n].mode == k) return 1;
        if (value[n].dimension >= 0 && m.dimension == value[n].dimension) return m.radix;
      }
    }
    return 0;
  }
};

template <class Tests, int Issue>
inline constexpr typename Tests::issue_steps tests_of = Tests::steps(Issue);

template <class Case, bool OfSource, bool OfTarget> struct copy_guard {
  using tests = guard_tests<Case, OfSource, OfTarget>;
  bool always = true;  // the result of the tests that do not depend on the issue
  struct bound {
    int left = 0;        // extent - coordinate, or the extent if coordinates are compared
    int coordinate = 0;  // used only if coordinates are compared
  };
  bound at[tests::count + 1];

  __device__ __forceinline__ copy_guard(auto const& from, auto const& to, unsigned thread)
      : copy_guard(from, to, thread, indices_to<tests::count>{}) {}

  /// True if the first value of the access passes the tests that Which selects. keep_if has put
  /// `always` into test first_moving. If another test comes first, `always` is tested here.
  template <int Which = tests::of_issues>
  __device__ __forceinline__ bool in_bounds(typename tests::issue_steps const& steps) const {
    constexpr int first = tests::template first<Which>;
    if constexpr (first < 0)
      return always;
    else
      return (first == tests::first_moving || always) &&
             test_all<Which>(steps, indices_to<tests::count>{});
  }
  /// Unless `kept`, the thread executes no access: with left = 0 or coordinate = -1 the first test
  /// fails.
  __device__ __forceinline__ void keep_if(bool kept) {
    constexpr int first = tests::first_moving;
    always = always && kept;
    if constexpr (first >= 0) {
      if constexpr (tests::template of_known_extent<first>)
        at[first].coordinate = kept ? at[first].coordinate : -1;
      else
        at[first].left = kept ? at[first].left : 0;
    }
  }
  /// The number of values from the start of the access to the first bound, which may exceed the
  /// access. The first value must be in bounds.
  template <int Issue> __device__ __forceinline__ int values() const {
    int n = 0x7fff'ffff;
    for_each_register<tests::count>([&](auto test) { limit_values<Issue, test.value>(n); });
    return n;
  }

 private:
  template <int Number>
  __device__ __forceinline__ static auto const& tested_tile(auto const& from, auto const& to) {
    if constexpr (tests::value.at[Number].of_source)
      return from;
    else
      return to;
  }
  template <int Number>
  __device__ __forceinline__ static bound bound_of_test(auto const& from, auto const& to,
                                                        unsigned thread) {
    constexpr copy_test t = tests::value.at[Number];
    if constexpr (t.mode >= 0) {
      return {static_cast<int>(as_constant<Case::plan.modes.at[t.mode].extent>) -
              static_cast<int>(mode_sum<Case, t.mode>(thread)())};
    } else {
      constexpr int D = t.dimension;
      auto const& tile = tested_tile<Number>(from, to);
      using sizes = stl::remove_cvref_t<decltype(tile.sizes)>;
      auto const origin = sum_number<D>(tile.origins);
      auto const in_tile = tile_coordinate<Case, D>(thread);
      if constexpr (tests::template by_coordinate<Number>)
        return {static_cast<int>(tile.sizes.template extent<D>()),
                static_cast<int>(number_of(origin + in_tile))};
      else
        return {left_of<D>(tile.sizes, coordinate_for_limits<D, sizes>(origin, in_tile))};
    }
  }
  template <class From, class To, int... Number>
  __device__ __forceinline__ copy_guard(From const& from, To const& to, unsigned thread,
                                        indices<Number...>)
      : at{bound_of_test<Number>(from, to, thread)...} {
    [[maybe_unused]] unsigned const number =
        thread - static_cast<unsigned>(as_constant<types_of<Case>::naming::value.first_thread>);
    bool all = test_all<tests::of_thread>({}, indices<Number...>{});
    if constexpr (Case::plan.threads < Case::plan.scope)
      all = all && number < static_cast<unsigned>(as_constant<Case::plan.threads>);
    // Only the first of the threads that hold the same element stores it.
    [&]<int... R>(indices<R...>) {
      all = (all && ... &&
             (number / static_cast<unsigned>(as_constant<Case::plan.stores_once.at[R].stride>) %
                  static_cast<unsigned>(as_constant<Case::plan.stores_once.at[R].extent>) ==
              0));
    }(indices_to<Case::plan.stores_once.count>{});
    keep_if(all);
  }
  template <int Which, int... Number>
  __device__ __forceinline__ bool test_all(typename tests::issue_steps const& steps,
                                           indices<Number...>) const {
    // Not a function of its own, which would cost up to 21 SASS instructions in a copy.
    return ((!tests::template among<Number, Which> ||
             (tests::template of_known_extent<Number>
                  ? steps.at[Number] < at[Number].left &&
                        static_cast<unsigned>(at[Number].coordinate) <
                            static_cast<unsigned>(at[Number].left - steps.at[Number])
              : tests::template by_coordinate<Number>
                  ? static_cast<unsigned>(steps.at[Number]) +
                            static_cast<unsigned>(at[Number].coordinate) <
                        static_cast<unsigned>(at[Number].left)
                  : steps.at[Number] < at[Number].left)) &&
            ...);
  }
  template <int Issue, int Number> __device__ __forceinline__ void limit_values(int& n) const {
    constexpr int step = static_cast<int>(tests::value_step(Number));
    if constexpr (step > 0) {
      // An access begins at a multiple of its values, so none crosses coordinate 0.
      int const left =
          at[Number].left - at[Number].coordinate - static_cast<int>(tests::step(Number, Issue));
      // Rounds up without overflow: left is positive, and may be the largest int.
      int const here = step == 1 ? left : (left - 1) / step + 1;
      n = here < n ? here : n;
    }
  }
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
