// SPDX-License-Identifier: MIT
// thread_tile_in_bounds: the thread tile of a tile that may be partial, with bounds tests.
//
//     auto const elements = thread_tile_in_bounds<P, extents<32, 32>>(thread, data, sizes, i, j);
//     if (elements.in_bounds<3>()) use(elements.at<3>());                      one comparison
//
// Precondition: tiles begin below 2^31 in dimensions of at most 2^31 - 2^20, and below 2^32 in
// larger ones. Definition: docs/index_code.md, "Thread tiles".
#pragma once

#include <axe/index/bound_thread_tile.hpp>
#include <axe/index/pointer.hpp>
#include <axe/index/thread_tile_limits.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

template <class Elements, class Limits> struct bound_thread_tile_in_bounds : Limits, Elements {};

/// Returns `sum` as `steps` times the step size, because bounds tests need `steps` too. With static
/// sizes, or more than four parts along a static stride, `sum` is cheaper.
template <class Sizes, int D, bool Tested = false, bool Apart = false, bool Masked = false,
          class Sum>
AXE_FORCE_INLINE constexpr auto stepped_coordinate(Sum const& sum, unsigned steps) {
  using along = Sizes::template dimension_type<D>;
  if constexpr (along::digits != 1 || Sizes::slots == 0 || Sum::parts == 0 ||
                (along::strides[0].known() && Sum::parts > 4)) {
    return sum;
  } else {
    // Otherwise nvcc would widen `steps` before a branch and multiply in 64 bits after it. The last
    // coordinate is often a literal 0, whose product nvcc drops.
    if constexpr (Apart && !along::strides[0].known() && D + 1 < Sizes::rank) hide(steps);
    if constexpr (Masked && Sum::is_masked && along::strides[0].known()) hide(steps);
    return constant<step_size<Sum>>{} *
           index_part<stl::conditional_t<Tested, tested_coordinate, unnamed>, 0>{steps};
  }
}

template <bool Tested, bool Apart, bool Masked, class T, class Sizes, int... D>
AXE_FORCE_INLINE constexpr auto bind_steps(T* data, Sizes const& sizes, indices<D...>,
                                           auto const&... sums) {
  return bind_pointer(data, sizes,
                      stepped_coordinate<Sizes, D, Tested, Apart, Masked>(sums, steps_of(sums))...);
}
/// True if dimensions with static strides share address registers. In steps, each coordinate would
/// need its own register.
template <class T, class Sizes, class... Sums, int... D>
AXE_FN constexpr bool joins_dimensions(indices<D...>) {
  constexpr int joinable =
      (0 + ... + (Sums::parts > 0 && Sizes::template dimension_type<D>::strides[0].known()));
  if constexpr (Sizes::splits > 0 || joinable < 2) {
    return false;
  } else {
    constexpr auto registers =
        stride_plan<-1, integer{sizeof(T)}, typename Sizes::plain, Sums...>::value.registers;
    for (planned_register const& r : registers) {
      // Accepts only x or x mod n, times a constant.
      quotient_sum const& q = r.quotients;
      if (q.count < 1 || q.count > 2 || q[0].boundary != 1 ||
          (q.count == 2 && q[1].weight != -q[0].weight * q[1].boundary))
        return false;
    }
    return registers.count < joinable;
  }
}

template <class Sum>
inline constexpr integer largest_of_sum =
    largest_coordinate(listed_parts<Sum>::value, 0, Sum::known);
/// True if a tile of this extent that begins in bounds ends in bounds.
template <class Dimension, class Origin> AXE_FN constexpr bool ends_in_bounds(integer extent) {
  return greatest_common_divisor(Dimension::divisor(), grain_of_sum<Origin>) % extent == 0 ||
         (Dimension::known() && largest_of_sum<Origin> <= Dimension::divisor() - extent);
}
/// This coordinate is out of bounds along D for every extent.
template <int D, class Sizes>
inline constexpr integer beyond_all = smaller(Sizes::table.largest_extent(D), coordinate_end);
AXE_FN constexpr bool may_wrap(integer last_origin, integer origin_grain, integer largest_in_tile) {
  integer const largest_origin = origin_grain == 0 ? 0 : last_origin / origin_grain * origin_grain;
  return largest_in_tile >= coordinate_end - largest_origin;
}
/// True if coordinates of a tile that begins in bounds at Origin may wrap at 2^32.
template <int D, class Sizes, class Origin, class InTile>
inline constexpr bool may_wrap_along =
    may_wrap(beyond_all<D, Sizes> - 1, grain_of_sum<Origin>, largest_of_sum<InTile>);
template <class Partition, class Sizes, class... Origins, int... D>
AXE_FN constexpr unsigned wrapping_dimensions(indices<D...>) {
  return (0u | ... |
          (unsigned{
               may_wrap_along<D, Sizes, Origins, decltype(Partition::template coordinate_of<D>(0))>}
           << D));
}
/// `sum` is origin + in_tile modulo 2^32. If the sum wrapped, the result is out of bounds.
template <int D, class Sizes, bool MayWrap>
AXE_FORCE_INLINE constexpr auto saturated_coordinate(unsigned sum, unsigned in_tile) {
  if constexpr (!MayWrap)
    return sum;
  else
    return sum < in_tile ? beyond_all<D, Sizes> : static_cast<integer>(sum);
}
template <int D, class Sizes, class Origin, class InTile>
AXE_FORCE_INLINE constexpr auto coordinate_for_limits(Origin const& origin, InTile const& in_tile) {
  return saturated_coordinate<D, Sizes, may_wrap_along<D, Sizes, Origin, InTile>>(
      number_by_steps(origin + in_tile), in_tile());
}

template <class P, class S, unsigned Whole, unsigned MayWrap, class T, class Sizes, int... D,
          class... Sums>
AXE_FORCE_INLINE constexpr auto thread_tile_in_bounds_from(unsigned thread, T* data,
                                                           Sizes const& sizes, indices<D...>,
                                                           Sums const&... sums) {
  using partition_type = partition<P, S>;
  using tensor = Sizes::plain;
  [[maybe_unused]] constexpr bool checked = coordinate_range<Sums...>::template admits<>();
  unsigned const steps[]{steps_of(sums)...};
  using number = stl::conditional_t<MayWrap == 0, unsigned, integer>;
  number const numbers[]{saturated_coordinate<D, tensor, is_among(D, MayWrap)>(
      steps[D] * static_cast<unsigned>(step_size<Sums>),
      partition_type::template coordinate_of<D>(thread)())...};
  return bound_thread_tile_in_bounds<
      bound_thread_tile<partition_type,
                        decltype(bind_pointer(data, sizes,
                                              stepped_coordinate<tensor, D>(sums, steps[D])...))>,
      thread_tile_limits<partition_type, indices<D...>, tensor, Whole>>{
      {static_cast<tensor const&>(sizes), numbers},
      {bind_pointer(data, sizes, stepped_coordinate<tensor, D>(sums, steps[D])...)}};
}

template <class P, class S, unsigned Whole, class T, class Sizes, int... D, class... Origins>
AXE_FORCE_INLINE constexpr auto thread_tile_in_bounds_at(unsigned thread, T* data,
                                                         Sizes const& sizes,
                                                         indices<D...> dimensions,
                                                         Origins const&... origins) {
  using stop [[maybe_unused]] = verdict<partition<P, S>>::stop;
  using map = partition<P, S>;
  return thread_tile_in_bounds_from<P, S, Whole,
                                    wrapping_dimensions<map, Sizes, Origins...>(indices<D...>{})>(
      thread, data, sizes, dimensions, (origins + map::template coordinate_of<D>(thread))...);
}

}  // namespace detail

/// Whole has a bit for each dimension along which the tile is in bounds.
template <class P, class S, unsigned Whole = 0, class T, class Sizes, class... Origins>
AXE_FORCE_INLINE constexpr auto thread_tile_in_bounds(unsigned thread, T* data, Sizes const& sizes,
                                                      Origins const&... origins) {
  static_assert(sizeof...(Origins) == partition<P, S>::rank,
                "there must be one origin for each dimension of the tile");
  return detail::thread_tile_in_bounds_at<P, S, Whole>(
      thread, data, sizes, detail::indices_to<partition<P, S>::rank>{}, as_sum(origins)...);
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
