// SPDX-License-Identifier: MIT
// thread_tile_two_sided: the thread tile of a tile that may begin below 0, with bounds tests.
//
//     static_cast<unsigned>(first + step) < extent       one test for both ends
//
// Precondition: coordinates fit in an int. Definition: docs/index_code.md, "Tiles at any origin".
#pragma once

#include <axe/index/signed_coordinate.hpp>
#include <axe/index/thread_tile_in_bounds.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

template <class Partition, int D> AXE_FN constexpr integer last_step() {
  integer last = 0;
  for (int r = 0; r < Partition::registers; ++r)
    last = larger(last, register_step(Partition::value, r, D));
  return last;
}

template <class Elements, int Rank> struct bound_thread_tile_two_sided : Elements {
  using partition_type = Elements::partition_type;
  unsigned extent[Rank];
  unsigned first[Rank];  // the coordinates of register 0

  template <int R> AXE_FORCE_INLINE constexpr bool in_bounds() const {
    return test<R>(indices_to<Rank>{});
  }
  AXE_FORCE_INLINE constexpr bool any_in_bounds() const { return reaches(indices_to<Rank>{}); }
  /// Counts from the tensor's start, modulo 2^32.
  template <int R, int D> AXE_FORCE_INLINE constexpr unsigned coordinate() const {
    return first[D] + static_cast<unsigned>(partition_type::template step<R, D>);
  }

 private:
  template <int R, int... D> AXE_FORCE_INLINE constexpr bool test(indices<D...>) const {
    return ((coordinate<R, D>() < extent[D]) && ...);
  }
  template <int... D> AXE_FORCE_INLINE constexpr bool reaches(indices<D...>) const {
    return (reaches_along<D>() && ...);
  }
  /// False if along dimension D all registers are below 0, or all are past the end.
  template <int D> AXE_FORCE_INLINE constexpr bool reaches_along() const {
    if constexpr (!tests_each_register<partition_type, D>) {
      return first[D] < extent[D];
    } else {
      int const begin = static_cast<int>(first[D]);
      return begin < static_cast<int>(extent[D]) &&
             begin + static_cast<int>(last_step<partition_type, D>()) >= 0;
    }
  }
};

template <class P, class S, class T, int... D, class... Origins>
AXE_FORCE_INLINE constexpr auto thread_tile_two_sided(unsigned thread, T* data, auto const& sizes,
                                                      indices<D...> all,
                                                      Origins const&... origins) {
  using partition_type = partition<P, S>;
  using stop [[maybe_unused]] = verdict<partition_type>::stop;
  unsigned const first[]{(origins() + partition_type::template coordinate_of<D>(thread)())...};
  ((data = moved_to<D, Origins>(data, sizes, first[D])), ...);
  auto const place = bind_steps(
      data, sizes, all,
      planned_part<Origins>(origins + partition_type::template coordinate_of<D>(thread))...);
  using bound_type = bound_thread_tile<partition_type, stl::remove_const_t<decltype(place)>>;
  return bound_thread_tile_two_sided<bound_type, int{sizeof...(D)}>{
      {place}, {static_cast<unsigned>(sizes.template extent<D>())...}, {first[D]...}};
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
