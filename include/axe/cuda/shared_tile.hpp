// SPDX-License-Identifier: MIT
// shared_tile: the storage of a tile in shared memory.
//
//     __shared__ axe::shared_tile<float, axe::carrier<"S[(32,32):(33,1)]"_axe>> staged;
//     staged(row, column) = 0;
//
// Definition: docs/index_code.md, "Tensors and tiles".
#pragma once

#include <axe/cuda/thread_tile.hpp>

#ifdef __CUDACC__

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {
/// An element of a tile in shared memory. `address` is a generic pointer.
template <class T, class L, class S, class... Coordinates>
__device__ __forceinline__ T& shared_element(void* address, Coordinates const&... coordinates) {
  // The caller reports the error.
  if constexpr (sizeof...(Coordinates) != S::value.rank() ||
                !(coordinate_check<Coordinates>::passed && ...)) {
    return *static_cast<T*>(address);
  } else {
    auto const at = bind_address<L, S, integer{sizeof(T)}>(coordinates...)
                        .template at<>()
                        .from(stl::uint64_t{0});  // widens a base that may be negative
    return *reinterpret_cast<T*>(static_cast<unsigned char*>(address) + at.base + at.immediate);
  }
}
/// The smallest and the largest place. Not a member, because nvcc would compile the computation for
/// the device.
template <class L> inline constexpr interval reached_by = *bounds_of(L::value);
template <class L> inline constexpr bool lies_on_memory = true;
template <carries_layout L>
inline constexpr bool lies_on_memory<L> =
    axes_of(L::value).count == 0 || axes_of(L::value) == axis_list{axis::m};

/// The period of the swizzle in bytes; 1 without one.
template <class T, class L>
inline constexpr integer swizzle_bytes =
    L::value.swizzle.none() ? 1 : L::value.swizzle.period() * integer{sizeof(T)};

template <class L, class Each> struct iter_extents;
template <class L, int... Each> struct iter_extents<L, indices<Each...>> {
  using type = extents<L::value.shards.at[Each].extent...>;
};
template <class L> struct shape_of_iters {
  using type = reported_shape<1>;
};
template <carries_layout L> struct shape_of_iters<L> {
  using type = iter_extents<L, indices_to<L::value.shards.count>>::type;
};
}  // namespace detail

/// A reference to a tile of shared memory. `address` is a multiple of Alignment bytes and of the
/// swizzle's period. It includes `step`, the distance from a larger tile that constant and plain
/// integer tile numbers give.
template <class T, class L, class S, integer Alignment = 128> struct shared_tile_ref {
  using value_type = T;
  using layout_type = L;
  using shape_type = S;
  unsigned address;
  unsigned step = 0;

  template <class... Coordinates>
  __device__ __forceinline__ T& operator()(Coordinates... coordinates) const {
    using namespace detail;
    verdict<rank_check<sizeof...(Coordinates), S::value.rank()>>::passes();
    static_cast<void>((coordinate_check<Coordinates>::passed && ...));
    return shared_element<T, L, S>(__cvta_shared_to_generic(address), coordinates...);
  }
};

/// The storage of a tile, aligned to 128 bytes and to the swizzle's period. S is the shape, by
/// default the extents of L. nvcc also compiles a variable without __shared__; the kernel then
/// traps under AXE_DEBUG.
template <class T, class L, class S = detail::shape_of_iters<L>::type> struct shared_tile {
  static_assert(carries_layout<L>,
                "a shared tile needs a static layout, written as a type: axe::carrier<...>");
  using operand_type = shared_tile_ref<T, L, S>;
  using layout_type = detail::stl::conditional_t<carries_layout<L>, L, detail::no_carrier<S>>;
  static constexpr integer elements = detail::reached_by<layout_type>.largest + 1;
  static_assert(detail::reached_by<layout_type>.least >= 0,
                "the layout of a shared_tile has a place below 0, where its memory begins");
  static_assert(detail::lies_on_memory<L>,
                "the layout of a shared_tile lies on m only: one on threads and registers is a "
                "partition, that of a fragment");
  alignas(detail::larger(detail::swizzle_bytes<T, layout_type>,
                         128)) unsigned char bytes[elements * integer{sizeof(T)}];

  shared_tile() = default;
  AXE_FN shared_tile(shared_tile const&, detail::copy_check<detail::never<T>> = {}) {}
  AXE_FN shared_tile& operator=(shared_tile const&) {
    static_assert(detail::never<T>,
                  "each thread would assign the whole tile: axe::copy(from, to, scope) copies it");
    return *this;
  }

  /// The element at these coordinates.
  template <class... Coordinates>
  __device__ __forceinline__ T& operator()(Coordinates... coordinates) {
    using namespace detail;
    // The refusal of a layout is the only error.
    verdict<rank_check<carries_layout<L> ? sizeof...(Coordinates) : S::value.rank(),
                       S::value.rank()>>::passes();
    static_cast<void>((coordinate_check<Coordinates>::passed && ...));
    return shared_element<T, layout_type, S>(bytes, coordinates...);
  }
  template <class... Coordinates>
  __device__ __forceinline__ T const& operator()(Coordinates... coordinates) const {
    return const_cast<shared_tile&>(*this)(coordinates...);
  }
  /// Rejects staged[row][column].
  template <class X> __device__ T* operator[](X const&) const {
    static_assert(detail::never<X>, "an element of a shared tile is staged(row, column)");
    return nullptr;
  }
};

namespace detail {

template <class T, class L, class S, integer Alignment>
inline constexpr bool is_in_shared_memory<shared_tile_ref<T, L, S, Alignment>> = true;
template <class T, class L, class S>
__device__ __forceinline__ shared_tile_ref<T, L, S> operand(shared_tile<T, L, S> const& tile) {
  return {shared_address(tile.bytes)};
}
template <class X> __device__ __forceinline__ unsigned address_of(X const& tile) {
  if constexpr (stl::is_same_v<X, unsigned>)
    return tile;
  else
    return operand(tile).address;
}

}  // namespace detail

}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
