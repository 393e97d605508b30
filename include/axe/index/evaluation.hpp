// Three ways to compute what one register adds to an address, and which is cheapest.
//
//     quotients     sum of weight * floor(t / boundary)              any strides, no swizzle; the first term merges with the base
//     products      sum of ((t >> s) & field) * factor               bits that move alike together; the rows of a 128-byte swizzle are (t & 7) * 0x90
//     diagonals     XOR of ((t << s) & mask)                         any F2-linear map: one term for each distance that a bit moves
//
// Where every boundary is a power of two, g(t) is the sum of the columns c[b] = g(2^b), swizzled one by one where the layout is swizzled: there the columns and the
// swizzle's images are bit-disjoint, or the form is not taken. The counts below are instructions of PTX; ties go to the diagonals under a swizzle and to the
// quotients elsewhere, as measured.
// Definition: docs/index.md, "Three evaluations".
#pragma once

#include <axe/index/terms.hpp>

namespace axe::inline AXE_NAMESPACE::detail {

enum class evaluation : unsigned char { quotients, products, diagonals };

using word = stl::uint32_t;

/// ((t >> right) & field) * factor; field 0: every bit.
struct product_term {
  int right = 0;
  word field = 0;
  word factor = 1;
};
/// (t << shift) & mask, shift < 0 to the right; mask 0: every bit.
struct diagonal_term {
  int shift = 0;
  word mask = 0;
};

struct register_plan {
  quotient_sum quotients;
  list<product_term, 32> products;
  list<diagonal_term, 63> diagonals;
  evaluation form = evaluation::quotients;
  int costs[3]{-1, -1, -1};  // -1: this form does not exist
  bool linear = false;       // the columns are what the register adds
  word columns[32]{};        // after the swizzle
  word plain = 0;            // bits that it can set before the swizzle
  word reached = 0;          // and after
  int bits = 0;
};

/// A register has 32 bits, whatever the extent it counts in.
AXE_FN constexpr int bits_of(integer range) {
  return range == 0 || range > (integer{1} << 32) ? 32 : log2_of(range);
}

/// The columns of a sum whose boundaries are all powers of two; false where one is not, or a column is negative or past 32 bits.
AXE_FN constexpr bool columns_of(quotient_sum const& sum, int bits, integer (&columns)[32]) {
  for (quotient_term const& t : sum)
    if (!is_power_of_two(t.boundary)) return false;
  for (int b = 0; b < bits; ++b) {
    columns[b] = 0;
    for (quotient_term const& t : sum) {
      if ((integer{1} << b) < t.boundary) break;
      columns[b] += t.weight * ((integer{1} << b) / t.boundary);
    }
    if (columns[b] < 0 || columns[b] >= (integer{1} << 31)) return false;
  }
  return true;
}

/// The instructions of a quotient sum whose common power of two, 2^scale, is put back by the base's add.
AXE_FN constexpr int cost_of_quotients(quotient_sum const& sum, integer range, int scale) {
  int cost = 0;
  bool merged = false;
  for (quotient_term const& t : sum) {
    if (t.boundary != 1)
      cost += is_power_of_two(t.boundary) || reciprocal_is_exact(t.boundary, range) ? 1 : 4;
    if (!merged && t.weight == (integer{1} << scale))
      merged = true;
    else
      cost += 1;
  }
  return cost;
}

/// Bits whose columns stand in one ratio to the bit, as masked products. Under a swizzle the images in one product must not meet: then its sum is its XOR.
AXE_FN constexpr int find_products(register_plan& r, int scale, bool swizzled) {
  int cost = 0;
  bool done[32]{};
  for (int b = 0; b < r.bits; ++b) {
    if (done[b] || r.columns[b] == 0) continue;
    word const first = r.columns[b] >> scale;
    product_term p;
    // The factor is first / 2^b where that is whole; else the field is shifted down first.
    while (p.right < b && (first & ((word{1} << (b - p.right)) - 1)) != 0) ++p.right;
    p.factor = first >> (b - p.right);
    word seen = 0;
    for (int c = b; c < r.bits; ++c) {
      word const column = r.columns[c] >> scale;
      if (done[c] || column == 0 || integer{p.factor} << (c - p.right) != integer{column}) continue;
      if (swizzled && (seen & column) != 0) continue;
      seen |= column;
      p.field |= word{1} << (c - p.right);
      done[c] = true;
    }
    word const every = r.bits - p.right >= 32 ? ~word{0} : (word{1} << (r.bits - p.right)) - 1;
    if (p.field == every) p.field = 0;
    cost += (p.right != 0) + (p.field != 0) + (p.factor != 1 || !r.products.empty());
    if (!r.products.push(p)) return -1;
  }
  return cost;
}

AXE_FN constexpr int find_diagonals(register_plan& r, int scale) {
  int cost = 0;
  for (int shift = -31; shift <= 31; ++shift) {
    word mask = 0;
    for (int b = 0; b < r.bits; ++b) {
      int const out = b + shift;
      if (out >= 0 && out < 32 && ((r.columns[b] >> scale) >> out & 1) != 0) mask |= word{1} << out;
    }
    if (mask == 0) continue;
    // What the shifted register can have at all: where that is the mask, no mask is needed.
    word const all = r.bits >= 32 ? ~word{0} : (word{1} << r.bits) - 1;
    word const there = shift >= 0 ? all << shift : all >> -shift;
    diagonal_term const d{shift, there == mask ? 0 : mask};
    cost += (d.shift != 0) + (d.mask != 0 || d.shift == 0);
    if (!r.diagonals.push(d)) return -1;
  }
  return cost;
}

/// Fills in the forms that exist and takes the cheapest. The columns are set; `apart`: they are disjoint before the swizzle.
AXE_FN constexpr void choose_evaluation(register_plan& r, integer range, bool swizzled, bool apart,
                                        int scale) {
  if (!swizzled) r.costs[0] = cost_of_quotients(r.quotients, range, scale);
  if (r.linear && (apart || !swizzled)) r.costs[1] = find_products(r, scale, swizzled);
  if (r.linear && apart) r.costs[2] = find_diagonals(r, scale);
  int best = -1;
  for (int form : {0, 2, 1})
    if (r.costs[form] >= 0 && (best < 0 || r.costs[form] < r.costs[best])) best = form;
  r.form = static_cast<evaluation>(best < 0 ? 0 : best);
}

}  // namespace axe::inline AXE_NAMESPACE::detail
