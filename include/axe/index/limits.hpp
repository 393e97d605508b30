// SPDX-License-Identifier: MIT
// Limits: which registers of a partial tile are in bounds. A register costs one comparison.
//
//     auto const mine = thread_tile_in_bounds<P, extents<32, 32>>(thread, data, sizes, i, j);
//     if (mine.in_bounds<3>()) use(mine.at<3>());     constant < left; left = extent - coordinate
//
// A dimension along which registers do not differ is tested once: out of bounds, `left` of the
// others is 0. A dimension that no tile exceeds is not tested. Tiles begin below 2^31 in dimensions
// of at most 2^31 - 2^20, else below 2^32. Definition: docs/index_code.md, "Thread tiles".
#pragma once

#include <axe/index/bound_thread_tile.hpp>
#include <axe/index/pointer.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

AXE_FN constexpr bool is_among(int d, unsigned dimensions) { return (dimensions >> d & 1) != 0; }

AXE_FN constexpr bool registers_move(partition_data const& p, int d) {
  for (partition_digit const& o : p.by_register)
    if (o.dimension == d) return true;
  return false;
}

/// True if the registers of a thread differ along D and are tested one by one. Decided: a bit for
/// each dimension along which all registers are in bounds or none is.
template <class Partition, int D, unsigned Decided>
inline constexpr bool moves = registers_move(Partition::value, D) && !is_among(D, Decided);

/// True if a tensor never ends inside a tile that begins in bounds. `extent` is the tile's extent,
/// `tensor` divides the tensor's extent, and `origin` divides the tile's origin.
AXE_FN constexpr bool ends_between_tiles(integer extent, integer tensor, integer origin) {
  return extent == 1 || greatest_common_divisor(tensor, origin) % extent == 0;
}

/// left = extent - coordinate. Hosts negate it, because their subtraction then sets the sign flag.
template <int D, bool Wide> struct left_along {
  int n;

  AXE_FORCE_INLINE static constexpr int kept(int left) { return counts_as_host ? -left : left; }
  AXE_FORCE_INLINE constexpr bool holds(int step) const {
    return counts_as_host ? n < -step : step < n;
  }
};
/// For extents above narrow_extent: `left` is unsigned, and 0 out of bounds.
template <int D> struct left_along<D, true> {
  unsigned n;

  AXE_FORCE_INLINE static constexpr unsigned kept(unsigned left) { return left; }
  AXE_FORCE_INLINE constexpr bool holds(int step) const { return static_cast<unsigned>(step) < n; }
};
template <int D, class Sized>
inline constexpr bool is_wide = Sized::template most_extent<D>() > narrow_extent;

/// Whether the thread is in bounds along the dimensions of Decided. `yes` is an int, because g++
/// keeps a bool in memory.
template <bool Kept> struct decided_inside {
  int yes;

  AXE_FORCE_INLINE constexpr bool holds() const { return yes != 0; }
};
template <> struct decided_inside<false> {
  AXE_FORCE_INLINE constexpr explicit decided_inside(bool) {}
  AXE_FORCE_INLINE constexpr bool holds() const { return true; }
};

/// The elements left along a wide dimension. The largest unsigned number means that many or more.
template <int D, class Sized, class Coordinate>
AXE_FORCE_INLINE constexpr unsigned wide_left_of(Sized const& sizes, Coordinate coordinate) {
  if constexpr (Sized::template most_extent<D>() < (integer{1} << 32)) {
    unsigned const extent = static_cast<unsigned>(sizes.template extent<D>());
    unsigned const at = static_cast<unsigned>(coordinate);
    return extent > at ? extent - at : 0;
  } else {
    integer const left = sizes.template extent<D>() - static_cast<integer>(coordinate);
    return left < 0 ? 0 : left > 0xffff'ffff ? 0xffff'ffff : static_cast<unsigned>(left);
  }
}
template <int D, class Sized, class Coordinate>
AXE_FORCE_INLINE constexpr int left_of(Sized const& sizes, Coordinate coordinate) {
  if constexpr (is_wide<D, Sized>) {
    unsigned const left = wide_left_of<D>(sizes, coordinate);
    return static_cast<int>(left > 0x7fff'ffff ? 0x7fff'ffff : left);
  } else {
    return static_cast<int>(sizes.template extent<D>()) - static_cast<int>(coordinate);
  }
}
/// True if the coordinate is in bounds along D. Also true if D is whole, or if the registers are
/// tested one by one along D. Fixed: a bit for each dimension that is decided or whole.
template <class Partition, unsigned Fixed, unsigned Whole, int D, class Sized, class Coordinate>
AXE_FORCE_INLINE constexpr bool inside_along(Sized const& sizes, Coordinate coordinate) {
  if constexpr (moves<Partition, D, Fixed> || is_among(D, Whole))
    return true;
  else if constexpr (Sized::template most_extent<D>() < (integer{1} << 32))
    return static_cast<unsigned>(coordinate) < static_cast<unsigned>(sizes.template extent<D>());
  else
    return static_cast<integer>(coordinate) < sizes.template extent<D>();
}
template <int D, bool Wide, class Sized, class Coordinate>
AXE_FORCE_INLINE constexpr auto kept_left(Sized const& sizes, Coordinate coordinate) {
  static_assert(Wide == is_wide<D, Sized>, "limits fit only the tensor that they were made for");
  if constexpr (Wide)
    return left_along<D, Wide>::kept(wide_left_of<D>(sizes, coordinate));
  else
    return left_along<D, Wide>::kept(left_of<D>(sizes, coordinate));
}
/// Returns kept_left, or 0 if the thread is out of bounds in a dimension along which its registers
/// do not differ.
template <class Partition, unsigned Decided, unsigned Fixed, int D, bool Wide, class Sized,
          class Coordinate>
AXE_FORCE_INLINE constexpr auto left_where(bool inside, Sized const& sizes, Coordinate coordinate) {
  if constexpr (moves<Partition, D, Fixed> && Decided != 0)
    return kept_left<D, Wide>(sizes, coordinate);
  else if constexpr (moves<Partition, D, Fixed>)
    // With the hint "unlikely" compilers keep the code for tiles in bounds in one piece.
    return AXE_BRANCH_HINT(inside, false) ? kept_left<D, Wide>(sizes, coordinate) : 0;
  else
    return left_along<D, Wide>::kept(inside);
}

/// The elements left in each dimension from register 0 on. Decided, Wide, Whole: a bit for each
/// dimension.
template <class Partition, class Dimensions, unsigned Decided = 0, unsigned Wide = 0,
          unsigned Whole = 0>
struct thread_tile_limits;
template <class Partition, int... D, unsigned Decided, unsigned Wide, unsigned Whole>
struct thread_tile_limits<Partition, indices<D...>, Decided, Wide, Whole>
    : decided_inside<(Decided != 0)>, left_along<D, is_among(D, Wide)>... {
  /// A constructor, because host compilers lose track of the numbers if a function returns them.
  template <class Sized, class Coordinate>
  AXE_FORCE_INLINE constexpr thread_tile_limits(Sized const& sizes, Coordinate const* coordinates)
      : thread_tile_limits(
            (inside_along<Partition, settled, Whole, D>(sizes, coordinates[D]) && ...), sizes,
            coordinates) {}

  template <int R> AXE_FORCE_INLINE constexpr bool at() const {
    return decided::holds() && (test<D, R>() && ...);
  }
  /// False only if no register of the thread is in bounds.
  AXE_FORCE_INLINE constexpr bool any_in_bounds() const {
    if constexpr (Decided != 0)
      return decided::holds();
    else
      return at<0>();  // register 0 has the smallest coordinates
  }

 private:
  static constexpr unsigned settled = Decided | Whole;
  using decided = decided_inside<(Decided != 0)>;
  template <int Dimension> using left = left_along<Dimension, is_among(Dimension, Wide)>;

  template <class Sized, class Coordinate>
  AXE_FORCE_INLINE constexpr thread_tile_limits(bool inside, Sized const& sizes,
                                                Coordinate const* coordinates)
      : decided{inside},
        left<D>{left_where<Partition, Decided, settled, D, is_among(D, Wide)>(inside, sizes,
                                                                              coordinates[D])}... {}
  template <int Dimension, int R> AXE_FORCE_INLINE constexpr bool test() const {
    constexpr integer step = Partition::template step<R, Dimension>;
    constexpr integer end = is_among(Dimension, Wide) ? coordinate_end : integer{1} << 31;
    if constexpr (is_among(Dimension, Whole))
      return true;
    else if constexpr (step >= end)
      return false;  // no extent is that large
    else if constexpr (moves<Partition, Dimension, settled>)
      return static_cast<left<Dimension> const&>(*this).holds(static_cast<int>(step));
    else if constexpr (((D != Dimension && moves<Partition, D, settled>) || ...))
      return true;  // if the thread is out of bounds here, `left` is 0 elsewhere
    else
      return static_cast<left<Dimension> const&>(*this).holds(0);
  }
};
template <class Bound, class Limits> struct bound_thread_tile_in_bounds {
  using partition_type = typename Bound::partition_type;
  static constexpr int size = Bound::size;
  Limits limits;
  Bound elements;

  template <int R> AXE_FORCE_INLINE constexpr auto at() const { return elements.template at<R>(); }
  template <int R> AXE_FORCE_INLINE constexpr bool in_bounds() const {
    if constexpr (R >= 0 && R < size)
      return limits.template at<R>();
    else
      return typename verdict<no_register<R, size>>::stop{};
  }
  AXE_FORCE_INLINE constexpr bool any_in_bounds() const { return limits.any_in_bounds(); }
  template <int R, int D> AXE_FORCE_INLINE constexpr unsigned coordinate() const {
    return elements.template coordinate<R, D>();
  }
};

template <class Sum> AXE_FN constexpr integer whole_steps() {
  return greatest_common_divisor(grain_of_sum<Sum>(), 16);
}
/// A variable, because host compilers would compute a call at run time.
template <class Sum>
inline constexpr unsigned step_size = static_cast<unsigned>(whole_steps<Sum>());
/// The coordinate for the address. With dynamic sizes it is `steps` times the step size, because
/// limits need `steps` too. More than four parts along a static stride, as of reversed bits, remain
/// a sum, which needs fewer instructions.
template <class Dimension, bool Given, class Sum>
AXE_FORCE_INLINE constexpr auto stepped_coordinate(Sum const& sum, unsigned steps) {
  if constexpr (Dimension::digits != 1 || !Given ||
                (Dimension::strides[0].known() && parts_of_sum<Sum> > 4))
    return sum;
  else
    return constant<whole_steps<Sum>()>{} * any(steps);
}

template <class Sum> AXE_FORCE_INLINE constexpr unsigned steps_of(Sum const& sum) {
  return divide_sum<whole_steps<Sum>()>(sum)();
}
template <class T, class Sized, int... D, class... Sums>
AXE_FORCE_INLINE constexpr auto bind_steps(T* data, Sized const& sizes, indices<D...>,
                                           Sums const&... sums) {
  return bind_pointer(
      data, sizes,
      stepped_coordinate<typename Sized::template dimension_type<D>, (Sized::slots > 0)>(
          sums, steps_of(sums))...);
}
/// The coordinate from its steps, which address and limits share.
template <class Sum> AXE_FORCE_INLINE constexpr unsigned number_of(Sum const& sum) {
  return steps_of(sum) * static_cast<unsigned>(whole_steps<Sum>());
}

template <class Sum> AXE_FN constexpr integer most_of_sum() {
  integer most = listed_parts<Sum>.constants[0];
  for (part_data const& p : listed_parts<Sum>.parts)
    if (p.step != 0 && (p.values() == 0 || !add_product(most, p.step, p.values() - 1)))
      return largest;
  return most;
}
/// True if a tile that begins in bounds at Origin may reach 2^32, where coordinates overflow. It
/// cannot if its extent is a power of two that divides the origin.
template <int D, class Sized, class Origin, class Inside> AXE_FN constexpr bool may_pass_the_end() {
  constexpr integer most = most_of_sum<Inside>();
  constexpr integer last = smaller(Sized::template most_extent<D>(), coordinate_end) - 1;
  if constexpr (most < coordinate_end - last) {
    return false;
  } else {
    constexpr integer grain = grain_of_sum<Origin>();
    return most >= coordinate_end - (grain == 0 ? 0 : last / grain * grain);
  }
}
template <int D, class Sized>
inline constexpr integer behind_all = smaller(Sized::template most_extent<D>(), coordinate_end);
/// The coordinate to test. If the sum wrapped at 2^32, it is a coordinate beyond all elements.
template <int D, class Sized, bool MayPass>
AXE_FORCE_INLINE constexpr auto held_below_the_end(unsigned number,
                                                   [[maybe_unused]] unsigned inside) {
  if constexpr (!MayPass)
    return number;
  else
    return number < inside ? behind_all<D, Sized> : static_cast<integer>(number);
}
template <int D, class Sized, class Origin, class Inside>
AXE_FORCE_INLINE constexpr auto coordinate_for_limits(Origin const& origin, Inside const& inside) {
  return held_below_the_end<D, Sized, may_pass_the_end<D, Sized, Origin, Inside>()>(
      number_of(origin + inside), inside());
}

/// Passing: a bit for each dimension along which a tile may pass 2^32.
template <class P, class S, unsigned Decided, unsigned Whole, unsigned Passing, class T,
          leaf Offset, class... Dimensions, int... D, class... Sums>
AXE_FORCE_INLINE constexpr auto thread_tile_in_bounds_from(
    [[maybe_unused]] unsigned thread, T* data,
    dynamic_layout_from<Offset, Dimensions...> const& sizes, indices<D...>, Sums const&... sums) {
  using owning = partition<P, S>;
  [[maybe_unused]] constexpr bool coordinates = coordinates_of<Sums...>::template hold<>();
  constexpr bool given = dynamic_layout_from<Offset, Dimensions...>::slots > 0;
  unsigned const steps[]{steps_of(sums)...};
  using tensor = dynamic_layout_from<Offset, Dimensions...>;
  using number = stl::conditional_t<Passing == 0, unsigned, integer>;
  number const numbers[]{held_below_the_end<D, tensor, is_among(D, Passing)>(
      steps[D] * step_size<Sums>, owning::template coordinate_of<D>(thread)())...};
  // Constructed in the return statement, because g++ keeps copies in memory.
  return bound_thread_tile_in_bounds<
      bound_thread_tile<owning, decltype(bind_pointer(
                                    data, sizes,
                                    stepped_coordinate<Dimensions, given>(sums, steps[D])...))>,
      thread_tile_limits<owning, indices<D...>, Decided,
                         (0u | ... | (unsigned{is_wide<D, tensor>} << D)), Whole>>{
      {sizes, numbers},
      {bind_pointer(data, sizes, stepped_coordinate<Dimensions, given>(sums, steps[D])...)}};
}

template <class P, class S, unsigned Decided, unsigned Whole, class T, class Sized, int... D,
          class... Origins>
AXE_FORCE_INLINE constexpr auto thread_tile_in_bounds_at(unsigned thread, T* data,
                                                         Sized const& sizes,
                                                         indices<D...> dimensions,
                                                         Origins const&... origins) {
  using stop [[maybe_unused]] = typename verdict<partition<P, S>>::stop;
  constexpr unsigned passing =
      (0u | ... |
       (may_pass_the_end<D, Sized, decltype(as_sum(origins)),
                         decltype(partition<P, S>::template coordinate_of<D>(thread))>()
        << D));
  return thread_tile_in_bounds_from<P, S, Decided, Whole, passing>(
      thread, data, sizes, dimensions,
      (as_sum(origins) + partition<P, S>::template coordinate_of<D>(thread))...);
}

}  // namespace detail

/// The thread tile of the tile of shape S at `origins`, with its limits. Decided: a bit for each
/// dimension along which all registers of a thread are in bounds or none is. Whole: a bit for each
/// dimension along which the tile is known to be in bounds.
template <class P, class S, unsigned Decided = 0, unsigned Whole = 0, class T, class Sized,
          class... Origins>
AXE_FORCE_INLINE constexpr auto thread_tile_in_bounds(unsigned thread, T* data, Sized const& sizes,
                                                      Origins const&... origins) {
  static_assert(sizeof...(Origins) == partition<P, S>::rank,
                "there must be one origin for each dimension of the tile");
  return detail::thread_tile_in_bounds_at<P, S, Decided, Whole>(
      thread, data, sizes, detail::indices_to<partition<P, S>::rank>{}, origins...);
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
