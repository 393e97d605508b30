// SPDX-License-Identifier: MIT
// reinterpret<P>(fragment): the same elements as a fragment of layout P. Only the order of a
// thread's registers may change.
//
//     axe::mma(o, axe::reinterpret<a_lanes>(p), v);     p: the accumulator of the last product
//
// Every thread must hold the same elements in both layouts. axe::convert (cuda/permute.hpp) also
// moves elements between threads. Definition: docs/index_code.md, "Tensors and tiles".
#pragma once

#include <axe/cuda/fragment.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

AXE_LAZY_FN constexpr integer thread_coordinate(partition_data const& p, integer thread, int d) {
  integer sum = 0;
  for (partition_digit const& digit : p.by_thread)
    if (digit.dimension == d) sum += digit.step * (thread / digit.divisor % digit.extent);
  return sum;
}
/// Compares the coordinates of every thread's first register.
AXE_LAZY_FN constexpr bool threads_begin_alike(partition_data const& a, partition_data const& b) {
  if (a.threads != b.threads || a.first_thread != b.first_thread || a.rank != b.rank) return false;
  if (digits_alike(a, a.by_thread, b, b.by_thread)) return true;
  for (integer t = 0; t < a.threads; ++t)
    for (int d = 0; d < a.rank; ++d)
      if (thread_coordinate(a, t, d) != thread_coordinate(b, t, d)) return false;
  return true;
}
/// The register of `a` that holds the element of register r of `b`, or -1.
AXE_LAZY_FN constexpr int same_register(partition_data const& a, partition_data const& b, int r) {
  for (int k = 0; k < a.registers; ++k) {
    bool same = true;
    for (int d = 0; d < a.rank; ++d)
      same = same && register_step(a, k, d) == register_step(b, r, d);
    if (same) return k;
  }
  return -1;
}
AXE_LAZY_FN constexpr bool hold_the_same(partition_data const& a, partition_data const& b) {
  if (a.registers != b.registers || a.shared != 1 || b.shared != 1 || !threads_begin_alike(a, b))
    return false;
  for (int r = 0; r < b.registers; ++r)
    if (same_register(a, b, r) < 0) return false;
  return true;
}

}  // namespace detail

template <class P, class T, class Held, class S>
AXE_FN constexpr fragment<T, P, S> reinterpret(fragment<T, Held, S> const& f) {
  using to = fragment<T, P, S>;
  using from = fragment<T, Held, S>;
  constexpr bool same = detail::hold_the_same(from::owning::value, to::owning::value);
  static_assert(same,
                "reinterpret moves no element between threads, and these layouts hold an element "
                "in different threads: use convert of axe/cuda/permute.hpp");
  to reordered{};
  if constexpr (same)
    for_each_register<to::size>([&](auto r) {
      constexpr int at = detail::same_register(from::owning::value, to::owning::value, r.value);
      reordered[r] = f.registers[at];
    });
  return reordered;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
