// SPDX-License-Identifier: MIT
// linear_access: the wavefronts of each phase of an access that is linear over F2.
//
//     wavefronts = 2^(rank of the units - rank of the banks)     over the lane bits of a phase
//
//     S[(64,64):(64,1)], 16 bits, ldmatrix_rows: units have rank 3, banks rank 0, so 8 wavefronts
//
// A unit is a 4-byte word, or a lane's vector if it is wider.
#pragma once

#include <axe/analysis/conflicts.hpp>
#include <axe/linear/engine/bit_matrix.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

struct linear_access {
  list<bit_word, 64> columns;  // change of the address by each bit of the pattern's index
  bit_word base = 0;
  int value_bits = 0;  // lowest columns: elements of a vector
  int phase_bits = 0;  // next columns: lanes of a phase
  int unit_bits = 0;   // log2 of elements_per_unit
  int bank_bits = 0;   // log2 of the units in 128 bytes

  /// 0 if the map splits a vector.
  AXE_FN constexpr integer wavefronts(auto const& map) const {
    bit_word const inside = low_bits(value_bits);
    if ((map(base) & inside) != 0) return 0;
    for (int k = 0; k < columns.size(); ++k) {
      bit_word const moved = map(columns[k]);
      if (k < value_bits ? moved != bit(k) : (moved & inside) != 0) return 0;
    }
    list<bit_word, 6> units, banks;
    for (int k = value_bits; k < value_bits + phase_bits; ++k) {
      bit_word const unit = map(columns[k]) >> unit_bits;
      add_to(units, unit);
      add_to(banks, unit & low_bits(bank_bits));
    }
    return integer{1} << (units.size() - banks.size());
  }

  /// False with a swizzle or replicas, or if the access is not linear over F2.
  AXE_LAZY_FN constexpr bool read(layout const& l, access_pattern const& a,
                                  access_counts const& n) {
    if (!l.swizzle.none() || !l.replicas.empty()) return false;
    int const vectors = exact_log2(n.vectors), sweep = exact_log2(n.sweep),
              lanes = exact_log2(a.lanes);
    access_addresses const at(l, a);
    bool const powers_of_two = vectors >= 0 && sweep >= 0 && lanes >= 0;
    if (!powers_of_two || !at.direct || at.base < 0) return false;
    bit_word used = static_cast<bit_word>(at.base);
    for (int k = at.digits.size() - 1; k >= 0; --k) {
      iter const i = at.digits[k];
      int const bits = exact_log2(i.extent);
      if (bits < 0 || i.stride < 0) return false;
      for (int b = 0; b < bits; ++b) {
        bit_word const column = static_cast<bit_word>(i.stride) << b;
        if ((column & used) != 0) return false;  // sums of columns carry
        used |= column;
        columns.push(column);
      }
    }
    base = static_cast<bit_word>(at.base);
    value_bits = exact_log2(a.values);
    phase_bits =
        static_cast<int>(smaller(exact_log2(phase_lanes(n.vector_bits)), smaller(lanes, sweep)));
    unit_bits = exact_log2(elements_per_unit(a.values, a.bits));
    bank_bits = exact_log2(1024 / a.bits) - unit_bits;
    return true;
  }

 private:
  AXE_FN static constexpr void add_to(list<bit_word, 6>& basis, bit_word v) {
    for (bit_word known : basis)
      if ((v ^ known) < v) v ^= known;
    if (v != 0) basis.push(v);
  }
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
