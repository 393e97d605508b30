// SPDX-License-Identifier: MIT
// plan_matrices: plans a copy by ldmatrix or stmatrix.
//
//     S[(2,8,2,4,2):(2@reg,4@lane,4@reg,1@lane,1@reg)] from S[(16,16):(72,1)]        ldmatrix.x4
//     S[(2,4,2,8):(2@reg,1@lane,1@reg,4@lane)] from S[(16,8):(72,1)]           ldmatrix.trans.x2
#pragma once

#include <axe/base/sort.hpp>
#include <axe/plan/engine/copy_vectors.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

struct matrix_modes {
  int along_row = -1;    // the mode on the lanes of a row: 4, with .trans 8
  int in_register = -1;  // elements that share a register
};

AXE_LAZY_FN constexpr refusal check_matrix_copy(copy_request const& r, copy_view const& v,
                                                copy_instruction instruction) {
  using enum memory_space;
  bool const load = is_ldmatrix(instruction);
  bool const between = load ? r.copies(shared, registers) : r.copies(registers, shared);
  if (!between || r.options.remote) return {rule::copy_not_between_these};
  if (!load && !has_stmatrix(r.target)) return {rule::needs_architecture, {90}};
  if (!v.simple) return {rule::copy_not_simple};
  if (is_transposed(instruction) ? v.bits != 16 : v.bits > 32)
    return {rule::copy_matrix_width, {v.bits}};
  if (integer const first = v.holders.offset(v.thread); first % 32 != 0)
    return {rule::copy_matrix_lanes, {first}};
  // Replicas must be on other warps: all of them load, only the first stores.
  for (iter const& i : v.holders.replicas)
    if (i.stride % 32 != 0) return {rule::copy_matrix_lanes, {i.stride}};
  for (copy_mode const& m : v.modes)
    if (m.step == 0) return {rule::copy_matrix_repeats};
  return {};
}

AXE_LAZY_FN constexpr outcome<matrix_modes> find_matrix(copy_view const& v, layout const& memory,
                                                        bool transposed) {
  matrix_modes found;
  integer const register_elements = 32 / v.bits;
  integer row_lanes = 1;
  integer unfit_stride = -1;  // of a mode on lanes
  bool adjacent_rows = false;
  for (int k = 0; k < v.modes.count; ++k) {
    iter const held = v.holders.shards[k];
    integer const apart = memory.shards[k].stride;
    if (held.stride == 0) return refusal{rule::copy_matrix_repeats};
    if (held.is_on(axis::reg)) {
      if (held.stride == 1 && held.extent == register_elements && register_elements > 1 &&
          (transposed || apart == 1))
        found.in_register = k;
      continue;
    }
    bool const on_warps = held.stride >= 32;
    if (on_warps) continue;
    bool const along_row = transposed
                               ? held.stride == 4 && held.extent == 8 && apart == 1
                               : held.stride == 1 && held.extent == 4 && apart == register_elements;
    bool const on_rows = transposed ? held.stride * held.extent <= 4
                                    : held.stride >= 4 && held.stride * held.extent <= 32;
    if (along_row)
      found.along_row = k;
    else if (on_rows)
      row_lanes *= held.extent;
    else
      unfit_stride = held.stride;
    adjacent_rows = adjacent_rows || (!transposed && held.stride == 1 && held.extent > 4 &&
                                      held.extent % 4 == 0 && apart == register_elements);
  }
  if (adjacent_rows && (register_elements == 1 || found.in_register >= 0))
    return refusal{rule::copy_matrix_adjacent};
  if (found.along_row < 0) return refusal{rule::copy_matrix_lanes, {transposed ? 4 : 1}};
  if (unfit_stride < 0 && row_lanes != (transposed ? 4 : 8)) unfit_stride = transposed ? 1 : 4;
  if (unfit_stride >= 0) return refusal{rule::copy_matrix_lanes, {unfit_stride}};
  if (register_elements > 1 && found.in_register < 0)
    return refusal{rule::copy_matrix_registers, {1, 0}};
  return found;
}

AXE_LAZY_FN constexpr void assign_matrix(copy_view& v, matrix_modes const& matrix,
                                         bool transposed) {
  for (int k = 0; k < v.modes.count; ++k) {
    copy_mode& m = v.modes[k];
    iter const held = v.holders.shards[k];
    if (k == matrix.along_row || (k == matrix.in_register && !transposed)) {
      m.values = m.extent;
    } else if (k != matrix.in_register && held.is_on(axis::reg)) {
      m.issues = m.extent;
    } else {
      // Lane r addresses row r, which begins on lane 4r, or with .trans on lane r / 2.
      m.threads = m.extent;
      m.thread_stride = k == matrix.in_register ? 1
                        : held.stride >= 32     ? held.stride
                        : transposed            ? 2 * held.stride
                                                : held.stride / 4;
    }
  }
}

AXE_LAZY_FN constexpr refusal number_matrices(copy_view& v, int in_register, int matrices) {
  list<int, copy_plan::most_modes> on_registers;
  for (int k = 0; k < v.modes.count; ++k)
    if (k != in_register && v.holders.shards[k].is_on(axis::reg)) on_registers.push(k);
  sort_by(on_registers, [&v](int k) { return v.holders.shards[k].stride; });
  integer left = matrices, lane = 8;
  for (int const k : on_registers) {
    iter const held = v.holders.shards[k];
    integer const taken = greatest_common_divisor(left, held.extent);
    if (taken == 1) continue;
    copy_mode& mode = v.modes[k];
    mode.threads = taken;
    mode.thread_stride = lane;
    mode.issues = mode.extent / taken;
    v.of_value.insert(0, {taken, held.stride});
    lane *= taken;
    left /= taken;
  }
  if (left > 1) return {rule::copy_matrix_registers, {matrices, matrices / left}};
  for (int const k : on_registers)
    if (v.holders.shards[k].stride % (32 / v.bits) != 0)
      return {rule::copy_matrix_registers, {matrices, 0}};
  return {};
}

AXE_LAZY_FN constexpr void split_holders(copy_view& v, bool registers, integer boundary) {
  for (int k = 0; k < v.modes.count; ++k) {
    iter const held = v.holders.shards[k];
    if (held.is_on(axis::reg) != registers || held.stride < 1 || boundary % held.stride != 0)
      continue;
    integer const inner = boundary / held.stride;
    if (inner == 1 || held.extent <= inner || held.extent % inner != 0 ||
        v.modes.count == copy_plan::most_modes)
      continue;
    copy_mode outer = v.modes[k];
    outer.extent /= inner;
    outer.step *= inner;
    outer.coordinate_step *= inner;
    v.modes[k].extent = inner;
    v.modes.insert(k, outer);
    for (layout* side : {&v.from, &v.to, &v.holders}) {
      iter const i = side->shards[k];
      side->shards[k].extent = inner;
      side->shards.insert(k, {i.extent / inner, i.stride * inner, i.on});
    }
    return;
  }
}

AXE_LAZY_FN constexpr outcome<copy_plan> plan_matrices(copy_request const& r, copy_view const& view,
                                                       copy_instruction instruction) {
  if (refusal const bad = check_matrix_copy(r, view, instruction)) return bad;
  bool const load = is_ldmatrix(instruction), transposed = is_transposed(instruction);
  int const matrices = matrices_of(instruction);
  copy_view v = view;
  v.instruction = instruction;
  integer const row = 128 / v.bits, register_elements = 32 / v.bits;
  split_holders(v, true, register_elements);
  split_holders(v, false, 32);
  layout const& memory = load ? v.from : v.to;
  outcome<matrix_modes> const matrix = find_matrix(v, memory, transposed);
  if (matrix.why) return matrix.why;
  v.bytes = 16;
  v.values = matrices * register_elements;
  if (register_elements > 1) v.of_value.push({register_elements, 1});
  assign_matrix(v, *matrix, transposed);
  if (refusal const bad = check_steps(v, memory, row, true)) return bad;
  for (copy_mode const& m : v.modes)
    if (v.edge_of(m) != 0) return refusal{rule::copy_edge};
  if (refusal const bad = number_matrices(v, matrix->in_register, matrices)) return bad;
  // Lanes 8 * matrices to 31 address no row.
  if (matrices < 4 && !v.addresses.replicas.push({4 / matrices, 8 * integer{matrices}, v.thread}))
    return refusal{rule::copy_matrix_lanes, {8 * integer{matrices}}};
  outcome<copy_plan> const plan = finish_plan(r, v, -1);
  if (plan.why) return plan;
  integer const base = load ? r.options.from_alignment : r.options.to_alignment;
  if (refusal const bad = check_base(16, base)) return bad;
  return plan;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
