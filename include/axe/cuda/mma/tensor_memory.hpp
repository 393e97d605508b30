// SPDX-License-Identifier: MIT
// tensor_memory<Columns>: columns of tensor memory, allocated while the variable exists.
//
//     __shared__ unsigned where;
//     tensor_memory<256> const sums(where);                for a pair of CTAs: <256, 2>
//     auto const c = sums.tile<float, sums_of_tile, extents<128, 256>>();
//     copy(columns<32>(c, j), fragment, warpgroup);
//
// Source: PTX ISA, "tcgen05.alloc", "tcgen05.ld", "tcgen05.st".
#pragma once

#include <axe/cuda/architecture.hpp>
#include <axe/cuda/fence.hpp>
#include <axe/cuda/fragment.hpp>
#include <axe/cuda/mma/mma.hpp>
#include <axe/cuda/mma/tensor_memory_access.hpp>
#include <axe/cuda/scope.hpp>
#include <axe/cuda/shared_subtile.hpp>
#include <axe/plan/plan_tensor_memory.hpp>

#ifdef __CUDACC__

namespace axe {
inline namespace AXE_NAMESPACE {

/// `address` has the lane in its upper 16 bits and the column of 32 bits in its lower 16 bits. If
/// Ctas is 2, each CTA of the pair has such a tile.
template <class T, class L, class S, int Ctas> struct tensor_memory_tile {
  unsigned address;
};

/// All threads of the CTA, or of the pair of CTAs, must construct and destroy a tensor_memory.
template <int Columns, int Ctas> class tensor_memory<Columns, Ctas, void> {
  static_assert(Columns >= 32 && Columns <= 512 && (Columns & (Columns - 1)) == 0,
                "tensor_memory<Columns>: Columns must be a power of two from 32 to 512");
  static_assert(Ctas == 1 || Ctas == 2, "tensor_memory<Columns, Ctas>: Ctas must be 1 or 2");

 public:
  unsigned address;

  /// tcgen05.alloc writes the address to `shared`, a variable in shared memory.
  __device__ __forceinline__ explicit tensor_memory(unsigned& shared) {
    AXE_NEEDS_TCGEN05(Columns, "tensor_memory");
    unsigned const at = static_cast<unsigned>(__cvta_generic_to_shared(&shared));
    if (threadIdx.x < 32) {
      asm volatile(
          "tcgen05.alloc.cta_group::%2.sync.aligned.shared::cta.b32 [%0], %1;\n"
          "tcgen05.relinquish_alloc_permit.cta_group::%2.sync.aligned;" ::"r"(at),
          "n"(Columns), "n"(Ctas)
          : "memory");
    }
    sync();
    address = shared;
  }
  tensor_memory(tensor_memory const&) = delete;
  tensor_memory& operator=(tensor_memory const&) = delete;
  __device__ __forceinline__ ~tensor_memory() {
    sync();
    if (threadIdx.x < 32)
      asm volatile("tcgen05.dealloc.cta_group::%2.sync.aligned.b32 %0, %1;" ::"r"(address),
                   "n"(Columns), "n"(Ctas)
                   : "memory");
  }

  /// `column` counts columns of 32 bits.
  template <class T, class L, class S>
  __device__ __forceinline__ tensor_memory_tile<T, L, S, Ctas> tile(unsigned column = 0) const {
    return {address + column};
  }

 private:
  __device__ __forceinline__ static void sync() {
    if constexpr (detail::has_tcgen05(int{Columns})) {  // the constructor rejects other targets
      tcgen05_fence_before();
      if constexpr (Ctas == 2)
        cluster_sync();
      else
        __syncthreads();
      tcgen05_fence_after();
    }
  }
};

namespace detail {

template <class T, class L, class S, integer Wide> struct group_of_columns {
  static constexpr integer rows = S::value.extent(0), column_elements = 4 / integer{sizeof(T)};

  AXE_FN static constexpr subtile_layouts make() {
    subtile_layouts split = split_tile(L::value, S::value, {rows, Wide});
    iter_list const& between = split.outer.shards;
    if (!split.why && between.count > 0 &&
        (between.count > 1 || !between[0].is_on(axis::TCol) ||
         split.distance % column_elements != 0))
      split.why = {rule::tmem_column_groups, {Wide}};
    return split;
  }
  static constexpr subtile_layouts value = make();
  struct source {
    static constexpr layout value = group_of_columns::value.inner;
  };
};

template <class Tile, class Fragment> struct tensor_memory_copy_of;
template <class T, class L, class S, int Ctas, class P, class Q>
struct tensor_memory_copy_of<tensor_memory_tile<T, L, S, Ctas>, fragment<T, P, Q>> {
  static_assert(S::value == Q::value, "copy: the tile and the fragment must have the same shape");
  static constexpr outcome<tensor_memory_plan> result =
      try_plan_tensor_memory(L::value, P::value, S::value, integer{8 * sizeof(T)});
  static constexpr tensor_memory_plan plan = result.value;
};

template <bool Load, class Tile, class Fragment>
__device__ __forceinline__ void access_all(Tile const& tile, Fragment& f) {
  using planned = tensor_memory_copy_of<Tile, stl::remove_const_t<Fragment>>;
  verdict<planned>::passes();
  // Warp w can access only the 32 lanes that begin at 32 * (w % 4).
  unsigned const address = tile.address + ((threadIdx.x / 32 % 4) << 21);
  for_each_register<planned::plan.accesses.count>([&](auto n) {
    constexpr tensor_memory_access access = planned::plan.accesses.at[n.value];
    constexpr unsigned at =
        static_cast<unsigned>(access.lane) << 16 | static_cast<unsigned>(access.column);
    unsigned words[planned::plan.registers];
    if constexpr (Load) {
      tcgen05_load<planned::plan.access_shape, planned::plan.repeat>(words, address + at);
      memcpy(f.registers + access.element, words, sizeof(words));
    } else {
      memcpy(words, f.registers + access.element, sizeof(words));
      tcgen05_store<planned::plan.access_shape, planned::plan.repeat>(address + at, words);
    }
  });
  AXE_NEEDS_TCGEN05(Load, "a copy of tensor memory");
  if constexpr (Load)
    asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory");
  else
    asm volatile("tcgen05.wait::st.sync.aligned;" ::: "memory");
}

}  // namespace detail

/// Columns j * Wide to (j + 1) * Wide - 1.
template <integer Wide, class T, class L, class S, int Ctas>
__device__ __forceinline__ auto columns(tensor_memory_tile<T, L, S, Ctas> const& of, unsigned j) {
  using part = detail::group_of_columns<T, L, S, Wide>;
  detail::verdict<part>::passes();
  constexpr unsigned distance = static_cast<unsigned>(part::value.distance / part::column_elements);
  return tensor_memory_tile<T, detail::carrier_of<typename part::source>,
                            extents<S::value.extent(0), Wide>, Ctas>{of.address + j * distance};
}

/// Waits until the copy has ended.
template <class T, class L, class S, int Ctas, class P, class Q>
__device__ __forceinline__ void copy(tensor_memory_tile<T, L, S, Ctas> const& from,
                                     fragment<T, P, Q>& to, group_scope<128>) {
  detail::access_all<true>(from, to);
}
template <class T, class L, class S, int Ctas, class P, class Q>
__device__ __forceinline__ void copy(fragment<T, P, Q> const& from,
                                     tensor_memory_tile<T, L, S, Ctas> to, group_scope<128>) {
  detail::access_all<false>(to, from);
}

}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
