// SPDX-License-Identifier: MIT
// address_plan: what is decided about an address at compile time: the runs of dimensions, the
// registers, and how the swizzle is applied.
//
//     L = swizzle(3,3,3) o S[(64,64):(64,1)], 16 bits, (t.bits<0,4>(), 8 * t.bits<4,1>())
//     one run per dimension, one register t of range 32, split form, all addresses in [0, 8192)
//
// Made by index/plan.hpp, emitted by index/emit.hpp. Units: bytes.
// Definition: docs/index_code.md, "The plan".
#pragma once

#include <axe/index/evaluation.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// There is no swizzle, it is applied to each register, or to the sum of the registers.
enum class swizzling : unsigned char { none, split, literal };

inline constexpr int most_registers = 16;
inline constexpr int most_parts = 32;
/// The plane of registers that are multiples of the swizzle's period. They are added after it.
inline constexpr int beyond = 2;

/// A register of the plan: a raw register, its digit, a part, or the sum of a run of dimensions.
enum class origin : unsigned char { raw, field, part, sum };

struct planned_register {
  register_plan plan;
  int plane = 0;
  origin from = origin::raw;
  int index = 0;  // of the part, or of the run
  integer range = 0;
  integer weight = 0;  // of a part in its run's flat index
};

/// Dimensions that share digits; their coordinate is the flat index.
struct dimension_run {
  dimension_digits digits;
  int first = 0;
  int count = 0;
  bool added_up = false;  // its parts carry: one register is their sum, constants included

  AXE_FN constexpr bool holds(int dimension) const {
    return dimension >= first && dimension < first + count;
  }
};

struct address_plan {
  refusal why{};
  list<dimension_run, capacity::shards> runs;
  list<integer, capacity::shards> weights;  // of dimension d in its run's flat index
  list<planned_register, most_registers> registers;
  swizzling mode = swizzling::none;
  axe::swizzle swizzle{};  // of bytes
  integer offset = 0;      // O, bytes, inside the swizzle
  integer start = 0;       // O and the coordinates' own constants
  integer least = 0;       // of the addresses reached, bytes
  integer largest = 0;
  bool pointers = false;  // the base has 64 bits: one IMAD.WIDE adds the scaled sum
  int planes = 1;         // under a swizzle the bits below and above its chunk may be summed apart
  int scales[3]{};        // of each plane: the shift of its sum when the base is added
  register_bits plain = 0;    // may be set before the swizzle; the literal form includes `start`
  register_bits reached = 0;  // may be set after the swizzle
  integer most = 0;           // largest and smallest sum of the registers, divided by 2^scales[0]
  integer fewest = 0;

  /// True if all addresses fit 32 bits, signed if one of them is negative.
  AXE_FN constexpr bool addresses_in_32_bits() const {
    constexpr integer signed_end = integer{1} << 31;
    return least >= 0 && largest < 2 * signed_end &&
           (fewest >= 0 ||
            (fewest >= -(signed_end >> scales[0]) && most < signed_end >> scales[0]));
  }
  /// True if the swizzle is applied to register r alone, so that an XOR joins it to the others.
  AXE_FN constexpr bool splits(int r) const {
    return mode == swizzling::split && registers.at[r].plane != beyond;
  }
  /// True if the sum fits an unsigned 32-bit integer.
  AXE_FN constexpr bool narrow() const { return fewest >= 0 && most < (integer{1} << 32); }
};

AXE_FN constexpr list<part_data, most_parts> parts_of_run(address_plan const& plan,
                                                          dimension_run const& r,
                                                          part_data const* parts, int count) {
  list<part_data, most_parts> here;
  for (int p = 0; p < count; ++p) {
    if (!r.holds(parts[p].dimension)) continue;
    here.push(parts[p]);
    here.back().step *= plan.weights[parts[p].dimension];
  }
  return here;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
