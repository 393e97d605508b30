// SPDX-License-Identifier: MIT
// stride_plan: how code computes the number of steps of one dynamic stride in an address, or the
// bytes of all static strides.
//
//     row * dynamic(0) + column, float:
//     stride_plan<-1, 4, …> is 4 * column, and stride_plan<0, 4, …> is row
#pragma once

#include <axe/index/dynamic_strides.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// A slot below 0 stands for all static strides, here and below.
AXE_FN constexpr integer weight_of(leaf const& stride, int slot, integer bytes) {
  if (slot < 0) return stride.known() ? stride.value * bytes : 0;
  return stride.slot == slot ? stride.factor() : 0;
}
AXE_FN constexpr void add_runs(address_plan& plan, size_table const& sizes, int slot,
                               integer bytes) {
  for (digit_data const& d : sizes) {
    if (d.dimension == plan.runs.count) {
      plan.runs.push({1, d.dimension, 1, plan.digits.count, 0});
      plan.weights.push(1);
    }
    dimension_run& run = plan.runs.back();
    integer const most = larger(d.extent.largest(), 1);  // size_table::why rejects extents below 1
    plan.digits.push({most, weight_of(d.stride, slot, bytes), axis::m});
    ++run.digits;
    run.extent = smaller(product_or_largest(run.extent, most), coordinate_end);
  }
}

template <int Slot, integer Bytes, class Sizes, class... Sums> struct stride_plan {
  AXE_FN static constexpr address_plan make() {
    address_plan plan;
    plan.pointers = Slot < 0;
    add_runs(plan, Sizes::table, Slot, Bytes);
    plan_registers(plan, listed_parts<Sums...>::value);
    return plan;
  }
  static constexpr address_plan value = make();

  AXE_FN static constexpr refusal_text text() { return sentence_of("bind_pointer", value.why, {}); }

  AXE_FN static consteval constant_part constants(integer const* more) {
    return place_constant(value, listed_parts<Sums...>::value, more);
  }
};

/// The largest value of a term, in elements, or `largest` if it has no bound.
AXE_FN constexpr integer largest_term(size_table const& sizes, int slot) {
  integer term = 0;
  for (digit_data const& d : sizes) {
    leaf const& stride = d.stride;
    if (slot < 0 ? !stride.known() : stride.slot != slot) continue;
    leaf const facts = sizes.facts_of(stride.slot);
    integer most = stride.value;
    if (!stride.known())
      most = facts.bound > 0 ? product_or_largest(facts.largest(), stride.factor()) : largest;
    if (most < 0 || !add_product(term, sizes.largest_of(d.extent) - 1, most)) term = largest;
  }
  return term;
}
/// True if the term of `slot`, the static term and all smaller terms fit in 32 bits together.
AXE_FN constexpr bool has_narrow_term(size_table const& sizes, int slot) {
  integer total = largest_term(sizes, -1);
  integer const own = largest_term(sizes, slot);
  for (int other = 0; other < sizes.slots(); ++other) {
    integer const term = largest_term(sizes, other);
    if (term > own || (term == own && other > slot)) continue;
    if (!add(total, term)) total = largest;
  }
  return sizes.names(&digit_data::stride, slot) && total < (integer{1} << 32);
}
template <class Sizes, int Slot>
inline constexpr bool is_narrow = has_narrow_term(Sizes::table, Slot);

/// `type` is the first rejected plan, or that of the static strides.
template <integer Bytes, class Sizes, class... Sums> struct rejected_plan {
  template <int... Slot> AXE_FN static constexpr int find(indices<Slot...>) {
    int first = -1;
    (void)(stride_plan<-1, Bytes, Sizes, Sums...>::value.why || ... ||
           (stride_plan<Slot, Bytes, Sizes, Sums...>::value.why && (first = Slot, true)));
    return first;
  }
  using type = stride_plan<find(stride_slots_t<Sizes>{}), Bytes, Sizes, Sums...>;
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
