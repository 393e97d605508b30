// SPDX-License-Identifier: MIT
// address_plan: how code computes an address in bytes, decided at compile time.
//
//     swizzle(3,3,3) o S[(64,64):(64,1)], 16-bit elements, at (t.bits<0,4>(), 8 * t.bits<4,1>()):
//     one register t < 32, `per_register`, addresses from 0 to 8191
//
// Definition: docs/index_code.md, "The plan".
#pragma once

#include <axe/index/evaluation.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// Applies the swizzle to each register (`per_register`) or to their sum (`of_sum`).
enum class swizzling : unsigned char { none, per_register, of_sum };

template <bool In32Bits>
using unsigned_sum = stl::conditional_t<In32Bits, stl::uint32_t, stl::uint64_t>;

inline constexpr int most_registers = 16;
/// The plane of multiples of the swizzle's period. It is added after the swizzle.
inline constexpr int beyond = 2;

struct address_plan {
  refusal why{};
  list<dimension_run, capacity::shards> runs;
  list<iter, 2 * capacity::shards> digits;  // of all runs, which may cut a digit in two
  list<integer, capacity::shards> weights;  // weights[d]: dimension d's factor in its run's index
  list<planned_register, most_registers> registers;
  swizzling mode = swizzling::none;
  axe::swizzle swizzle{};     // of addresses in bytes
  integer offset = 0;         // O in bytes, added before the swizzle
  integer start = 0;          // O plus the constants of the coordinates
  integer least_address = 0;  // before the base is added
  integer largest_address = 0;
  bool pointers = false;  // the base has 64 bits, and one IMAD.WIDE scales and adds the sum
  int planes = 1;         // 2: address bits below the swizzle's M + B have their own sum
  int scales[3]{};        // the left shift of each plane's sum
  register_bits unswizzled_bits = 0;  // those that registers (`of_sum`: and `start`) may set
  register_bits swizzled_bits = 0;    // the same after the swizzle
  integer largest_sum = 0;            // of all terms, >> scales[0]
  integer smallest_sum = 0;

  /// True if addresses and scaled sums fit in 32 bits. Sums that may be negative must fit in int.
  AXE_FN constexpr bool addresses_in_32_bits() const {
    constexpr integer signed_end = integer{1} << 31;
    return least_address >= 0 && largest_address < 2 * signed_end &&
           (smallest_sum >= 0 ||
            (smallest_sum >= -(signed_end >> scales[0]) && largest_sum < signed_end >> scales[0]));
  }
  AXE_FN constexpr run_digits digits_of(dimension_run const& r) const {
    return {digits.at + r.first_digit, r.digits, r.extent};
  }
  AXE_FN constexpr bool swizzles_register(int r) const {
    return mode == swizzling::per_register && registers.at[r].plane != beyond;
  }
  AXE_FN constexpr product_list products(int r) const {
    return find_products(registers.at[r], scales[registers.at[r].plane], swizzles_register(r));
  }
  AXE_FN constexpr diagonal_list diagonals(int r) const {
    return find_diagonals(registers.at[r], scales[registers.at[r].plane], swizzles_register(r));
  }
  AXE_FN constexpr bool sum_fits_in_32_bits() const {
    return smallest_sum >= 0 && largest_sum < (integer{1} << 32);
  }
};

/// The index of run r if dimension d has coordinate(d).
AXE_FN constexpr integer index_in_run(address_plan const& plan, dimension_run const& r,
                                      auto const& coordinate) {
  integer index = 0;
  for (int d = r.first; d < r.first + r.count; ++d) index += coordinate(d) * plan.weights[d];
  return index;
}
/// The parts of run r, with their steps in the run's index.
AXE_FN constexpr part_list parts_of_run(address_plan const& plan, dimension_run const& r,
                                        coordinate_parts const& coordinates) {
  part_list here;
  for (int p = 0; p < coordinates.count; ++p) {
    part_data const& part = coordinates.parts[p];
    if (!r.holds(part.dimension)) continue;
    here.push(part);
    here.back().step *= plan.weights[part.dimension];
  }
  return here;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
