// row_major<Rank>, column_major<Rank>, strided<Rank>: a tensor whose extents and strides are known
// at run time, with at most one statement about it, aligned<16> or aligned_rows<16>.
//
//     tensor<float, row_major<2>> A(data, rows, columns);     or (data, rows, columns, leading)
//
// Extents are at most 2^31 - 2^20, so that a partial tile ends within an int. The leading
// dimension is below 2^32 bytes, other strides have 64 bits. The host checks all this.
// Definition: docs/index_code.md, "Tensors and tiles".
#pragma once

#include <axe/index/dynamic_layout.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// Numbers: extents, then the strides other than 1, in order. Extents alone: contiguous.
template <int Rank> struct row_major {};
template <int Rank> struct column_major {};
/// Every stride is given.
template <int Rank> struct strided {};

/// The pointer, strides and contiguous extent are multiples of Bytes. aligned<0> states nothing.
template <integer Bytes> struct aligned {
  static_assert(Bytes == 0 || detail::is_power_of_two(Bytes), "an alignment is a power of two");
  static constexpr integer bytes = Bytes, row = Bytes;
};
/// The pointer and strides are multiples of Bytes; rows have any length.
template <integer Bytes> struct aligned_rows {
  static_assert(detail::is_power_of_two(Bytes), "an alignment is a power of two");
  static constexpr integer bytes = Bytes, row = 1;
};

namespace detail {

/// unit: the dimension of stride 1; -1: all strides are dynamic.
template <class Order> struct order_of;
template <int Rank> struct order_of<row_major<Rank>> {
  static constexpr int rank = Rank, unit = Rank - 1, leading = Rank - 2;
};
template <int Rank> struct order_of<column_major<Rank>> {
  static constexpr int rank = Rank, unit = 0, leading = 1;
};
template <int Rank> struct order_of<strided<Rank>> {
  static constexpr int rank = Rank, unit = -1, leading = -1;
};

AXE_FN constexpr integer elements_in(integer bytes, integer size) {
  return bytes > size ? bytes / size : 1;
}
template <class Order, class Statement, integer Size> AXE_FN constexpr leaf extent_in(int d) {
  leaf const extent = dynamic(d).at_most(narrow_extent);
  return d == order_of<Order>::unit ? extent.multiple_of(elements_in(Statement::row, Size))
                                    : extent;
}
template <class Order, class Statement, integer Size> AXE_FN constexpr leaf stride_in(int d) {
  using order = order_of<Order>;
  if (d == order::unit) return 1;
  bool const behind_unit = order::unit >= 0 && d > order::unit;
  leaf const stride =
      dynamic(order::rank + d - behind_unit).multiple_of(elements_in(Statement::bytes, Size));
  return d == order::leading ? stride.below((integer{1} << 32) / Size) : stride;
}
template <class Order, class Statement, integer Size, class D> struct ordered_base;
template <class Order, class Statement, integer Size, int... D>
struct ordered_base<Order, Statement, Size, integers<D...>> {
  using type = dynamic_layout<axe::dimension<
      axe::digit<extent_in<Order, Statement, Size>(D), stride_in<Order, Statement, Size>(D)>>...>;
};

template <class Order, class Statement, integer Size>
struct ordered_sizes
    : ordered_base<Order, Statement, Size, integers_to<order_of<Order>::rank>>::type {
  using order = order_of<Order>;
  using base = typename ordered_base<Order, Statement, Size, integers_to<order::rank>>::type;

  constexpr ordered_sizes() = default;
  AXE_FN static constexpr bool takes(int count) {
    return count == base::slots || (order::unit >= 0 && count == order::rank);
  }
  /// Extents and strides, or the extents of a contiguous tensor.
  template <class... Numbers>
    requires(sizeof...(Numbers) > 0 && (any_integer<Numbers> && ...))
  AXE_FN constexpr explicit ordered_sizes(Numbers... numbers)
      : ordered_sizes(
            constant<(order::unit >= 0 && order::rank > 1 && sizeof...(Numbers) == order::rank)>{},
            numbers...) {}
  template <class... Numbers>
  AXE_FN constexpr ordered_sizes(stated mark, Numbers... numbers) : base(mark, numbers...) {}

 private:
  struct extent_list {
    integer at[order::rank];
  };
  template <class... Numbers>
  AXE_FN constexpr ordered_sizes(constant<false>, Numbers... numbers) : base(numbers...) {}
  template <class... Extents>
  AXE_FN constexpr ordered_sizes(constant<true>, Extents... extents)
      : ordered_sizes(integers_to<base::slots>{}, extent_list{{static_cast<integer>(extents)...}}) {
  }
  template <int... Slot>
  AXE_FN constexpr ordered_sizes(integers<Slot...>, extent_list const& extents)
      : base(number_in(extents, Slot)...) {}
  AXE_FN static constexpr integer number_in(extent_list const& extents, int slot) {
    if (slot < order::rank) return extents.at[slot];
    int const d = slot - order::rank;
    bool const rows = order::unit > 0;
    integer stride = 1;
    for (int k = rows ? d + 1 : 0; k < (rows ? order::rank : d + 1); ++k)
      stride = product_or_largest(stride, extents.at[k]);
    return stride;
  }
};

template <class Shape, class Statement, integer Size> struct sizes_of {
  using type = Shape;
};
template <class Order, class Statement, integer Size>
  requires requires { order_of<Order>::rank; }
struct sizes_of<Order, Statement, Size> {
  using type = ordered_sizes<Order, Statement, Size>;
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
