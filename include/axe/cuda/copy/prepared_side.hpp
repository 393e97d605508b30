// SPDX-License-Identifier: MIT
// The sides of a prepared copy: the address parts that all calls share. Definition:
// docs/index_code.md, "Prepared copies".
#pragma once

#include <axe/cuda/copy/copy.hpp>
#include <axe/cuda/shared_stages.hpp>

#ifdef __CUDACC__

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

template <int Along, class Tile> struct advancing_tile {
  static constexpr integer extent = Tile::shape_type::value.extent(Along);
  Tile first;

  __device__ __forceinline__ auto at(unsigned step) const {
    return advanced(step, indices_to<Tile::rank>{});
  }

 private:
  template <int D>
  __device__ __forceinline__ static auto advanced_origin(auto const& origin, unsigned step) {
    if constexpr (D == Along)
      return origin + index_part<unnamed, 0, extent>{step};
    else
      return origin;
  }
  template <int... D> __device__ __forceinline__ auto advanced(unsigned step, indices<D...>) const {
    return typename Tile::template with_origins<decltype(advanced_origin<D>(
        sum_number<D>(first.origins), step))...>{
        first.data, first.sizes,
        make_sums(advanced_origin<D>(sum_number<D>(first.origins), step)...)};
  }
};

/// The copy is planned for an operand of `type`.
template <int Along, class Fragment> struct prepared_operand {
  using type = Fragment;
  static constexpr unsigned stage_bytes = 0, stages = 0;
};
/// prepare_copy wraps a single tile of shared memory as shared_stages<Tile, 0, 0>.
template <int Along, class Tile, unsigned Bytes, unsigned Count>
struct prepared_operand<Along, shared_stages<Tile, Bytes, Count>> {
  using type = Tile;
  static constexpr unsigned stage_bytes = Bytes, stages = Count;
};
template <int Along, tile_of_tensor Tile>
  requires(Along >= 0)
struct prepared_operand<Along, Tile> : prepared_operand<Along, void> {
  using type = decltype(static_cast<advancing_tile<Along, Tile> const*>(nullptr)->at(0));
};

/// at(step, distance) is the side of one call, `distance` bytes after stage 0. The guard tests the
/// bounds of tile(step).
template <class Case, bool From, int Along, class X> struct prepared_side {
  X& fragment;
  unsigned thread;

  __device__ __forceinline__ prepared_side(X& f, unsigned t) : fragment(f), thread(t) {}
  __device__ __forceinline__ auto at(unsigned, unsigned) const {
    return register_side<Case, X>(fragment, thread);
  }
  __device__ __forceinline__ X& tile(unsigned) const { return fragment; }
};
template <class Case, bool From, int Along, class Tile, unsigned Bytes, unsigned Count>
struct prepared_side<Case, From, Along, shared_stages<Tile, Bytes, Count>> {
  /// The Stage of shared_side. With Bytes, sm_100a would need more instructions.
  static constexpr unsigned stage = from_sm_100 ? 0 : Bytes;
  using side = shared_side<Case, From, typename Tile::inside, stage>;
  Tile first;
  side::bound_type where;

  __device__ __forceinline__ prepared_side(auto const& all, unsigned thread)
      : first(all.first),
        where(bind_shared<Case, From, typename Tile::inside, stage>(first.number, first.address, 0,
                                                                    thread)) {
    keep_whole(where.bound.sum);  // otherwise nvcc adds the tile's start in the loop
  }
  __device__ __forceinline__ auto at(unsigned, unsigned distance) const {
    return side(typename side::bound_type{where.bound, distance});
  }
  __device__ __forceinline__ Tile const& tile(unsigned) const { return first; }
};
/// The pointers of accesses that are `distance` bytes apart. All accesses must execute, in order.
template <class Side> struct stepping_side {
  using pointer_type = decltype(static_cast<Side const*>(nullptr)->pointer(constant<0>{}));
  pointer_type first;
  stl::uint64_t distance;  // bytes
  mutable pointer_type last = nullptr;

  template <int Issue> __device__ __forceinline__ pointer_type pointer(constant<Issue>) const {
    if constexpr (Issue == 0) {
      last = first;
    } else {
      last = reinterpret_cast<pointer_type>(reinterpret_cast<decltype(Side::where)::byte*>(last) +
                                            distance);
      keep_whole(last);  // otherwise nvcc multiplies the distance in 64 bits
    }
    return last;
  }
};
/// With Equal, true if all accesses have the same dynamic distance. Without it, true if distances
/// differ.
template <class Case, class Side, bool Equal> AXE_FN consteval bool has_distances() {
  if constexpr (by_steps_alone<Side> && Case::plan.issues > 2) {
    auto const one = Side::step(1).distance_from(Side::step(0));
    for (integer issue = 2; issue < Case::plan.issues; ++issue) {
      auto const next = Side::step(issue).distance_from(Side::step(issue - 1));
      if (next.immediate != one.immediate || !next.same_strides(one)) return !Equal;
    }
    return Equal && !one.same_strides({});
  } else {
    return false;
  }
}
template <class Case> AXE_FN constexpr bool executes_all() {
  using tests = guard_tests<Case, Case::plan.outside != copy_outside::zero, true>;
  return Case::plan.asynchronous() && Case::plan.threads == Case::plan.scope && tests::count == 0;
}

template <class Case, bool From, int Along, tile_of_tensor Tile>
struct prepared_side<Case, From, Along, Tile> {
  using advancing = advancing_tile<Along, Tile>;
  using pointers = tile_pointers<Case, typename prepared_operand<Along, Tile>::type,
                                 /*Indexed=*/-1, /*Prepared=*/true>;
  using side = global_accesses<Case, pointers>;
  static constexpr bool has_splits = Tile::sizes_type::splits > 0;
  static constexpr bool has_narrow_strides =
      requires { requires decltype(side::where)::narrow_strides; };
  /// Stepping would need more instructions for 32-bit strides on sm_100a, and for 64-bit strides on
  /// older targets.
  static constexpr bool stepping =
      From && executes_all<Case>() && has_distances<Case, side, true>() &&
      has_narrow_strides == (compiled_architecture() != architecture::sm_100a);
  advancing tiles;
  side first;
  stl::uint64_t distance = 0;

  __device__ __forceinline__ prepared_side(Tile const& tile, unsigned thread)
      : tiles{tile}, first(tiles.at(0), thread) {
    if constexpr (!has_splits && Case::plan.asynchronous())  // cp_async() takes a generic pointer
      keep_whole(first.where.here);
    else if constexpr (!has_splits)
      keep_global(first.where.here);
    if constexpr (stepping) {
      distance = reinterpret_cast<stl::uint64_t>(first.where.moved_by(side::step(1))) -
                 reinterpret_cast<stl::uint64_t>(first.where.moved_by(side::step(0)));
      keep_whole(distance);
    }
  }
  __device__ __forceinline__ auto at(unsigned step, unsigned) const {
    // Coordinates fit in 32 bits. Without this, nvcc would multiply 64 bits in unrolled loops.
    __builtin_assume(step <= 0xffff'ffff / static_cast<unsigned>(advancing::extent));
    side moved = first;
    constexpr leaf stride = Tile::sizes_type::template stride<Along>();
    if constexpr (advancing::extent == 1 && !stride.known() && stride.factor() == 1 &&
                  has_narrow_strides) {
      // A row's bytes fit in 32 bits.
      auto const distance = wide_product(moved.where.strides.template bytes<stride.slot>(), step);
      moved.where.here += distance;
      moved.where.start += distance;
    } else {
      moved.where.template advance<Along, advancing::extent>(step);
    }
    if constexpr (stepping) {
      auto* begin = moved.where.moved_by(side::step(0));
      keep_whole(begin);
      return stepping_side<side>{begin, distance};
    } else {
      // Otherwise nvcc adds step and strides for each access.
      if constexpr (has_distances<Case, side, false>() && !Case::plan.asynchronous())
        keep_global(moved.where.here);
      return moved;
    }
  }
  __device__ __forceinline__ auto tile(unsigned step) const { return tiles.at(step); }
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
