// SPDX-License-Identifier: MIT
// sides_result<Scope, From, To>: void, or the class whose static_assert rejects the scope or a side
// of a copy.
#pragma once

#include <axe/cuda/copy/operand.hpp>
#include <axe/cuda/scope.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

struct tensor_map;

namespace detail {

template <class S> inline constexpr bool is_reported = false;
template <integer... Extents> inline constexpr bool is_reported<reported_shape<Extents...>> = true;

template <class S>
concept mapped_side =
    stl::is_same_v<stl::remove_cvref_t<S>, tensor_map> || requires(S const& x) { x.map; };

template <class S>
concept thread_tile_side = requires(S const& x) { x.bound; };

enum class side_error {
  none,
  reported,
  no_tile,
  thread_tile,
  mapped,
  const_target,
  element_size,
  shape
};

/// Target is To as deduced for To&&: a reference unless the argument is a temporary.
template <class From, class To, class Target> AXE_FN constexpr side_error check_sides() {
  using from = copy_operand<From>;
  using to = copy_operand<To>;
  if constexpr (requires { typename From::rejected; } || requires { typename To::rejected; })
    return side_error::reported;
  else if constexpr (mapped_side<From> || mapped_side<To>)
    return side_error::mapped;
  else if constexpr (thread_tile_side<From> || thread_tile_side<To>)
    return side_error::thread_tile;
  else if constexpr (!from::is_operand || !to::is_operand)
    return side_error::no_tile;
  else if constexpr (!to::writable || (to::space == memory_space::registers &&
                                       !stl::is_same_v<Target, stl::remove_cvref_t<Target>&>))
    return side_error::const_target;
  else if constexpr (sizeof(typename from::element) != sizeof(typename to::element))
    return side_error::element_size;
  else if constexpr (is_reported<typename from::tile_shape> || is_reported<typename to::tile_shape>)
    return side_error::reported;
  else
    return from::tile_shape::value == to::tile_shape::value ? side_error::none : side_error::shape;
}

struct rejected_copy {
  using rejected = void;
  template <class... Numbers> AXE_FN constexpr void operator()(Numbers const&...) const {}
};
/// Messages print template arguments: the shapes, but not whole sides.
template <side_error Error, class... Shapes> struct side_check : rejected_copy {
  static_assert(!(Error == side_error::no_tile),
                "a copy is between tiles and fragments, not pointers or arrays: for a tensor use "
                "axe::tile<...>(tensor, i, j)");
  static_assert(!(Error == side_error::thread_tile),
                "axe::copy takes the tile of all threads, not the thread tile of one");
  static_assert(!(Error == side_error::mapped),
                "a mapped tile is loaded by copy_async(mapped(map, tile), staged, bars[0], "
                "axe::thread) and stored by copy_async(staged, mapped(map, tile), axe::thread); "
                "prepare_copy_async takes an array of shared tiles");
  static_assert(!(Error == side_error::const_target),
                "a copy cannot write to a tensor of const elements, a shared tile of const "
                "elements, or a const or temporary fragment");
  static_assert(!(Error == side_error::element_size),
                "a copy does not convert elements: both sides must have elements of the same size; "
                "axe::cast converts fragments");
  static_assert(
      !(Error == side_error::shape),
      "a copy is between tiles of the same shape, extents of 1 included: the last argument "
      "of axe::shared_tile and axe::fragment is the shape, such as axe::extents<1, 64>; for "
      "matrix n of a batch x construct a tensor at &x(n, 0, 0)");
};
template <class From, class To, template <class> class Operand>
inline constexpr side_error error_of_sides = check_sides<Operand<From>, Operand<To>, To>();
template <side_error Error, class From, class To>
using failed_check = stl::conditional_t<Error == side_error::shape,
                                        side_check<Error, typename copy_operand<From>::tile_shape,
                                                   typename copy_operand<To>::tile_shape>,
                                        side_check<Error>>;
/// Operand maps an argument's type to the plan's operand.
template <class Scope, class From, class To, class Result = void,
          template <class> class Operand = operand_type>
using sides_result = result_if<
    is_scope<Scope>, scope_check<Scope>,
    result_if<error_of_sides<From, To, Operand> == side_error::none,
              failed_check<error_of_sides<From, To, Operand>, Operand<From>, Operand<To>>, Result>>;

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
