// SPDX-License-Identifier: MIT
// tensor<T, Shape, Statement>: a tensor in global memory, its tiles, and their thread tiles.
//
//     auto const [row, column] = axe::block<2>();   in: axe::tensor<float const, axe::row_major<2>>
//     axe::copy(axe::tile<32, 32>(in, row, column), staged, axe::cta<256>);
//
// tile<...>(tensor, i, j) is tile number (i, j) and may be partial. tile_at<...>(tensor, row,
// column) begins at any element, also below 0. exact_grid(tile) declares that the tile is whole.
// Definition: docs/index_code.md, "Tensors and tiles".
#pragma once

#include <axe/index/row_major.hpp>  // first: compilers print the chain of includes to an error
#include <axe/index/vectors.hpp>    // likewise

#include <axe/cuda/debug.hpp>
#include <axe/cuda/thread_tile.hpp>
#include <axe/index/two_sided.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// A pointer that is declared to be a multiple of Bytes. Host code checks it.
template <class T, integer Bytes> class aligned_pointer {
 public:
  aligned_pointer() = default;
  AXE_FN aligned_pointer(T* p) : pointer(p) {
#if !defined(__CUDA_ARCH__)
    integer const off = static_cast<integer>(reinterpret_cast<detail::stl::uintptr_t>(p) % Bytes);
    detail::stop_on(off == 0 ? refusal{} : refusal{rule::pointer_is_not_a_multiple, {Bytes, off}},
                    "tensor", {});
#endif
  }
  AXE_FN operator T*() const { return pointer; }

 private:
  T* pointer;
};

/// A tile of a tensor. Its first element is the tensor's element at `origins`.
template <class T, class Sized, integer Alignment, class S, class... Origins> struct tensor_tile {
  T* data;
  Sized sizes;
  detail::sums<Origins...> origins;
};

/// Shape: row_major<2>, column_major<2>, strided<3> (index/row_major.hpp), or a `dynamic_layout`.
/// Statement: aligned<16> declares that the pointer, the strides and the contiguous extent are
/// multiples of 16 bytes; for a dynamic_layout, only the pointer.
template <class T, class Shape, class Statement = aligned<0>> struct tensor {
  using sizes_type = typename detail::sizes_of<Shape, Statement, integer{sizeof(T)}>::type;
  using pointer = T*;
  static constexpr integer alignment =
      detail::larger(Statement::bytes, static_cast<integer>(alignof(T)));
  detail::stl::conditional_t<Statement::bytes == 0, T*, aligned_pointer<T, alignment>> data;
  sizes_type sizes;

  tensor() = default;
  AXE_FN constexpr tensor(T* pointer_, sizes_type const& sizes_) : data(pointer_), sizes(sizes_) {}
  AXE_FN constexpr explicit tensor(T* pointer_)
    requires(sizes_type::slots == 0)
      : data(pointer_), sizes() {}
  /// `numbers` are the extents, then the strides, in order.
  template <class... Numbers>
    requires(sizeof...(Numbers) > 0 && (detail::any_integer<Numbers> && ...) &&
             sizes_type::takes(sizeof...(Numbers)))
  AXE_FN constexpr tensor(T* pointer_, Numbers... numbers) : data(pointer_), sizes(numbers...) {}
  template <class... Numbers>
    requires(sizeof...(Numbers) > 0 && (detail::any_integer<Numbers> && ...) &&
             !sizes_type::takes(sizeof...(Numbers)))
  AXE_FN constexpr tensor(T* pointer_, Numbers...) : data(pointer_) {
    using stop [[maybe_unused]] = typename detail::verdict<
        detail::broken<rule::another_number_of_sizes, sizeof...(Numbers), sizes_type::slots>>::stop;
  }

  template <class... Numbers>
    requires(sizeof...(Numbers) > 1 && !(detail::any_integer<Numbers> && ...))
  AXE_FN constexpr tensor(T* pointer_, Numbers...) : data(pointer_) {
    static_assert((detail::any_integer<Numbers> && ...), "the sizes of a tensor are integers");
  }

#if defined(AXE_DEBUG)
  template <class A>
    requires(sizes_type::rank == 1)
  AXE_FN T& operator()(A const& a AXE_CALLED_FROM) const {
    return checked(axe_file, axe_line, a);
  }
  template <class A, class B>
    requires(sizes_type::rank == 2)
  AXE_FN T& operator()(A const& a, B const& b AXE_CALLED_FROM) const {
    return checked(axe_file, axe_line, a, b);
  }
  template <class A, class B, class C>
    requires(sizes_type::rank == 3)
  AXE_FN T& operator()(A const& a, B const& b, C const& c AXE_CALLED_FROM) const {
    return checked(axe_file, axe_line, a, b, c);
  }
  template <class A, class B, class C, class D>
    requires(sizes_type::rank == 4)
  AXE_FN T& operator()(A const& a, B const& b, C const& c, D const& d AXE_CALLED_FROM) const {
    return checked(axe_file, axe_line, a, b, c, d);
  }
  template <class... Coordinates>
  AXE_FN T& checked(char const* file, int line, Coordinates const&... coordinates) const {
    detail::check_element(static_cast<T*>(data), sizes, detail::integers_to<sizes_type::rank>{},
                          file, line, coordinates...);
    return element(coordinates...);
  }
#endif
  template <class... Coordinates>
  AXE_FN constexpr T& operator()(Coordinates const&... coordinates) const {
    if constexpr (sizeof...(Coordinates) == sizes_type::rank) {
      return element(coordinates...);
    } else {
      using stop [[maybe_unused]] =
          typename detail::verdict<detail::broken<rule::coordinate_has_other_dimensions,
                                                  sizeof...(Coordinates), sizes_type::rank>>::stop;
      return *static_cast<T*>(data);
    }
  }

 private:
  template <class... Coordinates>
  AXE_FN constexpr T& element(Coordinates const&... coordinates) const {
    return *bind_pointer(static_cast<T*>(data), sizes, coordinates...).template at<>();
  }
};

namespace detail {
template <int D, int Rank> AXE_FN constexpr int dimension_of() {
  constexpr bool there = D >= 0 && D < Rank;
  static_assert(there, "the tensor has no such dimension: they are counted from 0");
  return there ? D : 0;
}
}  // namespace detail

/// The extent of dimension D, in elements.
template <int D, class T, class Shape, class Statement>
AXE_FN constexpr auto extent(tensor<T, Shape, Statement> const& of) {
  using sizes = typename tensor<T, Shape, Statement>::sizes_type;
  constexpr int d = detail::dimension_of<D, sizes::rank>();
  using number =
      detail::stl::conditional_t<(sizes::template most_extent<d>() >> 32) == 0, unsigned, integer>;
  return static_cast<number>(of.sizes.template extent<d>());
}
/// The stride of dimension D, in elements.
template <int D, class T, class Shape, class Statement>
AXE_FN constexpr auto stride(tensor<T, Shape, Statement> const& of) {
  using sizes = typename tensor<T, Shape, Statement>::sizes_type;
  constexpr int d = detail::dimension_of<D, sizes::rank>();
  return of.sizes.template leaf_number<sizes::template stride<d>()>();
}
/// The number of tiles of Extent elements along dimension D; the last may be partial.
template <int D, integer Extent, class T, class Shape, class Statement>
AXE_FN constexpr unsigned tiles(tensor<T, Shape, Statement> const& of) {
  using sizes = typename tensor<T, Shape, Statement>::sizes_type;
  constexpr int d = detail::dimension_of<D, sizes::rank>();
  using number =
      detail::stl::conditional_t<sizes::template most_extent<d>() <= (integer{1} << 32) - Extent,
                                 unsigned, integer>;
  using along = typename sizes::template dimension_type<D>;
  if constexpr (along::extents[0].divisor() * along::inner() % Extent == 0)
    return static_cast<unsigned>(static_cast<number>(extent<D>(of)) / static_cast<number>(Extent));
  return static_cast<unsigned>(
      (static_cast<number>(extent<d>(of)) + static_cast<number>(Extent - 1)) /
      static_cast<number>(Extent));
}

namespace detail {
template <class X> inline constexpr bool is_tensor = false;
template <class T, class Shape, class Statement>
inline constexpr bool is_tensor<tensor<T, Shape, Statement>> = true;

template <class Tensor, class S, class... Sums> struct tile_type;
template <class T, class Shape, class Statement, class S, class... Sums>
struct tile_type<tensor<T, Shape, Statement>, S, Sums...> {
  using sizes = typename tensor<T, Shape, Statement>::sizes_type;
  using type = tensor_tile<T, sizes, tensor<T, Shape, Statement>::alignment, S, Sums...>;
};
/// The type of a tile of shape S whose number is dynamic.
template <class Tensor, class S> struct numbered_type {
  using type = void;
};
template <class Tensor, integer... E>
struct numbered_type<Tensor, extents<E...>>
    : tile_type<Tensor, extents<E...>, decltype(constant<E>{} * as_sum(0u))...> {};
}  // namespace detail

/// The type of tile<...>(tensor, i, j) for run-time i and j: a short name in messages.
template <class Tensor, class S> struct numbered_tile : detail::numbered_type<Tensor, S>::type {};

namespace detail {
template <class Tensor, class S> inline constexpr bool has_operand<numbered_tile<Tensor, S>> = true;
template <class Tensor, class S>
inline constexpr bool has_operand<numbered_tile<Tensor, S> const> = true;
template <class Tensor, class S> struct operand_of<numbered_tile<Tensor, S>> {
  using type = typename numbered_type<Tensor, S>::type;
};
template <class Tensor, class S>
AXE_FN constexpr auto const& operand(numbered_tile<Tensor, S> const& tile) {
  return static_cast<typename numbered_type<Tensor, S>::type const&>(tile);
}

/// Makes a tile. It copies the sizes one by one, because g++ would copy them through memory.
template <class S, class Tensor, int... Slot, class... Sums>
AXE_FN constexpr auto make_tile(Tensor const& of, indices<Slot...>, Sums const&... origins) {
  using sizes = typename Tensor::sizes_type;
  using type = typename tile_type<Tensor, S, Sums...>::type;
  using tile = stl::conditional_t<stl::is_same_v<type, typename numbered_type<Tensor, S>::type>,
                                  numbered_tile<Tensor, S>, type>;
  if constexpr (sizes::slots == 0 || sizes::splits > 0)
    return tile{of.data, of.sizes, keep(origins...)};
  else
    return tile{of.data, sizes(unchecked{}, of.sizes.template number<Slot>()...), keep(origins...)};
}

/// The shape of a tile that exact_grid declares to be whole.
template <class S> struct exact_shape : S {};
template <class S> struct exactness {
  static constexpr bool value = false;
  using shape_type = S;
};
template <class S> struct exactness<exact_shape<S>> {
  static constexpr bool value = true;
  using shape_type = S;
};
template <class S> using plain_shape = typename exactness<S>::shape_type;
template <class Question> struct whole_question : Question {
  AXE_FN static constexpr vector_question make() {
    vector_question q = Question::make();
    q.edges.clear();
    return q;
  }
};
template <bool Exact, class Question>
using question_of_tile = stl::conditional_t<Exact, whole_question<Question>, Question>;

/// The proof for a thread tile's vectors. Coordinates: those of its first register, as sums.
template <class P, class S, integer Alignment, class T, class Sized, class... Coordinates>
using tensor_proof = vector_proof<
    question_of_tile<exactness<S>::value, tensor_question<partition<P, plain_shape<S>>, Alignment,
                                                          T, Sized, Coordinates...>>>;

/// Bit d is set if registers of a tile of shape S need no bounds test along dimension d.
template <class S, class Sized, class... Origins, int... D>
AXE_FN constexpr unsigned whole_dimensions(indices<D...>) {
  return (0u | ... |
          (unsigned{exactness<S>::value ||
                    ends_between_tiles(S::value.nodes.value(D + 1),
                                       Sized::template dimension_type<D>::extents[0].divisor() *
                                           Sized::template dimension_type<D>::inner(),
                                       grain_of_sum<Origins>())}
           << D));
}

template <class P, class T, class Sized, integer A, class S, class... Origins, int... D>
AXE_FORCE_INLINE constexpr auto partition_tensor(
    tensor_tile<T, Sized, A, S, Origins...> const& tile, unsigned thread, indices<D...> all) {
  using shape_type = plain_shape<S>;
  using owning = partition<P, shape_type>;
  using proof = tensor_proof<P, S, A, T, Sized,
                             decltype(sum_number<D>(tile.origins) +
                                      owning::template coordinate_of<D>(thread))...>;
  if constexpr ((may_be_negative<Origins> || ...) && !exactness<S>::value) {
    auto const bound = thread_tile_two_sided<P, shape_type>(thread, tile.data, tile.sizes,
                                                            sum_number<D>(tile.origins)...);
    return global_thread_tile<T, stl::remove_const_t<decltype(bound)>, proof>{{bound}};
  } else {
    constexpr unsigned whole = whole_dimensions<S, Sized, Origins...>(all);
    auto const bound = thread_tile_in_bounds<P, shape_type, decided_by_vectors<proof>(), whole>(
        thread, tile.data, tile.sizes, sum_number<D>(tile.origins)...);
    return global_thread_tile<T, stl::remove_const_t<decltype(bound)>, proof>{{bound}};
  }
}
template <class P, int Along, class T, class Sized, integer A, class S, class... Origins, int... D>
AXE_FORCE_INLINE constexpr auto walk_tensor(tensor_tile<T, Sized, A, S, Origins...> const& tile,
                                            unsigned thread, indices<D...>) {
  using shape_type = plain_shape<S>;
  using owning = partition<P, shape_type>;
  constexpr integer step = S::value.nodes.value(Along + 1);
  constexpr unsigned whole =
      whole_dimensions<S, Sized, walked_origin<(D == Along), step, Origins>...>(indices<D...>{});
  using proof = tensor_proof<P, S, A, T, Sized,
                             decltype(walked_origin<(D == Along), step, Origins>{} +
                                      owning::template coordinate_of<D>(thread))...>;
  auto const bound = thread_tile_walk<P, shape_type, Along, decided_by_vectors<proof>(), whole>(
      thread, tile.data, tile.sizes, sum_number<D>(tile.origins)...);
  return global_walk<T, stl::remove_const_t<decltype(bound)>, proof>{{{bound}}};
}

}  // namespace detail

namespace detail {
template <class Tensor, class Slots, int... D>
AXE_FN constexpr auto reported_tile(Tensor const& of, Slots slots, indices<D...>) {
  return make_tile<reported_shape<(D == 0 ? 256 : 1)...>>(of, slots, as_sum(((void)D, 0u))...);
}
}  // namespace detail

/// Tile number (i, …) of a tensor.
template <integer... Extents, class Tensor, class... Numbers>
  requires(sizeof...(Extents) > 0 && detail::is_tensor<Tensor>)
AXE_FN constexpr auto tile(Tensor const& of, Numbers const&... numbers) {
  using sizes = typename Tensor::sizes_type;
  using count = detail::broken<rule::tile_has_other_dimensions, sizeof...(Extents),
                               sizeof...(Numbers), sizes::rank>;
  constexpr detail::indices_to<sizes::slots> all{};
  if constexpr (sizeof...(Extents) != sizes::rank) {
    using stop [[maybe_unused]] = typename detail::verdict<count>::stop;
    return detail::reported_tile(of, all, detail::indices_to<sizes::rank>{});
  } else if constexpr (sizeof...(Numbers) != sizes::rank) {
    using stop [[maybe_unused]] = typename detail::verdict<count>::stop;
    return detail::make_tile<extents<Extents...>>(of, all, as_sum(((void)Extents, 0u))...);
  } else {
    return detail::make_tile<extents<Extents...>>(of, all,
                                                  (constant<Extents>{} * as_sum(numbers))...);
  }
}

namespace detail {
template <class S, class T, class Shape, class Statement, int... D, class... Origins>
AXE_FN constexpr auto make_tile_at(tensor<T, Shape, Statement> const& of, indices<D...>,
                                   Origins const&... origins) {
  using sizes = typename tensor<T, Shape, Statement>::sizes_type;
  constexpr bool narrow =
      ((!may_be_negative<Origins> || sizes::template most_extent<D>() <= narrow_extent) && ...);
  static_assert(narrow, "tile_at: a signed origin needs an extent of at most 2^31 - 2^20");
  constexpr bool one_digit =
      ((!may_be_negative<Origins> || sizes::template dimension_type<D>::digits == 1) && ...);
  static_assert(one_digit, "tile_at: a signed origin needs a dimension of one digit");
  return make_tile<S>(of, indices_to<sizes::slots>{}, origins...);
}
}  // namespace detail

/// The tile that begins at element (i, …) of a tensor: `tile_at<64, 32>(A, row, column)`. A signed
/// origin may be below 0; elements there are out of bounds. Vectors need an origin that is declared
/// to be a multiple of their width: constant<8>{} * any(x), or constant<8>{} * any_signed(x) for a
/// signed x.
template <integer... Extents, class T, class Shape, class Statement, class... Origins>
  requires(sizeof...(Extents) > 0)
AXE_FN constexpr auto tile_at(tensor<T, Shape, Statement> const& of, Origins const&... origins) {
  using sizes = typename tensor<T, Shape, Statement>::sizes_type;
  if constexpr (sizeof...(Extents) != sizes::rank || sizeof...(Origins) != sizes::rank) {
    using stop [[maybe_unused]] =
        typename detail::verdict<detail::broken<rule::tile_has_other_dimensions, sizeof...(Extents),
                                                sizeof...(Origins), sizes::rank>>::stop;
    return detail::reported_tile(of, detail::indices_to<sizes::slots>{},
                                 detail::indices_to<sizes::rank>{});
  } else {
    return detail::make_tile_at<extents<Extents...>>(of, detail::indices_to<sizes::rank>{},
                                                     detail::as_origin(origins)...);
  }
}

/// Declares that the whole tile is in bounds. Its accesses are not tested, and vectors need no
/// declared extents.
template <class T, class Sized, integer A, class S, class... Origins>
AXE_FN constexpr auto exact_grid(tensor_tile<T, Sized, A, S, Origins...> const& of) {
  return tensor_tile<T, Sized, A, detail::exact_shape<detail::plain_shape<S>>, Origins...>{
      of.data, of.sizes, of.origins};
}

/// The thread tile of thread number `thread` on P's thread axis. Forced inline, because its type
/// differs between the host and the device compilation.
template <class P, class T, class Sized, integer A, class S, class... Origins>
AXE_FORCE_INLINE constexpr auto local_partition(tensor_tile<T, Sized, A, S, Origins...> const& of,
                                                unsigned thread) {
  constexpr detail::indices_to<static_cast<int>(sizeof...(Origins))> all{};
  if constexpr (partition<P, S>::value.why)
    return detail::partition_tensor<typename detail::refused_partition<P, S>::instead>(of, thread,
                                                                                       all);
  else
    return detail::partition_tensor<P>(of, thread, all);
}
namespace detail {
/// The shape of a tile of a tensor. Other operands of `walk` are rejected.
template <class Tile> struct tile_facts {
  static constexpr int rank = 0;
};
template <class T, class Sized, integer A, class S, class... Origins>
struct tile_facts<tensor_tile<T, Sized, A, S, Origins...>> {
  using shape_type = S;
  static constexpr int rank = sizeof...(Origins);
  static constexpr bool may_be_below = (may_be_negative<Origins> || ...);
};
}  // namespace detail

/// The thread tile, whose next() advances to the next tile along dimension Along.
template <class P, int Along, class Tile>
AXE_FORCE_INLINE constexpr auto walk(Tile const& of, unsigned thread) {
  using facts = detail::tile_facts<detail::operand_type<Tile>>;
  static_assert(facts::rank > 0, "walk takes a tile of a tensor: axe::tile<64, 64>(x, i, 0)");
  if constexpr (facts::rank > 0) {
    using shape_type = typename facts::shape_type;
    constexpr bool along_one = Along >= 0 && Along < facts::rank;
    static_assert(along_one, "the tile has no such dimension to walk along");
    static_assert(!facts::may_be_below,
                  "walk takes no signed origin: call tile_at with it in the loop instead");
    constexpr detail::indices_to<facts::rank> all{};
    if constexpr (partition<P, shape_type>::value.why)
      return detail::walk_tensor<typename detail::refused_partition<P, shape_type>::instead, 0>(
          detail::operand(of), thread, all);
    else
      return detail::walk_tensor<P, along_one ? Along : 0>(detail::operand(of), thread, all);
  }
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
