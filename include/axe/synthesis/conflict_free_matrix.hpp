// SPDX-License-Identifier: MIT
// conflict_free_matrix(L, access, …): an invertible matrix over F2 on the address bits without bank
// conflicts, or the best one.
//
//     conflict_free_matrix(S[(32,32):(32,1)], row_blocks<32>, column_blocks<32>)    swizzle(2,3,5)
//
// The family keeps the widest vector together. The search looks for a subspace K with small
// intersections with the subspaces W of the accesses: a phase has 2^dim(K ∩ W) wavefronts.
// Source: Zhou and others, "Linear Layouts", arXiv 2505.23819. Definition: docs/algebra.md, D20.
#pragma once

#include <axe/linear/bit_solver.hpp>
#include <axe/synthesis/accesses.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// Converts to true if there are no conflicts.
struct found_matrix {
  bit_matrix matrix;      // address bits of L to address bits
  integer conflicts = 0;  // of the worst access under this matrix
  integer tried = 0;      // vectors of kernels that were tried

  AXE_FN constexpr explicit operator bool() const { return conflicts == 1; }
  AXE_FN friend constexpr bool operator==(found_matrix const&, found_matrix const&) = default;
};

namespace detail {

/// The space W of one access above the t lowest bits: differences between lanes of a phase at one
/// position in a unit.
AXE_LAZY_FN constexpr bit_space waiting_directions(linear_access const& a, int t) {
  list<bit_word, 6> left;
  for (int k = a.value_bits; k < a.value_bits + a.phase_bits; ++k)
    left.push(a.columns[k] >> a.unit_bits);
  int const inside = t - a.unit_bits;
  for (int b = 0; b < inside; ++b) {
    int pivot = -1;
    for (int i = 0; i < left.size() && pivot < 0; ++i)
      if (has_bit(left[i], b)) pivot = i;
    if (pivot < 0) continue;
    bit_word const by = left[pivot];
    left.erase(pivot);
    for (bit_word& v : left)
      if (has_bit(v, b)) v ^= by;
  }
  bit_space w;
  for (bit_word v : left) w.add(v >> inside);
  return w;
}

struct partial_kernel {
  bit_space k;
  list<bit_space, access_list::capacity + 1> with;
  list<int, access_list::capacity + 1> allowed;  // dimensions in which it may still meet each
};

/// Searches a subspace of `within` that meets the spaces in at most the allowed dimensions.
struct kernel_search {
  bit_matrix within;  // a basis
  int wanted = 0;
  step_limit& steps;
  bit_space found{};

  /// Extends the kernel by vectors whose highest coordinates ascend from `from`. Every subspace has
  /// such a basis.
  AXE_FN constexpr bool extend(partial_kernel const& so_far, int from) {
    int const missing = wanted - so_far.k.dimension();
    if (missing == 0) {
      found = so_far.k;
      return true;
    }
    for (int lead = from; lead + missing <= within.columns; ++lead)
      for (bit_word low = 0; low < bit(lead); ++low) {
        steps.taken += 4 * so_far.with.size();
        if (!steps.take()) return false;
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
        if (steps.taken > steps.allowed) return false;
      }
    return false;
  }
};

/// An invertible matrix on n bits that keeps the t lowest bits. Its bank rows have the kernel k.
AXE_LAZY_FN constexpr bit_matrix matrix_of(bit_space const& k, int n, int t) {
  int const above = n - t;
  bit_space const vanishing = kernel(transposed(k.basis(above)));
  bit_matrix const rows_of_banks = vanishing.basis(above);
  list<bit_word, 64> rows;
  for (int c = 0; c < rows_of_banks.columns; ++c) rows.push(rows_of_banks.column[c]);
  // Reduced from the lowest bit up: each bank row is its own bit and, if possible, higher ones.
  list<int, 64> pivots;
  for (int b = 0, done = 0; b < above && done < rows.size(); ++b) {
    int at = done;
    while (at < rows.size() && !has_bit(rows[at], b)) ++at;
    if (at == rows.size()) continue;
    bit_word const row = rows[at];
    rows[at] = rows[done];
    rows[done] = row;
    for (int other = 0; other < rows.size(); ++other)
      if (other != done && has_bit(rows[other], b)) rows[other] ^= row;
    pivots.push(b);
    ++done;
  }
  bit_word pivot_bits = 0;
  for (int b : pivots) pivot_bits |= bit(b);
  for (int b = 0; b < above; ++b)
    if (!has_bit(pivot_bits, b)) rows.push(bit(b));
  bit_matrix m(n, n);
  for (int b = 0; b < t; ++b) m.column[b] = bit(b);
  for (int r = 0; r < rows.size(); ++r)
    for (int b = 0; b < above; ++b)
      if (has_bit(rows[r], b)) m.column[t + b] |= bit(t + r);
  return m;
}

}  // namespace detail

AXE_LAZY_FN constexpr outcome<found_matrix> try_conflict_free_matrix(layout const& l,
                                                                     shape const& s,
                                                                     access_list const& all,
                                                                     step_limit steps = {}) {
  using namespace detail;
  int n = 0;
  if (refusal const bad = check_tile(l, s, n)) return bad;
  judged_list judged;
  if (refusal const bad = judge(l, all, judged)) return bad;
  int t = 0;
  for (int i = 0; i < judged.size(); ++i) {
    if (!judged[i].is_linear) return refusal{rule::access_is_not_linear, {i}};
    if (judged[i].linear.figure(bit_matrix::identity(64)) ==
        0)  // the vectors of the plain layout must be whole
      return count_traffic(l, all[i], largest, steps).why;
    t = t < judged[i].linear.unit_bits ? judged[i].linear.unit_bits : t;
  }
  int const banks = exact_log2(1024 / all[0].bits) - t;
  found_matrix best{bit_matrix::identity(n), 1, 0};
  if (n - t <= banks) return best;  // one line: every unit has a bank of its own
  bit_space bank_bits, sum;
  for (int b = 0; b < banks; ++b) bank_bits.add(bit(b));
  partial_kernel none;
  int most = 0;
  for (judged_access const& one : judged) {
    none.with.push(waiting_directions(one.linear, t));
    none.allowed.push(0);
    sum = sum + none.with.back();
    most = most < none.with.back().dimension() ? none.with.back().dimension() : most;
  }
  for (int meeting = most > banks ? most - banks : 0; meeting <= most; ++meeting)
    for (bool const only_banks : {true, false}) {
      bit_space const space = only_banks ? sum + bank_bits : sum;
      bit_space found;
      if (int const wanted = space.dimension() - banks; wanted > 0) {
        partial_kernel begin = none;
        for (int& a : begin.allowed) a = meeting;
        if (only_banks) {
          begin.with.push(bank_bits);
          begin.allowed.push(0);
        }
        kernel_search search{space.basis(n - t), wanted, steps, {}};
        bool const exists = search.extend(begin, 0);
        best.tried = steps.taken;
        if (steps.taken > steps.allowed) return steps.refusal();
        if (!exists) continue;
        found = search.found;
      }
      // Outside the sum, the rest of the kernel meets none of the spaces.
      bit_space const outside = complement(space, n - t);
      for (bit_word left = outside.leading; left != 0 && found.dimension() < n - t - banks;
           left &= left - 1)
        found.add(outside.with_leading[lowest_bit(left)]);
      best.matrix = matrix_of(found, n, t);
      best.conflicts = 1;
      for (judged_access const& one : judged)
        best.conflicts = larger(best.conflicts, one.linear.figure(best.matrix));
      return best;
    }
  return best;
}

template <class... Accesses>
  requires detail::some_accesses<Accesses...>
AXE_FN constexpr outcome<found_matrix> try_conflict_free_matrix(layout const& l, shape const& s,
                                                                Accesses const&... asked) {
  outcome<access_list> const all = detail::gather(s, asked...);
  if (all.why) return all.why;
  return try_conflict_free_matrix(l, s, all.value);
}
template <class... Accesses>
  requires detail::some_accesses<Accesses...>
AXE_FN constexpr outcome<found_matrix> try_conflict_free_matrix(layout const& l,
                                                                Accesses const&... asked) {
  return try_conflict_free_matrix(l, detail::written_shape(l), asked...);
}

template <class... Accesses>
  requires detail::some_accesses<Accesses...>
AXE_FN constexpr found_matrix conflict_free_matrix(layout const& l, shape const& s,
                                                   Accesses const&... asked) {
  auto const result = try_conflict_free_matrix(l, s, asked...);
  detail::stop_on(result.why, "conflict_free_matrix", {&l, nullptr, &s});
  return result.value;
}
template <class... Accesses>
  requires detail::some_accesses<Accesses...>
AXE_FN constexpr found_matrix conflict_free_matrix(layout const& l, Accesses const&... asked) {
  return conflict_free_matrix(l, detail::written_shape(l), asked...);
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
