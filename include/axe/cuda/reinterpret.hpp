// SPDX-License-Identifier: MIT
// reinterpret<P>(fragment): the same elements as a fragment of layout P. Only the order of a
// thread's registers changes.
//
//     mma(o, reinterpret<a_lanes>(p), v);               p: the accumulator of the last product
#pragma once

#include <axe/cuda/elementwise.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

template <class P, class T, class Held, class S>
AXE_FN constexpr fragment<T, P, S> reinterpret(fragment<T, Held, S> const& f) {
  using to = fragment<T, P, S>;
  constexpr bool same = !detail::register_match_of<to, fragment<T, Held, S>>::result.why;
  static_assert(same,
                "reinterpret moves no element between threads: each thread of the result must "
                "already hold its elements, and needs a register for each, at most 512; convert "
                "of axe/cuda/permute.hpp moves elements");
  to reordered{};
  if constexpr (same)
    for_each_register<to::size>([&](auto r) {
      reordered.registers[r.value] =
          f.registers[detail::matched<to, r.value, fragment<T, Held, S>>];
    });
  return reordered;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
