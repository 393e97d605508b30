// SPDX-License-Identifier: MIT
// for_each visits the elements of a fragment, with their coordinates.
//
//     for_each(scores, warp, [](float& s, auto i, auto j) { if (j > i) s = 0; });
#pragma once

#include <axe/cuda/scope.hpp>
#include <axe/index/bound_thread_tile.hpp>
#include <axe/index/comparison.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

#ifdef __CUDACC__
namespace detail {
template <int R, class Fragment, int... D>
__device__ __forceinline__ auto visit_register(Fragment& fragment, unsigned thread,
                                               auto const& visit, indices<D...>)
    -> decltype(visit(fragment.registers[R],
                      add_constant<Fragment::partition_type::template step<R, D>>(
                          Fragment::partition_type::template coordinate_of<D>(thread))...)) {
  visit(fragment.registers[R], add_constant<Fragment::partition_type::template step<R, D>>(
                                   Fragment::partition_type::template coordinate_of<D>(thread))...);
}
/// With for_each_register, the fragment of example 24 would lie in local memory.
template <class Fragment, int... R>
__device__ __forceinline__ void visit_registers(Fragment& fragment, unsigned thread,
                                                auto const& visit, indices<R...>) {
  (visit_register<R>(fragment, thread, visit, indices_to<Fragment::partition_type::rank>{}), ...);
}
template <class Fragment, class Visit, int... R>
AXE_FN constexpr bool can_visit_each(indices<R...>) {
  return requires(Fragment& fragment, Visit const& visit) {
    requires(stl::is_same_v<void, decltype(visit_register<R>(
                                      fragment, 0u, visit,
                                      indices_to<Fragment::partition_type::rank>{}))> &&
             ...);
  };
}
template <class Fragment, class Visit> AXE_FN constexpr bool can_visit() {
  if constexpr (requires(Fragment& fragment) { fragment.registers; })
    return can_visit_each<Fragment, Visit>(indices_to<Fragment::size>{});
  return false;
}
template <class Fragment, class Visit> struct visit_check {
  static constexpr bool passed = can_visit<Fragment, Visit>();
  static_assert(
      passed,
      "for_each takes a fragment, and passes the element and its coordinates to a function "
      "that returns nothing and is not mutable: [](float& x, auto i, auto j) { x = 0; }");
};
template <class Fragment, class Scope> struct fragment_scope_check {
  using threads = threads_check<Scope, Fragment::partition_type::value>;
  static constexpr bool passed = has_threads<Scope>(Fragment::partition_type::value);
  static_assert(passed || threads::why(),
                "the scope does not have all threads of the layout, or the layout is on lanes and "
                "the scope is not axe::warp");
};
}  // namespace detail

/// Calls visit(value, coordinates...). With `auto` coordinates, j > i needs one subtraction for all
/// registers. Without a scope, `scope` is the function, which scope_check rejects.
template <class Fragment, class Scope, class Visit = detail::no_scope>
__device__ __forceinline__ void for_each(Fragment& fragment, Scope scope, Visit const& visit = {}) {
  using namespace detail;
  if constexpr (scope_check<Scope>::passed)
    if constexpr (visit_check<Fragment, Visit>::passed)
      if constexpr (fragment_scope_check<Fragment, Scope>::passed &&
                    verdict<typename fragment_scope_check<Fragment, Scope>::threads>::passes()) {
        constexpr integer first = Fragment::partition_type::value.first_thread;
        unsigned const thread = number_on_axis<first>(scope);
        if (owns_elements<typename Fragment::partition_type, Scope>(thread))
          visit_registers(fragment, thread, visit, indices_to<Fragment::size>{});
      }
}
#endif

}  // namespace AXE_NAMESPACE
}  // namespace axe
