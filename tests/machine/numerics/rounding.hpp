// Rounds a value between two neighbouring numbers of a format (PTX ISA, "Rounding Modifiers").
//
//     rn  to the nearest, ties to the even significand      rm  towards minus infinity
//     rna to the nearest, ties away from zero               rp  towards plus infinity
//     rz  towards zero
//
// The rule is needed in one place only: given the kept bits of a magnitude and what was dropped, is
// the kept part raised by one? 1.25 kept to two bits (1.0 | dropped exactly half): rn keeps 1.0,
// rna raises to 1.5, rp raises for +1.25 and keeps for -1.25.
#pragma once

#include <cstdint>

namespace machine::numerics {

enum class rounding : std::uint8_t { rn, rz, rm, rp, rna };

/// dropped: the removed bits as a fraction of 2^64, so 2^63 is exactly half a unit of the kept
/// part.
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

/// Where a magnitude beyond the largest finite one lands: infinity, or the largest finite number.
constexpr bool overflows_to_infinity(rounding mode, bool negative) {
  switch (mode) {
    case rounding::rz: return false;
    case rounding::rm: return negative;
    case rounding::rp: return !negative;
    default: return true;
  }
}

}  // namespace machine::numerics
