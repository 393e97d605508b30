// SPDX-License-Identifier: MIT
// thread_tile_walk: the thread tile of a tile. next() moves it to the next tile along a dimension.
//
//     auto a = axe::walk<P, 1>(axe::tile<64, 32>(A, axe::block_y(), 0), thread);
//     for (unsigned k = 0; k < tiles; ++k, a.next()) use(a.load(r));   32 columns further each time
//
// next() costs one addition for each group of registers whose addresses differ by constants. The
// dimension must have one digit. Definition: docs/index_code.md, "Thread tiles".
#pragma once

#include <axe/index/thread_tile_in_bounds.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

template <int Registers> struct pointer_groups {
  int count = 0;
  int group_of[Registers]{};
  int first_register[Registers]{};
};
template <class Partition, class Bound> struct grouped_registers {
  AXE_FN static consteval auto step(int r) {
    constant_list<Partition::rank> constants{};
    for (int d = 0; d < Partition::rank; ++d)
      constants.at[d] = register_step(Partition::value, r, d);
    return Bound::step_of(constants);
  }
  /// Makes no groups if constants of a register carry: its address is computed again.
  AXE_FN static consteval auto make() {
    typename Bound::step steps[Partition::registers]{};
    pointer_groups<Partition::registers> groups;
    for (int r = 0; r < Partition::registers; ++r) {
      steps[r] = step(r);
      if (steps[r].again) return decltype(groups){};
      int g = 0;
      while (g < groups.count && !steps[r].same_strides(steps[groups.first_register[g]])) ++g;
      if (g == groups.count) groups.first_register[groups.count++] = r;
      groups.group_of[r] = g;
    }
    return groups;
  }
  static constexpr auto value = make();
};
/// If 0, next() advances the bound pointer instead.
template <class Partition, class Bound> AXE_FN constexpr int count_pointers() {
  if constexpr (requires { typename Bound::step; })
    return grouped_registers<Partition, Bound>::value.count;
  else
    return 0;
}

/// First is the thread tile of the first tile.
template <class First, class T, class Sized, int Along, integer Step, unsigned MayWrap,
          unsigned Whole>
struct bound_thread_tile_walk {
  using partition_type = First::partition_type;
  using bound_type = decltype(First::bound);
  static constexpr int size = First::size;
  static constexpr int pointers = count_pointers<partition_type, bound_type>();

  First first;
  Sized sizes;
  unsigned thread;
  unsigned along;  // the coordinate of register 0
  T* here[pointers == 0 ? 1 : pointers]{};

  AXE_FORCE_INLINE constexpr bound_thread_tile_walk(First const& of_tile, Sized const& of_tensor,
                                                    unsigned number)
      : first(of_tile),
        sizes(of_tensor),
        thread(number),
        along(of_tile.template coordinate<0, Along>()) {
    start(indices_to<pointers>{});
  }

  AXE_FORCE_INLINE constexpr void next(unsigned n = 1) {
    if constexpr (pointers == 0) {
      first.bound.template advance<Along, Step>(n);
    } else {
      auto const one = first.bound.template bytes_along<Along, Step>();
      auto const bytes = one * static_cast<decltype(one)>(n);
      using byte = bound_type::byte;
      for (T*& p : here) p = reinterpret_cast<T*>(reinterpret_cast<byte*>(p) + bytes);
    }
    along += static_cast<unsigned>(Step) * n;
  }

#ifdef AXE_DEBUG
  template <int D> static constexpr bool wide = is_wide<D, Sized>;
#endif
  template <int R> AXE_FORCE_INLINE constexpr auto at() const {
    if constexpr (pointers == 0) {
      return first.template at<R>();
    } else {
      constexpr int group = groups::value.group_of[R];
      constexpr int first_of_group = groups::value.first_register[group];
      constexpr integer bytes = groups::step(R).immediate - groups::step(first_of_group).immediate;
      return here[group] + bytes / integer{sizeof(T)};
    }
  }
  template <int R> AXE_FORCE_INLINE constexpr bool in_bounds() const {
    return limits<Whole>(all{}).template in_bounds<R>();
  }
  /// Tests dimension Along even if Whole has its bit, because next() may pass the tensor's end.
  AXE_FORCE_INLINE constexpr bool any_in_bounds() const {
    constexpr unsigned untested = Whole & ~(1u << Along);
    return limits<untested>(all{}).any_in_bounds();
  }
  template <int R, int D> AXE_FORCE_INLINE constexpr unsigned coordinate() const {
    if constexpr (D == Along)
      return along + static_cast<unsigned>(partition_type::template step<R, D>);
    else
      return first.template coordinate<R, D>();
  }

 private:
  using groups = grouped_registers<partition_type, bound_type>;
  using all = indices_to<partition_type::rank>;
  template <int... G> AXE_FORCE_INLINE constexpr void start(indices<G...>) {
    ((here[G] = first.template at<groups::value.first_register[G]>()), ...);
  }
  template <unsigned Untested, int... D>
  AXE_FORCE_INLINE constexpr auto limits(indices<D...> dimensions) const {
    using number = stl::conditional_t<MayWrap == 0, unsigned, integer>;
    number const numbers[]{static_cast<number>(saturated_coordinate<D, Sized, is_among(D, MayWrap)>(
        coordinate<0, D>(), partition_type::template coordinate_of<D>(thread)()))...};
    return thread_tile_limits<partition_type, decltype(dimensions), Sized, Untested>(sizes,
                                                                                     numbers);
  }
};

template <bool Walked, integer Step, class Origin>
using walked_origin =
    stl::conditional_t<Walked, decltype(Origin{} + index_part<unnamed, 0, Step>{}), Origin>;

/// Like thread_tile_in_bounds, with next() along dimension Along.
template <class P, class S, int Along, unsigned Whole, class T, class Sized, int... D,
          class... Origins>
AXE_FORCE_INLINE constexpr auto thread_tile_walk(unsigned thread, T* data, Sized const& sizes,
                                                 indices<D...>, Origins const&... origins) {
  constexpr integer step = S::value.extent(Along);
  constexpr unsigned may_wrap =
      wrapping_dimensions<partition<P, S>, Sized, walked_origin<D == Along, step, Origins>...>(
          indices<D...>{});
  bound_thread_tile const first = thread_tile_in_bounds<P, S>(thread, data, sizes, origins...);
  return bound_thread_tile_walk<stl::remove_const_t<decltype(first)>, T, Sized, Along, step,
                                may_wrap, Whole>(first, sizes, thread);
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
