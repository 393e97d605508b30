// SPDX-License-Identifier: MIT
// shared_tile: the storage of a tile in shared memory. Its tiles, its transpose and its thread
// tiles refer to the same storage.
//
//     __shared__ axe::shared_tile<float, axe::carrier<"S[(32,32):(33,1)]"_axe>> staged;
//     axe::copy(axe::transposed(staged), out, axe::cta<256>);
//     axe::tile<64, 32>(stage, warp_row, 0)   tile (warp_row, 0) of 64 x 32, under the same swizzle
//
// A tile of a swizzled tile must begin at a multiple of the swizzle's period. docs/index_code.md.
#pragma once

#include <axe/algebra/group.hpp>
#include <axe/algebra/permute.hpp>
#include <axe/cuda/thread_tile.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

struct subtile_layouts {
  refusal why{};
  layout outer, inner;
  integer apart = 0;  // divides the distances between tiles, in elements; 0: there is one tile
};

AXE_LAZY_FN constexpr subtile_layouts split_tile(layout const& l, integer rows, integer columns,
                                                 integer tile_rows, integer tile_columns) {
  subtile_layouts out;
  if (rows % tile_rows != 0 || columns % tile_columns != 0) {
    bool const by_rows = rows % tile_rows != 0;
    out.why = {rule::extent_does_not_divide,
               {by_rows ? 0 : 1, by_rows ? tile_rows : tile_columns, by_rows ? rows : columns}};
    return out;
  }
  outcome<layout> const grouped =
      try_group(l, {rows / tile_rows, tile_rows, columns / tile_columns, tile_columns});
  if (!grouped) {
    out.why = grouped.why;
    return out;
  }
  for (int b = 0, d = 0; b < 4; ++b)
    for (int const last = d + grouped->blocks[b]; d < last; ++d) {
      iter const i = grouped->shards[d];
      (b % 2 == 0 ? out.outer : out.inner).shards.push(i);
      if (b % 2 == 0) out.apart = greatest_common_divisor(out.apart, i.stride);
      if (b % 2 == 0 && !l.swizzle.none() && i.stride % l.swizzle.period() != 0)
        out.why = {rule::subtile_inside_a_swizzle, {i.stride, l.swizzle.period()}};
    }
  out.inner.swizzle = l.swizzle;
  out.inner.offsets = l.offsets;
  out.inner.replicas = l.replicas;  // rejected later
  return out;
}

/// Divides a tile of layout L and shape S into tiles of Rows x Columns: `inner` is the layout of
/// one of them, `outer` that of their first elements.
template <class L, class S, integer Rows, integer Columns> struct subtile_of {
  static constexpr subtile_layouts value =
      split_tile(L::value, S::value.nodes.value(1), S::value.nodes.value(2), Rows, Columns);
  struct outer_source {
    static constexpr layout value = subtile_of::value.outer;
  };
  struct inner_source {
    static constexpr layout value = subtile_of::value.inner;
  };
  AXE_FN static constexpr refusal why() { return value.why; }
  AXE_FN static constexpr refusal_text text() {
    constexpr layout l = L::value;
    return sentence_of("subtile", value.why, {&l});
  }
};
}  // namespace detail

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)

namespace detail {
template <class T, class Bound, class Proof = void>
struct shared_thread_tile : thread_tile_base<shared_thread_tile<T, Bound, Proof>, T, Bound, Proof> {
  template <int W, auto R> __device__ __forceinline__ auto load_wide(constant<R> r) const {
    return load_shared<vector_of<T, W>>(address(r));
  }
  template <int W, auto R>
  __device__ __forceinline__ void store_wide(constant<R> r, vector_of<T, W> const& v) const {
    store_shared(address(r), v);
  }
  template <auto R> AXE_FN constexpr bool in_bounds(constant<R>) const { return true; }
  AXE_FN constexpr bool any_in_bounds() const { return true; }

  template <auto R> __device__ __forceinline__ auto address(constant<R>) const {
    if constexpr (R >= 0 && R < shared_thread_tile::size)
      return this->bound.template at<static_cast<int>(R)>();
    else
      return typename verdict<no_register<R, shared_thread_tile::size>>::stop{};
  }
  template <auto R> __device__ __forceinline__ T load(constant<R> r) const {
    return load_shared<T>(address(r));
  }
  template <auto R> __device__ __forceinline__ void store(constant<R> r, T const& value) const {
    if constexpr (shared_thread_tile::shared == 1)
      store_shared<T>(address(r), value);
    else
      return typename verdict<shared_register<shared_thread_tile::shared>>::stop{};
  }
};
/// Binds an address. Not a lambda, because NVRTC would compile it for the host.
template <class L, class S, integer Bytes> struct bind_from {
  unsigned address;
  template <class... Coordinates>
  __device__ __forceinline__ auto operator()(Coordinates const&... coordinates) const {
    return bind_address<L, S, Bytes>(coordinates...).from(address);
  }
};

/// The element at these coordinates of a tile at `address`, a pointer to shared memory.
template <class T, class L, class S, class... Coordinates>
__device__ __forceinline__ T& shared_element(void* address, Coordinates const&... coordinates) {
  if constexpr (sizeof...(Coordinates) != S::value.rank()) {  // reported where the user called
    return *static_cast<T*>(address);
  } else {
    auto const at = bind_address<L, S, integer{sizeof(T)}>(coordinates...)
                        .template at<>()
                        .from(stl::uint64_t{0});  // widens a base that may be negative
    return *reinterpret_cast<T*>(static_cast<unsigned char*>(address) + at.base + at.immediate);
  }
}
template <class S, int Count>
using other_rank =
    broken<(S::value.rank() == Count ? rule::none : rule::coordinate_has_other_dimensions), Count,
           S::value.rank()>;
}  // namespace detail

/// A reference to a tile of shared memory. `address` is a multiple of Alignment bytes and of the
/// swizzle's period.
template <class T, class L, class S, integer Alignment = 128> struct shared_tile_ref {
  using value_type = T;
  using layout_type = L;
  using shape_type = S;
  unsigned address;

  template <class... Coordinates>
  __device__ __forceinline__ T& operator()(Coordinates const&... coordinates) const {
    using stop [[maybe_unused]] =
        typename detail::verdict<detail::other_rank<S, sizeof...(Coordinates)>>::stop;
    return detail::shared_element<T, L, S>(__cvta_shared_to_generic(address), coordinates...);
  }
};

namespace detail {

template <class P, class T, class L, class S, integer Alignment, int... D>
__device__ __forceinline__ auto partition_shared(shared_tile_ref<T, L, S, Alignment> const& tile,
                                                 unsigned thread, indices<D...>) {
  using owning = partition<P, S>;
  using question = layout_question<owning, L, S, integer{sizeof(T)}, Alignment,
                                   decltype(owning::template coordinate_of<D>(thread))...>;
  auto const bound = thread_tile<P, S>(thread, bind_from<L, S, integer{sizeof(T)}>{tile.address});
  return shared_thread_tile<T, stl::remove_const_t<decltype(bound)>, vector_proof<question>>{
      {bound}};
}

/// The smallest and the largest place of a layout. Not a member, because nvcc would compile the
/// computation for the device.
template <class L> inline constexpr interval reached_by = *bounds_of(L::value);

template <class L, class K> struct iter_extents;
template <class L, int... K> struct iter_extents<L, indices<K...>> {
  using type = extents<L::value.shards.at[K].extent...>;
};
template <class L> struct shape_of_iters {
  using type = reported_shape<1>;
};
template <carries_layout L> struct shape_of_iters<L> {
  using type = typename iter_extents<L, indices_to<L::value.shards.count>>::type;
};
}  // namespace detail

/// The storage of a tile, aligned to 128 bytes and to the swizzle's period. S: the shape, by
/// default the extents of L.
template <class T, class L, class S = typename detail::shape_of_iters<L>::type> struct shared_tile {
  static_assert(carries_layout<L>,
                "a shared tile needs a static layout, written as a type: axe::carrier<...>");
  using layout_type = detail::stl::conditional_t<carries_layout<L>, L, detail::no_carrier<S>>;
  static constexpr integer elements = detail::reached_by<layout_type>.largest + 1;
  static constexpr integer period =
      layout_type::value.swizzle.none()
          ? 1
          : layout_type::value.swizzle.period() * static_cast<integer>(sizeof(T));
  static_assert(detail::reached_by<layout_type>.least >= 0,
                "the layout of a shared_tile has a place below 0, where its memory begins");
  alignas(period > 128 ? period
                       : 128) unsigned char bytes[elements * static_cast<integer>(sizeof(T))];

  /// The element at these coordinates: staged(row, column) = 0.
  template <class... Coordinates>
  __device__ __forceinline__ T& operator()(Coordinates const&... coordinates) {
    using stop [[maybe_unused]] =
        typename detail::verdict<detail::other_rank<S, sizeof...(Coordinates)>>::stop;
    return detail::shared_element<T, layout_type, S>(bytes, coordinates...);
  }
  template <class... Coordinates>
  __device__ __forceinline__ T const& operator()(Coordinates const&... coordinates) const {
    return const_cast<shared_tile&>(*this)(coordinates...);
  }
};

namespace detail {

template <class T, class L, class S> inline constexpr bool has_operand<shared_tile<T, L, S>> = true;
template <class T, class L, class S>
inline constexpr bool has_operand<shared_tile<T, L, S> const> = true;
template <class T, class L, class S>
inline constexpr bool is_in_shared_memory<shared_tile<T, L, S>> = true;
template <class T, class L, class S, integer Alignment>
inline constexpr bool is_in_shared_memory<shared_tile_ref<T, L, S, Alignment>> = true;
template <class T, class L, class S> struct operand_of<shared_tile<T, L, S>> {
  using type = shared_tile_ref<T, L, S>;
};
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

template <integer Rows, integer Columns, class T, class L, class S, integer Alignment, class... N>
__device__ __forceinline__ auto subtile_from(shared_tile_ref<T, L, S, Alignment> const& tile,
                                             N const&... numbers) {
  using of = subtile_of<L, S, Rows, Columns>;
  if constexpr (of::value.why) {  // tile() reports the error
    return shared_tile_ref<T, carrier_of<typename of::inner_source>, reported_shape<Rows, Columns>,
                           Alignment>{tile.address};
  } else {
    using outer = carrier_of<typename of::outer_source>;
    using inner = carrier_of<typename of::inner_source>;
    constexpr integer apart =
        greatest_common_divisor(Alignment, of::value.apart * integer{sizeof(T)});
    constexpr integer down = S::value.nodes.value(1) / Rows;
    constexpr integer across = S::value.nodes.value(2) / Columns;
    auto const begin = bind_address<outer, extents<down, across>, integer{sizeof(T)}>(numbers...)
                           .from(tile.address);
    return shared_tile_ref<T, inner, extents<Rows, Columns>, (apart & -apart)>{
        static_cast<unsigned>(begin.template at<>())};
  }
}

/// The tile after an error that has been reported.
template <class T, class L, class S, integer Alignment>
__device__ __forceinline__ auto reported_tile(shared_tile_ref<T, L, S, Alignment> const& of) {
  return shared_tile_ref<T, L, reported_shape<1>, Alignment>{of.address};
}

template <class P, class T, class L, class S, integer Alignment>
__device__ __forceinline__ auto partition_tile(shared_tile_ref<T, L, S, Alignment> const& tile,
                                               unsigned thread) {
  constexpr indices_to<S::value.rank()> all{};
  if constexpr (partition<P, S>::value.why)
    return partition_shared<typename refused_partition<P, S>::instead>(tile, thread, all);
  else
    return partition_shared<P>(tile, thread, all);
}
template <int... Order, class T, class L, class S, integer Alignment>
__device__ __forceinline__ auto permute_tile(shared_tile_ref<T, L, S, Alignment> const& tile) {
  using turned = decltype(permute(L{}, S{}, static_coordinate<Order...>{}));
  return shared_tile_ref<T, turned, extents<S::value.nodes.value(Order + 1)...>, Alignment>{
      tile.address};
}

}  // namespace detail

template <class X>
concept tile_in_shared_memory = detail::is_in_shared_memory<X>;

/// Tile (i, j) of Rows x Columns elements: tile<Rows, Columns>(staged, i, j).
template <integer... Extents, tile_in_shared_memory Tile, class... Numbers>
  requires(sizeof...(Extents) > 0)
__device__ __forceinline__ auto tile(Tile const& of, Numbers const&... numbers) {
  using whole = detail::operand_type<Tile>;
  using shape_type = typename whole::shape_type;
  constexpr int rank = shape_type::value.rank();
  static_assert(rank == 2, "tile<...>(x, i, j) of a tile in shared memory needs two dimensions");
  if constexpr (rank != 2) {
    return detail::reported_tile(detail::operand(of));
  } else if constexpr (sizeof...(Extents) != 2 || sizeof...(Numbers) != 2) {
    using stop [[maybe_unused]] =
        typename detail::verdict<detail::broken<rule::tile_has_other_dimensions, sizeof...(Extents),
                                                sizeof...(Numbers), rank>>::stop;
    return detail::reported_tile(detail::operand(of));
  } else {
    using stop [[maybe_unused]] = typename detail::verdict<
        detail::subtile_of<typename whole::layout_type, shape_type, Extents...>>::stop;
    return detail::subtile_from<Extents...>(detail::operand(of), numbers...);
  }
}
/// The same tile with dimension Order[k] as dimension k.
template <int... Order, tile_in_shared_memory Tile>
__device__ __forceinline__ auto permuted(Tile const& of) {
  constexpr bool all = sizeof...(Order) == detail::operand_type<Tile>::shape_type::value.rank();
  static_assert(all, "permuted<...> names each dimension of the tile once");
  if constexpr (all)
    return detail::permute_tile<Order...>(detail::operand(of));
  else
    return detail::operand(of);
}
template <tile_in_shared_memory Tile> __device__ __forceinline__ auto transposed(Tile const& of) {
  constexpr bool two = detail::operand_type<Tile>::shape_type::value.rank() == 2;
  static_assert(two, "transposed takes a tile of two dimensions; for others use permuted<...>");
  if constexpr (two)
    return permuted<1, 0>(of);
  else
    return detail::operand(of);
}
/// The thread tile of thread number `thread` on P's thread axis.
template <class P, tile_in_shared_memory Tile>
__device__ __forceinline__ auto local_partition(Tile const& of, unsigned thread) {
  return detail::partition_tile<P>(detail::operand(of), thread);
}

#endif

}  // namespace AXE_NAMESPACE
}  // namespace axe
