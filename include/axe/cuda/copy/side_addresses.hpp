// SPDX-License-Identifier: MIT
// A thread's addresses on one side of a copy, bound once. Accesses add constants.
//
// Definition: docs/index_code.md, "Bind once, then add constants".
#pragma once

#include <axe/cuda/copy/hinted.hpp>
#include <axe/cuda/copy/shared_side.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

#ifdef __CUDACC__

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000
inline constexpr bool from_sm_100 = true;
#else
inline constexpr bool from_sm_100 = false;
#endif

/// The argument of load and store for an issue.
template <class Side, int Issue> inline constexpr constant<Issue> access_at{};

/// Hides from nvcc that p is a sum.
__device__ __forceinline__ void keep_whole(auto& p) { asm("" : "+l"(p)); }
__device__ __forceinline__ void keep_whole(unsigned& p) { asm("" : "+r"(p)); }
/// Like keep_whole, but nvcc knows that p is global.
template <class T> __device__ __forceinline__ void keep_global(T*& p) {
  auto address = __cvta_generic_to_global(p);
  keep_whole(address);
  p = static_cast<T*>(__cvta_global_to_generic(address));
}

/// The base class has pointer(access).
template <class Case, class Pointers> struct global_accesses : Pointers {
  using Pointers::Pointers;
  static constexpr cache_hint hint = Case::plan.cache;
  static constexpr cache_hint stored_hint =
      hint == cache_hint::read_only ? cache_hint::no_allocate : hint;

  template <int First, int... Rest>
  __device__ __forceinline__ auto load(auto a, indices<First, Rest...>) const {
    auto* const from = this->pointer(a) + First;
    constexpr int values = 1 + sizeof...(Rest);
    if constexpr (hint == cache_hint::none)
      return load_vector<values>(from);
    else
      return hinted<hint>().template load<values>(from);
  }
  template <int First, int... Rest>
  __device__ __forceinline__ void store(auto a, auto const& v, indices<First, Rest...>) const {
    auto* const to = this->pointer(a) + First;
    if constexpr (hint == cache_hint::none)
      store_vector(to, v);
    else
      hinted<stored_hint>().store(to, v);
  }
};

/// True if every access after the first adds multiples of dynamic strides, and at least one has its
/// own bounds test.
template <class Side>
inline constexpr bool has_tested_products = requires { requires Side::find_tested_products(); };
/// Hides a masked coordinate: nvcc would shift before the mask. Equal calls merge.
template <class Sum> __device__ __forceinline__ auto hide_mask(Sum const& in_tile) {
  constexpr integer step = step_size<Sum>, end = largest_of_sum<Sum> / step + 1;
  unsigned const steps = __double2loint(__hiloint2double(0, steps_of(in_tile)));
  __builtin_assume(steps < end);
  return coordinate_sum<0, index_part<unnamed, end, step>>{{steps}, {}};
}
/// The address leaves out the coordinate of dimension Indexed, which gather.hpp adds.
template <class Case, class Tile, int Indexed = -1, bool Prepared = false> struct tile_pointers {
  using T = Tile::value_type;
  static constexpr int rank = Tile::rank;

  template <int D>
  using origin =
      stl::conditional_t<D == Indexed, coordinate_sum<0>,
                         decltype(sum_number<D>(static_cast<Tile const*>(nullptr)->origins))>;
  /// With block<2>(), one bfi masks and adds.
  template <int D, bool Tested, class InTile = decltype(tile_coordinate<Case, D>(0u))>
  static constexpr bool hides_mask = D != Indexed && !Prepared && !Tested && InTile::is_masked &&
                                     InTile::parts <= 4 && !origin<D>::is_block &&
                                     (Case::plan.from_space == memory_space::registers ||
                                      Case::plan.to_space == memory_space::registers);
  /// If Planned, moved_to() adds signed origins.
  template <int D, bool Hides = false, bool Planned = true>
  __device__ __forceinline__ static auto sum(Tile const& tile, unsigned thread) {
    if constexpr (D == Indexed || (Planned && may_be_negative<origin<D>>))
      return coordinate_sum<0>{};
    else if constexpr (Hides)
      return sum_number<D>(tile.origins) + hide_mask(tile_coordinate<Case, D>(thread));
    else
      return sum_number<D>(tile.origins) + tile_coordinate<Case, D>(thread);
  }
  template <int... D>
  __device__ __forceinline__ static auto bound(Tile const& tile, unsigned thread,
                                               indices<D...> all) {
    T* data = tile.data;
    ((data = moved_to<D, origin<D>>(data, tile.sizes,
                                    number_by_steps(sum<D, false, false>(tile, thread)))),
     ...);
    constexpr bool whole = ((D == Indexed || copy_operand<Tile>::facts.edges.at[D] == 0) && ...);
    // bind_steps hides tested coordinates from nvcc. cp.async with zero_fill has no branch.
    constexpr bool tested = !whole && !Case::plan.asynchronous();
    // It hides coordinates with dynamic strides.
    constexpr bool apart = !from_sm_100 && tested &&
                           dynamic_strides<T, typename Tile::sizes_type>::wide_strides == 0 &&
                           Case::plan.outside != copy_outside::zero &&
                           Case::plan.from_space != Case::plan.to_space &&
                           (Case::plan.issues == 1 || Case::plan.to_space == memory_space::global);
    // It hides masked coordinates, as hide_mask does.
    constexpr bool masked = Prepared && !tested && Case::plan.from_space != Case::plan.to_space &&
                            !(from_sm_100 && Case::plan.asynchronous());
    // For a signed origin, moved_to() needs strides in elements.
    auto const& sizes = counted_sizes<!(may_be_negative<origin<D>> || ...)>(tile.sizes);
    if constexpr (joins_dimensions<T, typename Tile::sizes_type, decltype(sum<D>(tile, thread))...>(
                      indices<D...>{}))
      return bind_pointer(data, sizes, sum<D>(tile, thread)...);
    else
      return bind_steps<tested, apart, masked>(data, sizes, all,
                                               sum<D, hides_mask<D, tested>>(tile, thread)...);
  }
  using bound_type = decltype(bound(*static_cast<Tile const*>(nullptr), 0u, indices_to<rank>{}));
  bound_type where;

  __device__ __forceinline__ tile_pointers(Tile const& tile, unsigned thread)
      : where(bound(tile, thread, indices_to<rank>{})) {
    // nvcc would move products and sums into the predicate's branch, and multiply there in 64 bits.
    constexpr bool loads = Case::plan.to_space == memory_space::registers;
    if constexpr (Case::plan.issues == 1 && requires {
                    requires bound_type::narrow_strides || (loads && bound_type::wide_strides == 0);
                  })
      keep_global(where.here);
    // Otherwise nvcc would add twice for each access.
    if constexpr (!from_sm_100 && Case::plan.issues > 1 &&
                  requires { requires bound_type::wide_bytes; })
      keep_global(where.here);
  }

  template <int Slots> __device__ __forceinline__ T* pointer(pointer_step<Slots> s) const {
    constexpr bool tested = !from_sm_100 && has_tested_products<tile_pointers>;
    return where.template moved_by<true, tested>(s);
  }
  template <int Issue> __device__ __forceinline__ T* pointer(constant<Issue>) const {
    return [&]<int... D>(indices<D...>) {
      return where.template at<step_along(D, Issue)...>();
    }(indices_to<rank>{});
  }
  AXE_FN static consteval auto step(integer issue) {
    constant_list<rank> constants{};
    for (int d = 0; d < rank; ++d) constants.at[d] = step_along(d, issue);
    return bound_type::step_of(constants);
  }
  /// True if each issue adds one pointer_step to the bound pointer.
  AXE_FN static consteval bool steps_alone() {
    if constexpr (requires { typename bound_type::step; }) {
      for (integer issue = 0; issue < Case::plan.issues; ++issue)
        if (step(issue).again) return false;
      return true;
    } else {
      return false;
    }
  }
  AXE_FN static consteval bool find_tested_products() {
    if constexpr (Case::plan.asynchronous() || Tile::sizes_type::splits > 0) {
      return false;
    } else {
      auto const edges = edges_of(Case::source::facts, Case::target::facts);
      bool tests = false;
      for (integer issue = 1; issue < Case::plan.issues; ++issue) {
        if (step(issue).same_strides(step(0))) return false;
        for (int d = 0; d < edges.count; ++d)
          tests = tests || (edges[d] != 0 && step_along(d, issue) != 0);
      }
      return tests;
    }
  }

 private:
  AXE_FN static consteval integer step_along(int d, integer issue) {
    return d == Indexed ? 0 : dimension_step(Case::plan, d, issue);
  }
};
template <class Side> inline constexpr bool by_steps_alone = Side::steps_alone();
template <class Case, class Pointers, int Issue>
  requires(by_steps_alone<Pointers>)
inline constexpr auto access_at<global_accesses<Case, Pointers>, Issue> = Pointers::step(Issue);
template <class Case, class Tile>
using global_side = global_accesses<Case, tile_pointers<Case, Tile>>;

template <int Values> struct access_registers {
  int at[Values]{};
  AXE_FN consteval access_registers(copy_steps const& plan, integer issue) {
    for (int v = 0; v < Values; ++v) at[v] = static_cast<int>(plan.register_of(issue, v));
  }
};
AXE_FN constexpr bool has_adjacent_values(copy_steps const& plan) {
  for (int v = 1; v < plan.values; ++v)
    if (plan.register_of(0, v) != plan.register_of(0, 0) + v) return false;
  return true;
}
template <class Case, class Fragment> struct register_side {
  using element = Case::element;
  Fragment& registers;

  __device__ __forceinline__ register_side(Fragment& f, unsigned) : registers(f) {}

  template <int First, int... Rest>
  __device__ __forceinline__ auto load(auto a, indices<First, Rest...>) const {
    vector_of<element, 1 + sizeof...(Rest)> v{};
    // Otherwise nvcc would pack narrow elements one by one.
    if constexpr (sizeof(element) < 4 && (sizeof...(Rest) == 0 || has_adjacent_values(Case::plan)))
      copy_whole(v, registers.registers + a.at[First]);
    else
      v = {{registers.registers[a.at[First]], registers.registers[a.at[Rest]]...}};
    return v;
  }
  template <int First, int... Rest>
  __device__ __forceinline__ void store(auto a, auto const& v, indices<First, Rest...>) const {
    registers.registers[a.at[First]] = v.elements[0];
    ((registers.registers[a.at[Rest]] = v.elements[Rest - First]), ...);
  }

 private:
  /// For sm_100a nvcc 13.0 would join four 2-byte elements by 64-bit shifts.
  template <int Values>
  __device__ __forceinline__ static void copy_whole(vector_of<element, Values>& v,
                                                    element const* from) {
    if constexpr (from_sm_100 && sizeof(v) == 8) {
      memcpy(&v, from, 4);
      memcpy(&v.elements.words[1], from + Values / 2, 4);
    } else {
      memcpy(&v, from, sizeof(v));
    }
  }
};
template <class Case, class Fragment, int Issue>
inline constexpr auto access_at<register_side<Case, Fragment>, Issue> =
    access_registers<Case::plan.values>(Case::plan, Issue);

template <class Case, bool From, class Tile> struct side_of {
  using type = register_side<Case, Tile>;
};
template <class Case, bool From, class T, class L, class S, integer A, class Inside>
struct side_of<Case, From, shared_tile_ref<T, L, S, A, Inside>> {
  using type = shared_side<Case, From, Inside>;
};
template <class Case, bool From, tile_of_tensor Tile> struct side_of<Case, From, Tile> {
  using type = global_side<Case, Tile>;
};
template <class Case, bool From, class Tile>
  requires(copy_operand<Tile>::space != memory_space::registers)
struct side_of<Case, From, Tile const> : side_of<Case, From, Tile> {};

#endif

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
