// SPDX-License-Identifier: MIT
// copy_async of a mapped tile: tensor copies (TMA) to and from shared memory.
//
//     tensor_map const map = map_for<stage>(tensor);                        host; __grid_constant__
//     full.arrive_and_expect_tx(bytes_of_tile<stage>);                      one thread
//     copy_async(mapped(map, tile<64, 64>(in, i, k)), staged, full, thread);    load
//     copy_async(staged, mapped(map, tile<64, 64>(out, i, k)), thread);         store, a bulk group
//
// Loads give zeros out of bounds. Stores write multiples of 16 bytes (docs/plans.md).
#pragma once

#include <axe/cuda/copy/async.hpp>
#include <axe/cuda/tma/boxes.hpp>
#include <axe/plan/engine/copy_tensor.hpp>

#ifdef __CUDACC__

namespace axe {
inline namespace AXE_NAMESPACE {

/// The barrier of CTA 0 of a pair of CTAs.
struct pair_mbarrier {
  unsigned address;
};
/// For a load into either CTA of a pair (sm_100a): `barrier` of CTA 0 counts the bytes of both.
template <int Any = 0> __device__ __forceinline__ pair_mbarrier of_pair(mbarrier barrier) {
  AXE_NEEDS_TCGEN05(Any, "of_pair");
  // Bit 24 of an address in the cluster's shared memory is the CTA's number within its pair.
  return {barrier.address & 0xfeffffff};
}

/// A tensor with the map of its tiles. A kernel's parameter is __grid_constant__.
template <class Tensor> struct mapped_tensor {
  tensor_map map;
  Tensor tensor;
};
/// A tile with the tensor map (map_for) of its tensor and shape.
template <class Tile> struct mapped_tile {
  static_assert(detail::tile_of_tensor<Tile>,
                "mapped takes a map and a tile: axe::mapped(map, axe::tile<...>(x, i, j))");
  tensor_map const& map;
  Tile tile;
};
template <class Tile>
__device__ __forceinline__ mapped_tile<Tile> mapped(tensor_map const& map, Tile const& tile) {
  return {map, tile};
}

namespace detail {

template <class X, packed_how How>
concept barrier_of_load =
    stl::is_same_v<X, mbarrier> || (stl::is_same_v<X, pair_mbarrier> && How.bits == 0);

AXE_FN constexpr copy_how as_mapped(copy_how how, bool loads) {
  how.force = copy_instruction::tma;
  how.outside = loads ? copy_outside::zero : copy_outside::skip;
  how.completion = loads ? copy_completion::barrier : copy_completion::group;
  how.mapped = true;
  return how;
}
template <class From, class To, class Scope, packed_how How, bool Loads> struct mapped_case {
  using type = case_of<From, To, Scope, as_mapped(How, Loads)>;
};

}  // namespace detail

/// A tensor load. In each receiving CTA the barrier counts the bytes. Precondition: the tile begins
/// a multiple of 16 bytes into its row.
template <packed_how How = copy_how{}, detail::tile_of_tensor Tile, class To,
          detail::barrier_of_load<How> Barrier, class Scope,
          class Planned = detail::mapped_case<Tile, To, Scope, How, true>,
          class Result = typename detail::copy_call<Tile, To&, Scope, Planned>::type>
__device__ __forceinline__ Result copy_async(mapped_tile<Tile> const& from, To const& to,
                                             Barrier barrier, Scope scope AXE_CALLED_FROM) {
  using namespace detail;
  if constexpr (stl::is_same_v<Result, void>)
    if (thread_id(scope) == 0)
      issue_tensor<typename Planned::type>(from.map, from.tile.origins, operand(to).address,
                                           barrier, typename Planned::type::loops() AXE_CALLER);
  return Result();
}
/// A tensor store or reduction. The first thread of the scope issues it and must commit and wait.
/// Preconditions: as for a load, and no origin of the tile is below 0.
template <packed_how How = copy_how{}, class From, class Tile, class Scope,
          class Planned = detail::mapped_case<From, Tile, Scope, How, false>,
          class Result = typename detail::copy_call<From, Tile, Scope, Planned>::type>
__device__ __forceinline__ Result copy_async(From const& from, mapped_tile<Tile> const& to,
                                             Scope scope AXE_CALLED_FROM) {
  using namespace detail;
  if constexpr (stl::is_same_v<Result, void>)
    if (thread_id(scope) == 0)
      issue_tensor<typename Planned::type>(to.map, to.tile.origins, operand(from).address,
                                           mbarrier{}, typename Planned::type::loops() AXE_CALLER);
  return Result();
}

#ifndef __CUDACC_RTC__
namespace detail {
template <class SharedTile, class Tensor> struct map_of {
  using source = broken<rule::none>;
};
template <tile_in_shared_memory SharedTile, any_tensor Tensor>
  requires(sizeof(typename operand_type<SharedTile>::value_type) ==
           sizeof(typename Tensor::element_type))
struct map_of<SharedTile, Tensor> {
  using source = map_of;
  using tile = operand_type<SharedTile>;
  static constexpr element_type type =
      element_type_of<stl::remove_const_t<typename Tensor::element_type>>;
  static constexpr outcome<tma_plan> result =
      try_plan_tma(tma_kind::load,
                   type != element_type::count
                       ? type
                       : unsigned_type_of(8 * int{sizeof(typename Tensor::element_type)}),
                   tma_tensor_of<typename Tensor::sizes_type>(), tile::shape_type::value,
                   tile::layout_type::value);
  AXE_FN static constexpr refusal_text text() {
    return text_of_call("map_for", result.why, tile::layout_type::value, tile::shape_type::value);
  }
};
}  // namespace detail

/// The tensor map for copies between a tensor and a SharedTile. A refusal throws or traps.
template <class SharedTile = void, class Tensor = void,
          class = detail::reported<typename detail::map_of<SharedTile, Tensor>::source>>
tensor_map map_for(Tensor const& t) {
  using of = detail::map_of<SharedTile, Tensor>;
  constexpr bool fits = requires { of::result; };
  static_assert(fits,
                "map_for needs the type of a shared tile, and a tensor with elements of the same "
                "size: map_for<axe::shared_tile<...>>(x)");
  if constexpr (fits) {
    detail::verdict<of>::passes();
    return detail::map_of_sizes(of::result.value, t.data, t.sizes);
  } else {
    return {};
  }
}
/// A tensor with its map_for<SharedTile>.
template <class SharedTile, class Tensor,
          class = detail::reported<typename detail::map_of<SharedTile, Tensor>::source>>
mapped_tensor<Tensor> mapped_for(Tensor const& t) {
  return {map_for<SharedTile>(t), t};
}
#endif

}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
