// SPDX-License-Identifier: MIT
// Adds the run-time digits of coordinates to a pointer, each times its stride.
//
//     pointer + (terms of static strides, widened once) + sum of digit * dynamic stride
#pragma once

#include <axe/index/stride_plan.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

template <int Scale> struct block_of {
  char bytes[integer{1} << Scale];
};
template <class Byte, int Scale>
using block = stl::conditional_t<stl::is_const_v<Byte>, block_of<Scale> const, block_of<Scale>>;

/// The name of a part that a bounds test reads, too.
struct tested_coordinate : unnamed {};
template <class... Sums> inline constexpr bool is_tested = false;
template <integer Constant, integer Range, integer Step>
inline constexpr bool
    is_tested<coordinate_sum<Constant, index_part<tested_coordinate, Range, Step>>> = true;

/// The name of an int in x(i, j). add_apart does not hide its term, an immediate in unrolled loops.
struct counter : unnamed {
  static constexpr integer first = 1;  // for is_counter
};
AXE_FN constexpr bool is_counter(planned_register const& r, coordinate_parts coordinates) {
  if (r.from != origin::raw) return false;  // `index` may be that of a run
  part_data const& part = coordinates.parts[r.index];
  return part.name == 0 && part.first == counter::first;
}

/// Adds each register by one instruction; a sum of 64 bits takes two. A term 2^k * t moves a
/// pointer to blocks of 2^k bytes by t.
template <class Plan, int R, class Byte, class... Sums>
AXE_FORCE_INLINE constexpr Byte* add_apart(Byte* p, sums<Sums...> const& coordinates) {
  if constexpr (R == Plan::value.registers.count) {
    return p;
  } else if constexpr (constexpr int shift = whole_shift(Plan::value, R); shift > 0) {
    unsigned number = register_of<Plan, R>(coordinates);
    // Keeps nvcc from widening the number before a bounds test.
    if constexpr ((is_tested<Sums> || ...)) hide(number);
    return reinterpret_cast<Byte*>(reinterpret_cast<block<Byte, shift + Plan::value.scales[0]>*>(
                                       add_apart<Plan, R + 1>(p, coordinates)) +
                                   stl::uint64_t{number});
  } else {
    // A linear term has 32 bits. Unless hidden, the optimiser would shift it before the mask.
    using index = unsigned_sum<register_plan<Plan, R>.linear>;
    index term = add_register<Plan, index, R>(coordinates);
    if constexpr (sizeof(index) == 4 &&
                  !is_counter(register_plan<Plan, R>, listed_parts<Sums...>::value))
      hide(term);
    // Terms of 64 bits count bytes: the optimiser would first add up terms in equal blocks.
    constexpr int scale = Plan::value.scales[0], counted = sizeof(index) == 4 ? scale : 0;
    return add_apart<Plan, R + 1>(
        reinterpret_cast<Byte*>(reinterpret_cast<block<Byte, counted>*>(p) +
                                (stl::uint64_t{term} << (scale - counted))),
        coordinates);
  }
}
/// The dimension whose stride is dynamic(Slot) or, if Slot < 0, 1. -1 if another dimension has a
/// multiple of this stride, or if any has several digits.
template <class Sizes, int Slot, int... D> AXE_FN constexpr int sole_dimension(indices<D...>) {
  int const digits[]{Sizes::template dimension_type<D>::digits...};
  leaf const strides[]{Sizes::template dimension_type<D>::strides[0]...};
  int found = -1;
  for (int d = 0; d < int{sizeof...(D)}; ++d) {
    leaf const& l = strides[d];
    if (digits[d] == 1 && (Slot < 0 ? !l.known() || l.value == 0 : l.slot != Slot)) continue;
    if (found >= 0 || digits[d] > 1 || l.factor() != 1) return -1;
    found = d;
  }
  return found;
}
/// The dimension whose constant is added before the stride multiplies, or -1. Bounds tests share
/// the sum.
template <class Bound, int Slot, integer Own> inline constexpr int whole_dimension = -1;
template <class Bound, int Slot, integer Own>
  requires(Own > 0)
inline constexpr int whole_dimension<Bound, Slot, Own> =
    sole_dimension<typename Bound::sizes, Slot>(indices_to<Bound::rank>{});
template <class Bound, class Byte, class... Sums>
AXE_FORCE_INLINE constexpr Byte* add_static_terms(Byte* p, sums<Sums...> const& coordinates) {
  using plan = Bound::template plan<-1>;
  using index = unsigned_sum<plan::value.sum_fits_in_32_bits()>;
  // With elements of 12 bytes, each part of a coordinate would have its own product.
  constexpr bool shifts = is_power_of_two(integer{Bound::unit});
  constexpr bool sums_whole_coordinate = !shifts || Bound::own_bytes > 0;
  constexpr int whole = whole_dimension<Bound, -1, sums_whole_coordinate>;
  if constexpr (plan::value.registers.count == 0) {
    return p;
  } else if constexpr (whole >= 0) {
    constexpr integer constant = listed_parts<Sums...>::value.constants[whole];
    constexpr integer left_out = Bound::own_bytes > 0 ? 0 : constant;
    return p +
           stl::uint64_t{add_constant<-left_out>(sum_number<whole>(coordinates))()} * Bound::unit;
  } else {
    constexpr int scale = plan::value.scales[0];
    constexpr index own = static_cast<index>(Bound::own_bytes >> scale);
    if constexpr (!plan::value.sum_fits_in_32_bits() && own == 0)
      return add_apart<plan, 0>(p, coordinates);
    else if constexpr (is_tested<Sums...>)
      // With blocks, nvcc would shift in 64 bits after a bounds test.
      return p +
             (static_cast<stl::uint64_t>(add_plane<plan, index, 0>(coordinates) + own) << scale);
    else {
      index sum = add_plane<plan, index, 0>(coordinates) + own;
      // As in add_apart, but not with 64-bit strides: there, hide would split the chain of
      // additions that leads from row to row.
      if constexpr (sizeof(index) == 4 && Bound::wide_strides == 0 && (is_tested<Sums> || ...))
        hide(sum);
      // Counts blocks: with bytes, optimisers would add the pointer last.
      return reinterpret_cast<Byte*>(reinterpret_cast<block<Byte, scale>*>(p) +
                                     static_cast<stl::uint64_t>(sum));
    }
  }
}
/// If the stride counted bytes, optimisers would multiply the coordinate by the element's size.
template <class T, class Sizes, int Slot>
inline constexpr bool multiplies_elements =
    !multiplies_bytes<T, Sizes, Slot> && sizeof(byte_stride_type<T, Sizes, Slot>) == 8;
/// Terms of 64 bits in bytes have their own pointer type: for sm_100 the optimiser would add up
/// terms of one type.
template <class T, class Sizes, int Slot, class Byte>
using unit_of_stride =
    stl::conditional_t<multiplies_elements<T, Sizes, Slot>, T,
                       stl::conditional_t<multiplies_bytes<T, Sizes, Slot>, block<Byte, 0>, Byte>>;
/// The term of dynamic(Slot) in bytes or, if Elements, in elements.
template <class Bound, int Slot, bool Elements = false>
AXE_FORCE_INLINE constexpr stl::uint64_t dynamic_term(auto const& strides,
                                                      auto const& coordinates) {
  using plan = Bound::template plan<Slot>;
  constexpr integer own = Bound::template own<Slot>;
  constexpr int whole = whole_dimension<Bound, Slot, own>;
  [[maybe_unused]] stl::uint64_t const stride =
      Elements ? strides.template elements<Slot>() : strides.template bytes<Slot>();
  if constexpr (plan::value.registers.count == 0) {
    return 0;
  } else if constexpr (whole >= 0) {
    return stride * sum_number<whole>(coordinates)();
  } else {
    constexpr int scale = plan::value.scales[0];
    // A shift in 64 bits would take two instructions.
    constexpr bool fits =
        plan::value.smallest_sum >= 0 && plan::value.largest_sum <= (0xffff'ffff - own) >> scale;
    using index = unsigned_sum<plan::value.sum_fits_in_32_bits()>;
    using shifted = unsigned_sum<fits>;
    shifted const steps = add_plane<plan, index, 0>(coordinates);
    return stride * ((steps << scale) + static_cast<shifted>(own));
  }
}
/// Adds the term of dynamic(Slot) or, if Slot < 0, of static strides. In 32 bits it leaves out
/// terms that may not fit.
template <class T, class Sizes, int Slot, class Sum, class... Sums>
AXE_FORCE_INLINE constexpr Sum add_elements(Sum sum, auto const& strides,
                                            sums<Sums...> const& coordinates) {
  constexpr integer bytes = Slot < 0 ? 1 : sizeof(T);
  using plan = stride_plan<Slot, bytes, Sizes, Sums...>;
  constexpr bool in_32_bits = sizeof(Sum) == 4;
  if constexpr (plan::value.registers.count == 0 ||
                (in_32_bits && Slot >= 0 && !is_narrow<Sizes, Slot>)) {
    return sum;
  } else {
    using index = unsigned_sum<in_32_bits || plan::value.sum_fits_in_32_bits()>;
    Sum const steps = add_plane<plan, index, 0>(coordinates);
    constexpr int scale = plan::value.scales[0];
    if constexpr (in_32_bits && scale >= 32)
      return sum;  // `sum` is below 2^32, so that this term is 0
    else if constexpr (Slot < 0)
      return sum + (steps << scale);
    else
      return (steps << scale) * static_cast<Sum>(strides.template elements<Slot>()) + sum;
  }
}
template <class Bound, class T, class Sizes, class Byte, int... Slot>
AXE_FORCE_INLINE constexpr Byte* add_terms(Byte* p, auto const& strides, auto const& coordinates,
                                           indices<Slot...>) {
  constexpr bool has_narrow = (is_narrow<Sizes, Slot> || ...);
  if constexpr (has_narrow || Bound::sums_elements) {
    unsigned_sum<has_narrow> sum = 0;
    sum = add_elements<T, Sizes, -1>(sum, strides, coordinates);
    ((sum = add_elements<T, Sizes, Slot>(sum, strides, coordinates)), ...);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 1000
    // nvcc would split the stores of vectors at a sum of 64 bits.
    if constexpr (!has_narrow) hide(sum);
#endif
    // Declared multiples allow vectors. nvcc splits their accesses unless the sum counts bytes.
    if constexpr (has_narrow && ((Sizes::facts_of(Slot).multiple > 1) && ...))
      p += static_cast<stl::uint64_t>(sum) * sizeof(T);
    else
      p = reinterpret_cast<Byte*>(reinterpret_cast<T*>(p) + static_cast<stl::uint64_t>(sum));
    if constexpr (has_narrow)
      ((p += is_narrow<Sizes, Slot> ? 0 : dynamic_term<Bound, Slot>(strides, coordinates)), ...);
  } else {
    p = add_static_terms<Bound>(p, coordinates);
    ((p = reinterpret_cast<Byte*>(
          reinterpret_cast<unit_of_stride<T, Sizes, Slot, Byte>*>(p) +
          dynamic_term<Bound, Slot, multiplies_elements<T, Sizes, Slot>>(strides, coordinates))),
     ...);
  }
  return p;
}

template <class Byte, class Sizes>
AXE_FORCE_INLINE constexpr Byte* add_offset(Byte* p, Sizes const& sizes, integer bytes) {
  return p + sizes.template leaf_number<Sizes::offset>() * bytes;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
