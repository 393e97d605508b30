// SPDX-License-Identifier: MIT
// tensor_question, layout_question: the address of a tile, as plan_vectors needs it.
//
//     tensor_question<Partition, 16, T, Sizes, Sums...>::make()     a tensor aligned to 16 bytes
#pragma once

#include <axe/index/pointer.hpp>
#include <axe/index/vector_plan.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// The tile lies in shared memory and begins at a multiple of Base bytes.
template <class Partition, class L, class S, integer Bytes, integer Base, class... Sums>
struct layout_question {
  using partition_type = Partition;
  using plan = plan_of<L, S, Bytes, Sums...>;
  static constexpr integer element = Bytes;
  AXE_FN static constexpr vector_question make() {
    vector_question q{&Partition::value, Bytes, Base, listed_parts<Sums...>::value};
    int d = 0;
    (q.dimensions.push({d++, Sums::known, 0, false}), ...);
    q.put({&plan::value, 1, -1});
    if (swizzle_acts(plan::value.swizzle, plan::value.largest_address))
      q.chunk_bytes = integer{1} << plan::value.swizzle.M;
    return q;
  }
  AXE_FN static constexpr layout operand() { return L::value; }
};

/// The results of a coordinate's divisions: a remainder, which is a multiple of Grain, then
/// quotients without a bound or divisor.
template <integer Grain, int Splits, class Sum, int... Above>
AXE_FN constexpr auto divided_sums(indices<Above...>) {
  if constexpr (Splits == 0)
    return sums<Sum>{};
  else
    return sums<coordinate_sum<0, index_part<unnamed, 0, Grain>>,
                coordinate_sum<0, index_part<unnamed, 0 * Above>>...>{};
}

/// The tile is part of a tensor whose pointer is a multiple of Base bytes.
template <class Partition, integer Base, class T, class Sizes, class... Sums>
struct tensor_question {
  using partition_type = Partition;
  static constexpr integer element = integer{sizeof(T)};
  using lowered = lowered_t<Sizes>;
  static_assert(Sizes::slots < capacity::shards,
                "a tensor must have at most 23 dynamic extents and strides");
  template <int D, class Sum> static constexpr integer grain = grain_of_split<Sizes, D, Sum>();
  template <int D, class Sum>
  using sums_of =
      decltype(divided_sums<grain<D, Sum>, Sizes::template dimension_type<D>::splits(), Sum>(
          indices_to<Sizes::template dimension_type<D>::splits()>{}));

  template <int... Slot, class... Lowered>
  AXE_FN static constexpr vector_question with_sums(indices<Slot...>, sums<Lowered...> const*) {
    vector_question q{&Partition::value, element, alignment_with_offset<Sizes>(Base, element),
                      listed_parts<Lowered...>::value};
    q.put({&stride_plan<-1, element, lowered, Lowered...>::value, 1, -1});
    (q.put({&stride_plan<Slot, element, lowered, Lowered...>::value,
            Sizes::facts_of(Slot).multiple * element, Slot}),
     ...);
    return q;
  }
  template <int D, class Sum> AXE_FN static constexpr void add_dimension(vector_question& q) {
    constexpr int splits = Sizes::template dimension_type<D>::splits();
    for (int k = 0; k <= splits; ++k)
      q.dimensions.push({D, Sum::known, grain<D, Sum>, splits > 0 && k == 0});
  }
  template <int D, class Sum> AXE_FN static constexpr vector_edge edge_of() {
    using along = Sizes::template dimension_type<D>;
    constexpr leaf slowest = along::extents[0];
    integer inner = 1;
    for (int k = 1; k < along::digits; ++k) inner *= Sizes::divisor_of(along::extents[k]);
    return {Sizes::divisor_of(slowest) * inner, inner, slowest.slot, grain_of_sum<Sum>};
  }
  template <int... D> AXE_FN static constexpr vector_question make(indices<D...>) {
    // The sums are types: g++ 12 fails on empty members that share an address.
    using all = decltype((sums_of<D, Sums>{} + ... + sums<>{}));
    vector_question q = with_sums(stride_slots_t<lowered>{}, static_cast<all const*>(nullptr));
    (add_dimension<D, Sums>(q), ...);
    (q.edges.push(edge_of<D, Sums>()), ...);
    return q;
  }
  AXE_FN static constexpr vector_question make() { return make(indices_to<Sizes::rank>{}); }
  AXE_FN static constexpr layout operand() { return {}; }
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
