// Operands of a matrix product as fragments: the layout divided by the instruction's fragment, and
// the warp that multiplies each part.
//
//     C on (64,64) = 2 x 2 warps, each with 2 x 4 fragments of 16 x 8      repetitions (4,8)
//
// A warp with part (m, n) of C needs A's part (m, .) and B's part (., n): A is replicated on the
// warps along N, B on those along M. K is on registers only.
// Source: the Axe paper, Appendix D. Definition: docs/plans.md, "Matrix products".
#pragma once

#include <axe/algebra/factor.hpp>
#include <axe/algebra/group.hpp>
#include <axe/algebra/is_injective.hpp>
#include <axe/plan/mma_instruction.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// An operand: A (M,K), B (K,N) or C (M,N), its memory and its layout.
struct mma_tile {
  layout where;
  shape extents;
  memory_space space = memory_space::registers;
};

/// The operands of a refusal: A, B and C with their shapes.
AXE_FN constexpr operands operands_of(mma_tile const& a, mma_tile const& b, mma_tile const& c) {
  return {&a.where, &b.where, &a.extents, &b.extents, &c.where, &c.extents};
}

namespace detail {

struct mma_tiles {
  mma_tile a, b, c;
  integer m = 0, n = 0, k = 0;

  AXE_FN constexpr bool lie_in(memory_space of_a, memory_space of_b, memory_space of_c) const {
    return a.space == of_a && b.space == of_b && c.space == of_c;
  }
};

AXE_LAZY_FN constexpr refusal extents_of_tile(mma_tile const& t, integer& rows, integer& columns) {
  extent_list extents;
  integer size = 1;
  if (refusal const bad = check(t.where)) return bad;
  if (refusal const bad = dimensions_of(t.extents, extents, size)) return bad;
  if (extents.size() != 2) return {rule::mma_tile_rank, {extents.size()}};
  integer const own = product_of_extents(t.where.shards);
  if (own != size) return {rule::shape_does_not_fit, {size, own}};
  rows = extents[0], columns = extents[1];
  return {};
}

AXE_LAZY_FN constexpr refusal multiply_shapes(mma_tiles& t) {
  integer k = 0, n = 0, m = 0;
  refusal bad = extents_of_tile(t.a, t.m, t.k);
  if (!bad) bad = of_operand(1, extents_of_tile(t.b, k, t.n));
  if (!bad) bad = of_operand(2, extents_of_tile(t.c, m, n));
  if (bad) return bad;
  return m == t.m && n == t.n && k == t.k ? refusal{}
                                          : refusal{rule::mma_shapes, {t.m, t.k, k, t.n, m, n}};
}

/// The component of element x on one axis, in the first replica.
AXE_LAZY_FN constexpr integer place_on(layout const& l, integer x, axis a) {
  integer sum = l.offset(a);
  for (int d = l.shards.size() - 1; d >= 0; --d) {
    if (l.shards[d].is_on(a)) sum += x % l.shards[d].extent * l.shards[d].stride;
    x /= l.shards[d].extent;
  }
  return sum;
}

/// Finds the first element that is not where the fragment has it. False if there is no such
/// element.
AXE_LAZY_FN constexpr bool strays(mma_tile const& t, layout const& atom, integer rows,
                                  integer columns, integer tile_rows, integer tile_columns,
                                  refusal& told) {
  for (integer r = 0; r < rows; ++r)
    for (integer c = 0; c < columns; ++c) {
      integer const first = (r - r % tile_rows) * columns + c - c % tile_columns;
      integer const within = r % tile_rows * tile_columns + c % tile_columns;
      for (axis a : {axis::lane, axis::reg, axis::warp, axis::wid_in_wg, axis::TLane, axis::TCol})
        if (place_on(t.where, r * columns + c, a) - place_on(t.where, first, a) !=
            place_on(atom, within, a)) {
          told.numbers[0] = r, told.numbers[1] = c;
          return true;
        }
    }
  return false;
}

/// True if the iter is on reg or does not move.
AXE_FN constexpr bool stays_in_a_thread(axis a) {
  switch (a) {
    case axis::reg:
    case axis::null: return true;
    default: return false;
  }
}
AXE_FN constexpr bool holds_repetitions(axis a) {
  switch (a) {
    case axis::reg:
    case axis::warp:
    case axis::wid_in_wg:
    case axis::wg:
    case axis::TCol:
    case axis::null: return true;
    default: return false;
  }
}

/// The start of each repetition of the fragment, grouped by repetitions along the two dimensions.
AXE_LAZY_FN constexpr outcome<layout> repetitions(mma_tile const& t, layout const& atom,
                                                  shape const& tile, rule which) {
  integer rows = 0, columns = 0;
  if (refusal const bad = extents_of_tile(t, rows, columns)) return bad;
  integer const tile_rows = tile.nodes.value(1), tile_columns = tile.nodes.value(2);
  outcome<layout> const outer = try_sum_outer(t.where, t.extents, atom, tile);
  if (!outer) {
    refusal told{which};
    return strays(t, atom, rows, columns, tile_rows, tile_columns, told) ? told : outer.why;
  }
  if (!outer->swizzle.none()) return refusal{which};
  for (axis a : axes_of(*outer))
    if (!holds_repetitions(a)) {
      // Fragments begin at several lanes; report one that does not begin at the first.
      for (integer x = 0; x < rows / tile_rows * (columns / tile_columns); ++x)
        if (place_on(*outer, x, a) != 0)
          return refusal{which,
                         {x / (columns / tile_columns) * tile_rows,
                          x % (columns / tile_columns) * tile_columns}};
      return refusal{which};
    }
  return try_group(*outer, {rows / tile_rows, columns / tile_columns});
}

/// The same tile for any warpgroup of the CTA.
AXE_LAZY_FN constexpr mma_tile on_warps_of_a_group(mma_tile t) {
  for (iter& i : t.where.shards)
    if (i.is_on(axis::warp)) i = {i.extent, i.stride, axis::wid_in_wg};
  decltype(t.where.offsets) kept;
  for (term const& o : t.where.offsets)
    if (!o.is_on(axis::warp) || o.n % 4 != 0) kept.push(o);
  t.where.offsets = kept;
  return t;
}

struct mma_repetitions {
  layout a, b, c;
  integer m = 0, n = 0, k = 0;
};

/// The extents of one block of a grouped layout.
AXE_LAZY_FN constexpr extent_list block_extents(layout const& l, int block) {
  extent_list out;
  int first = 0;
  for (int b = 0; b < block; ++b) first += l.blocks[b];
  for (int d = first; d < first + l.blocks[block]; ++d) out.push(l.shards[d].extent);
  return out;
}

/// The common refinement; false if the boundaries do not divide each other.
AXE_LAZY_FN constexpr bool common_digits(extent_list const& a, extent_list const& b,
                                         extent_list& out) {
  extent_list from_fastest;
  int i = a.size() - 1, j = b.size() - 1;
  integer of_a = 1, of_b = 1;  // what is left of the digit being cut
  while (true) {
    if (of_a == 1 && i >= 0) of_a = a[i--];
    if (of_b == 1 && j >= 0) of_b = b[j--];
    if (of_a == 1 || of_b == 1) break;
    integer const taken = of_a < of_b ? of_a : of_b;
    if (of_a % taken != 0 || of_b % taken != 0) return false;
    from_fastest.push(taken);
    of_a /= taken, of_b /= taken;
  }
  for (int d = from_fastest.size() - 1; d >= 0; --d) out.push(from_fastest[d]);
  return of_a == 1 && of_b == 1;
}

/// The layout with one iter for each extent of two dimensions.
AXE_LAZY_FN constexpr outcome<layout> split(layout const& l, extent_list const& first,
                                            extent_list const& second) {
  shape s;
  for (integer e : first) s.append(e);
  for (integer e : second) s.append(e);
  return s.rank() == 0 ? outcome<layout>(l) : try_group(l, s);
}
AXE_LAZY_FN constexpr iter digit_of(layout const& l, int block) {
  int first = 0;
  for (int b = 0; b < block; ++b) first += l.blocks[b];
  return l.blocks[block] == 0 ? iter{1, 0, axis::null} : l.shards[first];
}

AXE_FN constexpr bool on_warps(iter const& i) { return !stays_in_a_thread(i.on); }

/// All sums of the iters on one axis, from a first value.
using warp_values = list<integer, 64>;
AXE_LAZY_FN constexpr bool add_values(warp_values& values, iter const& i) {
  int const before = values.size();
  for (integer step = 1; step < i.extent; ++step)
    for (int v = 0; v < before; ++v)
      if (!values.push(values[v] + step * i.stride)) return false;
  return true;
}
AXE_LAZY_FN constexpr bool holds_all(warp_values const& values, warp_values const& wanted) {
  for (integer w : wanted) {
    bool found = false;
    for (integer v : values) found = found || v == w;
    if (!found) return false;
  }
  return true;
}

/// True if the operand is replicated on the warps of C's other dimension, iters `first` to `last`,
/// and on the warps of C's replicas.
AXE_LAZY_FN constexpr bool reaches(layout const& operand, layout const& c, int first, int last) {
  for (axis a : {axis::warp, axis::wid_in_wg, axis::wg}) {
    warp_values held, wanted;
    held.push(operand.offset(a)), wanted.push(c.offset(a));
    bool fits = true;
    for (iter const& i : operand.replicas)
      if (i.is_on(a)) fits = fits && add_values(held, i);
    for (iter const& i : c.replicas)
      if (i.is_on(a)) fits = fits && add_values(wanted, i);
    for (int d = first; d < last; ++d)
      if (digit_of(c, d).is_on(a)) fits = fits && add_values(wanted, digit_of(c, d));
    if (!fits || !holds_all(held, wanted)) return false;
  }
  return true;
}

/// Keeps the iters of two dimensions that are on registers, and counts their repetitions. The first
/// dimension has `first` iters.
AXE_LAZY_FN constexpr layout of_one_warp(layout const& l, int first, integer& of_first,
                                         integer& of_second) {
  layout own;
  int held[2] = {0, 0};
  of_first = of_second = 1;
  for (int b = 0; b < l.blocks.size(); ++b) {
    iter const i = digit_of(l, b);
    if (i.extent == 1 || on_warps(i)) continue;
    own.shards.push(i);
    ++held[b < first ? 0 : 1];
    (b < first ? of_first : of_second) *= i.extent;
  }
  own.blocks.push(held[0]);
  own.blocks.push(held[1]);
  if (integer const o = l.offset(axis::reg); o != 0) own.offsets.push({o, axis::reg});
  return own;
}

/// Reduces the repetitions of all warps to those of one warp.
AXE_LAZY_FN constexpr refusal share_warps(mma_repetitions& r) {
  extent_list m, n, k;
  if (!common_digits(block_extents(r.c, 0), block_extents(r.a, 0), m) ||
      !common_digits(block_extents(r.c, 1), block_extents(r.b, 1), n) ||
      !common_digits(block_extents(r.a, 1), block_extents(r.b, 0), k))
    return {rule::mma_warps};
  outcome<layout> const a = split(r.a, m, k), b = split(r.b, k, n), c = split(r.c, m, n);
  if (!a || !b || !c) return {rule::mma_warps};
  int const ms = m.size(), ns = n.size(), ks = k.size();
  for (int d = 0; d < ms + ns; ++d) {
    iter const of_c = digit_of(*c, d), other = d < ms ? digit_of(*a, d) : digit_of(*b, ks + d - ms);
    if (of_c.is_on(axis::null)) return {rule::mma_warps};
    if (on_warps(of_c) != on_warps(other)) return {rule::mma_warps};
    if (on_warps(of_c) && of_c != other) return {rule::mma_warps};
  }
  for (int d = 0; d < ks; ++d)
    if (on_warps(digit_of(*a, ms + d)) || on_warps(digit_of(*b, d))) return {rule::mma_warps};
  if (!reaches(*a, *c, ms, ms + ns) || !reaches(*b, *c, 0, ms)) return {rule::mma_warps};
  r.c = of_one_warp(*c, ms, r.m, r.n);
  r.a = of_one_warp(*a, ms, r.m, r.k);
  r.b = of_one_warp(*b, ks, r.k, r.n);
  return {};
}

/// For wgmma: all repetitions belong to one warpgroup.
AXE_LAZY_FN constexpr refusal in_one_group(mma_repetitions const& r) {
  for (layout const* l : {&r.a, &r.c}) {
    for (axis a : axes_of(*l))
      if (!stays_in_a_thread(a)) return {rule::mma_warps};
    if (!l->replicas.empty()) return {rule::mma_warps};
  }
  return {};
}

/// Rejects a fragment that begins inside a register. `together` elements share a register.
AXE_LAZY_FN constexpr refusal packs(layout const& l, integer together) {
  if (together <= 1) return {};
  for (iter const& i : l.shards)
    if (i.stride % together != 0) return {rule::mma_packed_registers, {i.stride, together}};
  integer const o = l.offset(axis::reg);
  return o % together != 0 ? refusal{rule::mma_packed_registers, {o, together}} : refusal{};
}

/// Of several refusals, the last one about the operands' layouts, else the last one.
AXE_LAZY_FN constexpr refusal most_telling(candidate_list<mma_instruction> const& all) {
  for (int i = all.size() - 1; i >= 0; --i) {
    switch (all[i].why.which) {
      case rule::mma_memories:
      case rule::mma_architecture:
      case rule::mma_of_one_architecture:
      case rule::mma_types:
      case rule::mma_no_such_shape:
      case rule::mma_does_not_divide: break;
      default: return all[i].why;
    }
  }
  return all.empty() ? refusal{rule::mma_types} : all.back().why;
}

}  // namespace detail

}  // namespace AXE_NAMESPACE
}  // namespace axe
