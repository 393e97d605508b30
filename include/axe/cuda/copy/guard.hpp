// SPDX-License-Identifier: MIT
// copy_guard: decides which issues (accesses) of a copy a thread executes, by guard_tests.
#pragma once

#include <axe/cuda/copy/guard_tests.hpp>

#ifdef __CUDACC__

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

struct test_bound {
  int left = 0;        // the extent if by_coordinate
  int coordinate = 0;  // only if by_coordinate
};

template <bool Again> __device__ __forceinline__ void test_again(int& left) {
  if constexpr (Again) {
    // The asm hides `left` from nvcc, and this computation hides it from ptxas for sm_100.
    if constexpr (from_sm_100) left = left > 0 ? left : 0;
    asm("" : "+r"(left));
  }
}

template <class Case, bool OfSource, bool OfTarget,
          class Numbers = indices_to<guard_tests<Case, OfSource, OfTarget>::count>>
struct copy_guard;
template <class Case, bool OfSource, bool OfTarget, int... Number>
struct copy_guard<Case, OfSource, OfTarget, indices<Number...>> {
  using tests = guard_tests<Case, OfSource, OfTarget>;
  bool thread_passes = true;  // the result of the tests of_thread and of keep_if()
  test_bound at[tests::count + 1];

  __device__ __forceinline__ copy_guard(auto const& from, auto const& to, unsigned thread)
      : at{bound_of_test<Number>(from, to, thread)...} {
    [[maybe_unused]] unsigned const number =
        thread -
        static_cast<unsigned>(as_constant<types_of<Case>::access_partition::value.first_thread>);
    bool all = test_all<copy_test::of_thread>({});
    if constexpr (Case::plan.scope > Case::plan.threads)
      all = all && number < static_cast<unsigned>(as_constant<Case::plan.threads>);
    if constexpr (Case::plan.stores_once.count > 0)
      all = all && is_first_holder(number, indices_to<Case::plan.stores_once.count>{});
    keep_if(all);
  }

  /// True if the access's first value passes the tests of Which. Test first_varying already
  /// includes `thread_passes`, by keep_if().
  template <int Which = copy_test::of_issues>
  __device__ __forceinline__ bool in_bounds(typename tests::steps steps) const {
    constexpr int first = first_among(tests::value, Which);
    if constexpr (first < 0) {
      return thread_passes;
    } else if constexpr (first == tests::first_varying && tests::hides_left) {
      // Otherwise nvcc would branch from store to store.
      int left = at[first].left;
      if (steps.rounded[first] > 0) asm volatile("" : "+r"(left));
      return steps.rounded[first] < left;
    } else {
      return (first == tests::first_varying || thread_passes) && test_all<Which>(steps);
    }
  }
  __device__ __forceinline__ void keep_if(bool kept) {
    constexpr int first = tests::first_varying;
    thread_passes = thread_passes && kept;
    if constexpr (first >= 0) {
      if constexpr (tests::value.at[first].of_known_extent())
        at[first].coordinate = kept ? at[first].coordinate : -1;
      else
        at[first].left = kept ? at[first].left : 0;
    }
  }
  /// Computes test results again, for stores after loads.
  __device__ __forceinline__ copy_guard again() const {
    copy_guard g = *this;
    (test_again<is_among(Number, tests::computed_again)>(g.at[Number].left), ...);
    return g;
  }
  /// True if value V precedes the ends that an access may cross.
  template <int V>
  __device__ __forceinline__ bool has_value(typename tests::steps const& steps) const {
    return (has_value<V, Number>(steps) && ...);
  }
  /// The number of values to the end. Precondition: the first one is in bounds.
  __device__ __forceinline__ int values(typename tests::steps const& steps) const {
    int n = 0x7fff'ffff;
    (limit_values<Number>(n, steps), ...);
    return n;
  }

 private:
  template <int... R>
  __device__ __forceinline__ static bool is_first_holder(unsigned number, indices<R...>) {
    return ((number / static_cast<unsigned>(as_constant<Case::plan.stores_once.at[R].stride>) %
                 static_cast<unsigned>(as_constant<Case::plan.stores_once.at[R].extent>) ==
             0) &&
            ...);
  }
  template <bool AtSource>
  __device__ __forceinline__ static auto const& tested_tile(auto const& from, auto const& to) {
    if constexpr (AtSource)
      return from;
    else
      return to;
  }
  template <int Test, bool AtSource = tests::value.at[Test].of_source>
  __device__ __forceinline__ static test_bound bound_of_test(auto const& from, auto const& to,
                                                             unsigned thread) {
    constexpr copy_test t = tests::value.at[Test];
    if constexpr (t.mode >= 0) {
      return {static_cast<int>(as_constant<Case::plan.modes.at[t.mode].extent>) -
              static_cast<int>(mode_coordinate<Case, t.mode>(thread)())};
    } else {
      constexpr int D = t.dimension;
      auto const& tile = tested_tile<AtSource>(from, to);
      using sizes = stl::remove_cvref_t<decltype(tile.sizes)>;
      auto const origin = sum_number<D>(tile.origins);
      auto const in_tile = tile_coordinate<Case, D>(thread);
      if constexpr (t.by_coordinate) {
        return {static_cast<int>(tile.sizes.template extent<D>()),
                static_cast<int>(number_by_steps(origin + in_tile))};
      } else {
        using sum = decltype(origin + in_tile);
        auto coordinate = coordinate_for_limits<D, sizes>(origin, in_tile);
        // Otherwise nvcc would subtract the parts one by one.
        if constexpr (sizeof(coordinate) == 4 && step_size<sum> == 1 &&
                      (from_sm_100 || sum::parts > 2 ||
                       (Case::plan.from_space != Case::plan.to_space &&
                        !Case::plan.asynchronous())))
          asm("" : "+r"(coordinate));
        int left = left_of<D>(tile.sizes, coordinate);
        if constexpr (AtSource && t.of_target) {
          int const other = bound_of_test<Test, false>(from, to, thread).left;
          left = other < left ? other : left;
        }
        return {left};
      }
    }
  }
  template <int Which>
  __device__ __forceinline__ bool test_all(typename tests::steps const& steps) const {
    // A function for one test would cost SASS instructions.
    return ((!as_constant<tests::value.at[Number].is_among(Which)> ||
             (as_constant<tests::value.at[Number].of_known_extent()>
                  ? steps.rounded[Number] < at[Number].left &&
                        static_cast<unsigned>(at[Number].coordinate) <
                            static_cast<unsigned>(at[Number].left - steps.rounded[Number])
              : as_constant<tests::value.at[Number].by_coordinate>
                  ? static_cast<unsigned>(steps.rounded[Number]) +
                            static_cast<unsigned>(at[Number].coordinate) <
                        static_cast<unsigned>(at[Number].left)
                  : steps.rounded[Number] < at[Number].left)) &&
            ...);
  }
  /// The distance to the end. Aligned accesses never cross coordinate 0.
  template <int Test> __device__ __forceinline__ int end() const {
    return at[Test].left - at[Test].coordinate;
  }
  template <int V, int Test>
  __device__ __forceinline__ bool has_value(typename tests::steps const& steps) const {
    constexpr int step = static_cast<int>(tests::value.at[Test].value_step);
    return step == 0 || steps.exact[Test] + V * step < end<Test>();
  }
  template <int Test>
  __device__ __forceinline__ void limit_values(int& n, typename tests::steps const& steps) const {
    constexpr int step = static_cast<int>(tests::value.at[Test].value_step);
    if constexpr (step > 0) {
      int const left = end<Test>() - steps.exact[Test];
      // Rounds up without overflow: 0 < left <= 2^31 - 1.
      int const here = step == 1 ? left : (left - 1) / step + 1;
      n = here < n ? here : n;
    }
  }
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
