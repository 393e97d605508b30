// SPDX-License-Identifier: MIT
// local_partition of a tile in shared memory.
//
//     local_partition<by_rows>(staged, threadIdx.x).load_into(fragment);
#pragma once

#include <axe/cuda/shared_tile.hpp>

#ifdef __CUDACC__

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {
template <class Bound> struct bound_in_shared_memory : Bound {
  template <int> AXE_FN constexpr bool in_bounds() const { return true; }
  AXE_FN constexpr bool any_in_bounds() const { return true; }
};

/// A class, because NVRTC would compile a generic lambda for the host.
template <class L, class S, integer Bytes, class Inside> struct bind_from {
  unsigned address, number;
  template <class... Coordinates>
  __device__ __forceinline__ auto operator()(Coordinates const&... coordinates) const {
    return bind_inside<L, S, Bytes, Inside>(number, coordinates...).from(address);
  }
};

template <class P, class T, class L, class S, integer Alignment, class Inside, int... D>
__device__ __forceinline__ auto partition_shared(
    shared_tile_ref<T, L, S, Alignment, Inside> const& tile, unsigned thread, indices<D...>) {
  using owning = partition<P, S>;
  using question = layout_question<owning, L, S, integer{sizeof(T)}, Alignment,
                                   decltype(owning::template coordinate_of<D>(thread))...>;
  auto const bound = thread_tile<P, S>(
      thread, bind_from<L, S, integer{sizeof(T)}, Inside>{tile.address, tile.number});
  return tile_of_thread<T, bound_in_shared_memory<stl::remove_const_t<decltype(bound)>>,
                        vector_proof<question>>{{}, {bound}};
}
}  // namespace detail

template <class P, tile_in_shared_memory Tile>
__device__ __forceinline__ auto local_partition(Tile const& of, unsigned thread) {
  using namespace detail;
  using S = operand_type<Tile>::shape_type;
  return partition_shared<typename usable_partition<P, S>::type>(operand(of), thread,
                                                                 indices_to<S::value.rank()>{});
}

}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
