// Views: a pointer, a layout and a memory space; tiles of them; and what one thread owns of a tile,
// ready to load and store. Kernels written with them name no index.
//
//     template <class M> __global__ void scale(axe::global_view<float, M> in, axe::global_view<float, M> out) {
//       auto const from = in.tile<32, 32>(axe::block_y(), axe::block_x()).mine<by_rows>(threadIdx.x);
//       auto const to = out.tile<32, 32>(axe::block_y(), axe::block_x()).mine<by_rows>(threadIdx.x);
//       axe::for_each_register<from.size>([&](auto r) { if (to.inside(r)) to.store(r, 2 * from.load(r)); });
//     }
//
// tile<…>(i, j): the (i, j)th tile of that shape, here and everywhere. A tile of a global tensor
// may be partial: `inside(r)` says whether register r is an element of the tensor, by one
// comparison. A tile of shared memory is whole; its elements have 1, 2, 4, 8 or 16 bytes. Units:
// elements.
// Definition: docs/index_code.md, "Views".
#pragma once

#include <axe/index/sized.hpp>  // first: where it stops a mistake, compilers print the way by which it was included

#include <axe/algebra/permute.hpp>
#include <axe/cuda/element.hpp>
#include <axe/cuda/memory.hpp>
#include <axe/index/limits.hpp>
#include <axe/index/vectors.hpp>
#include <axe/index/walk.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// A pointer that is a multiple of Bytes bytes: what is declared is checked where it is made, on
/// the host.
template <class T, integer Bytes> class aligned_pointer {
 public:
  aligned_pointer() = default;
  AXE_FN aligned_pointer(T* p) : pointer(p) {
#if !defined(__CUDA_ARCH__)
    integer const off = static_cast<integer>(reinterpret_cast<detail::stl::uintptr_t>(p) % Bytes);
    detail::stop_on(off == 0 ? refusal{} : refusal{rule::pointer_is_no_multiple, {Bytes, off}},
                    "view", {});
#endif
  }
  AXE_FN operator T*() const { return pointer; }

 private:
  T* pointer;
};

namespace detail {
/// Says why a partition is refused, once, and what to go on with, so that compilers say nothing of
/// what is done with the piece.
template <class P, class S> struct refused_partition {
  using stop = typename verdict<partition<P, S>>::stop;
  using instead =
      static_layout<shards<iter{product_below(S::value, 0), 1, axis::tid}>, replicas<>, offsets<>>;
};

/// What a thread owns of a tile, in whatever memory; Piece derives from it. Proof:
/// index/vectors.hpp.
template <class Piece, class T, class Owned, class Proof> struct piece_of_tile {
  using partition_type = typename Owned::partition_type;
  static constexpr int size = Owned::size;
  /// How many elements of the tile one register stands for. Stores are refused where that is more
  /// than 1; loads take the first.
  static constexpr integer shared = partition_type::value.shared;
  using value_type = stl::remove_const_t<T>;
  using proof = Proof;
  Owned owned;

  /// Register R's element, or the one of the same register as another piece's element.
  template <auto R> AXE_FN constexpr auto element(constant<R>) const {
    if constexpr (R >= 0 && R < size)
      return piece_element<Piece, static_cast<int>(R)>{static_cast<Piece const&>(*this)};
    else
      return typename verdict<no_register<R, size>>::stop{};
  }
  template <class Other, int R>
  AXE_FN constexpr auto element(piece_element<Other, R> const&) const {
    check_pieces<typename Other::partition_type, partition_type>();
    return piece_element<Piece, R>{static_cast<Piece const&>(*this)};
  }
  /// Coordinate D of register R, in the tensor (global memory) or in the tile (shared memory).
  template <int D, auto R> AXE_FN constexpr unsigned coordinate(constant<R>) const {
    if constexpr (R >= 0 && R < size)
      return owned.template coordinate<static_cast<int>(R), D>();
    else
      return typename verdict<no_register<R, size>>::stop{};
  }
  /// The most elements, in at most 16 bytes, that this piece is proved to move at once.
  static constexpr int vector_width = widest_of<Proof>;
  /// The piece, W elements at a time, 0 for the widest. Refused where that is not proved, with the
  /// statement that would decide it.
  template <int W = 0> AXE_FN constexpr auto vectors() const {
    constexpr int width = W == 0 ? vector_width : W;
    using stop [[maybe_unused]] =
        typename verdict<typename Proof::template reason<width, false>>::stop;
    return vector_piece<T, Piece, Proof, width>{static_cast<Piece const&>(*this)};
  }
  /// A fragment of the same partition, in the piece's widest vectors, stored where it is inside.
  template <class Fragment> AXE_FN constexpr void store_from(Fragment const& f) const {
    if constexpr (shared == 1)
      store_all(vectors(), f, indices_to<size / vector_width>{});
    else
      return typename verdict<shared_register<shared>>::stop{};
  }
};
}  // namespace detail

/// What a thread owns of a tile of global memory.
template <class T, class Owned, class Proof = void>
struct global_piece : detail::piece_of_tile<global_piece<T, Owned, Proof>, T, Owned, Proof> {
  /// The whole piece into a fragment of the same partition, in its widest vectors; `otherwise` in
  /// place of what is outside.
  template <class Fragment>
  AXE_FN constexpr void load_into(Fragment& f,
                                  typename Fragment::value_type const& otherwise = {}) const {
    detail::load_all(this->vectors(), f, otherwise,
                     detail::indices_to<global_piece::size / global_piece::vector_width>{});
  }
  template <int W, auto R> AXE_FN constexpr auto load_wide(constant<R> r) const {
    return load_vector<W>(pointer(r));
  }
  template <int W, auto R>
  AXE_FN constexpr void store_wide(constant<R> r,
                                   vector_of<detail::stl::remove_const_t<T>, W> const& v) const {
    store_vector(pointer(r), v);
  }

  template <auto R> AXE_FN constexpr T* pointer(constant<R>) const {
    if constexpr (R >= 0 && R < global_piece::size) {
      return this->owned.template at<static_cast<int>(R)>();
    } else {
      using stop [[maybe_unused]] =
          typename detail::verdict<detail::no_register<R, global_piece::size>>::stop;
      detail::halt();
    }
  }
  template <auto R> AXE_FN constexpr bool inside(constant<R>) const {
    if constexpr (R >= 0 && R < global_piece::size)
      return this->owned.template inside<static_cast<int>(R)>();
    else
      return typename detail::verdict<detail::no_register<R, global_piece::size>>::stop{};
  }
  /// False only where no register holds an element of the tensor. Where an edge cuts no vector,
  /// hosts ask for the dimensions that vectors extend along, and nothing else.
  AXE_FN constexpr bool may_be_inside() const { return this->owned.may_be_inside(); }
  /// To be written where the register stands for one element.
  template <auto R> AXE_FN constexpr auto& operator[](constant<R> r) const {
    return static_cast<detail::stl::conditional_t<global_piece::shared == 1, T, T const>&>(
        *pointer(r));
  }
  template <auto R> AXE_FN constexpr T load(constant<R> r) const { return *pointer(r); }
  template <auto R> AXE_FN constexpr void store(constant<R> r, T const& value) const {
    if constexpr (global_piece::shared == 1)
      *pointer(r) = value;
    else
      return typename detail::verdict<detail::shared_register<global_piece::shared>>::stop{};
  }
};

/// A piece of one tile after the other.
template <class T, class Owned, class Proof> struct global_walk : global_piece<T, Owned, Proof> {
  AXE_FORCE_INLINE constexpr void next() { this->owned.next(); }
};

/// A tile of a global tensor: its element (0, …) is the tensor's at `origins`. The pointer is a
/// multiple of Alignment bytes.
template <class T, class Sized, integer Alignment, class S, class... Origins> struct global_tile {
  T* data;
  Sized sizes;
  detail::sums<Origins...> origins;

  /// What `thread` (its number on P's thread axis) owns of it. Inlined: where kernels are compiled
  /// too, hosts decide nothing beforehand (decided_by_vectors) and return another type, which the
  /// linker would take for this one.
  template <class P> AXE_FORCE_INLINE constexpr auto mine(unsigned thread) const {
    constexpr detail::indices_to<static_cast<int>(sizeof...(Origins))> all{};
    if constexpr (partition<P, S>::value.why)
      return piece<typename detail::refused_partition<P, S>::instead>(thread, all);
    else
      return piece<P>(thread, all);
  }
  /// What it owns of this tile, and by next() of those that follow along dimension Along: for
  /// loops.
  template <class P, int Along> AXE_FORCE_INLINE constexpr auto walk(unsigned thread) const {
    constexpr bool along_one = Along >= 0 && Along < static_cast<int>(sizeof...(Origins));
    static_assert(along_one, "a walk goes along a dimension of its tile");
    constexpr detail::indices_to<static_cast<int>(sizeof...(Origins))> all{};
    if constexpr (partition<P, S>::value.why)
      return walking<typename detail::refused_partition<P, S>::instead, 0>(thread, all);
    else
      return walking<P, along_one ? Along : 0>(thread, all);
  }

 private:
  /// Coordinates: of a thread's first register, as sums.
  template <class P, class... Coordinates>
  using proof_of =
      detail::vector_proof<partition<P, S>, detail::tensor_question<partition<P, S>, Alignment, T,
                                                                    Sized, Coordinates...>>;

  template <class P, int... D>
  AXE_FORCE_INLINE constexpr auto piece(unsigned thread, detail::indices<D...>) const {
    using owning = partition<P, S>;
    using proof = proof_of<P, decltype(detail::sum_number<D>(origins) +
                                       owning::template coordinate_of<D>(thread))...>;
    auto const owned = own_inside<P, S, detail::decided_by_vectors<proof>()>(
        thread, data, sizes, detail::sum_number<D>(origins)...);
    return global_piece<T, detail::stl::remove_const_t<decltype(owned)>, proof>{{owned}};
  }
  template <class P, int Along, int... D>
  AXE_FORCE_INLINE constexpr auto walking(unsigned thread, detail::indices<D...>) const {
    using owning = partition<P, S>;
    constexpr integer step = S::value.nodes.value(Along + 1);
    using proof = proof_of<P, decltype(detail::walked_origin<(D == Along), step, Origins>{} +
                                       owning::template coordinate_of<D>(thread))...>;
    auto const owned = own_walk<P, S, Along, detail::decided_by_vectors<proof>()>(
        thread, data, sizes, detail::sum_number<D>(origins)...);
    return global_walk<T, detail::stl::remove_const_t<decltype(owned)>, proof>{{{owned}}};
  }
};

/// A tensor in global memory whose sizes may be known at run time (index/sized.hpp). Alignment:
/// what is declared of the pointer, a power of two in bytes; 0: nothing but what every T needs.
template <class T, class Sized, integer Alignment = 0> struct global_view {
  static_assert(Alignment == 0 || detail::is_power_of_two(Alignment),
                "an alignment is a power of two");
  static constexpr integer alignment = Alignment > static_cast<integer>(alignof(T)) ? Alignment
                                                                                    : alignof(T);
  using pointer = T*;
  detail::stl::conditional_t<Alignment == 0, T*, aligned_pointer<T, alignment>> data;
  Sized sizes;

  /// The tile of shape Extents… with these numbers.
  template <integer... Extents, class... Numbers>
  AXE_FN constexpr auto tile(Numbers const&... numbers) const {
    using count = detail::broken<rule::tile_has_other_dimensions, sizeof...(Extents),
                                 sizeof...(Numbers), Sized::rank>;
    if constexpr (sizeof...(Extents) != Sized::rank) {
      return typename detail::verdict<count>::stop{};
    } else if constexpr (sizeof...(Numbers) != Sized::rank) {
      using stop [[maybe_unused]] = typename detail::verdict<count>::stop;
      return make<extents<Extents...>>(as_sum(((void)Extents, 0u))...);
    } else {
      return make<extents<Extents...>>((constant<Extents>{} * as_sum(numbers))...);
    }
  }
  /// The element at these coordinates.
  template <class... Coordinates>
  AXE_FN constexpr T& operator()(Coordinates const&... coordinates) const {
    if constexpr (sizeof...(Coordinates) != Sized::rank)
      return typename detail::verdict<detail::broken<rule::coordinate_has_other_dimensions,
                                                     sizeof...(Coordinates), Sized::rank>>::stop{};
    else
      return *fix_pointer(static_cast<T*>(data), sizes, coordinates...).template at<>();
  }

 private:
  template <class S, class... Sums> AXE_FN constexpr auto make(Sums const&... origins) const {
    return numbered<S>(detail::indices_to<Sized::slots>{}, origins...);
  }
  /// The sizes are copied number by number: of a copy of the whole g++ would load them out of
  /// memory.
  template <class S, int... Slot, class... Sums>
  AXE_FN constexpr auto numbered(detail::indices<Slot...>, Sums const&... origins) const {
    using tile = global_tile<T, Sized, alignment, S, Sums...>;
    if constexpr (Sized::slots == 0 || Sized::splits > 0)
      return tile{data, sizes, detail::keep(origins...)};
    else
      return tile{data, Sized(detail::stated{}, sizes.template number<Slot>()...),
                  detail::keep(origins...)};
  }
};

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)

/// What a thread owns of a tile of shared memory.
template <class T, class Owned, class Proof = void>
struct shared_piece : detail::piece_of_tile<shared_piece<T, Owned, Proof>, T, Owned, Proof> {
  /// The whole piece into a fragment of the same partition, in its widest vectors.
  template <class Fragment> __device__ __forceinline__ void load_into(Fragment& f) const {
    detail::load_all(this->vectors(), f, T{},
                     detail::indices_to<shared_piece::size / shared_piece::vector_width>{});
  }
  template <int W, auto R> __device__ __forceinline__ auto load_wide(constant<R> r) const {
    return load_shared<vector_of<T, W>>(address(r));
  }
  template <int W, auto R>
  __device__ __forceinline__ void store_wide(constant<R> r, vector_of<T, W> const& v) const {
    store_shared(address(r), v);
  }
  /// Shared tiles are whole.
  template <auto R> AXE_FN constexpr bool inside(constant<R>) const { return true; }
  AXE_FN constexpr bool may_be_inside() const { return true; }

  /// Where register R lies: a register and an immediate.
  template <auto R> __device__ __forceinline__ auto address(constant<R>) const {
    if constexpr (R >= 0 && R < shared_piece::size)
      return this->owned.template at<static_cast<int>(R)>();
    else
      return typename detail::verdict<detail::no_register<R, shared_piece::size>>::stop{};
  }
  template <auto R> __device__ __forceinline__ T load(constant<R> r) const {
    return load_shared<T>(address(r));
  }
  template <auto R> __device__ __forceinline__ void store(constant<R> r, T const& value) const {
    if constexpr (shared_piece::shared == 1)
      store_shared<T>(address(r), value);
    else
      return typename detail::verdict<detail::shared_register<shared_piece::shared>>::stop{};
  }
};

namespace detail {
/// Fixes coordinates in a tile of shared memory. No lambda: NVRTC would take it for a function of
/// the host.
template <class L, class S, integer Bytes> struct fix_from {
  unsigned address;
  template <class... Coordinates>
  __device__ __forceinline__ auto operator()(Coordinates const&... coordinates) const {
    return fix<L, S, Bytes>(coordinates...).from(address);
  }
};
}  // namespace detail

/// A tile of shared memory: layout L (elements) on shape S, from a shared address that is a
/// multiple of the swizzle's period and of Alignment bytes.
template <class T, class L, class S, integer Alignment = 128> struct shared_tile {
  unsigned address;

  template <class P> __device__ __forceinline__ auto mine(unsigned thread) const {
    if constexpr (partition<P, S>::value.why)
      return piece<typename detail::refused_partition<P, S>::instead>(
          thread, detail::indices_to<S::value.rank()>{});
    else
      return piece<P>(thread, detail::indices_to<partition<P, S>::rank>{});
  }
  /// The same elements with dimension Order[k] as dimension k; nothing moves. Refused: what permute
  /// refuses.
  template <int... Order> __device__ __forceinline__ auto permuted() const {
    using turned = decltype(permute(L{}, S{}, static_coordinate<Order...>{}));
    return shared_tile<T, turned, extents<S::value.nodes.value(Order + 1)...>, Alignment>{address};
  }
  /// Rows and columns exchanged.
  __device__ __forceinline__ auto transposed() const {
    static_assert(S::value.rank() == 2, "rows and columns are two dimensions");
    return permuted<1, 0>();
  }

 private:
  template <class P, int... D>
  __device__ __forceinline__ auto piece(unsigned thread, detail::indices<D...>) const {
    using owning = partition<P, S>;
    using question =
        detail::layout_question<owning, L, S, integer{sizeof(T)}, Alignment,
                                decltype(owning::template coordinate_of<D>(thread))...>;
    auto const owned = own<P, S>(thread, detail::fix_from<L, S, integer{sizeof(T)}>{address});
    return shared_piece<T, detail::stl::remove_const_t<decltype(owned)>,
                        detail::vector_proof<owning, question>>{{owned}};
  }
};

namespace detail {
/// Where a layout of memory begins and ends; no member of a buffer, see cuda/copy/operand.hpp.
template <class L> inline constexpr interval reached_by = *bounds_of(L::value);
}  // namespace detail

/// Shared memory for a tile: `__shared__ axe::shared_buffer<float, L, extents<32, 32>> staged;`,
/// aligned so that a swizzle acts as its layout says.
template <class T, class L, class S> struct shared_buffer {
  static constexpr integer elements = detail::reached_by<L>.largest + 1;
  static constexpr integer period =
      L::value.swizzle.none() ? 1 : L::value.swizzle.period() * static_cast<integer>(sizeof(T));
  static_assert(detail::reached_by<L>.least >= 0,
                "a buffer starts at 0, and the layout reaches below");
  alignas(period > 128 ? period
                       : 128) unsigned char bytes[elements * static_cast<integer>(sizeof(T))];

  __device__ __forceinline__ shared_tile<T, L, S> tile() const { return {shared_address(bytes)}; }
};

#endif

}  // namespace AXE_NAMESPACE
}  // namespace axe
