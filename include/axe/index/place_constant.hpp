// SPDX-License-Identifier: MIT
// place_constant: the XOR and the immediate by which constants change a bound address.
//
//     swizzle(3,3,3) o S[(64,64):(64,1)], 16-bit elements, constants (16,32): XOR 64, + 2048 bytes
#pragma once

#include <axe/index/sums.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

struct constant_part {
  bool again = false;  // constants carry or change run-time bits: compute the address again
  integer xored = 0;
  integer immediate = 0;  // added after the XOR
};
template <int Rank> struct constant_list {
  integer at[Rank + 1];
};

/// The largest value of the coordinate, or `largest` if it has no bound.
AXE_FN constexpr integer largest_coordinate(coordinate_parts const& coordinates, int dimension,
                                            integer constant) {
  for (int p = 0; p < coordinates.count; ++p) {
    part_data const& part = coordinates.parts[p];
    if (part.dimension != dimension) continue;
    integer const values = part.values();
    if (values == 0 || !add_product(constant, part.step, values - 1)) return largest;
  }
  return constant;
}
/// True if all values of the coordinate are below 0, or all at least `end`. Sets `sum` to its
/// constant plus `more`, saturated.
AXE_FN constexpr bool leaves_dimension(integer& sum, coordinate_parts const& coordinates,
                                       int dimension, integer end, integer more) {
  sum = coordinates.constants[dimension];
  if (!add(sum, more)) sum = more < 0 ? smallest : largest;
  return sum >= end || largest_coordinate(coordinates, dimension, sum) < 0;
}
struct outside_dimension {
  int dimension = -1;
  integer sum = 0;
};
/// Ends has the call's name, the end of each dimension, and the refusal of a sum out of bounds.
template <class Ends, int Dimension, integer Sum> struct constants_outside {
  AXE_FN static constexpr refusal why() { return Ends::why(Dimension, Sum); }
  AXE_FN static constexpr refusal_text text() { return sentence_of(Ends::call, why(), {}); }
};
template <class Ends, class... Sums> struct constants_within {
  AXE_FN static constexpr outside_dimension find(constant_list<int{sizeof...(Sums)}> const& more) {
    for (int d = 0; d < int{sizeof...(Sums)}; ++d)
      if (integer sum = 0;
          leaves_dimension(sum, listed_parts<Sums...>::value, d, Ends::end(d), more.at[d]))
        return {d, sum};
    return {};
  }
  template <integer... Constants> AXE_FN static constexpr bool admits() {
    static_assert(sizeof...(Constants) == 0 || sizeof...(Constants) == sizeof...(Sums),
                  "there must be one constant for each dimension");
    constexpr outside_dimension left = find({{Constants...}});
    if constexpr (left.dimension >= 0)
      using stop [[maybe_unused]] =
          verdict<constants_outside<Ends, left.dimension, left.sum>>::stop;
    return left.dimension < 0;
  }
};

/// `coordinates` are bound. `more` are the constants to add.
AXE_FN constexpr constant_part place_constant(address_plan const& plan,
                                              coordinate_parts const& coordinates,
                                              integer const* more) {
  constant_part result;
  integer total = plan.offset;  // the unswizzled address of the constants
  for (dimension_run const& r : plan.runs) {
    integer const index =
        index_in_run(plan, r, [&](int d) { return more[d] + coordinates.constants[d]; });
    if (r.added_up) {
      if (index_in_run(plan, r, [&](int d) { return more[d]; }) != 0) result.again = true;
      continue;
    }
    if (r.digits > 1 &&  // a single digit cannot carry
        remainders_of(plan.digits_of(r), parts_of_run(plan, r, coordinates)).may_carry(index))
      result.again = true;
    total += address_at(plan.digits_of(r), index);
  }
  result.immediate = total;
  if (plan.mode == swizzling::none) return result;
  bool const swizzles_sum = plan.mode == swizzling::of_sum;
  integer const period = plan.swizzle.period();
  if (swizzles_sum) total -= plan.start;  // the bound sum includes it
  integer const low = total & (period - 1);
  if ((low & plan.unswizzled_bits) != 0 || (swizzles_sum && low != 0 && period > integer{1} << 32))
    result.again = true;
  integer const swizzled = plan.swizzle(low);
  result.xored = swizzled & plan.swizzled_bits;
  result.immediate = (swizzled & ~integer{plan.swizzled_bits}) + (total - low);
  return result;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
