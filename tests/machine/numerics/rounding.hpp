// Rounds a value between two neighbouring numbers of a format (PTX ISA, "Rounding Modifiers").
//
//     rn  to nearest, ties to even                  rm  towards minus infinity
//     rna to nearest, ties away from zero           rp  towards plus infinity
//     rz  towards zero
//
// `raises` says whether the kept bits of a magnitude grow by one. Example: 1.25 in steps of 0.5
// keeps 1.0 and drops half: rn stays at 1.0, rna raises to 1.5, rp raises +1.25 but not -1.25.
#pragma once

#include <cstdint>

namespace machine::numerics {

enum class rounding : std::uint8_t { rn, rz, rm, rp, rna };

/// `dropped` is the removed part as a fraction of 2^64: 2^63 is half a unit of the kept part.
constexpr bool raises(rounding mode, bool negative, bool kept_is_odd, std::uint64_t dropped) {
  constexpr std::uint64_t half = std::uint64_t{1} << 63;
  switch (mode) {
    case rounding::rn: return dropped > half || (dropped == half && kept_is_odd);
    case rounding::rna: return dropped >= half;
    case rounding::rz: return false;
    case rounding::rm: return negative && dropped != 0;
    case rounding::rp: return !negative && dropped != 0;
  }
  return false;
}

/// True if a magnitude beyond the largest finite number becomes infinity.
constexpr bool overflows_to_infinity(rounding mode, bool negative) {
  switch (mode) {
    case rounding::rz: return false;
    case rounding::rm: return negative;
    case rounding::rp: return !negative;
    default: return true;
  }
}

}  // namespace machine::numerics
