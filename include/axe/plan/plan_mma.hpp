// SPDX-License-Identifier: MIT
// plan_mma: plans the product of tiles.
//
//     plan_mma({bf16, bf16, f32}, A, B, C, sm_90a)      A (M,K), B (K,N), C (M,N)
//         4 steps of wgmma.m64n128k16;  A in shared memory K-major, bytes_128, stride 1024
//
// Definition: docs/plans.md, "Matrix products".
#pragma once

#include <axe/atoms/wgmma_atom.hpp>
#include <axe/plan/plan_tcgen05.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

AXE_LAZY_FN constexpr bool mark_warps(digit_pairs& pairs) {
  for (digit_pair& d : pairs) {
    d.taken = on_warps(d.first);
    if (d.first.is_on(axis::null) || d.taken != on_warps(d.second) ||
        (d.taken && d.first != d.second))
      return false;
  }
  return true;
}

AXE_LAZY_FN constexpr refusal divide_among_warps(mma_plan& plan) {
  layout const a = plan.a, b = plan.b, c = plan.c;
  digit_pairs m, n, k;
  if (!pair_digits(iters_of_block(c, 0), iters_of_block(a, 0), m) ||
      !pair_digits(iters_of_block(c, 1), iters_of_block(b, 1), n) ||
      !pair_digits(iters_of_block(a, 1), iters_of_block(b, 0), k))
    return {rule::mma_warps};
  if (!mark_warps(m) || !mark_warps(n)) return {rule::mma_warps};
  for (digit_pair const& d : k)
    if (on_warps(d.first) || on_warps(d.second)) return {rule::mma_warps};
  if (refusal const bad = check_warps(a, c, n)) return bad;
  if (refusal const bad = check_warps(b, c, m)) return bad;
  for (layout* starts : {&plan.a, &plan.b, &plan.c}) {
    integer const first = starts->offset(axis::reg);
    *starts = {};
    add_offset(*starts, term{first, axis::reg});
  }
  add_steps(plan.a, m, true);
  plan.k_steps = add_steps(plan.a, k, false);
  add_steps(plan.b, k, true);
  add_steps(plan.b, n, true);
  plan.m_steps = add_steps(plan.c, m, false);
  plan.n_steps = add_steps(plan.c, n, false);
  return {};
}

AXE_LAZY_FN constexpr refusal check_register_starts(mma_plan const& plan) {
  integer const together = 32 / bits_of(plan.types.a);
  refusal bad = check_starts(plan.a, together);
  if (!bad) bad = check_starts(plan.b, together);
  return bad ? bad : check_starts(plan.c, 32 / bits_of(plan.types.sum));
}

AXE_LAZY_FN constexpr refusal plan_mma_sync(mma_instruction const& i, mma_tiles const& t,
                                            mma_plan& plan) {
  using enum memory_space;
  if (!t.lie_in(registers, registers, registers)) return {rule::mma_memories};
  auto const find = [&](mma_operand operand, mma_tile const& tile, layout& starts) {
    layout const atom = mma_fragment(operand, i.m, i.n, i.k, bits_of(plan.types.a));
    return find_repetitions(operand, tile, i, atom, starts);
  };
  refusal bad = find(mma_operand::a, t.a, plan.a);
  if (!bad) bad = find(mma_operand::b, t.b, plan.b);
  if (!bad) bad = find(mma_operand::accumulator, t.c, plan.c);
  if (!bad) bad = divide_among_warps(plan);
  return bad ? bad : check_register_starts(plan);
}

AXE_LAZY_FN constexpr refusal plan_wgmma(mma_instruction const& i, mma_tiles const& t,
                                         mma_plan& plan) {
  using enum memory_space;
  bool const a_in_registers = t.lie_in(registers, shared, registers);
  if (!a_in_registers && !t.lie_in(shared, shared, registers)) return {rule::mma_memories};
  integer const bits = bits_of(plan.types.a);
  outcome<layout> const sums = try_wgmma_fragment(mma_operand::accumulator, i.n, bits);
  if (sums.why) return sums.why;
  refusal bad =
      find_repetitions(mma_operand::accumulator, on_warps_of_a_group(t.c), i, *sums, plan.c);
  if (!bad && a_in_registers)
    bad = find_repetitions(mma_operand::a, on_warps_of_a_group(t.a), i,
                           wgmma_fragment(mma_operand::a, i.n, bits), plan.a);
  if (!bad) bad = plan_shared_operands(i, t, plan);
  if (bad) return bad;
  // All repetitions must be of one warpgroup.
  for (layout const* starts : {&plan.a, &plan.c}) {
    if (starts->replicas.count != 0) return {rule::mma_warps};
    for (axis a : axes_of(*starts))
      if (!stays_in_a_thread(a)) return {rule::mma_warps};
  }
  return check_register_starts(plan);
}

AXE_LAZY_FN constexpr refusal try_instruction(mma_instruction const& i, mma_tiles const& t,
                                              architecture target, mma_plan& plan) {
  if (refusal const bad = check_mma(i, plan.types, target)) return bad;
  if (t.m % i.m != 0) return {rule::mma_does_not_divide, {t.m, i.m}};
  if (t.n % i.n != 0) return {rule::mma_does_not_divide, {t.n, i.n}};
  if (t.k % i.k != 0) return {rule::mma_does_not_divide, {t.k, i.k}};
  plan.m_steps = t.m / i.m;
  plan.n_steps = t.n / i.n;
  plan.k_steps = t.k / i.k;
  switch (i.kind) {
    case mma_kind::mma_sync: return plan_mma_sync(i, t, plan);
    case mma_kind::wgmma: return plan_wgmma(i, t, plan);
    default: return plan_tcgen05(i, t, plan);
  }
}

AXE_LAZY_FN constexpr bool consider(mma_instruction const& i, mma_tiles const& t,
                                    architecture target, mma_plan& plan) {
  mma_plan made = plan;
  made.instruction = i;
  refusal const why = try_instruction(i, t, target, made);
  if (!why) plan = made;
  plan.candidates.push({i, why});
  return !why;
}

/// The largest multiple of 8 under `below` that divides n, or 0. The first call returns 256 instead
/// of 0, because the refusal of n = 256 names the reason.
AXE_LAZY_FN constexpr int largest_n_below(integer n, int below) {
  for (int wide = below - 8; wide >= 8; wide -= 8)
    if (n % wide == 0) return wide;
  return below > 256 ? 256 : 0;
}

AXE_LAZY_FN constexpr bool consider_largest_n(mma_kind kind, mma_tiles const& t,
                                              architecture target, mma_plan& plan) {
  bool const pair = t.pair && kind == mma_kind::tcgen05;
  int const least = pair ? 128 : 64, k = 256 / bits_of(plan.types.a);
  int const m = kind == mma_kind::wgmma || t.m % (2 * least) != 0 ? least : 2 * least;
  for (int n = largest_n_below(t.n, 264), tried = 0; n > 0 && tried < 4;
       n = largest_n_below(t.n, n), ++tried) {
    if (consider({kind, m, n, k, pair ? 2 : 1}, t, target, plan)) return true;
    // A pair may have 64 rows of C in each CTA.
    if (pair && m == 256 && consider({kind, 128, n, k, 2}, t, target, plan)) return true;
    switch (plan.candidates.back().why.which) {
      case rule::wgmma_columns:
      case rule::wgmma_group:
      case rule::tcgen05_shape:
      case rule::does_not_group:
      case rule::operand_steps_vary:
      case rule::mma_c_is_not_a_fragment: break;
      default: return false;  // the reason holds for every n
    }
  }
  return false;
}

AXE_LAZY_FN constexpr bool consider_mma_sync(mma_tiles const& t, architecture target,
                                             mma_plan& plan) {
  int const bits = bits_of(plan.types.a);
  int const packed = static_cast<int>(elements_in_a_register(bits));
  for (int const m : {16, 8})
    for (int const k : {16 * packed, 8 * packed, 4 * packed})
      // Always tries m = 16, k = 8 * packed: its refusal names the reason.
      if (mma_instruction const i{mma_kind::mma_sync, m, 8, k};
          ((has_mma(m, 8, k, bits) && types_match(i, plan.types)) ||
           (m == 16 && k == 8 * packed)) &&
          consider(i, t, target, plan))
        return true;
  return false;
}

}  // namespace detail

enum class mma_choice : unsigned char { any, mma_sync, wgmma, tcgen05 };

/// Rejects shapes that do not fit together, two elements of C at one place, and tiles that no
/// instruction multiplies.
AXE_LAZY_FN constexpr outcome<mma_plan> try_plan_mma(mma_types const& types, mma_tile const& a,
                                                     mma_tile const& b, mma_tile const& c,
                                                     architecture target,
                                                     mma_choice forced = mma_choice::any) {
  using namespace detail;
  mma_tiles tiles{a, b, c};
  if (refusal const bad = check_tiles(tiles)) return bad;
  if (refusal const bad = check_injective(valid_layout::proved(c.where), rule::mma_c_collides))
    return of_operand(2, bad);
  mma_plan plan{.types = types, .a_space = a.space, .b_space = b.space};
  bool const any = forced == mma_choice::any;
  if (any || forced == mma_choice::tcgen05)
    if (consider_largest_n(mma_kind::tcgen05, tiles, target, plan)) return plan;
  if (any || forced == mma_choice::wgmma)
    if (consider_largest_n(mma_kind::wgmma, tiles, target, plan)) return plan;
  if (any || forced == mma_choice::mma_sync)
    if (consider_mma_sync(tiles, target, plan)) return plan;
  // Only wgmma takes B from shared memory and C from registers.
  if (any && b.space == memory_space::shared && c.space == memory_space::registers &&
      !has_wgmma(target))
    return refusal{rule::mma_of_one_architecture, {90}};
  return most_telling(plan.candidates);
}

AXE_LAZY_FN constexpr mma_plan plan_mma(mma_types const& types, mma_tile const& a,
                                        mma_tile const& b, mma_tile const& c, architecture target,
                                        mma_choice forced = mma_choice::any) {
  auto const result = try_plan_mma(types, a, b, c, target, forced);
  detail::stop_on(result.why, "plan_mma", operands_of(a, b, c));
  return result.value;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
