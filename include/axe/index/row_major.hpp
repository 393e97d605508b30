// SPDX-License-Identifier: MIT
// row_major, column_major, strided: the order of a tensor with dynamic sizes. aligned,
// aligned_rows: its declared alignment.
//
//     tensor<float, row_major<2>> A(data, rows, columns);     or (data, rows, columns, leading)
//
// Definition: docs/index_code.md, "Sizes of tensors".
#pragma once

#include <axe/index/dynamic_layout.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {
/// Dimension `unit` has stride 1; -1: none. extent(d) is 0 if dynamic.
template <int Rank, int Unit, integer... Last> struct tensor_order {
  static constexpr int rank = Rank, unit = Unit;
  static constexpr bool valid =
      Rank >= 1 && Rank <= 24 && int{sizeof...(Last)} <= Rank && ((Last >= 0) && ...);
  AXE_FN static constexpr integer extent(int d) {
    integer const last[]{0, Last...};
    int const k = d + 1 + int{sizeof...(Last)} - Rank;
    return last[k < 0 ? 0 : k];
  }
  /// 0 if the stride is dynamic.
  AXE_FN static constexpr integer stride(int d) {
    integer product = Unit >= 0;
    for (int k = d; k != Unit && product > 0;) product *= extent(k += k < Unit ? 1 : -1);
    return product;
  }
  AXE_FN static constexpr int count_dynamic_extents(int dimensions = Rank) {
    int n = 0;
    for (int d = 0; d < dimensions; ++d) n += extent(d) == 0;
    return n;
  }
  AXE_FN static constexpr int count_dynamic_strides(int dimensions = Rank) {
    int n = 0;
    for (int d = 0; d < dimensions; ++d) n += stride(d) == 0;
    return n;
  }
};
}  // namespace detail

/// `Last` are the last extents, 0 if dynamic: row_major<3, 128> is (n, m, 128). Constructors take
/// the dynamic extents and, unless the tensor is contiguous, the dynamic strides. Dynamic extents
/// are at most 2^31 - 2^20, and the leading dimension is below 2^32 bytes.
template <int Rank, integer... Last>
struct row_major : detail::tensor_order<Rank, Rank - 1, Last...> {
  static_assert(
      row_major::valid,
      "row_major<3, 128> has 3 dimensions, the last one of 128 elements: a tensor has 1 to "
      "24 dimensions, and an extent is at least 1, or 0 if it is dynamic");
};
template <int Rank> struct column_major : detail::tensor_order<Rank, 0> {};
/// Every stride is dynamic.
template <int Rank> struct strided : detail::tensor_order<Rank, -1> {};

/// Declares that the pointer, the dynamic strides and a dynamic extent of the contiguous dimension
/// are multiples of Bytes bytes. For a dynamic_layout it declares the pointer only. aligned<0>
/// declares nothing.
template <integer Bytes> struct aligned {
  static_assert(Bytes == 0 || detail::is_power_of_two(Bytes),
                "an alignment must be a power of two");
  static constexpr integer bytes = Bytes, row = Bytes;
};
/// Like `aligned`, but rows may have any length.
template <integer Bytes> struct aligned_rows : aligned<Bytes> {
  static constexpr integer row = 1;
};

namespace detail {

/// The least number of elements that fill a multiple of `bytes` bytes.
AXE_FN constexpr integer elements_in(integer bytes, integer size) {
  return bytes == 0 ? 1 : bytes / greatest_common_divisor(bytes, size);
}
/// Declaration is the tensor's alignment, here and below.
template <class Order, class Declaration, integer Size> AXE_FN constexpr leaf extent_in(int d) {
  if (Order::extent(d) != 0) return Order::extent(d);
  leaf const extent = dynamic(Order::count_dynamic_extents(d)).at_most(narrow_extent);
  return d == Order::unit ? extent.multiple_of(elements_in(Declaration::row, Size)) : extent;
}
template <class Order, class Declaration, integer Size> AXE_FN constexpr leaf stride_in(int d) {
  if (integer const known = Order::stride(d)) return known;
  leaf const stride = dynamic(Order::count_dynamic_extents() + Order::count_dynamic_strides(d))
                          .multiple_of(elements_in(Declaration::bytes, Size));
  bool const is_leading = Order::unit >= 0 && Order::stride(d + (d < Order::unit ? 1 : -1)) != 0;
  return is_leading ? stride.below((integer{1} << 32) / Size) : stride;
}
template <class Order, class Declaration, integer Size, class D> struct ordered_base;
template <class Order, class Declaration, integer Size, int... D>
struct ordered_base<Order, Declaration, Size, integers<D...>> {
  using type =
      dynamic_layout<axe::dimension<axe::digit<extent_in<Order, Declaration, Size>(D),
                                               stride_in<Order, Declaration, Size>(D)>>...>;
};

/// Holds number Slot of Base, a stride in elements, in bytes: as number -1 - Slot.
template <class Base, int Slot>
using stride_bytes =
    numbered<-1 - Slot, stl::conditional_t<sizeof(Base{}.template number<Slot>()) == 4,
                                           stl::uint32_t, stl::uint64_t>>;
/// Holds the dynamic strides, which begin at slot First, in elements and in bytes. With these
/// sizes, bind_pointer multiplies by 64-bit strides in elements.
template <class Base, integer Size, int First, class Strides> struct strides_in_elements;
template <class Base, integer Size, int First, int... Number>
struct strides_in_elements<Base, Size, First, integers<Number...>>
    : Base, stride_bytes<Base, First + Number>... {
  constexpr strides_in_elements() = default;
  AXE_FN constexpr explicit strides_in_elements(auto... given)
      : Base(given...),
        stride_bytes<Base, First + Number>(
            static_cast<stl::uint64_t>(this->template number<First + Number>()) * Size)... {}
  static constexpr integer bytes_of_element = Size;
  template <int Slot> AXE_FN constexpr auto bytes() const {
    return static_cast<stride_bytes<Base, Slot> const&>(*this).value;
  }
};
/// With these sizes, bind_pointer multiplies by strides in bytes.
template <class Elements> struct strides_in_bytes : Elements {
  using Elements::Elements;
  using plain = strides_in_bytes;
  using by_elements = Elements;
  using by_bytes = strides_in_bytes;
};
template <class Order, class Declaration, integer Size>
using stored_strides = strides_in_bytes<strides_in_elements<
    typename ordered_base<Order, Declaration, Size, integers_to<Order::rank>>::type, Size,
    Order::count_dynamic_extents(), integers_to<Order::count_dynamic_strides()>>>;

template <class Order, class Declaration, integer Size>
struct ordered_sizes : stored_strides<Order, Declaration, Size> {
  using base = stored_strides<Order, Declaration, Size>;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 1000
  // Before sm_100, several 64-bit strides take fewer instructions if they count elements. The
  // leading dimension has 32 bits.
  static constexpr int wide = Order::count_dynamic_strides() - (Order::unit >= 0);
  using plain = stl::conditional_t<(wide > 1), typename base::by_elements::plain, base>;
#endif

  constexpr ordered_sizes() = default;
  /// True if `count` numbers are only extents: the tensor is contiguous.
  AXE_FN static constexpr bool are_extents(int count) {
    return Order::unit >= 0 && count < base::slots && count == Order::count_dynamic_extents();
  }
  AXE_FN static constexpr bool takes(int count) {
    return count == base::slots || are_extents(count);
  }
  template <class... Numbers>
    requires(sizeof...(Numbers) > 0 && (any_integer<Numbers> && ...))
  AXE_FN constexpr explicit ordered_sizes(Numbers... numbers)
      : ordered_sizes(constant<are_extents(int{sizeof...(Numbers)})>{}, numbers...) {}
  AXE_FN constexpr ordered_sizes(unchecked mark, auto... numbers) : base(mark, numbers...) {}

 private:
  // With `auto...`, nvcc with clang as host compiler rejects AXE_FN here.
  template <class... Numbers>
  AXE_FN constexpr ordered_sizes(constant<false>, Numbers... numbers) : base(numbers...) {}
  template <class... Extents>
  AXE_FN constexpr ordered_sizes(constant<true>, Extents... extents)
      : ordered_sizes(integers_to<Order::count_dynamic_strides()>{}, extents...) {}
  /// The first dimension with a dynamic stride in a contiguous tensor.
  static constexpr int first_slow =
      Order::unit == 0 ? Order::rank - Order::count_dynamic_strides() : 0;
  template <int... Nth, class... Extents>
  AXE_FN constexpr ordered_sizes(integers<Nth...>, Extents... extents)
      : base(extents...,
             contiguous_stride<first_slow + Nth>({static_cast<integer>(extents)...})...) {}
  template <int D, int Count>
  AXE_FN static constexpr integer contiguous_stride(integer const (&extents)[Count]) {
    if constexpr (constexpr integer known = Order::stride(D); known != 0) {
      return known;
    } else {
      constexpr int faster = D + (D < Order::unit ? 1 : -1);
      constexpr int before = Order::count_dynamic_extents(faster);
      constexpr integer known_extent = Order::extent(faster);
      integer const extent = known_extent != 0 ? known_extent : extents[before];
      integer const stride = contiguous_stride<faster>(extents);
#ifdef __CUDA_ARCH__
      return stride * extent;  // the device checks no sizes
#else
      return product_or_largest(stride, extent);
#endif
    }
  }
};

template <class Shape, class Declaration, integer Size> struct sizes_of {
  using type = Shape;
};
template <class Order, class Declaration, integer Size>
  requires requires { Order::unit; }
struct sizes_of<Order, Declaration, Size> {
  using type = ordered_sizes<Order, Declaration, Size>;
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
