// SPDX-License-Identifier: MIT
// local_partition: the thread tile of a thread in a tensor's tile.
//
//     auto const from = local_partition<by_rows>(tile<32, 32>(in, row, 0), thread);
//
// Definition: docs/index_code.md, "Tensors and tiles".
#pragma once

#include <axe/index/row_major.hpp>  // first: keeps error messages short

#include <axe/cuda/tensor_tile.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {
/// Bit d is set if dimension d needs no bounds test.
template <class S, class Sizes, class... Origins, int... D>
AXE_FN constexpr unsigned whole_dimensions(indices<D...>) {
  return (
      0u | ... |
      (unsigned{is_exact<S> || ends_in_bounds<typename Sizes::template dimension_type<D>, Origins>(
                                   S::value.extent(D))}
       << D));
}

template <class P, class T, class Sizes, integer A, class S, class... Origins, int... D>
AXE_FORCE_INLINE constexpr auto partition_tensor(
    tensor_tile<T, Sizes, A, S, Origins...> const& tile, unsigned thread, indices<D...> all) {
  using shape_type = plain_shape<S>;
  constexpr unsigned whole = whole_dimensions<S, Sizes, Origins...>(all);
  auto const bound = thread_tile_in_bounds<P, shape_type, whole>(thread, tile.data, tile.sizes,
                                                                 sum_number<D>(tile.origins)...);
  return tile_of_thread<T, stl::remove_const_t<decltype(bound)>>{{}, bound};
}
template <class> inline constexpr bool may_begin_below_0 = false;
template <class T, class Sizes, integer A, class S, class... Origins>
inline constexpr bool may_begin_below_0<tensor_tile<T, Sizes, A, S, Origins...>> =
    !is_exact<S> && (may_be_negative<Origins> || ...);
template <bool MayBeginBelow0> struct origin_check {
  static_assert(!MayBeginBelow0,
                "local_partition takes no tile that may begin below 0: load it by "
                "axe::load<P, axe::zero_fill>(tile, scope), or pass axe::exact_grid(tile) if it is "
                "in bounds");
  using passed = void;
};
}  // namespace detail

/// The thread tile of `thread`, a number on P's thread axis. Forced inline, because the result's
/// type differs between host and device.
template <carries_layout P, detail::tile_of_tensor Tile,
          class = typename detail::origin_check<detail::may_begin_below_0<Tile>>::passed,
          class = detail::reported<
              typename detail::partition_of_tile<P, typename Tile::shape_type>::source>>
AXE_FORCE_INLINE constexpr auto local_partition(Tile const& of, unsigned thread) {
  using namespace detail;
  return partition_tensor<typename usable_partition<P, typename Tile::shape_type>::type>(
      operand(of), thread, indices_to<Tile::rank>{});
}

template <class P, class X>
  requires(requires { typename X::rejected; })
AXE_FN constexpr X local_partition(X const& rejected, unsigned) {
  return rejected;
}
template <class P = detail::no_layout, class X, class... Thread>
  requires(!carries_layout<P> || detail::any_tensor<X> ||
           !detail::converts_from<unsigned, Thread...>)
AXE_FN constexpr int local_partition(X const&, Thread...) {
  static_assert(detail::never<X>,
                "local_partition needs a layout as a type, a tile and a thread: "
                "local_partition<axe::carrier<...>>(axe::tile<32, 32>(x, i, j), threadIdx.x)");
  return 0;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
