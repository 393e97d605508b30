// SPDX-License-Identifier: MIT
// thread_tile_limits: the bounds tests of a thread's registers.
//
//     left = extent - coordinate        register r is in bounds if its step is below left
//
// A dimension in which registers do not differ is tested once. If the thread is out of bounds
// there, `left` is 0 in all others.
#pragma once

#include <axe/index/dynamic_layout.hpp>
#include <axe/index/partition.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

AXE_FN constexpr bool is_among(int d, unsigned dimensions) { return (dimensions >> d & 1) != 0; }
AXE_FN constexpr bool registers_differ_along(partition_data const& p, int d) {
  for (partition_digit const& digit : p.by_register)
    if (digit.dimension == d) return true;
  return false;
}

/// Wide, for extents above narrow_extent: `left` is unsigned, and 0 out of bounds.
template <int D, bool Wide> struct left_along {
  using number = stl::conditional_t<Wide, unsigned, int>;
  number left;

  AXE_FORCE_INLINE constexpr bool holds(int step) const { return static_cast<number>(step) < left; }
};
template <int D, class Sizes>
inline constexpr bool is_wide = Sizes::table.largest_extent(D) > narrow_extent;

/// Returns extent - coordinate, but at most 2^31 - 1 unless Wide.
template <int D, bool Wide = false, class Sizes>
AXE_FORCE_INLINE constexpr auto left_of(Sizes const& sizes, auto coordinate) {
  if constexpr (!is_wide<D, Sizes>) {
    return static_cast<int>(sizes.template extent<D>()) - static_cast<int>(coordinate);
  } else if constexpr (!Wide) {
    unsigned const left = left_of<D, true>(sizes, coordinate);
    return static_cast<int>(left > 0x7fff'ffff ? 0x7fff'ffff : left);
  } else if constexpr (Sizes::table.largest_extent(D) < (integer{1} << 32)) {
    unsigned const extent = static_cast<unsigned>(sizes.template extent<D>());
    unsigned const at = static_cast<unsigned>(coordinate);
    return extent > at ? extent - at : 0;
  } else {
    integer const left = sizes.template extent<D>() - static_cast<integer>(coordinate);
    return left < 0 ? 0u : left > 0xffff'ffff ? 0xffff'ffffu : static_cast<unsigned>(left);
  }
}

/// Whole: see index/thread_tile_in_bounds.hpp.
template <class Partition, class Dimensions, class Sizes, unsigned Whole = 0>
struct thread_tile_limits;
template <class Partition, int... D, class Sizes, unsigned Whole>
struct thread_tile_limits<Partition, indices<D...>, Sizes, Whole>
    : left_along<D, is_wide<D, Sizes>>... {
  AXE_FORCE_INLINE constexpr thread_tile_limits(Sizes const& sizes, auto const* coordinates)
      : thread_tile_limits((in_bounds_along<D, tested<D>>(sizes, coordinates[D]) && ...), sizes,
                           coordinates) {}

#ifdef AXE_DEBUG
  template <int Dimension> static constexpr bool wide = is_wide<Dimension, Sizes>;
  integer extents[sizeof...(D)]{};
#endif
  template <int R> AXE_FORCE_INLINE constexpr bool in_bounds() const {
    return (test<D, R>() && ...);
  }
  /// False only if no register is in bounds. It compares coordinates, as copies do, so that an
  /// early return makes the copies' tests redundant.
  AXE_FORCE_INLINE constexpr bool any_in_bounds() const { return first_in_bounds; }

 private:
  bool first_in_bounds;  // register 0 has the smallest coordinates

  template <int Dimension> using left = left_along<Dimension, is_wide<Dimension, Sizes>>;
  template <int Dimension>
  static constexpr bool tested =
      registers_differ_along(Partition::value, Dimension) && !is_among(Dimension, Whole);

  AXE_FORCE_INLINE constexpr thread_tile_limits(bool passes, Sizes const& sizes,
                                                auto const* coordinates)
      : left<D>{left_where<D>(passes, sizes, coordinates[D])}...,
        first_in_bounds((in_bounds_along<D, false>(sizes, coordinates[D]) && ...)) {
#ifdef AXE_DEBUG
    ((extents[D] = sizes.template extent<D>()), ...);
#endif
  }
  template <int Dimension, bool Skipped>
  AXE_FORCE_INLINE static constexpr bool in_bounds_along(Sizes const& sizes, auto coordinate) {
    using number = stl::conditional_t<(Sizes::table.largest_extent(Dimension) < (integer{1} << 32)),
                                      unsigned, integer>;
    if constexpr (Skipped || is_among(Dimension, Whole))
      return true;
    else
      return static_cast<number>(coordinate) <
             static_cast<number>(sizes.template extent<Dimension>());
  }
  /// Returns 0 if the thread is out of bounds in a dimension that is tested once.
  template <int Dimension>
  AXE_FORCE_INLINE static constexpr auto left_where(bool passes, Sizes const& sizes,
                                                    auto coordinate) {
    if constexpr (tested<Dimension>)
      // The hint keeps the code for tiles in bounds in one piece.
      return AXE_BRANCH_HINT(passes, false)
                 ? left_of<Dimension, is_wide<Dimension, Sizes>>(sizes, coordinate)
                 : 0;
    else
      return passes;
  }
  template <int Dimension, int R> AXE_FORCE_INLINE constexpr bool test() const {
    constexpr integer step = Partition::template step<R, Dimension>;
    constexpr integer end = is_wide<Dimension, Sizes> ? coordinate_end : integer{1} << 31;
    if constexpr (is_among(Dimension, Whole))
      return true;
    else if constexpr (step >= end)
      return false;
    else if constexpr (tested<Dimension>)
      return static_cast<left<Dimension> const&>(*this).holds(static_cast<int>(step));
    else if constexpr (((D != Dimension && tested<D>) || ...))
      return true;  // if the thread is out of bounds here, `left` is 0 elsewhere
    else
      return static_cast<left<Dimension> const&>(*this).holds(0);
  }
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
