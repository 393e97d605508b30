// SPDX-License-Identifier: MIT
// plan_shared_operand: how wgmma or tcgen05.mma reads a tile in shared memory.
//
//     plan_shared_operand("swizzle(3,3,3) o S[(128,64):(64,1)]"_axe, {128, 64}, 16, 64)
//         bytes_128, K-major, stride 1024, 2 blocks of 64 rows by 4 steps of 16 along K
//
// Definition: docs/plans.md, "Operands in shared memory".
#pragma once

#include <axe/algebra/group.hpp>
#include <axe/analysis/access.hpp>
#include <axe/atoms/shared_operand.hpp>
#include <axe/plan/engine/digit_pairs.hpp>
#include <axe/plan/engine/hardware_swizzle.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

struct shared_operand_plan {
  swizzle_mode mode = swizzle_mode::none;
  operand_major major = operand_major::k;
  integer leading = 16;  // bytes; 16 if unused
  integer stride = 16;
  integer rows = 0;  // an instruction reads rows x k
  integer k = 0;
  integer blocks = 0;      // instructions along the rows
  integer k_steps = 0;     // instructions along K
  layout starts{};         // from (block, step of K) to bytes
  integer alignment = 16;  // bytes

  /// Bytes from the tile's start to block i, step j of K.
  AXE_FN constexpr integer start(integer i, integer j) const {
    return detail::place_on(starts, i * k_steps + j, axis::m);
  }
  AXE_FN constexpr matrix_descriptor descriptor(integer address, integer i, integer j) const {
    return {address + start(i, j), leading, stride, 0, mode};
  }

  constexpr bool operator==(shared_operand_plan const&) const = default;
};

namespace detail {

/// Digits of the rows, then of K. An instruction reads one row_block and one k_step.
enum operand_digit { row_block, row_group, row_in_group, k_step, k_group, k_in_group };

AXE_LAZY_FN constexpr integer fastest_stride(layout const& grouped, int d) {
  iter_list const block = iters_of_block(grouped, d);
  return block.count == 0 ? 0 : block.back().stride;
}

AXE_LAZY_FN constexpr refusal find_strides(layout const& grouped, extent_list const& split,
                                           operand_digit unit_digit, operand_digit line_digit,
                                           integer line, integer (&strides)[6]) {
  operand_digit const digits[]{unit_digit, line_digit, row_group, k_group};
  for (operand_digit d : digits) {
    iter_list const block = iters_of_block(grouped, d);
    if (block.count > 1) return {rule::operand_steps_vary, {split[d]}};
    strides[d] = block.count == 0 ? 0 : block[0].stride;
    integer wanted = strides[d];
    if (d == unit_digit) wanted = 1;
    if (d == line_digit) wanted = line;
    if (strides[d] != wanted) return {rule::operand_line_step, {strides[d], wanted}};
  }
  return {};
}

struct shared_operand_planner : shared_operand_plan {
  integer bits;
  layout plain;  // without swizzle

  AXE_LAZY_FN constexpr refusal find_starts(layout const& grouped) {
    constexpr operand_digit outer[]{row_block, k_step};
    for (operand_digit d : outer) {
      iter_list const block = iters_of_block(grouped, d);
      starts.blocks.push(block.count);
      for (iter const& i : block) {
        integer const step = i.stride * bits / 8;
        if (step % 16 != 0) return {rule::descriptor_start, {step}};
        starts.shards.push({i.extent, step, i.on});
      }
    }
    integer const begin = grouped.offset(axis::m) * bits / 8;
    if (begin % 16 != 0) return {rule::descriptor_start, {begin}};
    if (begin != 0) starts.offsets.push({begin, axis::m});
    return {};
  }

  AXE_LAZY_FN constexpr refusal find_major(shape const& s) {
    outcome<layout> const grouped = group_of(valid_layout::proved(plain), s);
    if (grouped.why) return grouped.why;
    integer const row = fastest_stride(*grouped, 0), column = fastest_stride(*grouped, 1);
    if (row != 1 && column != 1) return {rule::operand_not_adjacent, {row, column}};
    major = column == 1 ? operand_major::k : operand_major::mn;
    if (column != 1 && bits != 16) return {rule::wgmma_mn_major_width, {bits}};
    return {};
  }

  /// Plans the swizzle of 16 * 2^b bytes, or none if b = 0.
  AXE_LAZY_FN constexpr refusal plan_with_swizzle(int b) {
    if (b != 0) alignment = 128 << b;
    mode = static_cast<swizzle_mode>(b == 0 ? 0 : 16 << b);
    bool const by_k = major == operand_major::k, swizzled = b != 0;
    integer const chunk = 128 / bits, line = chunk << b;  // elements in 16 and in 16 * 2^b bytes
    integer const width = smaller(rows, line);
    if (!by_k && (rows % width != 0 || line % width != 0)) return {rule::wgmma_group, {rows, line}};
    integer const group = by_k ? 8 : width;
    extent_list const split{blocks,  rows / group,     group,
                            k_steps, by_k ? 2 : k / 8, by_k ? chunk : 8};
    outcome<layout> const grouped = group_of(valid_layout::proved(plain), shape_with(split));
    if (grouped.why.which == rule::does_not_group)
      return {rule::operand_steps_vary, {grouped.why.numbers[1]}};
    if (grouped.why) return grouped.why;
    integer strides[6]{};
    if (refusal const bad = find_strides(*grouped, split, by_k ? k_in_group : row_in_group,
                                         by_k ? row_in_group : k_in_group, line, strides))
      return bad;
    bool const k_in_line = by_k && swizzled;  // a line has all of an instruction's K
    if (k_in_line && strides[k_group] != chunk) return {rule::operand_steps_vary, {2 * chunk}};
    bool const rows_lead = !by_k && swizzled;
    auto const bytes = [&](operand_digit d) { return split[d] == 1 ? 16 : strides[d] * bits / 8; };
    leading = k_in_line ? 16 : bytes(rows_lead ? row_group : k_group);
    stride = bytes(rows_lead ? k_group : row_group);
    for (integer n : {leading, stride})
      if (!fits_a_descriptor(n)) return {rule::wgmma_descriptor_bytes, {n}};
    return find_starts(*grouped);
  }
};

AXE_LAZY_FN constexpr outcome<shared_operand_plan> shared_operand_of(valid_layout tile,
                                                                     shape const& s, integer bits,
                                                                     integer rows) {
  if (refusal const bad = check_operand_width(bits)) return bad;
  extent_list extents;
  if (refusal const bad = matrix_extents(s, extents)) return bad;
  outcome<layout> const form = canonical(tile);
  if (form.why) return form.why;
  if (refusal const bad = check_no_replicas(*form)) return bad;
  if (refusal const bad = check_byte_offsets(*form)) return bad;
  if (refusal const bad = check_on_memory(*form, rule::operand_is_not_in_memory)) return bad;
  shared_operand_planner plan{{}, bits, *form};
  plan.plain.swizzle = {};
  plan.rows = rows;
  plan.k = 256 / bits;
  if (rows < 8 || rows % 8 != 0) return refusal{rule::mma_does_not_divide, {rows, 8}};
  if (extents[0] % rows != 0) return refusal{rule::mma_does_not_divide, {extents[0], rows}};
  if (extents[1] % plan.k != 0) return refusal{rule::mma_does_not_divide, {extents[1], plan.k}};
  plan.blocks = extents[0] / rows;
  plan.k_steps = extents[1] / plan.k;
  int const chunk = chunk_bits(static_cast<int>(bits));
  refusal first = plan.find_major({extents[0], extents[1]});
  if (first) return first;
  int const tried[]{form->swizzle.B, 0, 1, 2, 3};
  for (int const b : tried) {
    if (b > 3 || !acts_as_hardware_swizzle(*form, chunk, b)) continue;
    shared_operand_planner made = plan;
    refusal const bad = made.plan_with_swizzle(b);
    if (!bad) return made;
    if (!first) first = bad;
  }
  if (first) return first;
  return refusal{rule::operand_swizzle,
                 {form->swizzle.M, form->swizzle.B, form->swizzle.S, bits, chunk}};
}

}  // namespace detail

/// `tile` maps s = (M or N, K) to m, in elements. One instruction reads `rows` rows and 256 bits of
/// K. The tile must begin at a multiple of the plan's `alignment`.
AXE_LAZY_FN constexpr outcome<shared_operand_plan> try_plan_shared_operand(layout const& tile,
                                                                           shape const& s,
                                                                           integer bits,
                                                                           integer rows) {
  detail::valid_layout operand;
  if (refusal const bad = operand.admit(tile)) return bad;
  return detail::shared_operand_of(operand, s, bits, rows);
}

AXE_LAZY_FN constexpr shared_operand_plan plan_shared_operand(layout const& tile, shape const& s,
                                                              integer bits, integer rows) {
  return detail::stop_on(try_plan_shared_operand(tile, s, bits, rows), "plan_shared_operand",
                         {&tile, nullptr, &s});
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
