// SPDX-License-Identifier: MIT
// bound_thread_tile: the addresses of a thread tile, bound once. Registers add constants.
//
//     thread_tile<P, extents<16, 8>>(thread, place).at<3>()         the address of register 3
#pragma once

#include <axe/index/partition.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {
template <integer R, int Size>
using register_exists = broken_unless<(R >= 0 && R < Size), rule::no_such_register, R, Size>;
template <integer R, int Size> AXE_FN constexpr int register_number() {
  using stop [[maybe_unused]] = verdict<register_exists<R, Size>>::stop;
  return R >= 0 && R < Size ? static_cast<int>(R) : 0;
}
template <integer Elements>
using has_one_element = broken_unless<Elements == 1, rule::store_of_shared_register, Elements>;
template <class Partition, class Bound> struct bound_thread_tile {
  using partition_type = Partition;
  static constexpr int size = Partition::registers;
  Bound bound;

  template <int R> AXE_FN constexpr auto at() const {
    return steps<R>(indices_to<Partition::rank>{});
  }
  /// Coordinate D of register R. If `place` added an origin, the coordinate includes it.
  template <int R, int D> AXE_FN constexpr unsigned coordinate() const {
    return bound.template coordinate<D>() + static_cast<unsigned>(Partition::template step<R, D>);
  }

 private:
  template <int R, int... D> AXE_FN constexpr auto steps(indices<D...>) const {
    return bound.template at<Partition::template step<R, D>...>();
  }
};
AXE_CALLS_USER_CODE
template <class Partition, int... D>
AXE_FN constexpr auto thread_tile_from(unsigned thread, auto const& place, indices<D...>) {
  using stop [[maybe_unused]] = verdict<Partition>::stop;
  // No local variable: g++ would keep it in memory.
  return bound_thread_tile<Partition,
                           decltype(place(Partition::template coordinate_of<D>(thread)...))>{
      place(Partition::template coordinate_of<D>(thread)...)};
}
/// clang folds at most 256 operands.
inline constexpr int fold_limit = 256;
AXE_CALLS_USER_CODE
template <int First = 0, int... R>
AXE_FORCE_INLINE constexpr void visit_registers(auto const& visit, indices<R...>) {
  constexpr int half = sizeof...(R) / 2;
  if constexpr (sizeof...(R) < fold_limit) {
    (visit(constant<First + R>{}), ...);
  } else {
    visit_registers<First>(visit, indices_to<half>{});
    visit_registers<First + half>(visit, indices_to<sizeof...(R) - half>{});
  }
}
}  // namespace detail

/// Partition P divides a tile of shape S. `place(c0, c1)` binds the coordinates of register 0.
/// Precondition: `thread` owns elements.
AXE_CALLS_USER_CODE
template <class P, class S> AXE_FN constexpr auto thread_tile(unsigned thread, auto const& place) {
  return detail::thread_tile_from<partition<P, S>>(thread, place,
                                                   detail::indices_to<partition<P, S>::rank>{});
}

/// Calls visit(constant<r>{}) for r = 0 to Count - 1, unrolled.
AXE_CALLS_USER_CODE
template <int Count> AXE_FORCE_INLINE constexpr void for_each_register(auto const& visit) {
  constexpr bool visits = Count == 0 || requires { visit(constant<0>{}); };
  static_assert(visits,
                "for_each_register passes constant<r>{}: take it as auto, [&](auto r) {}, in a "
                "function that is not mutable");
  if constexpr (visits) detail::visit_registers(visit, detail::indices_to<Count>{});
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
