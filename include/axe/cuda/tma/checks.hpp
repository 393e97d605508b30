// SPDX-License-Identifier: MIT
// The checks of tensor copies (TMA): the arguments of issue() and of map().
#pragma once

#include <axe/cuda/shared_tile.hpp>
#include <axe/cuda/tensor_tile.hpp>
#include <axe/cuda/tma/instructions.hpp>
#include <axe/plan/plan_tma.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// tile_origin<64>{x}: a tile of extent 64 begins at element x. tile_origin<1>{x}: tile number x.
/// Both may be below 0.
template <integer Extent> struct tile_origin {
  unsigned at;
  AXE_FN constexpr operator unsigned() const { return at; }
};
template <class Number> inline constexpr integer extent_of_origin = 0;
template <integer Extent> inline constexpr integer extent_of_origin<tile_origin<Extent>> = Extent;

/// Used in default template arguments, because assertions inside functions would print the plan.
template <bool Called> struct tensor_copy_check {
  AXE_NEEDS_SM_90(Called, "a tensor copy (TMA)");
  static constexpr bool passed = true;
};

#ifdef __CUDACC__
template <bool Load, int Rank, int Bits, swizzle Swizzle, class Map, class Shared, class... Rest>
struct issue_check : tensor_copy_check<sizeof...(Rest) != 0> {
  template <class First = void, class...>
  static constexpr bool begins_with_barrier = stl::is_same_v<First, mbarrier>;
  static constexpr bool is_map = converts_from<tensor_map const&, Map>;
  static_assert(is_map, "issue takes the axe::tensor_map that the host made by map(tensor)");
  static constexpr bool barrier_fits = begins_with_barrier<Rest...> == Load;
  static_assert(barrier_fits,
                "a load takes its mbarrier, issue(map, tile, bars[0], i, j); a store takes none");
  template <class X>
  static constexpr bool is_argument =
      any_integer<X> || coordinate_part<X> || extent_of_origin<X> || stl::is_same_v<X, mbarrier>;
  static constexpr bool numbered =
      !barrier_fits || (sizeof...(Rest) == Rank + (Load ? 1 : 0) && (is_argument<Rest> && ...));
  static_assert(numbered,
                "issue needs one tile number, an integer, for each dimension of the tensor");
  AXE_FN static constexpr bool tile_fits() {
    if constexpr (stl::is_same_v<Shared, unsigned>)
      return true;
    else if constexpr (tile_in_shared_memory<Shared>)
      return (Bits < 8 || 8 * sizeof(typename operand_type<Shared>::value_type) == Bits) &&
             operand_type<Shared>::layout_type::value.swizzle == Swizzle &&
             !begins_inside<operand_type<Shared>>;
    else
      return false;
  }
  static_assert(
      tile_fits(),
      "issue takes a tile of shared memory, with elements of the tensor map's size and the "
      "swizzle that the transfer names");
  static constexpr bool passed = is_map && barrier_fits && numbered && tile_fits();
};
template <bool Checked, integer Needed, integer Known> struct alignment_check {
  static constexpr bool passed = Checked && Known % Needed == 0;
  static_assert(passed || !Checked || Needed > 128,
                "issue needs a tile of shared memory at a multiple of 128 bytes, but this part of "
                "a shared tile may begin elsewhere: put the parts at multiples of 128 bytes");
  static_assert(passed || !Checked || Needed == 128,
                "the plan replaces the tile's swizzle by one of the hardware, which needs a larger "
                "alignment than the tile has: use the hardware's in the tile's layout, such as "
                "axe::swizzle_128B<16>");
};
#endif

/// Elements of 8 bits or more need a T of their width. An arithmetic reduction needs a T of their
/// type, or a T without an element_type.
template <class Planned, class T> AXE_FN constexpr bool fits_map() {
  constexpr element_type type = Planned::plan.type, named = element_type_of<T>;
  constexpr tma_reduction how = Planned::plan.options.reduction;
  constexpr bool of_bits = how == tma_reduction::none || how == tma_reduction::bit_and ||
                           how == tma_reduction::bit_or || how == tma_reduction::bit_xor;
  return bits_of(type) < 8 || (bits_of(type) == 8 * int{sizeof(T)} &&
                               (of_bits || named == element_type::count || named == type));
}
template <class Planned, class T>
inline constexpr bool may_write = !stores(Planned::plan.kind) || !stl::is_const_v<T>;
template <bool HasSizes, bool Typed, bool Writable> struct map_check {
  static_assert(HasSizes, "map takes a tensor with the sizes_type that the transfer names");
  static_assert(Typed, "map takes a tensor with elements of the type that the transfer names");
  static_assert(Writable, "a store or reduction cannot write to a tensor of const elements");
  static constexpr bool passed = HasSizes && Typed && Writable;
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
