// SPDX-License-Identifier: MIT
// shared_tile: the storage of a tile in shared memory.
//
//     __shared__ shared_tile<float, carrier<"S[(32,32):(33,1)]"_axe>> staged;
//     staged(row, column) = 0;
//     copy(staged, fragment, cta<256>);
#pragma once

#include <axe/cuda/thread_tile.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// The refusal of TMA, MMA and bulk copies if tile X begins inside its swizzle's period.
template <class X> inline constexpr refusal begins_inside{};
AXE_LAZY_FN constexpr layout append_iters(layout l, layout const& more) {
  for (iter const& i : more.shards) l.shards.push(i);
  return l;
}

}  // namespace detail

#ifdef __CUDACC__

namespace detail {
/// For a tile that begins at a multiple of its swizzle's period.
struct no_iters {
  static constexpr layout value{};
};
AXE_LAZY_FN constexpr shape append_extent(shape s, integer extent) {
  s.append(extent);
  return s;
}
AXE_LAZY_FN constexpr refusal inside_a_period(layout const& inside, integer period) {
  for (iter const& i : inside.shards)
    if (i.stride % period != 0) return {rule::subtile_inside_a_swizzle, {i.stride, period}};
  return {};
}
/// For a tile that begins inside a period: L and S with one more dimension, the tile's number.
template <class L, class Inside> struct layout_within {
  static constexpr layout value = append_iters(L::value, Inside::value);
};
template <class S, integer Tiles> struct shape_within {
  static constexpr shape value = append_extent(S::value, Tiles);
};
/// A bound address with this last dimension, along which at<>() adds no constant.
template <class Bound> struct bound_inside : Bound {
  AXE_FN constexpr auto from(auto base) const {
    auto const bound = Bound::from(base);
    return bound_inside<stl::remove_const_t<decltype(bound)>>{bound};
  }
  template <integer... Constants> AXE_FN constexpr auto at() const {
    if constexpr (sizeof...(Constants) == 0)
      return Bound::template at<>();
    else
      return Bound::template at<Constants..., 0>();
  }
};
template <class L, class S, integer Bytes, class Inside>
AXE_FN constexpr auto bind_inside([[maybe_unused]] unsigned number, auto const&... coordinates) {
  if constexpr (Inside::value.shards.count == 0) {
    return bind_address<L, S, Bytes>(coordinates...);
  } else {
    constexpr integer tiles = product_of_extents(Inside::value.shards);
    auto const bound =
        bind_address<carrier_of<layout_within<L, Inside>>, shape_within<S, tiles>, Bytes>(
            coordinates..., below<tiles>(number));
    return bound_inside<stl::remove_const_t<decltype(bound)>>{bound};
  }
}
template <class L> inline constexpr bool lies_on_memory = true;
template <carries_layout L>
inline constexpr bool lies_on_memory<L> =
    axes_of(L::value).count == 0 || axes_of(L::value) == axis_list{axis::m};
template <class T, class L, class S, class Inside = no_iters, class... Coordinates>
__device__ __forceinline__ T& shared_element(void* address, unsigned number,
                                             Coordinates const&... coordinates) {
  // The caller reports the error.
  if constexpr (!lies_on_memory<L> || sizeof...(Coordinates) != S::value.rank() ||
                !(coordinate_check<Coordinates>::passed && ...)) {
    return *static_cast<T*>(address);
  } else {
    auto const at = bind_inside<L, S, integer{sizeof(T)}, Inside>(number, coordinates...)
                        .template at<>()
                        .from(stl::uint64_t{0});  // 64 bits: the base may be negative
    return *reinterpret_cast<T*>(static_cast<unsigned char*>(address) + at.base + at.immediate);
  }
}
/// A variable template, because nvcc would compile a member for the device.
template <class L> inline constexpr interval address_bounds = *bounds_of(L::value);

template <class T, class L>
inline constexpr integer period_bytes =
    L::value.swizzle.none() ? 1 : L::value.swizzle.period() * integer{sizeof(T)};

template <class L, class Each> struct iter_extents;
template <class L, int... Each> struct iter_extents<L, indices<Each...>> {
  using type = extents_as_written<L::value.shards.at[Each].extent...>;
};
template <class L> struct shape_of_iters {
  using type = reported_shape<1>;
};
template <carries_layout L> struct shape_of_iters<L> {
  using type = iter_extents<L, indices_to<L::value.shards.count>>::type;
};
}  // namespace detail

/// A tile of shared memory at a multiple of Alignment bytes. `address` is a multiple of the
/// swizzle's period. It is a base plus `step` bytes; copies start from the base and add `step`
/// last. A tile that begins inside a period is tile `number` of layout Inside, from `address` on.
template <class T, class L, class S, integer Alignment = 128, class Inside = detail::no_iters>
struct shared_tile_ref {
  using value_type = T;
  using layout_type = L;
  using shape_type = S;
  using inside = Inside;
  unsigned address;
  unsigned step = 0, number = 0;

#ifdef AXE_DEBUG
  template <class... Others>
    requires(sizeof...(Others) + 1 == S::value.rank())
  __device__ __forceinline__ T& operator()(detail::located_coordinate first,
                                           Others... others) const {
    using namespace detail;
    void* const begin = __cvta_shared_to_generic(address);
    check_element(static_cast<T*>(begin), sizes_of_shape<S>{}, integers_to<S::value.rank()>{},
                  first, others...);
    return shared_element<T, L, S, Inside>(begin, number, static_cast<unsigned>(first.number),
                                           others...);
  }
#endif
#ifdef AXE_DEBUG
  template <class... Coordinates>
    requires(sizeof...(Coordinates) != S::value.rank())
#else
  template <class... Coordinates,
            class = detail::reported<detail::rank_check<sizeof...(Coordinates), S::value.rank()>>>
#endif
  __device__ __forceinline__ T& operator()(Coordinates... coordinates) const {
    using namespace detail;
    static_cast<void>((coordinate_check<Coordinates>::passed && ...));
    return shared_element<T, L, S, Inside>(__cvta_shared_to_generic(address), number,
                                           coordinates...);
  }
};

/// Aligned to 128 bytes and to the swizzle's period. S is by default the extents of L. Declare it
/// __shared__: otherwise it compiles, but AXE_DEBUG traps.
template <class T, class L, class S = detail::shape_of_iters<L>::type> struct shared_tile {
  static_assert(carries_layout<L>,
                "a shared tile needs a static layout, written as a type: axe::carrier<...>");
  using operand_type = shared_tile_ref<T, L, S>;
  using layout_type = detail::stl::conditional_t<carries_layout<L>, L, detail::no_carrier<S>>;
  static constexpr integer elements = detail::address_bounds<layout_type>.largest + 1;
  static_assert(detail::address_bounds<layout_type>.least >= 0,
                "the layout of a shared_tile has a place below 0, where its memory begins");
  static_assert(detail::lies_on_memory<L>,
                "the layout of a shared_tile must be on m only: a layout on threads and registers "
                "is the partition of a fragment");
  alignas(detail::larger(detail::period_bytes<T, layout_type>,
                         128)) unsigned char bytes[elements * integer{sizeof(T)}];

  shared_tile() = default;
  template <class X>
    requires(!detail::stl::is_same_v<detail::stl::remove_cvref_t<X>, shared_tile>)
  AXE_FN explicit shared_tile(X&&) {
    static_assert(detail::never<X>,
                  "a shared tile has memory of its own: declare it __shared__, or cast dynamic "
                  "shared memory: reinterpret_cast<axe::shared_tile<T, L>&>(memory)");
  }
  AXE_FN shared_tile(shared_tile const&, detail::copy_check<detail::never<T>> = {}) {}
  template <class X> AXE_FN shared_tile& operator=(X const&) {
    static_assert(detail::never<X>,
                  "each thread would assign the whole tile: axe::copy(from, to, scope) copies it");
    return *this;
  }
  AXE_FN shared_tile& operator=(shared_tile const& x) {
    return this->template operator= <shared_tile>(x);
  }

#ifdef AXE_DEBUG
  template <class... Others>
    requires(sizeof...(Others) + 1 == S::value.rank())
  __device__ __forceinline__ T& operator()(detail::located_coordinate first, Others... others) {
    return shared_tile_ref<T, layout_type, S>{shared_address(bytes)}(first, others...);
  }
  template <class... Others>
    requires(sizeof...(Others) + 1 == S::value.rank())
  __device__ __forceinline__ T const& operator()(detail::located_coordinate first,
                                                 Others... others) const {
    return shared_tile_ref<T, layout_type, S>{shared_address(bytes)}(first, others...);
  }
#endif
  template <class... Coordinates>
#ifdef AXE_DEBUG
    requires(sizeof...(Coordinates) != S::value.rank())
#endif
  __device__ __forceinline__ T& operator()(Coordinates... coordinates) {
    using namespace detail;
    // A rejected layout gives no second error here.
    verdict<rank_check<carries_layout<L> ? sizeof...(Coordinates) : S::value.rank(),
                       S::value.rank()>>::passes();
    static_cast<void>((coordinate_check<Coordinates>::passed && ...));
    return shared_element<T, layout_type, S>(bytes, 0, coordinates...);
  }
  template <class... Coordinates>
#ifdef AXE_DEBUG
    requires(sizeof...(Coordinates) != S::value.rank())
#endif
  __device__ __forceinline__ T const& operator()(Coordinates... coordinates) const {
    return const_cast<shared_tile&>(*this)(coordinates...);
  }
  template <class X> __device__ void fill(X const&) const {
    static_assert(detail::never<X>,
                  "a shared tile has no fill: fill a fragment and copy it to the tile, or assign "
                  "staged(row, column) in each thread");
  }
  template <class X> __device__ T* operator[](X const&) const {
    static_assert(detail::never<X>, "an element of a shared tile is staged(row, column)");
    return nullptr;
  }
};

namespace detail {

template <class T, class L, class S, integer Alignment, class Inside>
inline constexpr refusal begins_inside<shared_tile_ref<T, L, S, Alignment, Inside>> =
    inside_a_period(Inside::value, L::value.swizzle.period());
/// In bytes.
template <class X> inline constexpr integer alignment_of_tile = 0;
template <class T, class L, class S, integer Alignment, class Inside>
inline constexpr integer alignment_of_tile<shared_tile_ref<T, L, S, Alignment, Inside>> =
    Inside::value.shards.count == 0 ? larger(period_bytes<T, L>, Alignment) : Alignment;
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

template <class P, class T, class L, class S, integer Alignment, class Inside>
__device__ __forceinline__ auto partition_shared(
    shared_tile_ref<T, L, S, Alignment, Inside> const& tile, unsigned thread) {
  auto const bound = thread_tile<P, S>(
      thread, bind_from<L, S, integer{sizeof(T)}, Inside>{tile.address, tile.number});
  return tile_of_thread<T, bound_in_shared_memory<stl::remove_const_t<decltype(bound)>>>{{},
                                                                                         {bound}};
}
}  // namespace detail

template <carries_layout P, tile_in_shared_memory Tile,
          class S = detail::operand_type<Tile>::shape_type,
          class = detail::reported<typename detail::partition_of_tile<P, S>::source>>
__device__ __forceinline__ auto local_partition(Tile const& of, unsigned thread) {
  using namespace detail;
  return partition_shared<typename usable_partition<P, S>::type>(operand(of), thread);
}

#endif

}  // namespace AXE_NAMESPACE
}  // namespace axe
