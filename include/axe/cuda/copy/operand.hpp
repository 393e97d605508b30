// SPDX-License-Identifier: MIT
// copy_operand<X>: what the planner knows about operand X of a copy, such as its layout, its
// alignment and the dimensions in which the tile may be partial.
//
// The planner sees a dynamic stride that is a multiple of 8 as 8 times a large odd number, so that
// the plan holds for all such strides.
#pragma once

#include <axe/cuda/fragment.hpp>
#include <axe/cuda/shared_tile.hpp>
#include <axe/cuda/tensor_tile.hpp>
#include <axe/plan/engine/copy_candidates.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

struct operand_facts {
  layout where;
  integer alignment = 16;                 // bytes
  list<integer, capacity::shards> edges;  // edge_of each dimension
  // A bit for each dimension.
  unsigned below_zero = 0,  // the tile may begin below 0
      narrow_extents = 0,   // the tensor's extent is at most narrow_extent
      static_extents = 0;   // the tensor's extent is static
  bool in_period = false;   // begins inside a swizzle's period

  /// Restores the swizzle: the plan drops a swizzle that moves no element of a tile at offset 0.
  AXE_FN constexpr layout with_dropped_swizzle(layout side) const {
    if (in_period) side.swizzle = where.swizzle;
    return side;
  }
};

/// The low bits are a hash: small multiples of two stand-ins are far apart.
AXE_FN constexpr integer stand_in(int slot, integer high) {
  stl::uint64_t hash = static_cast<stl::uint64_t>(slot + 1) * 0x2545F4914F6CDD1D;
  hash ^= hash >> 31;
  hash *= 0xBF58476D1CE4E5B9;
  return (high << 18) + static_cast<integer>(hash >> 46 | 1);
}
/// The number that the planner sees for a stride: a multiple of `vector`, smaller for later slots
/// and for bounded strides.
AXE_FN constexpr integer stand_in(leaf stride, integer vector) {
  if (stride.known()) return stride.value;
  integer const multiple = stride.divisor() / greatest_common_divisor(stride.divisor(), vector);
  return multiple * vector * stand_in(stride.slot, (stride.bound > 0 ? 64 : 1024) - stride.slot);
}

/// Adds the tile's digits along a dimension. False if the tile may cut a digit other than the
/// slowest. `divisor` divides the tile's origin.
template <class Dimension>
AXE_FN constexpr bool add_tile_digits(operand_facts& f, integer extent, integer divisor,
                                      integer bytes, integer vector) {
  iter_list fastest_first;
  integer digit_divisor = 1, left = extent, alignment = f.alignment;
  if (Dimension::digits > 1 && divisor % extent != 0) return false;
  for (int k = Dimension::digits - 1; k >= 0; --k) {
    bool const slowest = k == 0;
    if (!slowest && !Dimension::extents[k].known()) return false;
    integer const digit = slowest ? left : Dimension::extents[k].value;
    integer const taken = smaller(left, digit);
    if (left % taken != 0 || digit % taken != 0) return false;
    leaf const along = Dimension::strides[k];
    integer const stride = stand_in(along, vector);
    if (taken > 1) fastest_first.push({taken, stride, stride == 0 ? axis::null : axis::m});
    // The origin's digit k is a multiple of `steps`.
    integer const steps = divisor % digit_divisor != 0 ? 1
                          : slowest                    ? divisor / digit_divisor
                                    : greatest_common_divisor(divisor / digit_divisor, digit);
    if (slowest || steps != digit)
      alignment = greatest_common_divisor(
          alignment, steps * (along.known() ? along.divisor() : stride) * bytes);
    digit_divisor *= digit;
    left /= taken;
  }
  for (int k = fastest_first.count - 1; k >= 0; --k) f.where.shards.push(fastest_first[k]);
  f.alignment = alignment;
  return true;
}

/// If the tile may cut a digit, the planner sees an unknown stride and copies single elements.
template <class Dimension>
AXE_FN constexpr void add_dimension(operand_facts& f, int number, integer extent, integer divisor,
                                    integer bytes, integer vector) {
  if (add_tile_digits<Dimension>(f, extent, divisor, bytes, vector)) return;
  if (extent > 1) f.where.shards.push({extent, stand_in(16 + number, 32 + number), axis::m});
  f.alignment = greatest_common_divisor(f.alignment, bytes);
}

/// A divisor of the origin of a tile, or 0 if only the origin 0 is in bounds.
template <class Dimension, class Origin>
inline constexpr integer origin_divisor =
    Dimension::known() && Dimension::divisor() <= grain_of_sum<Origin> && !may_be_negative<Origin>
        ? 0
        : grain_of_sum<Origin>;

/// A divisor of the number of elements in bounds, or 0 if the tile is always whole.
template <class Dimension, class Origin> AXE_FN constexpr integer edge_of(integer extent) {
  integer const n = greatest_common_divisor(Dimension::divisor(), grain_of_sum<Origin>);
  if (may_be_negative<Origin>) return greatest_common_divisor(n, extent);
  return ends_in_bounds<Dimension, Origin>(extent) ? 0 : n;
}

/// Makes a refusal name the dynamic stride and the missing `multiple_of`.
template <class Dimension> AXE_FN constexpr void name_stride(refusal& why, int bits) {
  for (int k = 0; k < Dimension::digits; ++k) {
    leaf const stride = Dimension::strides[k];
    if (!stride.known() && why.which == rule::copy_step_not_aligned &&
        why.numbers[1] % stand_in(stride, 1) == 0)
      why = {rule::vector_needs_a_multiple,
             {why.numbers[0], stride.slot, why.numbers[0] * 8 / bits, stride.multiple}};
  }
}

template <int D, class Tile> AXE_FN constexpr bool has_dimension() {
  if constexpr (tile_of_tensor<Tile>) return D >= 0 && D < Tile::rank;
  return false;
}

template <class Tile> struct copy_operand {
  static constexpr bool is_operand = false;
  static constexpr memory_space space{};
  using tile_shape = void;
};

template <class T, class Sizes, integer Alignment, class S, class... Origins>
struct copy_operand<tensor_tile<T, Sizes, Alignment, S, Origins...>> {
  static constexpr bool is_operand = true, writable = !stl::is_const_v<T>;
  static constexpr memory_space space = memory_space::global;
  using element = stl::remove_const_t<T>;
  using tile_shape = plain_shape<S>;
  using sizes = Sizes;
  static constexpr int rank = sizeof...(Origins);

  template <int... D>
  AXE_FN static constexpr operand_facts make(indices<D...>, integer pointer, integer vector) {
    operand_facts f;
    f.alignment = alignment_with_offset<Sizes>(pointer, sizeof(T));
    (add_dimension<typename Sizes::template dimension_type<D>>(
         f, D, S::value.extent(D),
         origin_divisor<typename Sizes::template dimension_type<D>, Origins>, integer{sizeof(T)},
         vector),
     ...);
    (f.edges.push(is_exact<S> ? 0
                              : edge_of<typename Sizes::template dimension_type<D>, Origins>(
                                    S::value.extent(D))),
     ...);
    f.alignment &= -f.alignment;  // the largest power of two that divides it
    f.below_zero = (0u | ... | (may_be_negative<Origins> && !is_exact<S> ? 1u << D : 0u));
    f.narrow_extents = (0u | ... | (is_wide<D, Sizes> ? 0u : 1u << D));
    f.static_extents = (0u | ... | (Sizes::template dimension_type<D>::known() ? 1u << D : 0u));
    return f;
  }
  static constexpr operand_facts facts = make(indices_to<rank>{}, Alignment, 1);
  AXE_FN static constexpr operand_facts if_declared_for_16_bytes() {
    return make(indices_to<rank>{}, larger(Alignment, 16), larger(16 / integer{sizeof(T)}, 1));
  }
  static constexpr integer pointer_alignment = Alignment;

  AXE_FN static constexpr void explain(refusal& why) {
    [&]<int... D>(indices<D...>) {
      (name_stride<typename Sizes::template dimension_type<D>>(why, 8 * int{sizeof(T)}), ...);
    }(indices_to<rank>{});
  }
};

template <class T, class S, memory_space Space> struct static_operand {
  static constexpr bool is_operand = true, writable = !stl::is_const_v<T>;
  static constexpr memory_space space = Space;
  static constexpr integer pointer_alignment = 16;  // never the reason for narrow accesses
  using element = stl::remove_const_t<T>;
  using tile_shape = S;
  AXE_FN static constexpr void explain(refusal&) {}
};
#ifdef __CUDACC__
template <class T, class L, class S, integer Alignment, class Inside>
struct copy_operand<shared_tile_ref<T, L, S, Alignment, Inside>>
    : static_operand<T, S, memory_space::shared> {
  static constexpr operand_facts facts{
      .where = L::value,
      .alignment = alignment_of_tile<shared_tile_ref<T, L, S, Alignment, Inside>>,
      .in_period = Inside::value.shards.count > 0};
  AXE_FN static constexpr operand_facts if_declared_for_16_bytes() { return facts; }
};
#endif
template <class T, class P, class S>
struct copy_operand<fragment<T, P, S>> : static_operand<T, S, memory_space::registers> {
  static constexpr operand_facts facts{P::value, 16, {}};
  AXE_FN static constexpr operand_facts if_declared_for_16_bytes() { return facts; }
};

#if defined(AXE_DEBUG) && defined(__CUDACC__)
/// Reports an element out of bounds in a dimension without a test.
template <class Tile>
__device__ void check_tile(Tile const& tile, char const* file, int line, auto... element) {
  // A gather accesses the rows that `index` selects.
  if constexpr (tile_of_tensor<Tile> && !requires { tile.index; })
    [&]<int... D>(indices<D...>) {
      using of_tile = copy_operand<Tile>;
      integer const extents[]{tile.sizes.template extent<D>()...};
      using sizes = Tile::sizes_type;
      auto const coordinate = [](auto n, bool wide) {
        return wide ? static_cast<integer>(n) : static_cast<integer>(static_cast<int>(n));
      };
      integer at[]{coordinate(sum_number<D>(tile.origins)(), is_wide<D, sizes>)...};
      bool const below = ((at[D] < 0 && (of_tile::facts.below_zero >> D & 1) == 0) || ...);
      constexpr bool whole[]{as_constant<of_tile::facts.edges.at[D]> == 0 ...};
      integer last[]{Tile::shape_type::value.extent(D) - 1 ...};
      if constexpr (sizeof...(element) > 0) ((last[D] = element), ...);
      if (!below) ((at[D] += whole[D] ? last[D] : 0), ...);
      if (below || ((whole[D] && at[D] >= extents[D]) || ...))
        stop_out_of_bounds(tile.data, at, extents, sizeof...(D), file, line);
    }(indices_to<Tile::rank>{});
}
#endif

AXE_FN constexpr list<integer, capacity::shards> edges_of(operand_facts const& a,
                                                          operand_facts const& b) {
  if (a.edges.count == 0) return b.edges;
  list<integer, capacity::shards> both = a.edges;
  for (int d = 0; d < both.count && d < b.edges.count; ++d)
    both[d] = greatest_common_divisor(both[d], b.edges[d]);
  return both;
}

}  // namespace detail

}  // namespace AXE_NAMESPACE
}  // namespace axe
