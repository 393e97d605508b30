// One reduction in memory (PTX ISA, "red", "atom", "cp.reduce.async.bulk").
//
//     add min max and or xor   floats round to nearest even
//     inc   old >= value ? 0 : old + 1            dec   old == 0 || old > value ? value : old - 1
//
//     reduce(inc, u32, old 4, value 4) = 0        reduce(dec, u32, old 0, value 4) = 4
//
// An addition of f32 to global memory flushes subnormals to zero. One to shared memory keeps them.
#pragma once

#include <cstdint>
#include <optional>

namespace machine::numerics {

enum class reduction : std::uint8_t { add, min, max, inc, dec, bit_and, bit_or, bit_xor };
enum class reduced_type : std::uint8_t {
  u32,
  s32,
  u64,
  s64,
  b32,
  b64,
  half,
  bfloat16,
  single,
  double_precision
};

/// Returns the bytes of one element.
int size_of(reduced_type type);

/// Returns a sentence if the ISA does not list this operation for this type, else nullptr.
char const* refuse_reduction(reduction operation, reduced_type type);

/// Operands and result are raw bits in the low part of the words. `operation` must be legal for
/// `type`.
std::uint64_t reduce(reduction operation, reduced_type type, std::uint64_t old_bits,
                     std::uint64_t value, bool in_shared = false);

}  // namespace machine::numerics
