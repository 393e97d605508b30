// SPDX-License-Identifier: MIT
// tile, permuted and transposed: a part of a shared tile, and its dimensions in another order.
//
//     tile<64, 32>(stage, warp_row, 0)        tile (warp_row, 0) of 64 x 32, under the same swizzle
#pragma once

#include <axe/algebra/group.hpp>
#include <axe/algebra/permute.hpp>
#include <axe/cuda/shared_stages.hpp>
#include <axe/cuda/tensor_tile.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {
struct subtile_layouts {
  refusal why{};
  layout outer;                    // the first elements of the tiles
  layout inner;                    // one tile
  layout inside;                   // the iters of `outer` in inside_dimensions
  integer distance = 0;            // divides the distances between tiles, in elements; 0: one tile
  unsigned inside_dimensions = 0;  // bit d: tiles along d begin inside a swizzle's period
};

AXE_LAZY_FN constexpr subtile_layouts split_tile(layout const& l, shape const& whole,
                                                 shape const& part) {
  subtile_layouts split;
  shape cut;
  for (int d = 0; d < whole.rank(); ++d) {
    integer const extent = whole.extent(d), of_part = part.extent(d);
    if (!split.why && extent % of_part != 0)
      split.why = {rule::extent_does_not_divide, {d, of_part, extent}};
    cut.append(extent / of_part);
    cut.append(of_part);
  }
  if (split.why) return split;
  outcome<layout> const grouped = try_group(l, cut);
  if (!grouped) {
    split.why = grouped.why;
    return split;
  }
  for (int d = 0; d < whole.rank(); ++d) {
    layout tiles, in_tile;
    tiles.shards = iters_of_block(*grouped, 2 * d);
    in_tile.shards = iters_of_block(*grouped, 2 * d + 1);
    for (iter const& i : tiles.shards) {
      split.distance = greatest_common_divisor(split.distance, i.stride);
      if (!l.swizzle.none() && i.stride % l.swizzle.period() != 0)
        split.inside_dimensions |= 1u << d;
    }
    split.outer = append_iters(split.outer, tiles);
    if ((split.inside_dimensions >> d & 1) != 0) split.inside = append_iters(split.inside, tiles);
    split.inner = append_iters(split.inner, in_tile);
  }
  // Under the swizzle only 2^M elements stay contiguous.
  if (split.inside_dimensions != 0)
    split.distance = greatest_common_divisor(split.distance, integer{1} << l.swizzle.M);
  split.inner.swizzle = l.swizzle;
  split.inner.offsets = l.offsets;
  split.inner.replicas = l.replicas;  // operations on the tile reject them
  return split;
}

template <class L, class S, class Part> struct subtile_of {
  static constexpr subtile_layouts value = split_tile(L::value, S::value, Part::value);
  template <int D> static constexpr bool inside = (value.inside_dimensions >> D & 1) != 0;
  /// Tile numbers that are parts, such as warp_id(), add to the base address, others to `step`.
  /// Those of `inside` dimensions add to neither.
  template <class Number, int D>
  static constexpr bool in_address = coordinate_part<Number> && !inside<D>;
  template <class Number, int D>
  static constexpr bool in_step = !coordinate_part<Number> && !inside<D>;
  struct outer_source {
    static constexpr layout value = subtile_of::value.outer;
  };
  struct inner_source {
    static constexpr layout value = subtile_of::value.inner;
  };
  /// The iters of the larger tile that this one is cut from, then those of this one.
  template <class Larger> struct inside_source {
    static constexpr layout value = append_iters(Larger::value, subtile_of::value.inside);
  };
  AXE_FN static constexpr refusal_text text() { return text_of_call("tile", value.why, L::value); }
};
}  // namespace detail

#ifdef __CUDACC__

namespace detail {
template <class Tile>
using first_type = stl::remove_const_t<decltype(first_tile(*static_cast<Tile const*>(nullptr)))>;
template <bool Possible, class L, class S, class Part> struct subtile_source {
  using type = subtile_of<L, S, Part>;
};
template <class L, class S, class Part> struct subtile_source<false, L, S, Part> {
  using type = broken<rule::none>;
};
/// The primary template is for tiles of tensors.
template <class, int, integer...> struct subtile_check {
  using ranks = broken<rule::none>;
  using source = ranks;
};
template <tiles_in_shared_memory Tile, int Numbers, integer... Extents>
struct subtile_check<Tile, Numbers, Extents...> {
  using whole = first_type<Tile>;
  using shape_type = whole::shape_type;
  static constexpr int rank = shape_type::value.rank();
  /// Numbers is 0 for tile<16, 16>(x, {0, 0}), another overload.
  using ranks = tile_rank_check<rank, Numbers == 0 ? rank : Numbers, Extents...>;
  static constexpr bool possible =
      Numbers == rank && sizeof...(Extents) == rank && ((Extents >= 1) && ...);
  using source = subtile_source<possible, typename whole::layout_type, shape_type,
                                extents_as_written<Extents...>>::type;
};
template <bool IsUsed, class X> __device__ __forceinline__ auto number_if(X const& number) {
  if constexpr (IsUsed)
    return number;
  else
    return constant<0>{};
}
template <integer... Extents, class T, class L, class S, integer Alignment, class Inside, int... D,
          class... Given>
__device__ __forceinline__ auto subtile_from(
    shared_tile_ref<T, L, S, Alignment, Inside> const& tile, indices<D...>,
    Given const&... numbers) {
  using shape_type = extents_as_written<Extents...>;
  using of = subtile_of<L, S, shape_type>;
  if constexpr (of::value.why) {  // tile() reports the error
    return shared_tile_ref<T, carrier_of<typename of::inner_source>, reported_shape<Extents...>,
                           Alignment>{tile.address};
  } else {
    using outer = carrier_of<typename of::outer_source>;
    using inner = carrier_of<typename of::inner_source>;
    using counts = extents<S::value.extent(D) / Extents...>;
    constexpr integer distance =
        greatest_common_divisor(Alignment, of::value.distance * integer{sizeof(T)});
    auto const begin = bind_address<outer, counts, integer{sizeof(T)}>(
                           number_if<of::template in_address<Given, D>>(numbers)...)
                           .from(tile.address)
                           .template at<>();
    unsigned step = unsigned{decltype(begin)::immediate};
    if constexpr ((of::template in_step<Given, D> || ...))
      step += static_cast<unsigned>(bind_address<outer, counts, integer{sizeof(T)}>(
                                        number_if<of::template in_step<Given, D>>(numbers)...)
                                        .from(0u)
                                        .template at<>());
    unsigned number = tile.number;
    ((number = of::template inside<D>
                   ? number * unsigned{S::value.extent(D) / Extents} + as_sum(numbers)()
                   : number),
     ...);
    return shared_tile_ref<
        T, inner, shape_type, (distance & -distance),
        stl::conditional_t<of::value.inside_dimensions == 0, Inside,
                           carrier_of<typename of::template inside_source<Inside>>>>{
        begin.base + step, tile.step + step, number};
  }
}

template <class L, class S, int... Order> struct permuted_source {
  AXE_FN static constexpr layout make() {
    layout l = decltype(permute(L{}, S{}, static_coordinate<Order...>{}))::value;
    l.swizzle = L::value.swizzle;  // permute drops a swizzle that moves no element of this tile
    return l;
  }
  static constexpr layout value = make();
};
/// Derived, because error messages print its short name.
template <class L, class S, int... Order>
struct permuted_layout : carrier_of<permuted_source<L, S, Order...>> {};
template <int Rank, int... Order>
inline constexpr bool is_order =
    sizeof...(Order) == Rank && ((Order >= 0 && Order < Rank) && ...) &&
    (0u | ... | (1u << (Order & 31))) == (1u << Rank) - 1;
template <class Tile, int... Order>
concept permutable =
    tiles_in_shared_memory<Tile> && is_order<first_type<Tile>::shape_type::value.rank(), Order...>;
template <int... Order, class T, class L, class S, integer Alignment, class Inside>
__device__ __forceinline__ auto permute_tile(
    shared_tile_ref<T, L, S, Alignment, Inside> const& tile) {
  using permuted_type = permuted_layout<L, S, Order...>;
  return shared_tile_ref<T, permuted_type, extents_as_written<S::value.extent(Order)...>, Alignment,
                         Inside>{tile.address, tile.step, tile.number};
}

}  // namespace detail

/// Tile number (i, …) of a shared tile, or of each stage.
template <integer... Extents, tiles_in_shared_memory Tile, class... Numbers,
          class Check = detail::subtile_check<Tile, int{sizeof...(Numbers)}, Extents...>,
          class = detail::reported<typename Check::ranks>,
          class = detail::reported<typename Check::source>,
          bool = detail::extents_check<((Extents >= 1) && ...)>::passed>
  requires(sizeof...(Numbers) > 0 || sizeof...(Extents) == 0)
__device__ __forceinline__ auto tile(Tile const& of, Numbers... numbers) {
  using namespace detail;
  auto const from = first_tile(of);
  using whole = Check::whole;
  if constexpr (Check::possible)
    return part_of_each(of, subtile_from<Extents...>(from, indices_to<Check::rank>{}, numbers...));
  else
    return part_of_each(
        of,
        shared_tile_ref<typename whole::value_type, typename whole::layout_type, reported_shape<1>>{
            from.address});
}
/// Dimension Order[k] becomes dimension k.
template <int... Order, class Tile>
  requires detail::permutable<Tile, Order...>
__device__ __forceinline__ auto permuted(Tile const& of) {
  return detail::part_of_each(of, detail::permute_tile<Order...>(detail::first_tile(of)));
}
/// Exchanges the two dimensions. No element moves.
template <detail::permutable<1, 0> Tile>
__device__ __forceinline__ auto transposed(Tile const& of) {
  return permuted<1, 0>(of);
}
namespace detail {
template <bool Passed> struct transposition_check {
  static_assert(Passed,
                "transposed(x) and permuted<1, 0>(x) take a tile of shared memory: copy a tile of "
                "a tensor there first; permuted<...> must name each dimension of the tile once; "
                "transposed takes a tile of two dimensions; for a fragment call permuted of "
                "axe/cuda/permute.hpp");
  using rejected = void;
};
}  // namespace detail
template <int... Order>
__device__ detail::transposition_check<detail::never<extents<Order...>>> permuted(
    detail::any_argument);
template <auto... Order>
__device__ detail::transposition_check<detail::never<extents<Order...>>> transposed(
    detail::any_argument);

#endif

}  // namespace AXE_NAMESPACE
}  // namespace axe
