// SPDX-License-Identifier: MIT
// Three ways to compute one register's term of an address.
//
//     quotients    sum of weight * floor(t / boundary)
//     products     sum of ((t >> s) & field) * factor
//     diagonals    XOR of ((t << s) & mask)
//
// Definition: docs/index_code.md, "Three evaluations".
#pragma once

#include <axe/index/terms.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

enum class evaluation : unsigned char { quotients, products, diagonals };

using register_bits = stl::uint32_t;

/// ((t >> right_shift) & field) * factor. A field of 0 keeps every bit.
struct product_term {
  int right_shift;
  register_bits field;
  register_bits factor;
};
/// (t << shift) & mask. A mask of 0 keeps every bit. A negative shift is a right shift. If
/// `inserted` is not 0, the term is (t >> (inserted - shift)) << inserted.
struct diagonal_term {
  int shift;
  register_bits mask;
  int inserted;
};
using product_list = list<product_term, 32>;
using diagonal_list = list<diagonal_term, 63>;

/// The value of a planned register.
enum class origin : unsigned char {
  raw,    // a part's register
  field,  // a part without its step
  part,   // a part
  sum     // the sum of a run's parts
};

struct planned_register {
  origin from = origin::raw;
  int index = 0;  // of the part, or of the sum's run
  integer range = 0;
  integer weight = 0;  // origin::part: the part's factor in the run's index
  int plane = 0;
  quotient_sum quotients{};
  bool reversed = false;  // diagonals read the bit-reversed register
  evaluation form = evaluation::quotients;
  bool computable[3]{};           // computable[f]: form f can compute the term
  bool linear = false;            // the term is the sum of columns[b] over the set bits b
  register_bits columns[32]{};    // swizzled in mode per_register
  register_bits column_bits = 0;  // OR of the columns
  int bits = 0;                   // the register's width; 0 unless `linear`
};

AXE_FN constexpr int bits_of(integer range) { return ceil_log2(register_values(range)); }
AXE_FN constexpr register_bits lowest_bits(int count) {
  return count >= 32 ? ~register_bits{0} : (register_bits{1} << count) - 1;
}
AXE_FN constexpr int lowest_bit(register_bits bits) { return ceil_log2(bits & -integer{bits}); }

AXE_FN constexpr void find_columns(planned_register& r) {
  r.bits = bits_of(r.range);
  r.linear = true;
  for (quotient_term const& t : r.quotients) r.linear = r.linear && is_power_of_two(t.boundary);
  integer total = 0, column = 0;
  int next = 0;
  for (int b = 0; b < r.bits && r.linear; ++b) {
    column *= 2;
    if (next < r.quotients.count && r.quotients.at[next].boundary == integer{1} << b)
      column += r.quotients.at[next++].weight;
    total += column;
    r.linear = column >= 0 && total < (integer{1} << 32);
    r.columns[b] = static_cast<register_bits>(column);
  }
  if (!r.linear) r.bits = 0;
}

AXE_FN constexpr bool is_one_instruction(integer divisor, integer range) {
  return is_power_of_two(divisor) || reciprocal_is_exact(divisor, range);
}
/// A j < k for which one instruction computes quotient k from quotient j. -1: none, or quotient k
/// takes one instruction anyway.
AXE_FN constexpr int quotient_below(quotient_sum const& sum, int k, integer range) {
  integer const boundary = sum[k].boundary;
  if (is_one_instruction(boundary, range)) return -1;
  for (int j = k - 1; j >= 0; --j)
    if (integer const a = sum[j].boundary;
        boundary % a == 0 && is_one_instruction(boundary / a, (register_values(range) - 1) / a + 1))
      return j;
  return -1;
}

/// One product for all bits b with equal ratios of column to 2^b.
AXE_FN constexpr product_list find_products(planned_register const& r, int scale, bool swizzled) {
  product_list products;
  bool done[32]{};
  for (int b = 0; b < r.bits; ++b) {
    if (done[b] || r.columns[b] == 0) continue;
    register_bits const first = r.columns[b] >> scale;
    product_term p{};
    // If 2^b does not divide `first`, the product shifts the field to the right.
    while (p.right_shift < b && (first & lowest_bits(b - p.right_shift)) != 0) ++p.right_shift;
    p.factor = first >> (b - p.right_shift);
    register_bits seen = 0;
    for (int c = b; c < r.bits; ++c) {
      register_bits const column = r.columns[c] >> scale;
      if (done[c] || column == 0 || integer{p.factor} << (c - p.right_shift) != integer{column})
        continue;
      if (swizzled && (seen & column) != 0) continue;
      seen |= column;
      p.field |= register_bits{1} << (c - p.right_shift);
      done[c] = true;
    }
    if (p.field == lowest_bits(r.bits - p.right_shift)) p.field = 0;
    products.push(p);
  }
  return products;
}

AXE_FN constexpr diagonal_list find_diagonals(planned_register const& r, int scale, bool swizzled) {
  register_bits masks[63]{};  // masks[31 + s]: the bits that a shift by s yields
  register_bits used = 0;
  for (int b = 0; b < r.bits; ++b) {
    int const at = r.reversed ? 31 - b : b;
    used |= register_bits{1} << at;
    for (register_bits rest = r.columns[b] >> scale; rest != 0; rest &= rest - 1) {
      int const out = lowest_bit(rest);
      masks[out - at + 31] |= register_bits{1} << out;
    }
  }
  diagonal_list diagonals;
  for (int shift = -31; shift <= 31; ++shift) {
    register_bits const mask = masks[shift + 31];
    if (mask == 0) continue;
    register_bits const shifted = shift >= 0 ? used << shift : used >> -shift;
    bool const all = shifted == mask;
    // A mask of the highest bits becomes a shift right and a shift left.
    int const low = lowest_bit(mask);
    bool const inserted = swizzled && !all && shift < 0 && (shifted & ~lowest_bits(low)) == mask;
    diagonals.push({shift, all ? 0 : mask, inserted ? low : 0});
  }
  return diagonals;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
