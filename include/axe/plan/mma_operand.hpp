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
#include <axe/map/sum_set.hpp>
#include <axe/plan/digit_pairs.hpp>
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
/// Rejects a tile with the first element that is not where the fragment has it.
AXE_LAZY_FN constexpr outcome<layout> repetitions(mma_tile const& t, layout const& atom,
                                                  integer tile_rows, integer tile_columns,
                                                  rule which) {
  integer rows = 0, columns = 0;
  if (refusal const bad = extents_of_tile(t, rows, columns)) return bad;
  outcome<layout> const outer = try_sum_outer(t.where, t.extents, atom, {tile_rows, tile_columns});
  bool fits = outer && outer->swizzle.none();
  for (axis a : axes_of(outer.value)) fits = fits && holds_repetitions(a);
  if (fits) return try_group(*outer, {rows / tile_rows, columns / tile_columns});
  axis_list axes = axes_of(t.where);
  note_axes(axes, atom);
  for (integer r = 0; r < rows; ++r)
    for (integer c = 0; c < columns; ++c) {
      integer const first = (r - r % tile_rows) * columns + c - c % tile_columns;
      integer const within = r % tile_rows * tile_columns + c % tile_columns;
      for (axis a : axes)
        if (place_on(t.where, r * columns + c, a) -
                place_on(t.where, holds_repetitions(a) ? first : 0, a) !=
            place_on(atom, within, a))
          return refusal{which, {r, c}};
    }
  return outer ? refusal{which} : outer.why;
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

AXE_FN constexpr bool on_warps(iter const& i) { return !stays_in_a_thread(i.on); }

/// True if the operand is replicated on the warps of C's other dimension, digits `other`, and on
/// the warps of C's replicas.
AXE_LAZY_FN constexpr bool reaches(layout const& operand, layout const& c,
                                   digit_pairs const& other) {
  iter_list apart;
  for (iter const& i : c.replicas) apart.push(i);
  for (digit_pair const& d : other) apart.push(d.first);
  for (axis a : {axis::warp, axis::wid_in_wg, axis::wg}) {
    list<integer, 64> wanted{c.offset(a)};
    for (iter const& i : apart) {
      int const before = wanted.size();
      for (integer step = 1; i.is_on(a) && step < i.extent; ++step)
        for (int k = 0; k < before; ++k)
          if (!wanted.push(wanted[k] + step * i.stride)) return false;
    }
    sum_set const held = sums_on(operand.replicas, a);
    step_limit steps;
    for (integer w : wanted)
      if (!held.contains(w - operand.offset(a), steps)) return false;
  }
  return true;
}

/// Reduces the repetitions of all warps to those of one warp.
AXE_LAZY_FN constexpr refusal share_warps(mma_repetitions& r) {
  digit_pairs m, n, k;
  if (!pair_digits(iters_of_block(r.c, 0), iters_of_block(r.a, 0), m) ||
      !pair_digits(iters_of_block(r.c, 1), iters_of_block(r.b, 1), n) ||
      !pair_digits(iters_of_block(r.a, 1), iters_of_block(r.b, 0), k))
    return {rule::mma_warps};
  for (digit_pairs* pairs : {&m, &n})
    for (digit_pair& d : *pairs) {
      d.taken = on_warps(d.first);
      if (d.first.is_on(axis::null) || d.taken != on_warps(d.second) ||
          (d.taken && d.first != d.second))
        return {rule::mma_warps};
    }
  for (digit_pair const& d : k)
    if (on_warps(d.first) || on_warps(d.second)) return {rule::mma_warps};
  if (!reaches(r.a, r.c, n) || !reaches(r.b, r.c, m)) return {rule::mma_warps};
  mma_repetitions own;
  own.m = add_steps(own.c, m, false), own.n = add_steps(own.c, n, false);
  add_steps(own.a, m, true), own.k = add_steps(own.a, k, false);
  add_steps(own.b, k, true), add_steps(own.b, n, true);
  own.a.offsets.push({r.a.offset(axis::reg), axis::reg});
  own.b.offsets.push({r.b.offset(axis::reg), axis::reg});
  own.c.offsets.push({r.c.offset(axis::reg), axis::reg});
  for (layout* l : {&own.a, &own.b, &own.c}) order_offsets(*l);
  r = own;
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
