// plan_mma: the instruction that multiplies tiles, its repetitions, and the operands of each.
//
//     plan_mma({bf16, bf16, f32}, A, B, C, sm_90a)      A (M,K), B (K,N), C (M,N) with their memory
//         wgmma.m64n128k16, 1 x 1 x 4;  A in shared memory K-major, bytes_128, stride 1024
//
// Candidates, in order: tcgen05, wgmma with the largest n, mma.sync with the largest k.
// Source: the Axe paper, Appendix D; PTX ISA, "mma", "wgmma.mma_async", "tcgen05.mma".
// Definition: docs/plans.md, "Matrix products".
#pragma once

#include <axe/algebra/permute.hpp>
#include <axe/atoms/tensor_memory.hpp>
#include <axe/atoms/wgmma_atom.hpp>
#include <axe/plan/mma_operand.hpp>
#include <axe/plan/plan_shared_operand.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

struct mma_plan {
  mma_instruction instruction{};
  mma_types types{};
  integer m_steps = 0, n_steps = 0, k_steps = 0;
  memory_space a_space = memory_space::registers, b_space = memory_space::registers;
  // The first register, or column of tensor memory, of repetition (m, k), (k, n), (m, n).
  layout a{}, b{}, c{};
  shared_operand_plan a_shared{},
      b_shared{};  // of operands in shared memory; rows of B are its columns
  candidate_list<mma_instruction> candidates{};

  AXE_FN friend constexpr bool operator==(mma_plan const&, mma_plan const&) = default;
};

namespace detail {

/// Reduces the repetitions of all warps to those of one warp.
AXE_LAZY_FN constexpr refusal share_warps(mma_plan& plan) {
  layout const all[] = {plan.a, plan.b, plan.c};
  digit_pairs m, n, k;
  if (!pair_digits(iters_of_block(all[2], 0), iters_of_block(all[0], 0), m) ||
      !pair_digits(iters_of_block(all[2], 1), iters_of_block(all[1], 1), n) ||
      !pair_digits(iters_of_block(all[0], 1), iters_of_block(all[1], 0), k))
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
  if (!reaches(all[0], all[2], n) || !reaches(all[1], all[2], m)) return {rule::mma_warps};
  plan.a = plan.b = plan.c = {};
  plan.m_steps = add_steps(plan.c, m, false), plan.n_steps = add_steps(plan.c, n, false);
  add_steps(plan.a, m, true), plan.k_steps = add_steps(plan.a, k, false);
  add_steps(plan.b, k, true), add_steps(plan.b, n, true);
  int next = 0;
  for (layout* own : {&plan.a, &plan.b, &plan.c})
    add_offset(*own, term{all[next++].offset(axis::reg), axis::reg});
  return {};
}

/// The fragments of an operand must not begin inside a register.
AXE_LAZY_FN constexpr refusal check_registers(mma_plan const& plan) {
  integer const together = 32 / bits_of(plan.types.a);
  refusal bad = packs(plan.a, together);
  if (!bad) bad = packs(plan.b, together);
  return bad ? bad : packs(plan.c, 32 / bits_of(plan.types.sum));
}

AXE_LAZY_FN constexpr refusal plan_mma_sync(mma_instruction const& i, mma_tiles const& t,
                                            mma_plan& plan) {
  using enum memory_space;
  if (!t.lie_in(registers, registers, registers)) return {rule::mma_memories};
  auto const fragment = [&](mma_operand of) {
    return mma_fragment(of, i.m, i.n, i.k, bits_of(plan.types.a));
  };
  refusal bad =
      find_repetitions(t.a, fragment(mma_operand::a), i.m, i.k, rule::mma_a_is_no_fragment, plan.a);
  if (!bad)
    bad = of_operand(1, find_repetitions(t.b, fragment(mma_operand::b), i.k, i.n,
                                         rule::mma_b_is_no_fragment, plan.b));
  if (!bad)
    bad = of_operand(2, find_repetitions(t.c, fragment(mma_operand::accumulator), i.m, i.n,
                                         rule::mma_c_is_no_fragment, plan.c));
  if (!bad) bad = share_warps(plan);
  return bad ? bad : check_registers(plan);
}

/// Descriptors of operands in shared memory: A (M,K) unless it is in registers, and B transposed.
AXE_LAZY_FN constexpr refusal plan_shared_factors(mma_instruction const& i, mma_tiles const& t,
                                                  mma_plan& plan) {
  integer const bits = bits_of(plan.types.a);
  if (t.a.space == memory_space::shared) {
    outcome<shared_operand_plan> const a =
        try_plan_shared_operand(t.a.where, t.a.extents, bits, i.m);
    if (!a) return a.why;
    plan.a_shared = *a;
  }
  outcome<layout> const rows_first = try_permute(t.b.where, t.b.extents, {1, 0});
  if (!rows_first) return of_operand(1, rows_first.why);
  outcome<shared_operand_plan> const b =
      try_plan_shared_operand(*rows_first, {t.n, t.k}, bits, i.n);
  plan.b_shared = b.value;
  return of_operand(1, b.why);
}

AXE_LAZY_FN constexpr refusal plan_wgmma(mma_instruction const& i, mma_tiles const& t,
                                         mma_plan& plan) {
  using enum memory_space;
  bool const a_in_registers = t.lie_in(registers, shared, registers);
  if (!a_in_registers && !t.lie_in(shared, shared, registers)) return {rule::mma_memories};
  integer const bits = bits_of(plan.types.a);
  outcome<layout> const sums = try_wgmma_fragment(mma_operand::accumulator, i.n, bits);
  if (!sums) return sums.why;
  refusal bad = of_operand(2, find_repetitions(on_warps_of_a_group(t.c), *sums, i.m, i.n,
                                               rule::mma_c_is_no_fragment, plan.c));
  if (!bad && a_in_registers)
    bad = find_repetitions(on_warps_of_a_group(t.a), wgmma_fragment(mma_operand::a, i.n, bits), i.m,
                           i.k, rule::mma_a_is_no_fragment, plan.a);
  if (!bad) bad = plan_shared_factors(i, t, plan);
  if (bad) return bad;
  // All repetitions belong to one warpgroup.
  for (layout const* l : {&plan.a, &plan.c}) {
    if (!l->replicas.empty()) return {rule::mma_warps};
    for (axis a : axes_of(*l))
      if (!stays_in_a_thread(a)) return {rule::mma_warps};
  }
  return check_registers(plan);
}

AXE_LAZY_FN constexpr refusal plan_tcgen05(mma_instruction const& i, mma_tiles const& t,
                                           mma_plan& plan) {
  using enum memory_space;
  if (!t.lie_in(shared, shared, tensor)) return {rule::mma_memories};
  layout const path = accumulator_in_tensor_memory(i.m == 128 ? data_path::D : data_path::F, i.n);
  refusal const bad =
      of_operand(2, find_repetitions(t.c, path, i.m, i.n, rule::mma_c_is_no_fragment, plan.c));
  return bad ? bad : plan_shared_factors(i, t, plan);
}

/// Fills in the plan if the candidate can do the product.
AXE_LAZY_FN constexpr refusal try_instruction(mma_instruction const& i, mma_tiles const& t,
                                              architecture on, mma_plan& plan) {
  if (refusal const bad = check_mma(i, plan.types, on)) return bad;
  if (t.m % i.m != 0) return {rule::mma_does_not_divide, {t.m, i.m}};
  if (t.n % i.n != 0) return {rule::mma_does_not_divide, {t.n, i.n}};
  if (t.k % i.k != 0) return {rule::mma_does_not_divide, {t.k, i.k}};
  plan.m_steps = t.m / i.m, plan.n_steps = t.n / i.n, plan.k_steps = t.k / i.k;
  switch (i.kind) {
    case mma_kind::mma_sync: return plan_mma_sync(i, t, plan);
    case mma_kind::wgmma: return plan_wgmma(i, t, plan);
    default: return plan_tcgen05(i, t, plan);
  }
}

/// Adds a candidate; true if it is chosen.
AXE_LAZY_FN constexpr bool consider(mma_instruction const& i, mma_tiles const& t, architecture on,
                                    mma_plan& plan) {
  mma_plan made = plan;
  refusal const why = try_instruction(i, t, on, made);
  if (!why) {
    made.instruction = i;
    plan = made;
  }
  plan.candidates.push({i, why});
  return !why;
}

/// The n of wgmma and tcgen05 that divide N, largest first. If none does, the largest n, whose
/// refusal says so.
AXE_LAZY_FN constexpr int widest_column(integer n, int below) {
  for (int wide = below - 8; wide >= 8; wide -= 8)
    if (n % wide == 0) return wide;
  return below > 256 ? 256 : 0;
}

AXE_LAZY_FN constexpr bool consider_wide(mma_kind kind, mma_tiles const& t, architecture on,
                                         mma_plan& plan) {
  int const m = kind == mma_kind::wgmma || t.m % 128 != 0 ? 64 : 128,
            k = 256 / bits_of(plan.types.a);
  for (int n = widest_column(t.n, 264), tried = 0; n > 0 && tried < 4;
       n = widest_column(t.n, n), ++tried) {
    if (consider({kind, m, n, k}, t, on, plan)) return true;
    switch (plan.candidates.back().why.which) {
      case rule::wgmma_columns:
      case rule::wgmma_group:
      case rule::tcgen05_shape:
      case rule::does_not_group:
      case rule::operand_steps_vary:
      case rule::mma_c_is_no_fragment: break;
      default: return false;  // another n has the same fault
    }
  }
  return false;
}

AXE_LAZY_FN constexpr bool consider_mma_sync(mma_tiles const& t, architecture on, mma_plan& plan) {
  int const v = static_cast<int>(elements_in_a_register(bits_of(plan.types.a)));
  for (int const m : {16, 8})
    for (int const k : {16 * v, 8 * v, 4 * v})
      if ((has_mma(m, 8, k, bits_of(plan.types.a)) || (m == 16 && k == 8 * v)) &&
          consider({mma_kind::mma_sync, m, 8, k}, t, on, plan))
        return true;
  return false;
}

}  // namespace detail

/// The kind of instruction that must be used, if the user forces one.
enum class mma_choice : unsigned char { any, mma_sync, wgmma, tcgen05 };

AXE_LAZY_FN constexpr outcome<mma_plan> try_plan_mma(mma_types const& types, mma_tile const& a,
                                                     mma_tile const& b, mma_tile const& c,
                                                     architecture on,
                                                     mma_choice forced = mma_choice::any) {
  detail::mma_tiles tiles{a, b, c};
  if (refusal const bad = detail::multiply_shapes(tiles)) return bad;
  if (outcome<bool> const apart = try_is_injective(c.where); !apart || !*apart)
    return apart ? refusal{rule::mma_c_collides} : of_operand(2, apart.why);
  mma_plan plan{.types = types, .a_space = a.space, .b_space = b.space};
  bool const any = forced == mma_choice::any;
  if (any || forced == mma_choice::tcgen05)
    if (detail::consider_wide(mma_kind::tcgen05, tiles, on, plan)) return plan;
  if (any || forced == mma_choice::wgmma)
    if (detail::consider_wide(mma_kind::wgmma, tiles, on, plan)) return plan;
  if (any || forced == mma_choice::mma_sync)
    if (detail::consider_mma_sync(tiles, on, plan)) return plan;
  return detail::most_telling(plan.candidates);
}

AXE_LAZY_FN constexpr mma_plan plan_mma(mma_types const& types, mma_tile const& a,
                                        mma_tile const& b, mma_tile const& c, architecture on,
                                        mma_choice forced = mma_choice::any) {
  outcome<mma_plan> const result = try_plan_mma(types, a, b, c, on, forced);
  if (!result) detail::stop_on(result.why, "plan_mma", operands_of(a, b, c));
  return *result;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
