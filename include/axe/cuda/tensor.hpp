// SPDX-License-Identifier: MIT
// tensor<T, Shape, Declaration>: a tensor in global memory.
//
//     tensor<float const, row_major<2>, aligned<16>> in;                     in(3, 4) is an element
//
// Shapes: index/row_major.hpp. Definition: docs/index_code.md, "Tensors and tiles".
#pragma once

#include <axe/index/row_major.hpp>  // first: keeps error messages short

#include <axe/cuda/debug.hpp>
#include <axe/index/pointer.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// A pointer declared to be a multiple of Bytes. Host code checks it.
template <class T, integer Bytes> class aligned_pointer {
 public:
  aligned_pointer() = default;
  AXE_FN aligned_pointer(T* p) : pointer(p) {
#ifndef __CUDA_ARCH__
    auto const rest = static_cast<integer>(reinterpret_cast<detail::stl::uintptr_t>(p) % Bytes);
    detail::stop_on(rest == 0 ? refusal{} : refusal{rule::pointer_is_not_a_multiple, {Bytes, rest}},
                    "tensor", {});
#endif
  }
  AXE_FN operator T*() const { return pointer; }

 private:
  T* pointer;
};

namespace detail {
template <class To, class... From>
concept converts_from = requires(void (*take)(To), From... from) { take(from...); };
template <class Sizes, class... Numbers>
concept sizes_from = (any_integer<Numbers> && ...) && Sizes::takes(sizeof...(Numbers));
template <class Tensor, class Pointer, class... Numbers>
concept tensor_from =
    (sizeof...(Numbers) == 0 &&
     (__is_base_of(Tensor, Pointer) || requires(Pointer from) { from.operator Tensor(); })) ||
    (converts_from<typename Tensor::pointer, Pointer> &&
     (sizes_from<typename Tensor::sizes_type, Numbers...> ||
      converts_from<typename Tensor::sizes_type const&, Numbers...>));
template <class Shape, class Declaration>
concept describe_tensor = requires { Declaration::bytes; } &&
                          (requires { requires Shape::valid; } || requires { Shape::slots; });
/// True if the plan would add each part of a coordinate to the pointer, in 64 bits.
template <class Bound> inline constexpr bool adds_apart = false;
template <class Bound>
  requires requires { typename Bound::template plan<-1>; }
inline constexpr bool adds_apart<Bound> = !Bound::template plan<-1>::value.sum_fits_in_32_bits();
}  // namespace detail

template <class T, class Shape, class Declaration = aligned<0>>
struct tensor : tensor<T, row_major<2>> {
  static_assert(detail::never<T>,
                "the shape of a tensor must be axe::row_major<2>, column_major<2>, strided<2> or a "
                "dynamic_layout, and its declaration axe::aligned<16> or aligned_rows<16>");
  template <class... Arguments> AXE_FN constexpr tensor(Arguments const&...) {}
  template <class... Coordinates> AXE_FN constexpr T& operator()(Coordinates const&...) const {
    return *this->data;
  }
};

/// A pointer with run-time sizes. It owns no memory. Kernels take it by value.
template <class T, class Shape, class Declaration>
  requires detail::describe_tensor<Shape, Declaration>
struct tensor<T, Shape, Declaration> {
  static_assert(
      requires { sizeof(T); }, "include the header of the element type, for example <cuda_fp16.h>");
  using sizes_type = detail::sizes_of<Shape, Declaration, integer{sizeof(T)}>::type;
  using element_type = T;
  using pointer = T*;
  static constexpr integer alignment =
      detail::larger(Declaration::bytes, static_cast<integer>(alignof(T)));
  detail::stl::conditional_t<Declaration::bytes == 0, T*, aligned_pointer<T, alignment>> data;
  sizes_type sizes;

  tensor() = default;
  AXE_FN constexpr tensor(T* pointer_, sizes_type const& sizes_) : data(pointer_), sizes(sizes_) {}
  /// `numbers` are the dynamic extents, then the dynamic strides. For a dynamic_layout they are the
  /// values of its slots.
  template <class... Numbers>
    requires(detail::sizes_from<sizes_type, Numbers...> &&
             (sizeof...(Numbers) > 0 || sizes_type::slots == 0))
  AXE_FN constexpr explicit(sizeof...(Numbers) == 0) tensor(T* pointer_, Numbers... numbers)
      : data(pointer_), sizes(numbers...) {}
  template <class Pointer, class... Numbers>
    requires(!detail::tensor_from<tensor, Pointer, Numbers...>)
  AXE_FN constexpr explicit(sizeof...(Numbers) == 0) tensor(Pointer, Numbers...) : data(nullptr) {
    using namespace detail;
    constexpr bool pointer_fits = converts_from<T*, Pointer> && sizeof...(Numbers) > 0;
    static_assert(pointer_fits,
                  "tensor<T, ...> takes a T* and its sizes, not another tensor; a pointer to const "
                  "needs T const");
    constexpr bool integers = !pointer_fits || (any_integer<Numbers> && ...);
    static_assert(
        integers,
        "the sizes of a tensor must be integers, such as axe::extent<d>(t), or t.sizes of a tensor "
        "with the same order, alignment and width of elements");
    verdict<broken<pointer_fits && integers ? rule::another_number_of_sizes : rule::none,
                   sizeof...(Numbers), sizes_type::slots>>::passes();
  }
  template <class Number, int Count> AXE_FN constexpr tensor(T*, Number const (&)[Count]) {
    static_assert(detail::never<Number>, "the sizes of a tensor must be integers, without braces");
  }

#ifdef AXE_DEBUG
  template <class... Others>
    requires(sizeof...(Others) + 1 == sizes_type::rank)
  AXE_FN T& operator()(detail::located_coordinate first, Others... others) const {
    detail::check_element(static_cast<T*>(data), sizes, detail::integers_to<sizes_type::rank>{},
                          first, others...);
    return element(static_cast<unsigned>(first.number), others...);
  }
#endif
  /// No coordinate may be below 0.
#ifdef AXE_DEBUG
  template <class... Coordinates>
    requires(sizeof...(Coordinates) != sizes_type::rank)
#else
  template <class... Coordinates,
            class = detail::reported<detail::rank_check<sizeof...(Coordinates), sizes_type::rank>>>
#endif
  AXE_FN constexpr T& operator()(Coordinates... coordinates) const {
    constexpr bool fit = (detail::coordinate_check<Coordinates>::passed && ...);
    if constexpr (fit && sizeof...(Coordinates) == sizes_type::rank) {
      return element(coordinates...);
    } else {
      detail::verdict<detail::broken<fit ? rule::coordinate_has_other_dimensions : rule::none,
                                     sizeof...(Coordinates), sizes_type::rank>>::passes();
      return *static_cast<T*>(data);
    }
  }

  template <class X> AXE_FN constexpr T* operator[](X const&) const {
    static_assert(
        detail::never<X>,
        "a tensor is not a pointer: x(i, j) is an element, and axe::tile<32, 32>(x, i, j) "
        "a tile");
    return data;
  }
  template <class X> AXE_FN constexpr T* operator+(X const& x) const { return (*this)[x]; }
  template <class X = int> AXE_FN constexpr T& operator*() const { return *(*this)[X{}]; }

 private:
  using first_dimension = sizes_type::template dimension_type<0>;
  /// Without this assumption, nvcc computes the whole address in each step of a loop over an int.
  template <class Coordinate>
  AXE_FN static constexpr void assume_not_negative(Coordinate const& x) {
#ifdef __CUDA_ARCH__
    if constexpr (detail::stl::is_same_v<Coordinate, int>) __builtin_assume(x >= 0);
#else
    static_cast<void>(x);
#endif
  }
  template <class... Coordinates>
  AXE_FN constexpr T& element(Coordinates const&... coordinates) const {
    (assume_not_negative(coordinates), ...);
    using bound = decltype(bind_pointer(static_cast<T*>(data), sizes, coordinates...));
    constexpr bool has_sums = (detail::is_sum<Coordinates> || ...);
    constexpr bool joins = has_sums && detail::adds_apart<bound>;
    return at_sums<joins>(detail::indices_to<sizes_type::rank>{}, coordinates...);
  }
  /// If Join, each coordinate's parts are added in 32 bits, even after branches.
  template <bool Join, int... D, class... Coordinates>
  AXE_FN constexpr T& at_sums(detail::indices<D...>, Coordinates const&... coordinates) const {
    return *bind_pointer(static_cast<T*>(data), sizes, join<Join, D>(coordinates)...)
                .template at<>();
  }
  template <bool Join, int D, class Coordinate>
  AXE_FN static constexpr auto join(Coordinate const& x) {
    if constexpr (Join && detail::is_sum<Coordinate> &&
                  sizes_type::template dimension_type<D>::digits == 1) {
      unsigned sum = detail::add_constant<-Coordinate::known>(x);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 1000
      if constexpr (D + 1 < sizes_type::rank) detail::hide(sum);
#endif
      return any(sum) + constant<Coordinate::known>{};
    } else if constexpr (detail::stl::is_same_v<Coordinate, int>)
      return index_part<detail::counter, 0>{static_cast<unsigned>(x)};
    else
      return x;
  }
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000
  /// Like data[i], so that one IMAD.WIDE computes the address.
  AXE_FN constexpr T& element(int i) const
    requires(sizes_type::rank == 1 && first_dimension::digits == 1 &&
             first_dimension::strides[0].known())
  {
    T* const from = static_cast<T*>(data) + i * first_dimension::strides[0].value;
    return *bind_pointer(from, sizes, constant<0>{}).template at<>();
  }
#endif
};

namespace detail {

template <class X>
concept any_tensor = requires {
  typename X::element_type;
  typename X::sizes_type;
  typename X::pointer;
};

template <int D, class Tensor, class... Given> AXE_FN constexpr int checked_dimension() {
  if constexpr (any_tensor<Tensor>) {
    constexpr bool exists = D >= 0 && D < Tensor::sizes_type::rank && sizeof...(Given) == 0;
    static_assert(exists,
                  "the tensor has no such dimension: write it in angle brackets, counted from 0, "
                  "as in extent<0>(x), stride<0>(x) and tiles<0, 32>(x)");
    return exists ? D : -1;
  } else {
    static_assert(never<Tensor>, "extent, stride and tiles take a tensor, not a tile or fragment");
    return -1;
  }
}
}  // namespace detail

/// In elements.
template <int D = -1, class Tensor, class... Given>
AXE_FN constexpr auto extent(Tensor const& of, Given...) {
  constexpr int d = detail::checked_dimension<D, Tensor, Given...>();
  if constexpr (d < 0) {
    return 0u;
  } else {
    using number =
        detail::stl::conditional_t<(Tensor::sizes_type::table.largest_extent(d) >> 32) == 0,
                                   unsigned, integer>;
    return static_cast<number>(of.sizes.template extent<d>());
  }
}
/// Rejects CuTe's name for extent<D>(x).
template <int D = 0, class X>
  requires detail::any_tensor<X> || requires {
    typename X::shape_type;
    typename X::value_type;
  }
AXE_FN constexpr unsigned size(X const&) {
  static_assert(detail::never<X>,
                "the extent of dimension 0 of a tensor x is axe::extent<0>(x), and a fragment has "
                "x.size registers; axe::size(l) takes a layout");
  return 0;
}
/// In elements.
template <int D = -1, class Tensor, class... Given>
AXE_FN constexpr auto stride(Tensor const& of, Given...) {
  constexpr int d = detail::checked_dimension<D, Tensor, Given...>();
  if constexpr (d < 0)
    return 0u;
  else
    return of.sizes.template leaf_number<Tensor::sizes_type::template stride<d>()>();
}
/// The number of tiles of Extent elements. The last may be partial.
template <int D = -1, integer Extent = 0, class Tensor, class... Given>
AXE_FN constexpr unsigned tiles(Tensor const& of, Given...) {
  static_assert(!(Extent < 1), "tiles<0, 32>(x) takes a dimension and an extent of at least 1");
  constexpr int d = detail::checked_dimension<Extent >= 1 ? D : 0, Tensor, Given...>();
  if constexpr (d < 0 || Extent < 1) {
    return 0;
  } else {
    using sizes = Tensor::sizes_type;
    using number =
        detail::stl::conditional_t<sizes::table.largest_extent(d) <= (integer{1} << 32) - Extent,
                                   unsigned, integer>;
    using along = sizes::template dimension_type<d>;
    constexpr bool divides = along::divisor() % Extent == 0;
    constexpr number rounds_up = static_cast<number>(divides ? 0 : Extent - 1);
    return static_cast<unsigned>((static_cast<number>(extent<d>(of)) + rounds_up) /
                                 static_cast<number>(Extent));
  }
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
