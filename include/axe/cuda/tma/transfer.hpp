// SPDX-License-Identifier: MIT
// tma_load, tma_store, tma_reduce, tma_multicast: planned tensor copies (TMA), as types.
//
//     using load_a = tma_load<element_type::bf16, A::sizes_type, extents<128, 64>, tile_a>;
//     tensor_map const map = load_a::map(a);                                       host
//     load_a::issue(map, stage, pipe.fill(at, load_a::bytes), row, column);        one thread
//
// tile_a is the layout in shared memory. row and column are tile numbers. Definition:
// docs/plans.md, "Tensor maps".
#pragma once

#include <axe/cuda/tma/checks.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

template <tma_kind Kind, element_type Type, class Global, class Tile, class Shared,
          tma_options Options>
struct tma_planned {
  static constexpr outcome<tma_plan> result =
      try_plan_tma(Kind, Type, tma_tensor_of<Global>(), Tile::value, Shared::value, Options);
  static constexpr tma_plan plan = result.value;
  static constexpr axe::swizzle swizzle = Shared::value.swizzle;
  static constexpr int tile_rank = Tile::value.rank();
  AXE_FN static constexpr refusal_text text() {
    return text_of_call("tma", result.why, Shared::value, Tile::value);
  }
};

template <class Planned> struct tensor_issue {
  using stop = verdict<Planned>::stop;
  static constexpr tma_plan plan = Planned::plan;
  static constexpr int rank = plan.rank();
  /// The expect_tx count of one tile in one CTA.
  static constexpr unsigned bytes = static_cast<unsigned>(plan.bytes());
  static constexpr int alignment = plan.alignment();

#ifdef __CUDACC__
  template <class Map, class Shared, class... Rest>
  using check =
      alignment_check<issue_check<loads(plan.kind), Planned::tile_rank, bits_of(plan.type),
                                  Planned::swizzle, Map, Shared, Rest...>::passed,
                      alignment, alignment_of_tile<operand_type<Shared>>>;
  /// Copies all boxes of a tile. `shared` is a shared tile or its address. `rest` is the mbarrier
  /// of a load, then the tile numbers. The caller commits stores and reductions, and waits.
  template <class Map, class Shared, class... Rest, bool Fits = check<Map, Shared, Rest...>::passed>
  __device__ __forceinline__ static void issue(Map const& map, Shared const& shared, Rest... rest) {
    if constexpr (Fits) issue_with_policy(no_policy{}, map, address_of(shared), rest...);
  }
  /// Precondition: issue() accepts the arguments.
  template <class Policy>
  __device__ __forceinline__ static void issue_with_policy(Policy policy, tensor_map const& map,
                                                           unsigned shared, auto... rest) {
    all_boxes(map, shared,
              tensor_box<plan.kind, Policy, plan.options.reduction>{
                  policy, {}, static_cast<unsigned short>(as_constant<plan.ctas>)},
              rest...);
  }
  /// Loads into this CTA of a pair (sm_100a). The barrier in CTA 0 counts the bytes of both CTAs.
  template <class Shared, class... Numbers,
            bool Fits = check<tensor_map, Shared, mbarrier, Numbers...>::passed>
    requires(plan.kind == tma_kind::load)
  __device__ __forceinline__ static void issue_for_pair(tensor_map const& map, Shared const& shared,
                                                        mbarrier done, Numbers... numbers) {
    AXE_NEEDS_TCGEN05(sizeof...(Numbers), "a tensor copy of a CTA pair");
    // Bit 24 of an address in the cluster's shared memory is the CTA's number within its pair.
    done.address &= 0xfeffffff;
    if constexpr (Fits)
      all_boxes(map, address_of(shared),
                tensor_box<plan.kind, no_policy, tma_reduction::none, true>{}, done, numbers...);
  }
  template <class... Numbers, bool = tensor_copy_check<sizeof...(Numbers) != 0>::passed>
  __device__ __forceinline__ static void prefetch(tensor_map const& map, Numbers... numbers) {
    all_boxes(map, 0, tensor_box<tma_kind::prefetch, no_policy>{}, numbers...);
  }

 private:
  /// True if each tile_origin may be any element. A tile_origin in merged dimensions may not: the
  /// hardware tests only the end of the slowest one.
  template <class... Numbers> AXE_FN static constexpr bool can_begin_anywhere() {
    integer const extents[]{extent_of_origin<Numbers>...};
    for (int d = 0; d < Planned::tile_rank; ++d) {
      if (extents[d] == 0) continue;
      int moves = 0;
      for (tma_move const& m : plan.moves) {
        if (m.dimension != d) continue;
        ++moves;
        if (m.divisor != 1 || m.modulus != 0 || m.factor % extents[d] != 0) return false;
        for (tma_move const& other : plan.moves)
          if (other.to == m.to && other.factor > m.factor) return false;
      }
      if (moves != 1) return false;
    }
    return true;
  }
  template <class... Numbers>
  __device__ __forceinline__ static void find_first_box(int (&at)[rank], Numbers... numbers) {
    static_assert(can_begin_anywhere<Numbers...>(),
                  "a tensor copy along a dimension of several digits, or along a dimension that "
                  "the map merges with another, moves whole tiles: pass "
                  "axe::tile<...>(tensor, i, j)");
    [[maybe_unused]] unsigned const all[]{static_cast<unsigned>(numbers)...};
    for (int d = 0; d < rank; ++d) at[d] = 0;
    for_each_register<plan.moves.count>([&](auto n) {
      constexpr tma_move m = plan.moves.at[n.value];
      constexpr integer extents[]{extent_of_origin<Numbers>...};
      constexpr integer numbers_per_tile = larger(extents[m.dimension], 1);
      unsigned digit = all[m.dimension];
      if constexpr (m.divisor != 1) digit /= static_cast<unsigned>(m.divisor);
      if constexpr (m.modulus != 0) digit %= static_cast<unsigned>(m.modulus);
      at[m.to] += static_cast<int>(digit) * static_cast<int>(m.factor / numbers_per_tile);
    });
  }
  template <class... Numbers>
  __device__ __forceinline__ static void all_boxes(tensor_map const& map, unsigned shared, auto box,
                                                   mbarrier done, Numbers... numbers) {
    box.done = done;
    all_boxes(map, shared, box, numbers...);
  }
  template <class... Numbers>
  __device__ __forceinline__ static void all_boxes(tensor_map const& map, unsigned shared,
                                                   auto const& box, Numbers... numbers) {
    static_assert(sizeof...(Numbers) == Planned::tile_rank,
                  "issue needs one tile number, an integer, for each dimension of the tensor");
    int at[rank];
    find_first_box(at, numbers...);
    each_box<0>(map, shared, at, box);
  }
  template <int Loop>
  __device__ __forceinline__ static void each_box(tensor_map const& map, unsigned shared,
                                                  int const (&at)[rank], auto const& box) {
    if constexpr (Loop == plan.loops.count) {
#ifdef AXE_DEBUG
      check_box(at, rank, bits_of(plan.unit) / 8, stores(plan.kind));
#endif
      box(map, shared + static_cast<unsigned>(as_constant<plan.shared_offset>), at);
    } else {
      constexpr tma_loop loop = plan.loops.at[Loop];
      constexpr int extent = static_cast<int>(loop.extent);
      constexpr int unrolled = extent <= 16 ? extent : 1;
#pragma unroll unrolled
      for (int k = 0; k < extent; ++k) {
        int next[rank];
        for (int d = 0; d < rank; ++d)
          next[d] = at[d] + (d == loop.to ? k * static_cast<int>(loop.step) : 0);
        each_box<Loop + 1>(
            map, shared + static_cast<unsigned>(k * static_cast<int>(loop.shared_step)), next, box);
      }
    }
  }
#endif
};

template <class Global, class Tile, class Shared>
concept describe_transfer = requires {
  Global::slots;
  Tile::value.rank();
} && !carries_layout<Tile> && carries_layout<Shared>;
template <bool Described> struct transfer_check {
  static_assert(Described,
                "tma_load<type, Sizes, Tile, Shared> takes the sizes_type of a tensor, the "
                "axe::extents of a tile and its shared layout, written as a type");
  using rejected = void;
};
}  // namespace detail

/// For wrong template arguments: its functions do not compile.
template <tma_kind Kind, element_type Type, class Global, class Tile, class Shared,
          tma_options Options = tma_options{}>
struct tma_transfer {
  static constexpr unsigned bytes = 0;
  template <class... Arguments>
  AXE_FN static detail::transfer_check<detail::never<Arguments...>> issue(Arguments const&...) {
    return {};
  }
  template <class... Arguments>
  AXE_FN static detail::transfer_check<detail::never<Arguments...>> map(Arguments const&...) {
    return {};
  }
};
template <tma_kind Kind, element_type Type, class Global, class Tile, class Shared,
          tma_options Options>
  requires detail::describe_transfer<Global, Tile, Shared>
struct tma_transfer<Kind, Type, Global, Tile, Shared, Options>
    : detail::tensor_issue<detail::tma_planned<Kind, Type, Global, Tile, Shared, Options>> {
  using planned = detail::tma_planned<Kind, Type, Global, Tile, Shared, Options>;

#if defined(__CUDACC__) && !defined(__CUDACC_RTC__)
  /// Encodes the tensor map on the host. A refusal throws or traps.
  static tensor_map map(void const* data, Global const& sizes = Global{}) {
    return detail::map_of_sizes(planned::plan, data, sizes);
  }
  template <detail::any_tensor Tensor, class T = Tensor::element_type,
            bool Fits =
                detail::map_check<detail::converts_from<Global const&, typename Tensor::sizes_type>,
                                  detail::fits_map<planned, detail::stl::remove_const_t<T>>(),
                                  detail::may_write<planned, T>>::passed>
  static tensor_map map(Tensor const& of) {
    if constexpr (Fits)
      return map(of.data, of.sizes);
    else
      return {};
  }
#endif
};

/// A load of tiles to shared memory. Global is the sizes_type of a tensor, Tile the extents of a
/// tile, and Shared its layout, a carrier.
template <element_type Type, class Global, class Tile, class Shared>
using tma_load = tma_transfer<tma_kind::load, Type, Global, Tile, Shared>;
/// A load to each CTA of the cluster whose bit in Ctas is set.
template <element_type Type, unsigned Ctas, class Global, class Tile, class Shared>
using tma_multicast =
    tma_transfer<tma_kind::multicast, Type, Global, Tile, Shared, tma_options{.ctas = Ctas}>;
/// A store, and a reduction by How. Use `map` of this type: unlike `map` of a load, it rejects
/// rows that are not multiples of 16 bytes.
template <element_type Type, class Global, class Tile, class Shared>
using tma_store = tma_transfer<tma_kind::store, Type, Global, Tile, Shared>;
template <element_type Type, tma_reduction How, class Global, class Tile, class Shared>
using tma_reduce = tma_transfer<tma_kind::reduce, Type, Global, Tile, Shared, tma_options{How}>;

}  // namespace AXE_NAMESPACE
}  // namespace axe
