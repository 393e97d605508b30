// SPDX-License-Identifier: MIT
// tile, tile_at and exact_grid: a tile of a tensor.
//
//     copy(tile<32, 32>(in, row, column), staged, cta<256>);
//
// Definition: docs/index_code.md, "Tensors and tiles".
#pragma once

#include <axe/index/row_major.hpp>  // first: keeps error messages short

#include <axe/cuda/tensor.hpp>
#include <axe/cuda/thread_tile.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// A tile of shape S in the memory of a tensor. `origins` is the coordinate of its first element.
template <class T, class Sizes, integer Alignment, class S, class... Origins> struct tensor_tile {
  using value_type = T;
  using sizes_type = Sizes;
  using shape_type = S;
  static constexpr int rank = sizeof...(Origins);
  template <class... Sums> using with_origins = tensor_tile<T, Sizes, Alignment, S, Sums...>;

  T* data;
  Sizes sizes;
  detail::sums<Origins...> origins;
};

namespace detail {
template <class X>
concept tile_of_tensor = requires(X const& x) { x.origins; };
template <class Tensor, class S, class... Sums>
using tile_type = tensor_tile<typename Tensor::element_type, typename Tensor::sizes_type,
                              Tensor::alignment, S, Sums...>;

template <class> AXE_FN void numbered_of(...);
template <class Tensor, auto... E>
AXE_FN tile_type<Tensor, extents<E...>, decltype(scale<integer{E}>(as_sum(0u)))...> numbered_of(
    extents<E...>*);
template <class Tensor, class S>
using numbered_type = decltype(numbered_of<Tensor>(static_cast<S*>(nullptr)));
}  // namespace detail

/// The type of tile<...>(tensor, i, j) for run-time i and j, with a short name in messages.
template <class Tensor, class S> struct numbered_tile : detail::numbered_type<Tensor, S> {
  using operand_type = detail::numbered_type<Tensor, S>;

  template <class... Coordinates> AXE_FN constexpr auto& operator()(Coordinates const&...) const {
    static_assert(detail::never<Coordinates...>,
                  "a tile of a tensor x cannot be called: write x(i, j) for an element, or "
                  "axe::load<P>(tile, scope) to read the tile");
    return *this->data;
  }
};

namespace detail {
template <class Tensor, class S>
AXE_FN constexpr auto const& operand(numbered_tile<Tensor, S> const& tile) {
  return static_cast<numbered_type<Tensor, S> const&>(tile);
}

template <class S, class Tensor, class... Sums>
AXE_FN constexpr auto make_tile(Tensor const& of, Sums const&... origins) {
  using type = tile_type<Tensor, S, Sums...>;
  using tile = stl::conditional_t<stl::is_same_v<type, numbered_type<Tensor, S>>,
                                  numbered_tile<Tensor, S>, type>;
  return tile{of.data, of.sizes, make_sums(origins...)};
}

template <int Rank, int Numbers, integer... Extents>
using tile_rank_check =
    broken_unless<sizeof...(Extents) == Rank && Numbers == Rank, rule::tile_has_other_dimensions,
                  sizeof...(Extents), Numbers, Rank>;
template <bool Passed> struct extents_check {
  static constexpr bool passed = Passed;
  static_assert(Passed, "each extent of a tile must be at least 1");
};

/// The result of a rejected tile(). Calls that take it report no further error.
template <bool Passed> struct tile_check {
  static_assert(Passed,
                "tile<32, 32>(x, i, j) takes a tensor or a tile of shared memory as x, and numbers "
                "without braces; tile_at takes only a tensor: for shared memory call tile");
  using rejected = void;
};
template <bool Passed> struct exact_check {
  static_assert(Passed, "exact_grid takes a tile: axe::exact_grid(axe::tile<32, 32>(x, i, j))");
  using rejected = void;
};

template <class Tensor, int... D>
AXE_FN constexpr auto reported_tile(Tensor const& of, indices<D...>) {
  return make_tile<reported_shape<(D == 0 ? 256 : 1)...>>(of, as_sum(((void)D, 0u))...);
}

template <class Sizes, class... Origins, int... D>
AXE_FN constexpr bool signed_where_narrow(indices<D...>) {
  return ((!may_be_negative<Origins> || (Sizes::table.largest_extent(D) <= narrow_extent &&
                                         Sizes::template dimension_type<D>::digits == 1)) &&
          ...);
}

template <class S> struct exact_shape : S {};
template <class S> struct plain_shape_of {
  using type = S;
};
template <class S> struct plain_shape_of<exact_shape<S>> {
  using type = S;
};
template <class S> using plain_shape = plain_shape_of<S>::type;
template <class S> inline constexpr bool is_exact = !stl::is_same_v<S, plain_shape<S>>;
}  // namespace detail

/// Tile number (i, …), which may be partial. Only AXE_DEBUG notices a run-time number below 0.
template <integer... Extents, detail::any_tensor Tensor, class... Numbers>
AXE_FN constexpr auto tile(Tensor const& of, Numbers... numbers) {
  using namespace detail;
  using sizes = Tensor::sizes_type;
  using ranks = tile_rank_check<sizes::rank, sizeof...(Numbers), Extents...>;
  verdict<ranks>::passes();
  if constexpr (ranks::why() || !extents_check<((Extents >= 1) && ...)>::passed)
    return reported_tile(of, indices_to<sizes::rank>{});
  else
    return make_tile<extents_as_written<Extents...>>(of, scale<Extents>(as_sum(numbers))...);
}

template <integer... Extents>
AXE_FN detail::tile_check<detail::never<detail::integers<Extents...>>> tile(
    detail::any_argument, detail::any_argument = {}, detail::any_argument = {},
    detail::any_argument = {}, detail::any_argument = {});

template <class Shape>
AXE_FN detail::tile_check<detail::never<Shape>> tile(detail::any_argument,
                                                     detail::any_argument = {},
                                                     detail::any_argument = {},
                                                     detail::any_argument = {},
                                                     detail::any_argument = {});

/// The tile that begins at element (i, …): docs/index_code.md, "Tiles at any origin". An unsigned
/// origin must not wrap, as 8 * blockIdx.y - 1 does.
template <integer... Extents, detail::any_tensor Tensor, class... Origins>
AXE_FN constexpr auto tile_at(Tensor const& of, Origins... origins) {
  using namespace detail;
  using sizes = Tensor::sizes_type;
  using ranks = tile_rank_check<sizes::rank, sizeof...(Origins), Extents...>;
  verdict<ranks>::passes();
  if constexpr (ranks::why() || !extents_check<((Extents >= 1) && ...)>::passed ||
                !(origin_check_of<Origins>::type::passed && ...)) {
    return reported_tile(of, indices_to<sizes::rank>{});
  } else {
    constexpr bool signed_fits =
        signed_where_narrow<sizes, decltype(as_origin(origins))...>(indices_to<sizes::rank>{});
    static_assert(
        signed_fits,
        "tile_at: a signed origin needs a dimension of one digit and an extent of at most "
        "2^31 - 2^20: declare dynamic(0).at_most(n), or pass an unsigned origin");
    if constexpr (signed_fits)
      return make_tile<extents_as_written<Extents...>>(of, as_origin(origins)...);
    else
      return reported_tile(of, indices_to<sizes::rank>{});
  }
}
template <integer... Extents>
AXE_FN detail::tile_check<detail::never<detail::integers<Extents...>>> tile_at(
    detail::any_argument, detail::any_argument = {}, detail::any_argument = {},
    detail::any_argument = {}, detail::any_argument = {});

/// Declares that the tile is in bounds: accesses are not tested, and vectors need no declared
/// extents.
template <class T, class Sizes, integer A, class S, class... Origins>
AXE_FN constexpr auto exact_grid(tensor_tile<T, Sizes, A, S, Origins...> const& of) {
  return tensor_tile<T, Sizes, A, detail::exact_shape<detail::plain_shape<S>>, Origins...>{
      of.data, of.sizes, of.origins};
}
template <class... None>
AXE_FN detail::exact_check<detail::never<None...>> exact_grid(detail::any_argument);

}  // namespace AXE_NAMESPACE
}  // namespace axe
