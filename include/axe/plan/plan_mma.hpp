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

/// Descriptors of an operand in shared memory: A as (M,K), B transposed.
AXE_LAZY_FN constexpr outcome<shared_operand_plan> shared_factor(mma_tile const& t, bool turned,
                                                                 element_type type, integer rows) {
  if (!turned) return try_plan_shared_operand(t.where, t.extents, bits_of(type), rows);
  outcome<layout> const rows_first = try_permute(t.where, t.extents, {1, 0});
  if (!rows_first) return rows_first.why;
  integer m = 0, n = 0;
  if (refusal const bad = extents_of_tile(t, m, n)) return bad;
  return try_plan_shared_operand(*rows_first, {n, m}, bits_of(type), rows);
}

AXE_LAZY_FN constexpr refusal plan_mma_sync(mma_instruction const& i, mma_tiles const& t,
                                            mma_plan& plan) {
  using enum memory_space;
  if (!t.lie_in(registers, registers, registers)) return {rule::mma_memories};
  integer const bits = bits_of(plan.types.a);
  outcome<layout> const a = repetitions(t.a, mma_fragment(mma_operand::a, i.m, i.n, i.k, bits), i.m,
                                        i.k, rule::mma_a_is_no_fragment);
  if (!a) return a.why;
  outcome<layout> const b = repetitions(t.b, mma_fragment(mma_operand::b, i.m, i.n, i.k, bits), i.k,
                                        i.n, rule::mma_b_is_no_fragment);
  if (!b) return of_operand(1, b.why);
  outcome<layout> const c =
      repetitions(t.c, mma_fragment(mma_operand::accumulator, i.m, i.n, i.k, bits), i.m, i.n,
                  rule::mma_c_is_no_fragment);
  if (!c) return of_operand(2, c.why);
  mma_repetitions r{*a, *b, *c, t.m / i.m, t.n / i.n, t.k / i.k};
  if (refusal const bad = share_warps(r)) return bad;
  plan.a = r.a, plan.b = r.b, plan.c = r.c;
  plan.m_steps = r.m, plan.n_steps = r.n, plan.k_steps = r.k;
  refusal bad = packs(plan.a, 32 / bits);
  if (!bad) bad = packs(plan.b, 32 / bits);
  if (!bad) bad = packs(plan.c, 32 / bits_of(plan.types.sum));
  return bad;
}

AXE_LAZY_FN constexpr refusal plan_wgmma(mma_instruction const& i, mma_tiles const& t,
                                         mma_plan& plan) {
  using enum memory_space;
  bool const a_in_registers = t.lie_in(registers, shared, registers);
  if (!a_in_registers && !t.lie_in(shared, shared, registers)) return {rule::mma_memories};
  integer const bits = bits_of(plan.types.a);
  outcome<layout> const sums = try_wgmma_fragment(mma_operand::accumulator, i.n, bits);
  if (!sums) return sums.why;
  outcome<layout> const c =
      repetitions(on_warps_of_a_group(t.c), *sums, i.m, i.n, rule::mma_c_is_no_fragment);
  if (!c) return of_operand(2, c.why);
  mma_repetitions r{{}, {}, *c, t.m / i.m, t.n / i.n, t.k / i.k};
  if (a_in_registers) {
    outcome<layout> const a =
        repetitions(on_warps_of_a_group(t.a), wgmma_fragment(mma_operand::a, i.n, bits), i.m, i.k,
                    rule::mma_a_is_no_fragment);
    if (!a) return a.why;
    r.a = *a;
  } else {
    outcome<shared_operand_plan> const a = shared_factor(t.a, false, plan.types.a, i.m);
    if (!a) return a.why;
    plan.a_shared = *a;
  }
  outcome<shared_operand_plan> const b = shared_factor(t.b, true, plan.types.b, i.n);
  if (!b) return of_operand(1, b.why);
  plan.b_shared = *b;
  if (refusal const bad = in_one_group(r)) return bad;
  plan.a = r.a, plan.c = r.c;
  plan.m_steps = r.m, plan.n_steps = r.n, plan.k_steps = r.k;
  refusal const bad = packs(plan.a, 32 / bits);
  return bad ? bad : packs(plan.c, 32 / bits_of(plan.types.sum));
}

AXE_LAZY_FN constexpr refusal plan_tcgen05(mma_instruction const& i, mma_tiles const& t,
                                           mma_plan& plan) {
  using enum memory_space;
  if (!t.lie_in(shared, shared, tensor)) return {rule::mma_memories};
  layout const path = accumulator_in_tensor_memory(i.m == 128 ? data_path::D : data_path::F, i.n);
  outcome<layout> const c = repetitions(t.c, path, i.m, i.n, rule::mma_c_is_no_fragment);
  if (!c) return of_operand(2, c.why);
  outcome<shared_operand_plan> const a = shared_factor(t.a, false, plan.types.a, i.m);
  if (!a) return a.why;
  outcome<shared_operand_plan> const b = shared_factor(t.b, true, plan.types.b, i.n);
  if (!b) return of_operand(1, b.why);
  plan.a_shared = *a, plan.b_shared = *b;
  plan.c = *c;
  plan.m_steps = t.m / i.m, plan.n_steps = t.n / i.n, plan.k_steps = t.k / i.k;
  return {};
}

/// Fills in the plan if the candidate can do the product.
AXE_LAZY_FN constexpr refusal try_instruction(mma_instruction const& i, mma_tiles const& t,
                                              architecture on, mma_plan& plan) {
  if (refusal const bad = check_mma(i, plan.types, on)) return bad;
  if (t.m % i.m != 0) return {rule::mma_does_not_divide, {t.m, i.m}};
  if (t.n % i.n != 0) return {rule::mma_does_not_divide, {t.n, i.n}};
  if (t.k % i.k != 0) return {rule::mma_does_not_divide, {t.k, i.k}};
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
