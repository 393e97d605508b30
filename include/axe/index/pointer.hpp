// SPDX-License-Identifier: MIT
// bind_pointer: a pointer to an element of a tensor. If a dimension has several digits, its
// coordinate is divided by the dynamic extents of all digits but the slowest.
//
//     dimension<digit<dynamic(1), 1>, digit<dynamic(3), dynamic(1)>>      x counts (pixel, channel)
//     pixel = x / C, channel = x - pixel * C, C = dynamic(3)
//
// Definition: docs/index_code.md, "Pointers" and "Sizes at run time".
#pragma once

#include <axe/index/bound_pointer.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

struct digit_range {
  int slowest = 0;
  int count = 0;
};
/// Divisions cut dimensions into pieces, counted dimension by dimension, the fastest first. Returns
/// piece n.
AXE_FN constexpr digit_range piece_of(size_table const& sizes, int n) {
  for (int k = 0, count = 1;; ++k, ++count)
    if (sizes.is_slowest(k) || !sizes.digits[k].extent.known()) {
      if (n-- == 0) return {k, count};
      count = 0;
    }
}
template <class Sizes, int Slowest, class Digits> struct piece_dimension;
template <class Sizes, int Slowest, int... Each>
struct piece_dimension<Sizes, Slowest, indices<Each...>> {
  using type = axe::dimension<axe::digit<Sizes::table.digits[Slowest - Each].extent,
                                         Sizes::table.digits[Slowest - Each].stride>...>;
};
template <class Sizes, class Pieces> struct lowered_of;
template <class Sizes, int... Number> struct lowered_of<Sizes, indices<Number...>> {
  using type = dynamic_layout_from<
      Sizes::offset,
      typename piece_dimension<Sizes, piece_of(Sizes::table, Number).slowest,
                               indices_to<piece_of(Sizes::table, Number).count>>::type...>;
};
/// In the lowered layout, each piece is a dimension.
template <class Sizes>
using lowered_t = lowered_of<Sizes, indices_to<Sizes::rank + Sizes::splits>>::type;

template <class Lowered, int... Slot>
AXE_FORCE_INLINE constexpr Lowered lower_sizes(auto const& sizes, indices<Slot...>) {
  return Lowered(unchecked{}, sizes.template number<Slot>()...);
}

/// The first element's alignment in bytes, if the pointer has alignment `base`.
template <class Sizes>
AXE_FORCE_INLINE constexpr integer alignment_with_offset(integer base, integer bytes) {
  return greatest_common_divisor(base, Sizes::divisor_of(Sizes::offset) * bytes);
}

template <class Sizes, int D> AXE_FORCE_INLINE constexpr int splits_before() {
  if constexpr (D == 0)
    return 0;
  else
    return splits_before<Sizes, D - 1>() + Sizes::template dimension_type<D - 1>::splits();
}

/// The grain of dimension D: constants below it do not change a quotient. 0 if D is not divided.
template <class Sizes, int D, class Sum> AXE_FORCE_INLINE constexpr integer grain_of_split() {
  if constexpr (Sizes::template dimension_type<D>::splits() == 0) {
    return 0;
  } else {
    constexpr coordinate_division s = Sizes::table.division(splits_before<Sizes, D>());
    return greatest_common_divisor(grain_of_sum<Sum>, s.known * Sizes::facts_of(s.slot).multiple);
  }
}

template <class... A, class... B>
AXE_FORCE_INLINE constexpr sums<A..., B...> operator+(sums<A...> const& a, sums<B...> const& b) {
  if constexpr (sizeof...(A) == 0)
    return b;
  else
    return {a.first, a.rest + b};
}

/// Divides x, then its quotients, `Left` times in all. Returns the remainders and the last
/// quotient.
template <int Number, int Left, class Sizes>
AXE_FORCE_INLINE constexpr auto split_coordinate(Sizes const& sizes, unsigned x,
                                                 auto const&... done) {
  if constexpr (Left == 0) {
    return make_sums(done..., as_sum(any(x)));
  } else {
    auto const& by = sizes.template divisor<Number>();
    unsigned const quotient = by.quotient(x);
    constexpr coordinate_division s = Sizes::table.division(Number);
    constexpr integer most = product_or_largest(Sizes::facts_of(s.slot).largest(), s.known);
    constexpr integer range = most < (integer{1} << 32) ? most : 0;
    return split_coordinate<Number + 1, Left - 1>(
        sizes, quotient, done..., as_sum(index_part<unnamed, range>{x - quotient * by.number}));
  }
}
template <int D, class Sizes>
AXE_FORCE_INLINE constexpr auto lower_sum(Sizes const& sizes, auto const& sum) {
  constexpr int splits = Sizes::template dimension_type<D>::splits();
  if constexpr (splits == 0)
    return make_sums(sum);
  else
    return split_coordinate<splits_before<Sizes, D>(), splits>(sizes, sum());
}

template <class T, class Sizes, class... Sums>
AXE_FORCE_INLINE constexpr auto bind_split(T* data, Sizes const& sizes, Sums const&... s);

template <class T, class Sizes, int... D>
AXE_FORCE_INLINE constexpr auto bind_divided(T* data, Sizes const& sizes, indices<D...>,
                                             auto const&... s) {
  return bind_pointer_sums(data, lower_sizes<lowered_t<Sizes>>(sizes, indices_to<Sizes::slots>{}),
                           (lower_sum<D>(sizes, s) + ... + sums<>{}));
}

/// Assigns a divided dimension's constant to its fastest piece.
template <class Sizes, int... D>
AXE_FORCE_INLINE constexpr list<integer, capacity::shards> lower_constants(
    indices<D...>, list<integer, capacity::shards> const& c) {
  list<integer, capacity::shards> out;
  auto const add = [&](int splits, integer value) {
    out.push(value);
    for (int k = 0; k < splits; ++k) out.push(0);
  };
  (add(Sizes::template dimension_type<D>::splits(), c[D]), ...);
  return out;
}

/// A bound_pointer for a tensor whose coordinates are divided first.
template <class T, class Sizes, class... Sums> struct split_pointer {
  using inner_pointer = decltype(bind_divided(static_cast<T*>(nullptr), Sizes{},
                                              indices_to<Sizes::rank>{}, Sums{}...));
  static constexpr int rank = sizeof...(Sums);

  T* start;
  Sizes sizes;
  [[no_unique_address]] sums<Sums...> coordinates;
  inner_pointer inner;

  template <integer... Constants> AXE_FORCE_INLINE constexpr T* at() const {
    if constexpr (!coordinate_range<Sums...>::template admits<Constants...>())
      return nullptr;
    else if constexpr (sizeof...(Constants) == 0)
      return inner.template at<>();
    else
      return at_constants<Constants...>(indices_to<rank>{});
  }
  template <int D> AXE_FORCE_INLINE constexpr unsigned coordinate() const {
    return coordinate_in<D>(coordinates);
  }
  template <int D, integer Steps = 1> AXE_FORCE_INLINE constexpr void advance(unsigned n = 1) {
    static_assert(Sizes::template dimension_type<D>::digits == 1,
                  "a dimension of several digits has no single stride");
    auto* const before = inner.here;
    inner.template advance<D + splits_before<Sizes, D>(), Steps>(n);
    start += (inner.here - before) / integer{sizeof(T)};
  }

 private:
  /// Rounds constant C down to the grain. Only this multiple may change a quotient.
  template <int D, integer C> AXE_FORCE_INLINE static constexpr integer carrying_part() {
    constexpr integer grain =
        grain_of_split<Sizes, D, stl::remove_cvref_t<decltype(sum_number<D>(sums<Sums...>{}))>>();
    if constexpr (grain == 0)
      return 0;
    else
      return floor_divide(C, grain) * grain;
  }
  template <integer... Constants, int... D>
  AXE_FORCE_INLINE constexpr T* at_constants(indices<D...> dimensions) const {
    if constexpr (((carrying_part<D, Constants>() == 0) && ...))
      return at_same_quotients<Constants...>(dimensions, indices_to<lowered_t<Sizes>::rank>{});
    else
      return bind_split(start, sizes,
                        add_constant<carrying_part<D, Constants>()>(sum_number<D>(coordinates))...)
          .template at<(Constants - carrying_part<D, Constants>())...>();
  }
  template <integer... Constants, int... D, int... L>
  AXE_FORCE_INLINE constexpr T* at_same_quotients(indices<D...>, indices<L...>) const {
    constexpr auto c = lower_constants<Sizes>(indices<D...>{}, {Constants...});
    return inner.template at<c.at[L]...>();
  }
};
template <class T, class Sizes, class... Sums>
AXE_FORCE_INLINE constexpr auto bind_split(T* data, Sizes const& sizes, Sums const&... s) {
  return split_pointer<T, Sizes, Sums...>{
      data, sizes, make_sums(s...), bind_divided(data, sizes, indices_to<Sizes::rank>{}, s...)};
}
template <int Count, int Rank>
using rank_check = broken_unless<Count == Rank, rule::coordinate_has_other_dimensions, Count, Rank>;
struct rejected_pointer {
  template <integer...> AXE_FN constexpr char* at() const { return nullptr; }
};
}  // namespace detail

/// `data` is a pointer or the `data` of a tensor. `.at<...>()` adds constants. Precondition:
/// accessed elements are in bounds.
template <class Pointer, class Sizes, class... Coordinates>
AXE_FORCE_INLINE constexpr auto bind_pointer(Pointer data, Sizes const& sizes,
                                             Coordinates... coordinates) {
  constexpr bool passed = requires { *+data, Sizes::splits; };
  static_assert(passed,
                "bind_pointer takes a pointer, the sizes of its tensor, and coordinates: "
                "bind_pointer(x.data, x.sizes, i, j)");
  if constexpr (!passed)
    return detail::rejected_pointer{};
  else if constexpr (sizeof...(Coordinates) != Sizes::rank)
    return
        typename detail::verdict<detail::rank_check<sizeof...(Coordinates), Sizes::rank>>::stop{};
  else if constexpr (Sizes::splits == 0)
    return detail::bind_pointer_sums(+data, sizes, detail::make_sums(as_sum(coordinates)...));
  else
    return detail::bind_split(+data, static_cast<Sizes::plain const&>(sizes),
                              as_sum(coordinates)...);
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
