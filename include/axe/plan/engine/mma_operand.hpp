// SPDX-License-Identifier: MIT
// find_repetitions: the starts of the fragments of an operand in registers or tensor memory.
//
//     C on (64,64) = 2 x 2 warps, each with 2 x 4 fragments of 16 x 8      4 x 8 repetitions
#pragma once

#include <axe/algebra/factor.hpp>
#include <axe/algebra/group.hpp>
#include <axe/algebra/is_injective.hpp>
#include <axe/algebra/rewrite.hpp>
#include <axe/plan/engine/digit_pairs.hpp>
#include <axe/plan/mma_instruction.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// A (M,K), B (K,N) or C (M,N).
struct mma_tile {
  layout where;
  shape extents;
  memory_space space = memory_space::registers;
};

AXE_FN constexpr operands operands_of(mma_tile const& a, mma_tile const& b, mma_tile const& c) {
  return {&a.where, &b.where, &a.extents, &b.extents, &c.where, &c.extents};
}

/// True if two CTAs compute C together. Each of them then has A (M/2,K) and B (K,N/2).
AXE_LAZY_FN constexpr bool is_shared_by_a_pair(mma_tile const& c) {
  return c.space == memory_space::tensor && axes_of(c.where).contains(axis::cluster_cta_x);
}

namespace detail {

/// The last dimension has the columns, the others the rows.
AXE_LAZY_FN constexpr refusal extents_of_tile(mma_tile const& t, integer& rows, integer& columns) {
  extent_list extents;
  if (refusal const bad = admit_dimensions(t.where, t.extents, extents)) return bad;
  if (extents.count < 2) return {rule::mma_tile_rank, {extents.count}};
  columns = extents.back();
  rows = product_of_extents(t.where.shards) / columns;
  return {};
}

struct mma_tiles {
  mma_tile a, b, c;
  integer m = 0, n = 0, k = 0;
  bool pair = false;  // two CTAs compute C; a and b are one CTA's

  AXE_FN constexpr bool lie_in(memory_space of_a, memory_space of_b, memory_space of_c) const {
    return a.space == of_a && b.space == of_b && c.space == of_c;
  }

  /// Sets m, n and k, counting both CTAs of a pair.
  AXE_LAZY_FN constexpr refusal read_operands() {
    integer rows[3]{}, columns[3]{};
    int operand = 0;
    mma_tile* const tiles[]{&a, &b, &c};
    for (mma_tile* tile : tiles) {
      refusal bad = check(tile->where);
      if (!bad) bad = extents_of_tile(*tile, rows[operand], columns[operand]);
      if (!bad && tile->space == memory_space::registers) {
        outcome<layout> const parts = split_threads(tile->where);
        tile->where = parts.value;
        bad = parts.why;
      }
      if (bad) return of_operand(operand, bad);
      tile->extents = {rows[operand], columns[operand]};
      ++operand;
    }
    m = rows[0], n = columns[1], k = columns[0];
    pair = is_shared_by_a_pair(c);
    if (pair) m *= 2, n *= 2;
    return rows[2] == m && columns[2] == n && rows[1] == k
               ? refusal{}
               : refusal{rule::mma_shapes, {m, k, rows[1], n, rows[2], columns[2]}};
  }
};

AXE_FN constexpr bool stays_in_a_thread(axis a) {
  switch (a) {
    case axis::reg:
    case axis::null: return true;
    default: return false;
  }
}
AXE_FN constexpr bool holds_repetitions(axis a) {
  using enum axis;
  switch (a) {
    case warp:
    case wid_in_wg:
    case wg:
    case TCol: return true;
    default: return stays_in_a_thread(a);
  }
}

/// `atom` is one fragment. A refusal names the first misplaced element.
AXE_LAZY_FN constexpr refusal find_repetitions(mma_operand operand, mma_tile const& t,
                                               mma_instruction const& i, layout const& atom,
                                               layout& starts) {
  using enum mma_operand;
  integer const high = operand == b ? i.k : i.m, wide = operand == a ? i.k : i.n;
  constexpr rule rules[] = {rule::mma_a_is_not_a_fragment, rule::mma_b_is_not_a_fragment,
                            rule::mma_c_is_not_a_fragment};
  int const number = static_cast<int>(operand);
  integer const rows = t.extents.extent(0), columns = t.extents.extent(1);
  outcome<layout> const outer =
      factor_of(valid_layout::proved(t.where), t.extents, valid_layout::proved(atom), {high, wide},
                side::outer, composed_by::sum, {});
  bool fits = outer && outer->swizzle.none();
  for (axis on : axes_of(outer.value)) fits = fits && holds_repetitions(on);
  if (fits) {
    outcome<layout> const grouped = group_of(outer, {rows / high, columns / wide});
    starts = grouped.value;
    return of_operand(number, grouped.why);
  }
  axis_list axes = axes_of(t.where);
  note_axes(axes, atom);
  for (integer r = 0; r < rows; ++r)
    for (integer c = 0; c < columns; ++c)
      for (axis on : axes) {
        integer const first = (r - r % high) * columns + c - c % wide;
        integer const start = place_on(t.where, holds_repetitions(on) ? first : 0, on);
        if (place_on(t.where, r * columns + c, on) - start !=
            place_on(atom, r % high * wide + c % wide, on))
          return of_operand(number, {rules[number], {r, c}});
      }
  return of_operand(number, outer ? refusal{rules[number]} : outer.why);
}

/// Moves digits on warp to wid_in_wg and drops offsets of whole warpgroups, unless places overflow.
AXE_LAZY_FN constexpr mma_tile on_warps_of_a_group(mma_tile const& of_cta) {
  mma_tile t = of_cta;
  bool moved = false;
  for (iter& i : t.where.shards)
    if (i.is_on(axis::warp)) {
      i.on = axis::wid_in_wg;
      moved = true;
    }
  decltype(t.where.offsets) kept;
  for (term const& o : t.where.offsets)
    if (!o.is_on(axis::warp) || o.n % 4 != 0) kept.push(o);
  t.where.offsets = kept;
  return moved && check(t.where) ? of_cta : t;
}

AXE_FN constexpr bool on_warps(iter const& i) { return !stays_in_a_thread(i.on); }

/// Every warp that multiplies an element must hold it. These warps differ in the digits `other` of
/// C and in C's replicas.
AXE_LAZY_FN constexpr refusal check_warps(layout const& operand, layout const& c,
                                          digit_pairs const& other) {
  iter_list apart;
  for (iter const& i : c.replicas) apart.push(i);
  for (digit_pair const& d : other) apart.push(d.first);
  step_limit steps;
  for (axis a : {axis::warp, axis::wid_in_wg, axis::wg}) {
    sum_set const held = sums_on(operand.replicas, a), wanted = sums_on(apart, a);
    if (wanted.overflowed) return {rule::mma_warps};
    integer const shift = c.offset(a) - operand.offset(a);
    for (integer v = wanted.least; v != sum_set::none; v = wanted.at_least(v + 1, steps))
      if (!held.contains(v + shift, steps))
        return steps.spent() ? steps.refusal() : refusal{rule::mma_warps};
    if (steps.spent()) return steps.refusal();
  }
  return {};
}

/// Rejects a start inside a register or column of `elements` elements.
AXE_LAZY_FN constexpr refusal check_starts(layout const& starts, integer elements,
                                           axis on = axis::reg,
                                           rule packed = rule::mma_packed_registers) {
  if (elements <= 1) return {};
  for (iter const& i : starts.shards)
    if (i.stride % elements != 0) return {packed, {i.stride, elements}};
  integer const o = starts.offset(on);
  return o % elements != 0 ? refusal{packed, {o, elements}} : refusal{};
}

/// The last refusal that concerns a layout, else the last one.
AXE_LAZY_FN constexpr refusal most_telling(candidate_list<mma_instruction> const& all) {
  for (int i = all.count - 1; i >= 0; --i) {
    switch (all[i].why.which) {
      case rule::mma_memories:
      case rule::needs_sm_89:
      case rule::needs_sm_90:
      case rule::exists_on_sm_90a:
      case rule::exists_on_sm_100a:
      case rule::mma_types:
      case rule::mma_no_such_shape:
      case rule::mma_does_not_divide: break;
      default: return all[i].why;
    }
  }
  return all.count == 0 ? refusal{rule::mma_types} : all.back().why;
}

}  // namespace detail

}  // namespace AXE_NAMESPACE
}  // namespace axe
