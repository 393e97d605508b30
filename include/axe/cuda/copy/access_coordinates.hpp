// SPDX-License-Identifier: MIT
// The coordinates of a thread's first access in a tile, and the constant distances of the others.
//
//     64 x 64 halves, row-major, 128 threads, 16 bytes: thread t begins at (t / 8, 8 * (t % 8));
//     issue k is 16 * k rows further
#pragma once

#include <axe/cuda/copy/case.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// Weight times the coordinate of the thread's first access along mode `Number`.
template <class Case, int Number, integer Weight = 1>
AXE_FN constexpr auto mode_coordinate(unsigned thread) {
  constexpr copy_mode m = Case::plan.modes.at[Number];
  constexpr integer step = Weight * m.values;
  if constexpr (Case::uses_thread_idx && m.threads > 1)  // threadIdx.x is below 1024
    return coordinate_sum<
        0, index_part<named<Case::plan.thread>, 1024, step, m.thread_stride, m.threads>>{{thread},
                                                                                         {}};
  else
    return scale<step>(types_of<Case>::access_partition::template coordinate_of<Number>(thread));
}

/// As a dimension d, stands for the row-major number of the element.
inline constexpr int element_number = -1;

AXE_FN constexpr integer mode_step(copy_mode const& m, int d) {
  if (d == element_number) return m.step;
  return m.dimension == d && m.step != 0 ? m.coordinate_step : 0;
}
AXE_FN constexpr int next_mode(copy_steps const& plan, int d, int first) {
  while (first < plan.modes.count && mode_step(plan.modes.at[first], d) == 0) ++first;
  return first;
}
template <class Case, int D, int First = 0>
AXE_FN constexpr auto tile_coordinate([[maybe_unused]] unsigned thread) {
  constexpr int count = Case::plan.modes.count, k = next_mode(Case::plan, D, First);
  if constexpr (k == count) {
    return coordinate_sum<0>{};
  } else {
    auto const sum = mode_coordinate<Case, k, mode_step(Case::plan.modes.at[k], D)>(thread);
    if constexpr (next_mode(Case::plan, D, k + 1) == count)
      return sum;
    else
      return sum + tile_coordinate<Case, D, k + 1>(thread);
  }
}
/// The distance from a thread's first access to access `issue` along d.
AXE_FN constexpr integer dimension_step(copy_steps const& plan, int d, integer issue) {
  integer sum = 0;
  for (int k = 0; k < plan.modes.count; ++k)
    sum += mode_step(plan.modes[k], d) * plan.issue_step(k, issue);
  return sum;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
