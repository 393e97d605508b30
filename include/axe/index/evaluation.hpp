// SPDX-License-Identifier: MIT
// Three ways to compute one register's term of an address. The cheapest is chosen.
//
//     quotients    sum of weight * floor(t / boundary)        any strides, no swizzle
//     products     sum of ((t >> s) & field) * factor         one product for bits of equal factor
//     diagonals    XOR of ((t << s) & mask)                   F2-linear maps, of t or of t reversed
//
// Costs are instructions of PTX and SASS. Ties go to diagonals under a swizzle, else to quotients.
// Definition: docs/index_code.md, "Three evaluations".
#pragma once

#include <axe/index/terms.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

enum class evaluation : unsigned char { quotients, products, diagonals };

using register_bits = stl::uint32_t;

/// True if costs are counted in x86-64 instructions. AXE_COUNTS_AS_DEVICE makes the host plan as a
/// device does, for tests.
#if defined(__CUDA_ARCH__) || defined(AXE_COUNTS_AS_DEVICE)
inline constexpr bool counts_as_host = false;
#else
inline constexpr bool counts_as_host = true;
#endif

/// ((t >> right) & field) * factor. A field of 0 keeps every bit.
struct product_term {
  int right;
  register_bits field;
  register_bits factor;
};
/// (t << shift) & mask. A mask of 0 keeps every bit. A negative shift is a right shift. If
/// `inserted` is not 0, (t >> (inserted - shift)) << inserted has the same value.
struct diagonal_term {
  int shift;
  register_bits mask;
  int inserted;
};

/// Estimated instructions: PTX, and SASS after ptxas has merged shifts and masks.
struct form_cost {
  int ptx = 0;
  int sass = 0;

  AXE_FN constexpr int sum() const { return ptx + sass; }
};

using product_list = list<product_term, 32>;
using diagonal_list = list<diagonal_term, 63>;

/// Products and diagonals follow from the columns. They are not kept, because nvcc needs time for
/// each slot of each plan.
struct register_plan {
  quotient_sum quotients;
  bool reversed = false;  // the diagonals are those of the register with its bits reversed
  evaluation form = evaluation::quotients;
  bool has[3]{};  // which forms can compute the term
  form_cost costs[3]{};
  bool linear = false;          // the term is the sum of the columns of the set bits
  register_bits columns[32]{};  // the term of each bit; in mode swizzling::split after the swizzle
  register_bits reached = 0;    // OR of the columns
  int bits = 0;
};

AXE_FN constexpr int bits_of(integer range) {
  return range == 0 || range > (integer{1} << 32) ? 32 : log2_of(range);
}

/// Finds the term of each bit of the register. False if a boundary is not a power of two, or if a
/// term is negative or their sum exceeds 32 bits.
AXE_FN constexpr bool columns_of(quotient_sum const& sum, int bits, integer (&columns)[32]) {
  for (quotient_term const& t : sum)
    if (!is_power_of_two(t.boundary)) return false;
  integer total = 0;
  for (int b = 0; b < bits; ++b) {
    columns[b] = 0;
    for (quotient_term const& t : sum) {
      if ((integer{1} << b) < t.boundary) break;
      columns[b] += t.weight * ((integer{1} << b) / t.boundary);
    }
    total += columns[b];
    if (columns[b] < 0 || total >= (integer{1} << 32)) return false;
  }
  return true;
}

AXE_FN constexpr form_cost cost_of_factor(integer factor, bool first) {
  int const add = first ? 0 : 1;
  if (factor == 1) return {add, add};
  if (is_power_of_two(magnitude(factor))) return {1 + add, 1};
  return {1, 1};
}

AXE_FN constexpr bool is_one_instruction(integer divisor, integer range) {
  return is_power_of_two(divisor) || reciprocal_is_exact(divisor, range);
}

/// Finds a term j before k whose quotient gives that of term k in one instruction: if a and b are
/// their boundaries, floor(t / b) = floor(floor(t / a) / (b / a)). -1 if there is none, or if
/// term k needs only one instruction without it.
AXE_FN constexpr int quotient_below(quotient_sum const& sum, int k, integer range) {
  integer const boundary = sum[k].boundary;
  if (is_one_instruction(boundary, range)) return -1;
  if (range <= 0 || range > (integer{1} << 32)) range = integer{1} << 32;
  for (int j = k - 1; j >= 0; --j)
    if (integer const a = sum[j].boundary;
        boundary % a == 0 && is_one_instruction(boundary / a, (range - 1) / a + 1))
      return j;
  return -1;
}

AXE_FN constexpr int cost_of_division(quotient_sum const& sum, int k, integer range) {
  integer const boundary = sum[k].boundary;
  if (boundary == 1) return 0;
  if (is_one_instruction(boundary, range) || quotient_below(sum, k, range) >= 0) return 1;
  return shift_before_reciprocal(boundary, range) >= 0 ? 2 : 4;
}

AXE_FN constexpr form_cost cost_of_quotients(quotient_sum const& sum, integer range, int scale) {
  form_cost cost;
  for (int k = 0; k < sum.count; ++k) {
    quotient_term const& t = sum[k];
    int const division = cost_of_division(sum, k, range);
    form_cost const factor = cost_of_factor(t.weight >> scale, k == 0);
    cost.ptx += division + factor.ptx;
    cost.sass += division + factor.sass;
  }
  return cost;
}

/// If the field is the register's bits from b to the highest, a right shift by b makes the mask
/// unnecessary. The factor then grows. It must stay at most 8, as in an x86-64 address.
AXE_FN constexpr void shift_out_field(product_term& p, int b, int bits) {
  int const up = b - p.right;
  register_bits const rest =
      bits - b >= 32 ? ~register_bits{0} : (register_bits{1} << (bits - b)) - 1;
  if (p.field == 0 || (p.field >> up) != rest || (p.field & ((register_bits{1} << up) - 1)) != 0 ||
      p.factor > (8u >> up))
    return;
  p = {b, 0, p.factor << up};
}

/// Makes one product of all bits b whose columns have the same ratio to 2^b. Under a swizzle the
/// columns of one product must be disjoint.
AXE_FN constexpr form_cost find_products(register_plan const& r, int scale, bool swizzled,
                                         product_list& products) {
  form_cost cost;
  bool done[32]{};
  products.clear();
  for (int b = 0; b < r.bits; ++b) {
    if (done[b] || r.columns[b] == 0) continue;
    register_bits const first = r.columns[b] >> scale;
    product_term p{};
    // If first / 2^b is not an integer, the field is shifted down first.
    while (p.right < b && (first & ((register_bits{1} << (b - p.right)) - 1)) != 0) ++p.right;
    p.factor = first >> (b - p.right);
    register_bits seen = 0;
    for (int c = b; c < r.bits; ++c) {
      register_bits const column = r.columns[c] >> scale;
      if (done[c] || column == 0 || integer{p.factor} << (c - p.right) != integer{column}) continue;
      if (swizzled && (seen & column) != 0) continue;
      seen |= column;
      p.field |= register_bits{1} << (c - p.right);
      done[c] = true;
    }
    register_bits const every =
        r.bits - p.right >= 32 ? ~register_bits{0} : (register_bits{1} << (r.bits - p.right)) - 1;
    if (p.field == every) p.field = 0;
    if (counts_as_host) shift_out_field(p, b, r.bits);
    // An addition merges with a multiplication before it.
    bool const merges =
        p.factor == 1 && products.count == 1 && !swizzled && !is_power_of_two(products[0].factor);
    form_cost const factor = cost_of_factor(p.factor, products.count == 0 || merges);
    // A multiply-add includes the addition. An XOR costs an instruction.
    int const combine = swizzled && products.count != 0 && !is_power_of_two(p.factor);
    cost.ptx += (p.right != 0) + (p.field != 0) + factor.ptx + combine;
    cost.sass += (p.right != 0) + (p.field != 0) + factor.sass + combine;
    products.push(p);
  }
  return cost;
}

AXE_FN constexpr int lowest_bit(register_bits bits) {
  int at = 0;
  while (at < 31 && (bits >> at & 1) == 0) ++at;
  return at;
}

AXE_FN constexpr form_cost find_diagonals(register_plan const& r, int scale, bool swizzled,
                                          diagonal_list& diagonals) {
  register_bits masks[63]{};
  register_bits there = 0;  // every bit of the register
  for (int b = 0; b < r.bits; ++b) {
    int const at = r.reversed ? 31 - b : b;
    there |= register_bits{1} << at;
    for (register_bits rest = r.columns[b] >> scale; rest != 0; rest &= rest - 1) {
      int const out = lowest_bit(rest);
      masks[out - at + 31] |= register_bits{1} << out;
    }
  }
  form_cost cost{r.reversed, r.reversed};
  diagonals.clear();
  for (int step = -31; step <= 31; ++step) {
    // On hosts left shifts come first, because an address can include them.
    int const shift = counts_as_host ? -step : step;
    register_bits const mask = masks[shift + 31];
    if (mask == 0) continue;
    // No mask is needed if the shifted register has no other bits.
    bool const all = (shift >= 0 ? there << shift : there >> -shift) == mask;
    int const combine = diagonals.count == 0 ? 0 : 1;
    cost.ptx += (shift != 0) + !all + combine;
    cost.sass += (shift != 0) + (!all || combine != 0);
    // A mask of the highest bits becomes a shift right and a shift left.
    register_bits const highest = shift < 0 ? there >> -shift : 0;
    int const low = lowest_bit(mask);
    bool const inserted =
        swizzled && !all && shift < 0 && (highest & ~((register_bits{1} << low) - 1)) == mask;
    diagonals.push({shift, all ? 0 : mask, inserted ? low : 0});
  }
  // From four diagonals on, ptxas combines pairs, which costs one more.
  if (diagonals.count > 3) cost.sass += 1;
  return cost;
}

/// True for 1, 2, 4 or 8 plus a power of two. Clang 19 multiplies by such a factor, for example 68,
/// in three instructions.
AXE_FN constexpr bool is_shifted_and_added(integer factor) {
  integer const low = factor & -factor;
  return factor > 16 && low <= 8 && is_power_of_two(factor - low);
}
/// Instructions of x86-64 for a factor. `apart`: the value has a register of its own.
AXE_FN constexpr int host_cost_of_factor(integer factor, bool first, bool apart) {
  int const add = first ? 0 : 1;
  if (factor == 1) return add;
  if (!is_power_of_two(magnitude(factor))) return 2 + add + is_shifted_and_added(factor);
  if (factor > 0 && factor <= 8) return 1;
  return 1 + add + (apart ? 0 : 1);
}
AXE_FN constexpr int host_cost(quotient_sum const& sum, integer range, int scale) {
  int cost = 0;
  for (int k = 0; k < sum.count; ++k) {
    int const division = cost_of_division(sum, k, range);
    // The high word of a product is a multiplication and a shift.
    cost += division == 0 ? 0 : is_power_of_two(sum[k].boundary) ? 2 : division + 2;
    cost += host_cost_of_factor(sum[k].weight >> scale, k == 0, sum[k].boundary != 1);
  }
  return cost;
}
AXE_FN constexpr int host_cost(product_list const& products) {
  int cost = 0;
  for (int k = 0; k < products.count; ++k) {
    product_term const& p = products[k];
    bool const apart = p.right != 0 || p.field != 0;
    cost += apart + (p.right != 0) + (p.field != 0) + host_cost_of_factor(p.factor, k == 0, apart);
  }
  return cost;
}
AXE_FN constexpr bool stays_in_place(diagonal_list const& diagonals, int k, int scale) {
  diagonal_term const& d = diagonals[k];
  return counts_as_host && scale > 0 && diagonals.count > 1 && d.mask != 0 && d.shift == -scale;
}
AXE_FN constexpr int host_cost(diagonal_list const& diagonals, int scale) {
  int cost = 0;
  for (int k = 0; k < diagonals.count; ++k) {
    diagonal_term const& d = diagonals[k];
    if (stays_in_place(diagonals, k, scale)) {
      cost += 2 + (k != 0);
      continue;
    }
    bool const copied = (d.shift != 0 || d.mask != 0) && (d.shift <= 0 || d.shift > 3);
    cost += copied + (d.shift != 0) + (d.mask != 0) + (k != 0);
  }
  return cost;
}

/// Chooses the cheapest form and returns its cost. Weights and columns are divided by 2^scale.
/// `apart`: the columns are disjoint before the swizzle.
AXE_FN constexpr form_cost choose_evaluation(register_plan& r, integer range, bool swizzled,
                                             bool apart, int scale) {
  r.has[0] = !swizzled;
  r.has[1] = r.linear && (apart || !swizzled);
  r.has[2] = r.linear && apart;
  product_list products;
  diagonal_list diagonals;
  if (r.has[0]) r.costs[0] = cost_of_quotients(r.quotients, range, scale);
  if (r.has[1]) r.costs[1] = find_products(r, scale, swizzled, products);
  r.reversed = false;
  if (r.has[2]) r.costs[2] = find_diagonals(r, scale, swizzled, diagonals);
  if (counts_as_host) {
    if (r.has[0]) r.costs[0] = {host_cost(r.quotients, range, scale), 0};
    if (r.has[1]) r.costs[1] = {host_cost(products), 0};
    if (r.has[2]) r.costs[2] = {host_cost(diagonals, scale), 0};
  } else if (diagonals.count > 3) {
    r.reversed = true;
    form_cost const cost = find_diagonals(r, scale, swizzled, diagonals);
    r.reversed = cost.sum() < r.costs[2].sum();
    if (r.reversed) r.costs[2] = cost;
  }
  int best = -1;
  constexpr int ties[2][3] = {{1, 0, 2}, {2, 1, 0}};
  for (int form : ties[swizzled ? 1 : 0])
    if (r.has[form] && (best < 0 || r.costs[form].sum() < r.costs[best].sum())) best = form;
  r.form = static_cast<evaluation>(best < 0 ? 0 : best);
  return r.costs[best < 0 ? 0 : best];
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
