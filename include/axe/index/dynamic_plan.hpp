// SPDX-License-Identifier: MIT
// One address plan for each dynamic stride of a tensor, and one for all static strides. An address
// is the sum of one term for each plan. slot_span decides which terms are computed in 32 bits.
//
//     row * dynamic(0) + column, float   sized_plan<-1, 4, …>: 4 * column; sized_plan<0, 4, …>: row
//
// A dynamic stride's term has 32 bits if declared bounds prove that the sum of it, the static term
// and all terms of smaller span is below 2^32 elements. docs/index_code.md, "Pointers".
#pragma once

#include <axe/index/dynamic_strides.hpp>

namespace axe::inline AXE_NAMESPACE::detail {

/// The factor of a digit in a plan. slot >= 0: the factor of dynamic(slot) in the digit's stride.
/// slot < 0: the digit's static stride in bytes. 0 if the stride belongs to another plan.
AXE_FN constexpr integer weight_of(leaf const& stride, int slot, integer bytes) {
  if (slot < 0) return stride.known() ? stride.value * bytes : 0;
  return stride.slot == slot ? stride.factor() : 0;
}
/// Adds the next dimension to the plan.
AXE_FN constexpr void add_sized_run(address_plan& plan, leaf const* extents, leaf const* strides,
                                    int digits, int slot, integer bytes) {
  dimension_run run;
  run.first = plan.runs.count;
  run.count = 1;
  run.digits.extent = 1;
  for (int k = digits - 1; k >= 0; --k) {
    // size_check rejects extents below 1.
    integer const most = larger(extents[k].most(), 1);
    run.digits.fastest_first.push({most, weight_of(strides[k], slot, bytes), axis::m});
    run.digits.extent = product_or_largest(run.digits.extent, most);
  }
  run.digits.extent = smaller(run.digits.extent, coordinate_end);  // no dimension is larger
  plan.runs.push(run);
  plan.weights.push(1);
}

/// Slot >= 0: the plan of the number by which dynamic(Slot) is multiplied. Slot < 0: the plan of
/// the static strides' term, in bytes.
template <int Slot, integer Bytes, class Sized, class... Sums>
struct sized_plan : sized_plan<Slot, Bytes, typename Sized::base, Sums...> {};
template <int Slot, integer Bytes, leaf Offset, class... Dimensions, class... Sums>
struct sized_plan<Slot, Bytes, dynamic_layout_from<Offset, Dimensions...>, Sums...> {
  AXE_FN static constexpr address_plan make() {
    static_assert(sizeof...(Sums) == sizeof...(Dimensions),
                  "there must be one coordinate for each dimension");
    address_plan plan;
    plan.pointers = Slot < 0;
    (add_sized_run(plan, Dimensions::extents, Dimensions::strides, Dimensions::digits, Slot, Bytes),
     ...);
    plan_registers(plan, listed_parts<Sums...>);
    return plan;
  }
  static constexpr address_plan value = make();

  AXE_FN static constexpr refusal_text text() { return sentence_of("bind_pointer", value.why, {}); }

  AXE_FN static constexpr constant_part constants(integer const* more) {
    auto const& own = listed_parts<Sums...>;
    if constexpr (((Dimensions::digits == 1) && ...)) {
      // A dimension of one digit never carries into another digit.
      constant_part result;
      int d = 0;
      ((result.immediate +=
        (more[d] + own.constants[d]) * weight_of(Dimensions::strides[0], Slot, Bytes),
        ++d),
       ...);
      return result;
    } else {
      return place_constant(value, own, more);
    }
  }
};
/// The span of each stride's term: its largest value in elements, or `largest` if it is unknown. A
/// slot below 0 means all static strides.
template <class Sized> struct slot_span : slot_span<typename Sized::base> {};
template <leaf Offset, class... Dimensions>
struct slot_span<dynamic_layout_from<Offset, Dimensions...>> {
  AXE_FN static constexpr integer most(leaf const& l) {
    return l.known() ? l.value : facts_of<Offset, Dimensions...>(l.slot).most();
  }
  AXE_FN static constexpr integer most_stride(leaf const& l) {
    if (l.known()) return l.value;
    bool const bounded = facts_of<Offset, Dimensions...>(l.slot).bound > 0;
    return bounded ? product_or_largest(most(l), l.factor()) : largest;
  }
  template <class D> AXE_FN static constexpr void add_dimension(integer& span, int slot) {
    for (int k = 0; k < D::digits; ++k) {
      leaf const stride = D::strides[k];
      if (slot < 0 ? !stride.known() : stride.slot != slot) continue;
      if (most(stride) < 0 || !add_product(span, most(D::extents[k]) - 1, most_stride(stride)))
        span = largest;
    }
  }
  AXE_FN static constexpr integer of(int slot) {
    integer span = 0;
    (add_dimension<Dimensions>(span, slot), ...);
    return span;
  }
  /// True if this stride's term has 32 bits. The strides of the smallest spans get 32 bits, as
  /// long as their total fits.
  AXE_FN static constexpr bool narrow(int slot) {
    integer total = of(-1);
    integer const own = of(slot);
    for (int other = 0; other < count_slots<Offset, Dimensions...>(); ++other) {
      integer const span = of(other);
      if (span > own || (span == own && other > slot)) continue;
      if (!add(total, span)) total = largest;
    }
    return (one_has_slot(Dimensions::strides, slot) || ...) && total < (integer{1} << 32);
  }
  AXE_FN static constexpr bool any() {
    for (int slot = 0; slot < count_slots<Offset, Dimensions...>(); ++slot)
      if (narrow(slot)) return true;
    return false;
  }
};
template <class Sized, int Slot> inline constexpr bool is_narrow = slot_span<Sized>::narrow(Slot);
/// The number of dynamic strides that need 64 bits when they are counted in bytes.
template <class T, class Sized, int... Slot>
AXE_FN constexpr int count_wide_strides(indices<Slot...>) {
  return (0 + ... + (sizeof(byte_stride_type<T, Sized, Slot>) == 8));
}
/// x86-64 addressing modes scale an index by 2, so terms of 2-byte types count elements, not bytes.
template <class T> inline constexpr bool counts_elements = counts_as_host && sizeof(T) == 2;

/// The first plan that is rejected, or the plan of the static strides if none is.
template <integer Bytes, class Sized, class... Sums> struct rejected_plan {
  template <int... Slot> AXE_FN static constexpr int find(indices<Slot...>) {
    int first = -1;
    (void)(sized_plan<-1, Bytes, Sized, Sums...>::value.why || ... ||
           (sized_plan<Slot, Bytes, Sized, Sums...>::value.why && (first = Slot, true)));
    return first;
  }
  using type = sized_plan<find(stride_slots_t<Sized>{}), Bytes, Sized, Sums...>;
};
}  // namespace axe::inline AXE_NAMESPACE::detail
