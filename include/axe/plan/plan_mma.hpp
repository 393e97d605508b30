// SPDX-License-Identifier: MIT
// plan_mma: plans the product of tiles.
//
//     plan_mma({bf16, bf16, f32}, A, B, C, sm_90a)      A (M,K), B (K,N), C (M,N)
//         4 steps of wgmma.m64n128k16;  A in shared memory K-major, bytes_128, stride 1024
//
// Definition: docs/plans.md, "Matrix products".
#pragma once

#include <axe/algebra/permute.hpp>
#include <axe/atoms/tensor_memory_operands.hpp>
#include <axe/atoms/wgmma_atom.hpp>
#include <axe/plan/engine/mma_operand.hpp>
#include <axe/plan/plan_shared_operand.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// The instruction, its repetitions, and where their operands start.
struct mma_plan {
  mma_instruction instruction{};
  mma_types types{};
  integer m_steps = 0, n_steps = 0, k_steps = 0;
  memory_space a_space = memory_space::registers, b_space = memory_space::registers;
  // Map repetition (m, k) of A, (k, n) of B, (m, n) of C to its first register or column.
  layout a{}, b{}, c{};
  // For a CTA pair, one CTA's operands. b_shared plans B as a tile (N,K).
  shared_operand_plan a_shared{}, b_shared{};
  candidate_list<mma_instruction> candidates{};

  constexpr bool operator==(mma_plan const&) const = default;
};

namespace detail {

AXE_LAZY_FN constexpr bool mark_warps(digit_pairs& pairs) {
  for (digit_pair& d : pairs) {
    d.covered = on_warps(d.first);
    if (d.first.is_on(axis::null) || d.covered != on_warps(d.second) ||
        (d.covered && d.first != d.second))
      return false;
  }
  return true;
}

/// The largest multiple of 8 under `below` that divides n, or 0. `below` = 264 returns 256 instead
/// of 0, so that there is a candidate, whose refusal names the reason.
AXE_LAZY_FN constexpr int largest_n_below(integer n, int below) {
  for (int wide = below - 8; wide >= 8; wide -= 8)
    if (n % wide == 0) return wide;
  return below > 256 ? 256 : 0;
}

AXE_LAZY_FN constexpr refusal drop_pair_digit(mma_tile& t, integer rows, integer columns) {
  outcome<layout> const grouped = group_of(valid_layout::proved(t.where), {rows, columns});
  if (grouped.why) return grouped.why;
  layout of_cta = *grouped;
  for (int k = grouped->blocks[0] - 1; k >= 0; --k)
    if (of_cta.shards[k] == iter{2, 1, axis::cluster_cta_x}) of_cta.shards.erase(k);
  of_cta.blocks.clear();
  if (axes_of(of_cta).contains(axis::cluster_cta_x)) return {rule::mma_cta_pair};
  t.where = of_cta;
  t.extents = {rows / 2, columns};
  return {};
}

struct mma_planner : mma_plan {
  mma_tiles const* tiles = nullptr;
  architecture target{};

  /// Reduces a, b and c to the repetitions of one warp. Each warp must hold what it multiplies.
  AXE_LAZY_FN constexpr refusal divide_among_warps() {
    layout const of_a = a, of_b = b, of_c = c;
    digit_pairs m, n, k;
    if (!pair_digits(iters_of_block(of_c, 0), iters_of_block(of_a, 0), m) ||
        !pair_digits(iters_of_block(of_c, 1), iters_of_block(of_b, 1), n) ||
        !pair_digits(iters_of_block(of_a, 1), iters_of_block(of_b, 0), k))
      return {rule::mma_warps};
    if (!mark_warps(m) || !mark_warps(n)) return {rule::mma_warps};
    for (digit_pair const& d : k)
      if (on_warps(d.first) || on_warps(d.second)) return {rule::mma_warps};
    if (refusal const bad = check_warps(of_a, of_c, n)) return bad;
    if (refusal const bad = check_warps(of_b, of_c, m)) return bad;
    for (layout* starts : {&a, &b, &c}) {
      integer const first = starts->offset(axis::reg);
      *starts = {};
      add_offset(*starts, term{first, axis::reg});
    }
    add_steps(a, m, true);
    k_steps = add_steps(a, k, false);
    add_steps(b, k, true);
    add_steps(b, n, true);
    m_steps = add_steps(c, m, false);
    n_steps = add_steps(c, n, false);
    return {};
  }

  AXE_LAZY_FN constexpr refusal check_register_starts() const {
    integer const register_elements = 32 / bits_of(types.a);
    refusal bad = check_starts(a, register_elements);
    if (!bad) bad = check_starts(b, register_elements);
    return bad ? bad : check_starts(c, 32 / bits_of(types.sum));
  }

  AXE_LAZY_FN constexpr refusal plan_mma_sync() {
    using enum memory_space;
    if (!tiles->lie_in(registers, registers, registers)) return {rule::mma_memories};
    auto const find = [&](mma_operand operand, mma_tile const& tile, layout& starts) {
      layout const atom =
          mma_fragment(operand, instruction.m, instruction.n, instruction.k, bits_of(types.a));
      return find_repetitions(operand, tile, instruction, atom, starts);
    };
    refusal bad = find(mma_operand::a, tiles->a, a);
    if (!bad) bad = find(mma_operand::b, tiles->b, b);
    if (!bad) bad = find(mma_operand::accumulator, tiles->c, c);
    if (!bad) bad = divide_among_warps();
    return bad ? bad : check_register_starts();
  }

  AXE_LAZY_FN constexpr refusal plan_shared_operands(mma_instruction const& i, mma_tiles const& t) {
    integer const bits = bits_of(types.a);
    if (t.a.space == memory_space::shared) {
      outcome<shared_operand_plan> const of_a =
          shared_operand_of(valid_layout::proved(t.a.where), t.a.extents, bits, i.m);
      if (of_a.why) return of_a.why;
      a_shared = *of_a;
    }
    outcome<layout> const rows_first =
        permute_of(valid_layout::proved(t.b.where), t.b.extents, {1, 0});
    if (!rows_first) return of_operand(1, rows_first.why);
    outcome<shared_operand_plan> const of_b = shared_operand_of(rows_first, {t.n, t.k}, bits, i.n);
    b_shared = of_b.value;
    return of_operand(1, of_b.why);
  }

  AXE_LAZY_FN constexpr refusal plan_wgmma() {
    using enum memory_space;
    bool const a_in_registers = tiles->lie_in(registers, shared, registers);
    if (!a_in_registers && !tiles->lie_in(shared, shared, registers)) return {rule::mma_memories};
    integer const bits = bits_of(types.a);
    outcome<layout> const sums = try_wgmma_fragment(mma_operand::accumulator, instruction.n, bits);
    if (sums.why) return sums.why;
    refusal bad = find_repetitions(mma_operand::accumulator, on_warps_of_a_group(tiles->c),
                                   instruction, *sums, c);
    if (!bad && a_in_registers)
      bad = find_repetitions(mma_operand::a, on_warps_of_a_group(tiles->a), instruction,
                             wgmma_fragment(mma_operand::a, instruction.n, bits), a);
    if (!bad) bad = plan_shared_operands(instruction, *tiles);
    if (bad) return bad;
    // All repetitions must be of one warpgroup.
    for (layout const* starts : {&a, &c}) {
      if (starts->replicas.count != 0) return {rule::mma_warps};
      for (axis on : axes_of(*starts))
        if (!stays_in_a_thread(on)) return {rule::mma_warps};
    }
    return check_register_starts();
  }

  /// Source: PTX ISA, "CTA Pair".
  AXE_LAZY_FN constexpr refusal plan_tcgen05() {
    mma_instruction i = instruction;
    mma_tiles t = *tiles;
    using enum memory_space;
    bool const a_in_tensor = t.lie_in(tensor, shared, tensor);
    if (!a_in_tensor && !t.lie_in(shared, shared, tensor)) return {rule::mma_memories};
    data_path path = i.m == 128 ? data_path::D : data_path::F;
    if (i.ctas == 2) {
      if (refusal const bad = drop_pair_digit(t.c, t.m, t.n)) return of_operand(2, bad);
      path = i.m == 256 ? data_path::A : data_path::B;
      i.m /= 2, t.m /= 2;
    }
    refusal bad = find_repetitions(mma_operand::accumulator, t.c, i,
                                   accumulator_in_tensor_memory(path, i.n), c);
    if (i.ctas == 2) i.n /= 2, t.n /= 2;  // each CTA has half the columns of B
    if (!bad && a_in_tensor) {
      int const bits = bits_of(types.a), column_elements = 32 / bits;
      bad = find_repetitions(mma_operand::a, t.a, i, a_in_tensor_memory(path, i.k, bits), a);
      if (!bad) bad = check_starts(a, column_elements, axis::TCol, rule::tmem_packed_start);
      for (iter& step : a.shards) step.stride /= column_elements;
      integer const first = a.offset(axis::TCol);
      if (first != 0) add_offset(a, term{first / column_elements - first, axis::TCol});
    }
    return bad ? bad : plan_shared_operands(i, t);
  }

  AXE_LAZY_FN constexpr refusal plan_instruction() {
    if (refusal const bad = check_mma(instruction, types, target)) return bad;
    refusal bad;
    auto const divide = [&bad](integer extent, integer by) {
      if (!bad && extent % by != 0) bad = {rule::mma_does_not_divide, {extent, by}};
      return extent / by;
    };
    m_steps = divide(tiles->m, instruction.m);
    n_steps = divide(tiles->n, instruction.n);
    k_steps = divide(tiles->k, instruction.k);
    if (bad) return bad;
    switch (instruction.kind) {
      case mma_kind::mma_sync: return plan_mma_sync();
      case mma_kind::wgmma: return plan_wgmma();
      default: return plan_tcgen05();
    }
  }

  AXE_LAZY_FN constexpr bool consider(mma_instruction const& i) {
    mma_planner made = *this;
    made.instruction = i;
    refusal const why = made.plan_instruction();
    if (!why) *this = made;
    candidates.push({i, why});
    return !why;
  }

  AXE_LAZY_FN constexpr bool consider_largest_n(mma_kind kind) {
    bool const pair = tiles->pair && kind == mma_kind::tcgen05;
    int const least = pair ? 128 : 64, k = 256 / bits_of(types.a);
    int const m = kind == mma_kind::wgmma || tiles->m % (2 * least) != 0 ? least : 2 * least;
    for (int n = largest_n_below(tiles->n, 264), tried = 0; n > 0 && tried < 4;
         n = largest_n_below(tiles->n, n), ++tried) {
      if (consider({kind, m, n, k, pair ? 2 : 1})) return true;
      // A pair may have 64 rows of C in each CTA.
      if (pair && m == 256 && consider({kind, 128, n, k, 2})) return true;
      switch (candidates.back().why.which) {
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

  AXE_LAZY_FN constexpr bool consider_mma_sync() {
    int const bits = bits_of(types.a);
    int const packed = static_cast<int>(elements_in_a_register(bits));
    for (int m = 16; m >= 8; m -= 8)
      for (int k = 16 * packed; k >= 4 * packed; k /= 2)
        // Always tries m = 16, k = 8 * packed: its refusal names the reason.
        if (mma_instruction const i{mma_kind::mma_sync, m, 8, k};
            ((has_mma(m, 8, k, bits) && types_match(i, types)) || (m == 16 && k == 8 * packed)) &&
            consider(i))
          return true;
    return false;
  }
};

}  // namespace detail

/// The instruction of a product. any: the planner chooses.
enum class mma_choice : unsigned char { any, mma_sync, wgmma, tcgen05 };

AXE_LAZY_FN constexpr outcome<mma_plan> try_plan_mma(mma_types const& types, mma_tile const& a,
                                                     mma_tile const& b, mma_tile const& c,
                                                     architecture target,
                                                     mma_choice forced = mma_choice::any) {
  using namespace detail;
  mma_tiles tiles{a, b, c};
  if (refusal const bad = tiles.read_operands()) return bad;
  if (refusal const bad = check_injective(valid_layout::proved(c.where), rule::mma_c_collides))
    return of_operand(2, bad);
  mma_planner plan{{.types = types, .a_space = a.space, .b_space = b.space}, &tiles, target};
  bool const any = forced == mma_choice::any;
  if ((any || forced == mma_choice::tcgen05) && plan.consider_largest_n(mma_kind::tcgen05))
    return plan;
  if ((any || forced == mma_choice::wgmma) && plan.consider_largest_n(mma_kind::wgmma)) return plan;
  if ((any || forced == mma_choice::mma_sync) && plan.consider_mma_sync()) return plan;
  // Only wgmma has B in shared memory and C in registers.
  if (any && b.space == memory_space::shared && c.space == memory_space::registers &&
      !has_wgmma(target))
    return refusal{rule::exists_on_sm_90a};
  return most_telling(plan.candidates);
}

AXE_LAZY_FN constexpr mma_plan plan_mma(mma_types const& types, mma_tile const& a,
                                        mma_tile const& b, mma_tile const& c, architecture target,
                                        mma_choice forced = mma_choice::any) {
  return detail::stop_on(try_plan_mma(types, a, b, c, target, forced), "plan_mma",
                         operands_of(a, b, c));
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
