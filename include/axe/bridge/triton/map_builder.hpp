// SPDX-License-Identifier: MIT
// map_builder: the bases of a Triton encoding on a tensor, lowest bit first.
//
// Further registers repeat the encoding's tile until it fills the CTA's part of the tensor. Bases
// beyond this part are 0. Slices, and blocked encodings outside dot_op, drop registers of basis 0.
#pragma once

#include <axe/bridge/triton/nvmma_shared.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail::triton {

struct map_builder {
  encoding const& e;
  numbers extents{};              // 1 for dimensions removed by slices
  numbers of_cta{};               // of one CTA's part
  dimensions first{};             // lowest bit of each dimension
  numbers tile{};                 // extents that the bases so far cover
  list<bit_word, 64> bases[4]{};  // by basis_holder
  axe::refusal refusal{};

  AXE_FN constexpr bool fail(rule which, integer a = 0, integer b = 0, integer c = 0) {
    refusal = {which, {a, b, c}};
    return false;
  }
  AXE_FN constexpr int rank() const { return extents.size(); }

  /// The basis of n elements along dimension d, 0 beyond the CTA's part. n is a power of two.
  AXE_FN constexpr bit_word step(int d, integer n) const {
    return n < of_cta[d] ? static_cast<bit_word>(n) << first[d] : 0;
  }
  AXE_FN constexpr bool add(int holder, bit_word basis) {
    return bases[holder].push(basis) || fail(rule::triton_too_large, e.position);
  }
  AXE_FN constexpr bool extend(int holder, int d, integer factor) {
    for (; factor > 1; factor /= 2) {
      if (!add(holder, step(d, tile[d]))) return false;
      if (tile[d] < of_cta[d]) tile[d] *= 2;
    }
    return true;
  }
  AXE_FN constexpr bool repeat(int holder, integer factor) {
    for (; factor > 1; factor /= 2)
      if (!add(holder, 0)) return false;
    return true;
  }
  AXE_FN constexpr bool fill(dimensions const& order_of_dimensions) {
    for (int d : order_of_dimensions)
      if (!extend(by_register, d, of_cta[d] / tile[d])) return false;
    return true;
  }

  AXE_FN constexpr bool check_powers_of_two(field f) {
    bool good = e.lists[f].size() == rank();
    for (integer n : e.lists[f]) good = good && exact_log2(n) >= 0;
    return good || fail(rule::triton_field_numbers, e.position, rank());
  }
  AXE_FN constexpr bool read_order(dimensions& out) {
    for (integer d : e.lists[order]) {
      bool good = d >= 0 && d < rank();
      for (int other : out) good = good && other != d;
      if (!good) return fail(rule::triton_order, e.position, rank());
      out.push(static_cast<int>(d));
    }
    return out.size() == rank() || fail(rule::triton_order, e.position, rank());
  }
  AXE_FN constexpr dimensions last_first() const {
    dimensions out;
    for (int d = rank() - 1; d >= 0; --d) out.push(d);
    return out;
  }

  /// Divides the tensor among CTAs, except `k_dimension`: all CTAs hold the whole K of an operand.
  AXE_FN constexpr bool divide_among_ctas(int k_dimension) {
    for (integer n : e.lists[ctas_per_cga])
      if (n != 1) return fail(rule::triton_not_read, e.position);
    numbers parts;
    for (int d = 0; d < rank(); ++d) parts.push(1);
    for (numbers const& basis : e.bases) {
      bool good = basis.size() == rank();
      for (integer n : basis) good = good && n >= 0 && n < (integer{1} << 32);
      if (!good) return fail(rule::triton_basis, e.position, rank());
      for (int d = 0; d < rank(); ++d)
        while (d != k_dimension && parts[d] <= basis[d]) parts[d] *= 2;
    }
    for (int d = 0; d < rank(); ++d) of_cta[d] = extents[d] > parts[d] ? extents[d] / parts[d] : 1;
    for (numbers const& basis : e.bases) {
      bit_word moved = 0;
      for (int d = 0; d < rank(); ++d)
        if (d != k_dimension)
          moved |=
              (static_cast<bit_word>(basis[d] * of_cta[d]) & static_cast<bit_word>(extents[d] - 1))
              << first[d];
      if (!add(by_cta, moved)) return false;
    }
    return true;
  }

  AXE_FN constexpr bool blocked(int k_dimension) {
    dimensions by;
    if (!check_powers_of_two(size_per_thread) || !check_powers_of_two(threads_per_warp) ||
        !check_powers_of_two(warps_per_cta) || !read_order(by) || !divide_among_ctas(k_dimension))
      return false;
    for (int d : by)
      if (!extend(by_register, d, d == k_dimension ? of_cta[d] : e.lists[size_per_thread][d]))
        return false;
    for (int holder : {by_lane, by_warp})
      for (int d : by) {
        integer const n = e.lists[holder == by_lane ? threads_per_warp : warps_per_cta][d];
        if (!(d == k_dimension ? repeat(holder, n) : extend(holder, d, n))) return false;
      }
    return fill(by);
  }

  AXE_FN constexpr bool nvidia_mma(int operand, integer k_width_of_operand) {
    int const r = rank();
    integer const major = e.scalars[version_major];
    numbers const& shape_of_instruction = e.lists[instr_shape];
    bool const rows_first = major == 3;
    if (!check_powers_of_two(warps_per_cta)) return false;
    if (r < 2 || (major != 2 && !(major == 3 && r == 2)))
      return fail(rule::triton_not_read, e.position);
    if (shape_of_instruction.size() != (rows_first ? 3 : r))
      return fail(rule::triton_instruction_shape, e.position, rows_first ? 3 : r);
    integer const m = shape_of_instruction[rows_first ? 0 : r - 2];
    integer const n = shape_of_instruction[rows_first ? 1 : r - 1];
    bool const accumulator = operand < 0;
    integer const neighbours_in_thread = accumulator ? 2 : k_width_of_operand;
    if (m != 16 || n < 8 || n % 8 != 0 || (exact_log2(n) < 0 && accumulator) ||
        exact_log2(neighbours_in_thread) < 0 || neighbours_in_thread > 32 ||
        (rows_first && operand == 1))
      return fail(rule::triton_not_read, e.position);
    int const inner = operand == 1 ? r - 2 : r - 1;
    int const outer = operand == 1 ? r - 1 : r - 2;
    if (!divide_among_ctas(accumulator ? -1 : inner)) return false;
    dimensions by = last_first();
    if (operand == 1) {
      by[0] = inner;
      by[1] = outer;
    }
    if (!extend(by_register, inner, neighbours_in_thread) || !extend(by_lane, inner, 4) ||
        !extend(by_lane, outer, 8))
      return false;
    if (operand != 1 && !extend(by_register, outer, 2)) return false;
    if (!extend(by_register, inner, accumulator ? n / 8 : 2)) return false;
    for (int k = 0; k < r; ++k) {
      int const d = rows_first ? k : r - 1 - k;
      integer const warps = e.lists[warps_per_cta][d];
      if (!(!accumulator && d == inner ? repeat(by_warp, warps) : extend(by_warp, d, warps)))
        return false;
    }
    return fill(by);
  }

  AXE_FN constexpr bool amd_mfma() {
    numbers const& instruction = e.lists[instr_shape];
    if (!check_powers_of_two(warps_per_cta)) return false;
    bool const sized = rank() == 2 && instruction.size() > 1;
    integer const m = sized ? instruction[0] : 0, n = sized ? instruction[1] : 0;
    bool const transposed = e.scalars[is_transposed] != 0;
    if (m == n ? m != 16 && m != 32 : (m != 4 || n != 64) && (m != 64 || n != 4 || !transposed))
      return fail(rule::triton_not_read, e.position);
    bool const several = e.has(tiles_per_warp);
    if (several && !check_powers_of_two(tiles_per_warp)) return false;
    int const lanes_along = transposed ? 0 : 1;
    int const other = 1 - lanes_along;
    integer const lanes = instruction[lanes_along];
    integer const neighbours_in_thread = e.scalars[element_bit_width] == 64 ? 1 : 4;
    if (!divide_among_ctas(-1)) return false;
    if (!extend(by_register, other, neighbours_in_thread) || !extend(by_lane, lanes_along, lanes) ||
        !extend(by_lane, other, 64 / lanes) ||
        !extend(by_register, other, m * n / 64 / neighbours_in_thread))
      return false;
    for (int d : last_first()) {
      integer const tiles = several ? e.lists[tiles_per_warp][d] : 1;
      integer const warps = e.lists[warps_per_cta][d];
      if (!extend(by_register, d, tiles) || !extend(by_warp, d, warps)) return false;
      // Registers repeat for all columns of the tensor, even if a CTA has fewer.
      if (d == 1 && !extend(by_register, d, extents[d] / n / tiles / warps)) return false;
    }
    return fill(last_first());
  }

  /// Element (r, c) is at column c ^ (vec * (r / perPhase mod maxPhase)).
  AXE_FN constexpr bool swizzled_shared() {
    dimensions by;
    for (field f : {vec, per_phase, max_phase})
      if (exact_log2(e.scalars[f]) < 0) return fail(rule::triton_phases, e.position);
    if (!read_order(by) || !divide_among_ctas(-1)) return false;
    if (rank() == 0) return true;
    integer const columns = of_cta[by[0]];
    if (!extend(by_register, by[0], columns)) return false;
    if (rank() > 1)
      for (integer row = 1; row < of_cta[by[1]]; row *= 2) {
        integer const phase = row / e.scalars[per_phase] % e.scalars[max_phase];
        integer moved = e.scalars[vec];
        if (!multiply(moved, phase)) return fail(rule::triton_too_large, e.position);
        if (!add(by_register, step(by[1], row) | static_cast<bit_word>(moved % columns)
                                                     << first[by[0]]))
          return false;
      }
    for (int k = 2; k < rank(); ++k)
      if (!extend(by_register, by[k], of_cta[by[k]])) return false;
    return true;
  }

  /// Drops the components of bases outside a smaller tensor. More registers fill a larger one.
  AXE_FN constexpr bool linear() {
    of_cta = extents;
    for (int d = 0; d < rank(); ++d)
      for (numbers const& basis : e.bases)
        while (tile[d] <= basis[d]) tile[d] *= 2;
    dimensions by;
    auto const add_once = [&](int d) {
      for (int other : by)
        if (other == d) return;
      by.push(d);
    };
    for (int i = 0; i < e.bases.size(); ++i) {
      numbers const& basis = e.bases[i];
      bit_word moved = 0;
      bool cut = false;
      for (int d = 0; d < rank(); ++d) {
        bool const outside = basis[d] >= extents[d];
        if (outside && exact_log2(basis[d]) < 0)
          return fail(rule::triton_linear_extent, d, extents[d], tile[d]);
        cut = cut || outside;
        if (!outside) moved |= static_cast<bit_word>(basis[d]) << first[d];
      }
      for (int d = 0; d < rank() && e.holder[i] == by_register; ++d)
        if (basis[d] != 0) {
          add_once(d);
          break;
        }
      if (!(cut && moved == 0 && e.holder[i] == by_register) && !add(e.holder[i], moved))
        return false;
    }
    for (int d = rank() - 1; d >= 0; --d) add_once(d);
    for (int d : by)
      if (!extend(by_register, d, tile[d] < extents[d] ? extents[d] / tile[d] : 1)) return false;
    return true;
  }

  AXE_FN constexpr bool build() {
    int const last = e.wrappers.size() - 1;
    bool const operand = last >= 0 && !e.wrappers[last].is_slice;
    wrapper const of = operand ? e.wrappers[last] : wrapper{};
    for (int k = 0; k < last; ++k)
      if (!e.wrappers[k].is_slice) return fail(rule::triton_not_read, e.position);
    if (operand && (of.op_idx < 0 || of.op_idx > 1 || rank() < 2))
      return fail(rule::triton_not_read, e.position);
    int const index = static_cast<int>(of.op_idx);
    bool done = false;
    switch (e.kind) {
      case encoding_kind::blocked: done = blocked(operand ? rank() - 1 - index : -1); break;
      case encoding_kind::nvidia_mma: done = nvidia_mma(operand ? index : -1, of.k_width); break;
      default:
        if (operand) return fail(rule::triton_not_read, e.position);
        if (e.kind == encoding_kind::amd_mfma) done = amd_mfma();
        if (e.kind == encoding_kind::swizzled_shared) done = swizzled_shared();
        if (e.kind == encoding_kind::nvmma_shared)
          done = divide_among_ctas(-1) && nvmma_shared_bases<map_builder>{*this}.build();
        if (e.kind == encoding_kind::linear || e.kind == encoding_kind::shared_linear)
          done = linear();
    }
    bool const sliced = e.wrappers.size() > (operand ? 1 : 0);
    if (sliced || (e.kind == encoding_kind::blocked && !operand)) drop_empty_registers();
    return done;
  }
  AXE_FN constexpr void drop_empty_registers() {
    for (int i = bases[by_register].size() - 1; i >= 0; --i)
      if (bases[by_register][i] == 0) bases[by_register].erase(i);
  }
};

}  // namespace detail::triton
}  // namespace AXE_NAMESPACE
}  // namespace axe
