// SPDX-License-Identifier: MIT
// tensor_boxes<Planned>: issues the boxes of a planned tensor copy (TMA).
//
//     tensor_boxes<Planned>::issue(map, shared, detail::tensor_box<...>{...}, row, column);
//
// One thread calls it. `shared` is the address of the tile, and row and column are tile numbers.
// Definition: docs/plans.md, "Tensor maps".
#pragma once

#include <axe/cuda/tensor_tile.hpp>
#include <axe/cuda/tma/instructions.hpp>
#include <axe/plan/plan_tma.hpp>

#ifdef __CUDACC__

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

/// tile_origin<64>{x}: a tile of extent 64 begins at element x. tile_origin<1>{x}: tile number x.
/// Both may be below 0.
template <integer Extent> struct tile_origin {
  unsigned at;
  AXE_FN constexpr operator unsigned() const { return at; }
};
template <class Number> inline constexpr integer extent_of_origin = 0;
template <integer Extent> inline constexpr integer extent_of_origin<tile_origin<Extent>> = Extent;

/// Planned has a `plan` and the rank of the tile, `tile_rank`.
template <class Planned> struct tensor_boxes {
  static constexpr tma_plan plan = Planned::plan;
  static constexpr int rank = plan.rank();

  template <class... Numbers>
  __device__ __forceinline__ static void issue(tensor_map const& map, unsigned shared,
                                               auto const& box, Numbers... numbers) {
    int at[rank];
    find_first_box(at, numbers...);
    each_box<0>(map, shared, at, box);
  }

 private:
  /// True if each tile may begin at any element. In merged dimensions it may not, because the
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
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
