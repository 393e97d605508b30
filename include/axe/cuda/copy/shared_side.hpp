// SPDX-License-Identifier: MIT
// shared_side: a thread's addresses in a shared tile of a copy, bound once.
#pragma once

#include <axe/cuda/copy/access_coordinates.hpp>

#ifdef __CUDACC__

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// A thread's addresses in a shared tile: `distance` bytes after `bound`. `distance` is a multiple
/// of Stage, unless Stage is 0.
template <class Case, class Bound, class Modes, unsigned Stage> struct shared_addresses;
template <class Case, class Bound, int... Each, unsigned Stage>
struct shared_addresses<Case, Bound, indices<Each...>, Stage> {
  Bound bound;
  unsigned distance;

  AXE_FN static consteval integer step(int mode, integer issue) {
    return mode == element_number ? dimension_step(Case::plan, mode, issue)
                                  : Case::plan.issue_step(mode, issue);
  }
  template <int Issue, integer More = 0> AXE_FN constexpr auto at() const {
    constexpr constant_part c = Bound::constants_of({{step(Each, Issue)...}});
    if constexpr (c.again) {
      auto const anew = bound.template at<step(Each, Issue)...>();
      return displaced<unsigned, decltype(anew)::immediate + More>{anew.base}.from(distance);
    } else if constexpr (constexpr unsigned bits = static_cast<unsigned>(c.xored);
                         Stage % (1u << ceil_log2(integer{bits} + 1)) == 0 && Stage != 0) {
      // All accesses share the sum. The XOR may follow, because `distance` is 0 in `bits`.
      return displaced<unsigned, c.immediate + More>{(bound.sum + distance) ^ bits};
    } else {
      // Without from(), nvcc would repeat the addition in each branch.
      return displaced<unsigned, c.immediate + More>{bound.sum ^ static_cast<unsigned>(c.xored)}
          .from(distance);
    }
  }
};

/// Adds `address` before the swizzle's XOR. Accesses add `distance`.
template <class Case, bool From, class Inside, unsigned Stage = 0>
__device__ __forceinline__ auto bind_shared(unsigned number, unsigned address, unsigned distance,
                                            unsigned thread) {
  using L =
      carrier_of<stl::conditional_t<From, typename Case::from_source, typename Case::to_source>>;
  constexpr bool by_element = From ? Case::plan.from_by_element : Case::plan.to_by_element;
  constexpr integer bytes = Case::plan.bits / 8;
  using modes = Case::modes;
  auto const bound =
      [&]<int... Each>(indices<Each...>) {
        if constexpr (by_element)
          return bind_inside<L, extents<product_of_extents(L::value.shards)>, bytes, Inside>(
              number, tile_coordinate<Case, element_number>(thread));
        else
          return bind_inside<L, typename types_of<Case>::mode_extents, bytes, Inside>(
              number, mode_coordinate<Case, Each>(thread)...);
      }(modes{})
          .from(address);
  return shared_addresses<Case, stl::remove_const_t<decltype(bound)>,
                          stl::conditional_t<by_element, indices<element_number>, modes>, Stage>{
      bound, distance};
}

/// Loads and stores values First, Rest... of an access.
template <class Case, bool From, class Inside, unsigned Stage = 0> struct shared_side {
  using element = Case::element;
  using bound_type = decltype(bind_shared<Case, From, Inside, Stage>(0u, 0u, 0u, 0u));
  static constexpr integer bytes = sizeof(element);
  bound_type where;

  __device__ __forceinline__ explicit shared_side(bound_type const& at) : where(at) {}
  __device__ __forceinline__ shared_side(auto const& tile, unsigned thread)
      : where(bind_shared<Case, From, Inside, Stage>(tile.number, tile.address - tile.step,
                                                     tile.step, thread)) {}

  template <int Issue, int First, int... Rest>
  __device__ __forceinline__ auto load(constant<Issue>, indices<First, Rest...>) const {
    return load_shared<vector_of<element, 1 + sizeof...(Rest)>>(
        where.template at<Issue, First * bytes>());
  }
  template <int Issue, int First, int... Rest>
  __device__ __forceinline__ void store(constant<Issue>, auto const& v,
                                        indices<First, Rest...>) const {
    store_shared(where.template at<Issue, First * bytes>(), v);
  }
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
