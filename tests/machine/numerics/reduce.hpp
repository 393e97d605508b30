// One step of a reduction in memory: red, atom without its return value, cp.reduce.async.bulk (PTX
// ISA,
// "red", "cp.reduce.async.bulk").
//
//     add min max and or xor   as named; floats add with one rounding to nearest even and keep subnormals
//     inc   old >= value ? 0 : old + 1            dec   old == 0 || old > value ? value : old - 1
//
//     reduce(inc, u32, old 4, value 4) = 0        reduce(dec, u32, old 0, value 4) = 4
//
// atom.add.f32 on global memory flushes subnormals, which is the caller's business: the same
// operation on shared memory does not.
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

/// Bytes of one element.
int size_of(reduced_type type);

/// The sentence that refuses a pair which the ISA does not list, or nullptr.
char const* refuse_reduction(reduction operation, reduced_type type);

/// Old and value are raw bits in the low part of the words, and so is the result. The pair must not
/// be refused.
std::uint64_t reduce(reduction operation, reduced_type type, std::uint64_t old_bits,
                     std::uint64_t value);

}  // namespace machine::numerics
