// SPDX-License-Identifier: MIT
// conflict_free_matrix(L, access, …): an invertible matrix over F2 on L's address bits. It has the
// fewest bank conflicts of the matrices that keep vectors and 4-byte words whole.
//
//     conflict_free_matrix(S[(32,32):(32,1)], row_blocks<32>, column_blocks<32>)
//         the matrix of swizzle(2,3,5)
//
// Source: "Linear Layouts" (arXiv 2505.23819). D20 in docs/algebra.md defines unit, K and W.
#pragma once

#include <axe/linear/engine/bit_space.hpp>
#include <axe/synthesis/accesses.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

struct found_matrix {
  bit_matrix matrix;      // from L's address bits to new ones
  integer conflicts = 0;  // of the worst access

  AXE_FN constexpr explicit operator bool() const { return conflicts == 1; }
  constexpr bool operator==(found_matrix const&) const = default;
};

namespace detail {

/// W: the address differences inside a phase that are multiples of the widest unit, divided by it.
AXE_LAZY_FN constexpr bit_space lane_differences(linear_access const& a, int unit_bits) {
  int const lanes = a.phase_bits;
  bit_matrix inside(unit_bits - a.unit_bits, lanes), above(64, lanes);
  for (int k = 0; k < lanes; ++k) {
    bit_word const change = a.columns[a.value_bits + k] >> a.unit_bits;
    inside.column[k] = change & low_bits(inside.rows);
    above.column[k] = change >> inside.rows;
  }
  return image(above * kernel(inside).basis(lanes));
}

/// A subspace k of the kernel K. Further vectors may increase dim(k ∩ W_i) by allowed[i].
struct partial_kernel {
  bit_space k;
  list<bit_space, access_list::capacity + 1> with;  // k + W_i
  list<int, access_list::capacity + 1> allowed;
};

struct kernel_search {
  bit_matrix within;  // its columns are a basis of the searched space
  int wanted = 0;     // dimension
  step_limit& steps;
  bit_space found{};

  /// Adds vectors to k until it has dimension `wanted`. Each is a column of `within` plus a sum of
  /// earlier columns. The columns ascend and begin at `from`. Every subspace has such a basis.
  AXE_FN constexpr bool extend(partial_kernel const& so_far, int from) {
    int const missing = wanted - so_far.k.dimension();
    if (missing == 0) {
      found = so_far.k;
      return true;
    }
    for (int lead = from; lead + missing <= within.columns; ++lead)
      for (bit_word low = 0; low < bit(lead); ++low) {
        if (!steps.take(1 + 4 * so_far.with.size())) return false;
        bit_word const v = within(bit(lead) | low);
        bool fits = true;
        for (int i = 0; i < so_far.with.size() && fits; ++i)
          fits = so_far.allowed[i] > 0 || !so_far.with[i].contains(v);
        if (!fits) continue;
        partial_kernel more = so_far;
        more.k.add(v);
        for (int i = 0; i < more.with.size(); ++i)
          if (!more.with[i].add(v)) --more.allowed[i];
        if (extend(more, lead + 1)) return true;
        if (steps.spent()) return false;
      }
    return false;
  }
};

/// An invertible matrix. The first `kept` rows copy the lowest bits. The next rows give the bank;
/// their kernel is k. The last rows copy the leading bits of k.
AXE_LAZY_FN constexpr bit_matrix matrix_of(bit_space const& k, int bits, int kept) {
  int const above = bits - kept;
  bit_matrix m(bits, bits);
  int row = 0;
  for (; row < kept; ++row) m.column[row] = bit(row);
  for (bool const leads : {false, true})
    for (int b = 0; b < above; ++b) {
      if (has_bit(k.leading, b) != leads) continue;
      for (int c = 0; c < above; ++c)
        if (c == b || has_bit(k.with_leading[c], b)) m.column[kept + c] |= bit(row);
      ++row;
    }
  return m;
}

/// Searches for K. Bit b of a vector of K is address bit unit_bits + b.
struct matrix_search {
  checked_list const& checked;
  int address_bits;
  int unit_bits;
  int bank_bits;
  step_limit& steps;
  partial_kernel empty{};
  bit_space sum{};   // of all spaces W
  bit_space line{};  // address differences inside 128 bytes
  int most = 0;      // largest dimension of a W

  AXE_FN constexpr int bits_above_unit() const { return address_bits - unit_bits; }

  AXE_LAZY_FN constexpr void list_spaces() {
    for (int b = 0; b < bank_bits; ++b) line.add(bit(b));
    for (checked_access const& one : checked) {
      bit_space const w = lane_differences(one.linear, unit_bits);
      empty.with.push(w);
      empty.allowed.push(0);
      sum = sum + w;
      most = most < w.dimension() ? w.dimension() : most;
    }
  }

  /// Finds a K with dim(K ∩ W) <= `overlap` for each W. `keeps_lines`: units of the same 128 bytes
  /// stay in different banks.
  AXE_LAZY_FN constexpr bool find(int overlap, bool keeps_lines, bit_space& found) const {
    bit_space const space = keeps_lines ? sum + line : sum;
    if (int const wanted = space.dimension() - bank_bits; wanted > 0) {
      partial_kernel begin = empty;
      for (int& a : begin.allowed) a = overlap;
      if (keeps_lines) {
        begin.with.push(line);
        begin.allowed.push(0);
      }
      kernel_search search{space.basis(bits_above_unit()), wanted, steps};
      if (!search.extend(begin, 0)) return false;
      found = search.found;
    }
    // Vectors outside of `space` do not change K ∩ W.
    bit_space const outside = complement(space, bits_above_unit());
    for (bit_word left = outside.leading;
         left != 0 && found.dimension() < bits_above_unit() - bank_bits; left &= left - 1)
      found.add(outside.with_leading[lowest_bit(left)]);
    return true;
  }

  AXE_LAZY_FN constexpr found_matrix with_kernel(bit_space const& kernel) const {
    found_matrix found{matrix_of(kernel, address_bits, unit_bits), 1};
    for (checked_access const& one : checked)
      found.conflicts = larger(found.conflicts, one.linear.wavefronts(found.matrix));
    return found;
  }
};

}  // namespace detail

/// Rejects accesses that are not linear over F2.
AXE_LAZY_FN constexpr outcome<found_matrix> try_conflict_free_matrix(layout const& l,
                                                                     shape const& s,
                                                                     access_list const& all,
                                                                     step_limit steps = {}) {
  using namespace detail;
  int address_bits = 0, unit_bits = 0;  // unit_bits: log2 of the elements in the widest unit
  checked_list checked;
  if (refusal const bad = check_tile(l, s, all, address_bits, checked)) return bad;
  bit_matrix const plain = bit_matrix::identity(64);
  for (int i = 0; i < checked.size(); ++i) {
    linear_access const& access = checked[i].linear;
    if (!checked[i].is_linear) return refusal{rule::access_is_not_linear, {i}};
    if (access.wavefronts(plain) == 0) return count_traffic(l, all[i], largest, steps).why;
    unit_bits = unit_bits < access.unit_bits ? access.unit_bits : unit_bits;
  }
  int const bank_bits = exact_log2(1024 / all[0].bits) - unit_bits;
  // Each unit of a tile of up to 128 bytes has its own bank.
  if (address_bits - unit_bits <= bank_bits)
    return found_matrix{bit_matrix::identity(address_bits), 1};
  matrix_search search{checked, address_bits, unit_bits, bank_bits, steps};
  search.list_spaces();
  // The loop ends, because K may contain every W if `overlap` is search.most.
  for (int overlap = search.most > bank_bits ? search.most - bank_bits : 0;; ++overlap)
    for (bool const keeps_lines : {true, false}) {
      bit_space kernel;
      if (search.find(overlap, keeps_lines, kernel)) return search.with_kernel(kernel);
      if (steps.spent()) return steps.refusal();
    }
}

template <any_access... Accesses>
AXE_FN constexpr found_matrix conflict_free_matrix(layout const& l, shape const& s,
                                                   Accesses const&... accesses) {
  auto const all = detail::list_accesses(s, accesses...);
  return detail::stop_on(all ? try_conflict_free_matrix(l, s, *all) : all.why,
                         "conflict_free_matrix", {&l, nullptr, &s});
}
template <any_access... Accesses>
AXE_FN constexpr found_matrix conflict_free_matrix(layout const& l, Accesses const&... accesses) {
  return conflict_free_matrix(l, detail::written_shape(l), accesses...);
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
