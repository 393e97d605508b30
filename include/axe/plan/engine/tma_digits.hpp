// SPDX-License-Identifier: MIT
// tma_digits: the runs of a tile in global memory, and its atoms, linear in both memories.
//
//     tile (64,128), global (M,K):(ld,1), shared S[(64,2,64):(64,4096,1)]
//         atoms    64 rows: shared stride 64      2 blocks of 64 columns: 4096      64 columns: 1
#pragma once

#include <axe/plan/engine/digit_pairs.hpp>
#include <axe/plan/tma_plan.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// An iter of the global tensor, or joined iters.
struct tma_run {
  tma_number extent;
  tma_number stride;
  integer in_tile = 1;  // elements of one tile
  bool whole = false;   // one tile has the whole run
  list<tma_move, 12> moves;
};

struct tma_atom {
  int run = -1;  // -1: repeated in global memory
  integer extent = 1;
  integer step = 1;  // counts elements of the run
  integer shared_stride = 0;
};

/// True if the outer run continues the inner one. The tile must have the whole inner run or, with
/// `one_outer`, one element of the outer run.
AXE_LAZY_FN constexpr bool may_join(tma_run const& outer, tma_run const& inner, bool one_outer) {
  if (!inner.extent.known() || !inner.stride.known() || !outer.stride.known()) return false;
  integer const extent = inner.extent.value(), stride = inner.stride.value();
  if (stride <= 0 || outer.stride.value() != extent * stride) return false;
  if (one_outer) return outer.in_tile == 1 && extent % inner.in_tile == 0;
  return extent == inner.in_tile && (inner.moves.count == 0 || inner.whole);
}

AXE_LAZY_FN constexpr refusal not_a_multiple(tma_number const& extent, integer n) {
  return {extent.known() ? rule::tma_static_extent : rule::tma_extent, {extent.divisor(), n}};
}

struct tma_digits {
  list<tma_run, capacity::shards> runs;
  list<tma_atom, 48> atoms;

  /// Removes the digits of the atoms from `shared`.
  AXE_LAZY_FN constexpr refusal add_atoms(int run, integer taken, int dimension,
                                          iter_list& shared) {
    for (integer step = 1; step < taken;) {
      iter& next = shared.back();
      integer const wanted = taken / step, extent = smaller(next.extent, wanted);
      if (larger(next.extent, wanted) % extent != 0)
        return {rule::tma_digits_cross, {dimension, wanted, next.extent}};
      if (!atoms.push({run, extent, step, next.stride}))
        return {rule::too_many_shards, {atoms.count + 1}};
      step *= extent;
      next.extent /= extent;
      next.stride *= extent;
      if (next.extent == 1) shared.pop();
    }
    return {};
  }

  /// A tile has whole fast digits and part of the next digit: 64 elements of digits (16,32) have 2
  /// of 16 and all 32.
  AXE_LAZY_FN constexpr refusal add_dimension(tma_tensor const& global, int first, int count,
                                              int dimension, integer tile, iter_list shared) {
    integer left = tile;  // elements without an atom
    integer tiles = 1;    // in one step of the digit
    for (int k = count - 1; k >= 0; --k) {
      tma_tensor::digit const& d = global.digits.at[first + k];
      bool const slowest = k == 0, known = d.extent.known();
      integer const extent = d.extent.value();
      integer taken = left;
      if (!slowest) {
        taken = left % extent == 0 ? extent : left;
        if (extent % taken != 0) return {rule::tma_tile_splits, {dimension, tile, extent, left}};
      }
      left /= taken;
      bool const whole = known && extent <= taken;
      bool const repeats = d.stride.known() && d.stride.value() == 0 && !(whole && extent == 1);
      if (repeats && taken > 1 && (!known || extent % taken != 0))
        return {rule::tma_repeats, {dimension, taken}};
      int run = -1;
      if (!repeats && !(whole && taken == 1)) {
        tma_run r{d.extent, d.stride, taken, whole, {}};
        if (!whole || slowest)  // tile_at may start anywhere in a dimension
          r.moves.push({0, dimension, tiles, slowest ? 0 : extent / taken, taken});
        run = runs.count;
        if (!runs.push(r)) return {rule::too_many_shards, {run + 1}};
      }
      if (!whole && !slowest) tiles *= extent / taken;
      if (refusal const bad = add_atoms(run, taken, dimension, shared)) return bad;
    }
    return {};
  }

  AXE_LAZY_FN constexpr bool join_runs(bool one_outer) {
    for (int b = 0; b < runs.count; ++b)
      for (int a = 0; a < runs.count; ++a) {
        tma_run const outer = runs.at[a];
        tma_run joined = runs.at[b];
        if (a == b || !may_join(outer, joined, one_outer)) continue;
        integer const extent = joined.extent.value();
        joined.extent = outer.extent.scaled(extent);
        joined.in_tile *= outer.in_tile;
        joined.whole = !one_outer && outer.whole;
        if (!one_outer) joined.moves.clear();
        for (tma_move m : outer.moves) {
          m.factor *= extent;
          if (!joined.moves.push(m)) return false;
        }
        int const kept = one_outer ? b : a, erased = one_outer ? a : b;
        runs[kept] = joined;
        runs.erase(erased);
        for (tma_atom& t : atoms) {
          if (t.run == a) t.step *= extent;
          if (t.run == erased) t.run = kept;
          if (t.run > erased) --t.run;
        }
        return true;
      }
    return false;
  }

  AXE_LAZY_FN constexpr void join_atoms() {
    for (int a = 0; a < atoms.count; ++a)
      for (int b = 0; b < atoms.count; ++b) {
        tma_atom const& inner = atoms.at[b];
        tma_atom const& outer = atoms.at[a];
        if (a == b || inner.run != outer.run || inner.run < 0 ||
            outer.step != inner.step * inner.extent ||
            outer.shared_stride != inner.shared_stride * inner.extent)
          continue;
        atoms.at[a] = {inner.run, inner.extent * outer.extent, inner.step, inner.shared_stride};
        atoms.erase(b);
        a = -1;
        break;
      }
  }

  /// Precondition: `shared` is grouped by the tile's dimensions.
  AXE_LAZY_FN constexpr refusal find(tma_tensor const& global, extent_list const& tile,
                                     layout const& shared) {
    int digit = 0;
    for (int d = 0; d < tile.count; digit += global.blocks[d++])
      if (refusal const bad =
              add_dimension(global, digit, global.blocks[d], d, tile[d], iters_of_block(shared, d)))
        return bad;
    while (join_runs(false)) {}
    join_atoms();
    return {};
  }

  AXE_LAZY_FN constexpr int adjacent_atom() const {
    for (int k = 0; k < atoms.count; ++k) {
      tma_atom const& a = atoms.at[k];
      if (a.shared_stride != 1 || a.run < 0 || a.step != 1) continue;
      tma_number const& stride = runs.at[a.run].stride;
      if (stride.known() && stride.value() == 1) return k;
    }
    return -1;
  }

  /// Makes runs and atoms count units. An element has times / over units.
  AXE_LAZY_FN constexpr refusal recast(integer times, integer over) {
    int const row = adjacent_atom();
    if (over > 1 && row < 0) return {rule::tma_narrow, {over}};
    int const along = row < 0 ? -1 : atoms.at[row].run;
    bool exact = true;
    auto const scale = [&](integer& n) {
      exact = exact && n * times % over == 0;
      n = n * times / over;
    };
    auto const scale_number = [&](tma_number& n) {
      exact = exact && n.divisor() * times % over == 0;
      n = exact ? n.scaled(times, over) : n;
    };
    for (int k = 0; k < atoms.count; ++k) {
      tma_atom& a = atoms.at[k];
      scale(k == row ? a.extent : a.shared_stride);
      if (k != row && a.run == along) scale(a.step);
    }
    for (int r = 0; r < runs.count; ++r) {
      tma_run& run = runs.at[r];
      if (r != along) {
        scale_number(run.stride);
        continue;
      }
      if (run.extent.divisor() * times % over != 0) return not_a_multiple(run.extent, over);
      scale_number(run.extent);
      scale(run.in_tile);
      for (tma_move& m : run.moves) scale(m.factor);
    }
    if (!exact) return {rule::tma_narrow, {over}};
    if (row >= 0) return {};
    atoms.push({runs.count, times, 1, 1});
    if (!runs.push({tma_number(times), tma_number(integer{1}), times, true, {}}))
      return {rule::too_many_shards, {runs.count + 1}};
    return {};
  }
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
