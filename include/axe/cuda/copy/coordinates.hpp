// SPDX-License-Identifier: MIT
// The coordinates of a thread's first access in the tile of a copy, and the constants that lead to
// its other accesses. Modes and issues are those of plan/copy_plan.hpp.
//
//     64 x 64 halves, row-major, 128 threads, 16 bytes: thread t begins at (t / 8, 8 * (t % 8));
//     issue k is 16 * k rows further
#pragma once

#include <axe/cuda/copy/case.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// The thread's first coordinate in mode K, in elements.
template <class Case, int K> AXE_FN constexpr auto mode_sum(unsigned thread) {
  constexpr copy_mode m = Case::plan.modes.at[K];
  if constexpr (Case::from_the_block && m.threads > 1)
    return coordinate_sum<
        0, index_part<named<Case::plan.thread>, 1024, m.values, m.thread_stride, m.threads>>{
        {thread}, {}};
  else
    return scale<Case::plan.modes.at[K].values>(
        types_of<Case>::naming::template coordinate_of<K>(thread));
}

template <class Case, int D, int K> AXE_FN constexpr auto dimension_part(unsigned thread) {
  if constexpr (Case::plan.modes.at[K].dimension == D && Case::plan.modes.at[K].step != 0)
    return scale<Case::plan.modes.at[K].radix>(mode_sum<Case, K>(thread));
  else
    return coordinate_sum<0>{};
}
template <class Case, int D, int... K>
AXE_FN constexpr auto dimension_sum(unsigned thread, indices<K...>) {
  return (coordinate_sum<0>{} + ... + dimension_part<Case, D, K>(thread));
}
/// The thread's first coordinate in dimension D of the tile.
template <class Case, int D> AXE_FN constexpr auto tile_coordinate(unsigned thread) {
  return dimension_sum<Case, D>(thread, typename Case::modes{});
}
AXE_FN constexpr integer dimension_step(copy_plan const& plan, int d, integer issue) {
  integer sum = 0;
  for (int k = 0; k < plan.modes.count; ++k)
    if (plan.modes[k].dimension == d) sum += plan.modes[k].radix * plan.issue_step(k, issue);
  return sum;
}
AXE_FN constexpr integer element_step(copy_plan const& plan, integer issue) {
  integer sum = 0;
  for (int k = 0; k < plan.modes.count; ++k) sum += plan.modes[k].step * plan.issue_step(k, issue);
  return sum;
}

template <class Case, int... K>
AXE_FN constexpr auto element_number(unsigned thread, indices<K...>) {
  return (coordinate_sum<0>{} + ... +
          scale<Case::plan.modes.at[K].step>(mode_sum<Case, K>(thread)));
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
