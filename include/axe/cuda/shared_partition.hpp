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
template <class T, class Bound, class Proof = void>
struct shared_thread_tile : thread_tile_base<shared_thread_tile<T, Bound, Proof>, T, Bound, Proof>,
                            constant_registers {
  using constant_registers::in_bounds, constant_registers::load, constant_registers::store;
  template <int Width, auto R> __device__ __forceinline__ auto load_wide(constant<R> r) const {
    return load_shared<vector_of<T, Width>>(address(r));
  }
  template <int Width, auto R>
  __device__ __forceinline__ void store_wide(constant<R> r, vector_of<T, Width> const& v) const {
    store_shared(address(r), v);
  }
  template <auto R> AXE_FN constexpr bool in_bounds(constant<R>) const { return true; }
  AXE_FN constexpr bool any_in_bounds() const { return true; }

  template <auto R> __device__ __forceinline__ auto address(constant<R>) const {
    return this->bound.template at<register_number<R, shared_thread_tile::size>()>();
  }
  template <auto R> __device__ __forceinline__ T load(constant<R> r) const {
    return load_shared<T>(address(r));
  }
  template <auto R> __device__ __forceinline__ void store(constant<R> r, T const& value) const {
    verdict<shared_register<shared_thread_tile::shared>>::passes();
    store_shared<T>(address(r), value);
  }
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
  return shared_thread_tile<T, stl::remove_const_t<decltype(bound)>, vector_proof<question>>{
      {bound}, {}};
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
