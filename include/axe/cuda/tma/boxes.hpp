// SPDX-License-Identifier: MIT
// issue_tensor<Case>: issues the boxes of a planned tensor copy (TMA).
//
//     issue_tensor<Case>(map, origins, shared, barrier, Case::loops{});
//
// One thread calls it. `shared` is the address of the tile, and Case::boxes the tma_plan of
// a Case::tile_shape. Definition: docs/plans.md, "Tensor maps".
#pragma once

#include <axe/cuda/tensor_tile.hpp>
#include <axe/cuda/tma/instructions.hpp>
#include <axe/plan/plan_tma.hpp>

#ifdef __CUDACC__

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

/// Writes the tile's number along each dimension, or its first element if tiles may begin anywhere.
template <class Shape, class First, class... Rest>
__device__ __forceinline__ void put_numbers(unsigned* end, sums<First, Rest...> const& origins) {
  constexpr int left = 1 + sizeof...(Rest);
  constexpr integer extent = Shape::value.extent(Shape::value.rank() - left);
  end[-left] = scale<1, (grain_of_sum<First> % extent == 0 ? extent : 1)>(origins.first)();
  if constexpr (left > 1) put_numbers<Shape>(end, origins.rest);
}

/// Moves of boxes by put_numbers. A tile that may begin anywhere may not lie along a merged
/// dimension: the hardware tests only the end of the slowest one.
struct origin_moves {
  list<tma_move, 12> moves;
  bool legal = true;

  AXE_LAZY_FN constexpr origin_moves(tma_plan const& plan, shape const& tile, integer const* grains,
                                     bool const* negative)
      : moves(plan.moves) {
    for (int d = 0; d < tile.rank(); ++d) {
      integer const elements = grains[d] % tile.extent(d) == 0 ? 1 : tile.extent(d);
      if (elements == 1 && !negative[d]) continue;
      int count = 0;
      for (tma_move& m : moves) {
        if (m.dimension != d) continue;
        ++count;
        legal &= m.divisor == 1 && m.modulus == 0 && m.factor % elements == 0;
        for (tma_move const& other : plan.moves)
          legal &= other.to != m.to || other.factor <= m.factor;
        m.factor /= elements;
      }
      legal &= count == 1;
    }
  }
};

/// Adds the next digit of a box's number.
__device__ __forceinline__ void add_digit(tma_loop loop, int& number, unsigned& shared, int* at) {
  int const extent = static_cast<int>(loop.extent), step = number % extent;
  number /= extent;
  shared += static_cast<unsigned>(step * loop.shared_step);
  if (loop.to >= 0) at[loop.to] += static_cast<int>(step * loop.step);
}

template <class Case, class Barrier, class... Origins, int... Loop>
__device__ __forceinline__ void issue_tensor(tensor_map const& map, sums<Origins...> const& origins,
                                             unsigned shared, Barrier barrier,
                                             indices<Loop...> AXE_CALLED_FROM) {
  constexpr tma_plan plan = Case::boxes;
  constexpr integer grains[]{grain_of_sum<Origins>...};
  constexpr bool negative[]{may_be_negative<Origins>...};
  constexpr origin_moves origin(plan, Case::tile_shape::value, grains, negative);
  static_assert(origin.legal,
                "a tensor copy along a dimension of several digits, or along a dimension that the "
                "map merges with another, moves whole tiles: pass axe::tile<...>(tensor, i, j)");
  constexpr int rank = plan.rank(), issues = static_cast<int>(plan.issues);
  auto policy = policy_of<Case::plan.cache>();
  tensor_box<plan.kind, decltype(policy), plan.options.reduction,
             !stl::is_same_v<Barrier, mbarrier>> const box{
      policy, {barrier.address}, static_cast<unsigned short>(plan.ctas)};
  unsigned numbers[sizeof...(Origins)];
  put_numbers<typename Case::tile_shape>(numbers + sizeof...(Origins), origins);
  int first[rank]{};
#pragma unroll
  for (int k = 0; k < origin.moves.count; ++k) {
    tma_move const m = origin.moves.at[k];
    first[m.to] += static_cast<int>(m(numbers[m.dimension]));
  }
#pragma unroll(issues <= 64 ? issues : 1)
  for (int k = 0; k < issues; ++k) {
    unsigned address = shared + static_cast<unsigned>(plan.shared_offset);
    int at[rank];
    [[maybe_unused]] int rest = k;
    for (int d = 0; d < rank; ++d) at[d] = first[d];
    (add_digit(as_constant<plan.loops.at[plan.loops.count - 1 - Loop]>, rest, address, at), ...);
#ifdef AXE_DEBUG
    check_box(at, rank, bits_of(plan.unit) / 8, stores(plan.kind) AXE_CALLER);
#endif
    box(map, address, at);
  }
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
