// SPDX-License-Identifier: MIT
// matrix_planner: plans a copy by ldmatrix or stmatrix.
//
//     S[(2,8,2,4,2):(2@reg,4@lane,4@reg,1@lane,1@reg)] from S[(16,16):(72,1)]        ldmatrix.x4
//     S[(2,4,2,8):(2@reg,1@lane,1@reg,4@lane)] from S[(16,8):(72,1)]           ldmatrix.trans.x2
#pragma once

#include <axe/plan/engine/copy_vectors.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

struct matrix_planner : access_planner {
  using access_planner::access_planner;

  bool transposed = false;
  int along_row = -1;    // the mode along a row: on 4 lanes, with .trans on 8
  int in_register = -1;  // the mode of elements that share a register

  AXE_LAZY_FN constexpr refusal check_matrix_copy() const {
    using enum memory_space;
    copy_request const& r = *request;
    bool const load = is_ldmatrix(instruction);
    bool const between = load ? r.copies(shared, registers) : r.copies(registers, shared);
    if (!between) return {rule::copy_not_between_these};
    if (!load && !has_stmatrix(target)) return {rule::needs_sm_90};
    if (!modes_are_iters) return {rule::copy_no_common_digits};
    if (transposed ? bits != 16 : bits > 32) return {rule::copy_matrix_width, {bits}};
    if (integer const first = holders.offset(thread); first % 32 != 0)
      return {rule::copy_matrix_lanes, {first}};
    // Replicas must be on other warps, which load too but do not store.
    for (iter const& i : holders.replicas)
      if (i.stride % 32 != 0) return {rule::copy_matrix_lanes, {i.stride}};
    for (copy_mode const& m : modes)
      if (m.step == 0) return {rule::copy_matrix_repeats};
    return {};
  }

  AXE_LAZY_FN constexpr refusal find_matrix(layout const& memory) {
    integer const register_elements = 32 / bits;
    integer row_lanes = 1;
    integer unfit_stride = -1;  // of a mode on lanes; -1: all fit
    bool adjacent_rows = false;
    for (int k = 0; k < modes.count; ++k) {
      iter const held = holders.shards[k];
      integer const apart = memory.shards[k].stride;
      if (held.stride == 0) return {rule::copy_matrix_repeats};
      if (held.is_on(axis::reg)) {
        if (held.stride == 1 && held.extent == register_elements && register_elements > 1 &&
            (transposed || apart == 1))
          in_register = k;
        continue;
      }
      bool const on_warps = held.stride >= 32;
      if (on_warps) continue;
      bool const runs_along_row =
          transposed ? held.stride == 4 && held.extent == 8 && apart == 1
                     : held.stride == 1 && held.extent == 4 && apart == register_elements;
      bool const on_rows = transposed ? held.stride * held.extent <= 4
                                      : held.stride >= 4 && held.stride * held.extent <= 32;
      if (runs_along_row)
        along_row = k;
      else if (on_rows)
        row_lanes *= held.extent;
      else
        unfit_stride = held.stride;
      adjacent_rows = adjacent_rows || (!transposed && held.stride == 1 && held.extent > 4 &&
                                        held.extent % 4 == 0 && apart == register_elements);
    }
    if (adjacent_rows && (register_elements == 1 || in_register >= 0))
      return {rule::copy_matrix_adjacent};
    if (along_row < 0) return {rule::copy_matrix_lanes, {transposed ? 4 : 1}};
    if (unfit_stride < 0 && row_lanes != (transposed ? 4 : 8)) unfit_stride = transposed ? 1 : 4;
    if (unfit_stride >= 0) return {rule::copy_matrix_lanes, {unfit_stride}};
    if (register_elements > 1 && in_register < 0) return {rule::copy_matrix_registers, {1, 0}};
    return {};
  }

  AXE_LAZY_FN constexpr void assign_within_matrix() {
    for (int k = 0; k < modes.count; ++k) {
      copy_mode& m = modes[k];
      iter const held = holders.shards[k];
      if (k == along_row || (k == in_register && !transposed)) {
        m.values = m.extent;
      } else if (k != in_register && held.is_on(axis::reg)) {
        m.issues = m.extent;
      } else {
        // Lane r addresses row r. The row begins on lane 4r, or with .trans on lane r / 2.
        m.threads = m.extent;
        m.thread_stride = k == in_register    ? 1
                          : held.stride >= 32 ? held.stride
                          : transposed        ? 2 * held.stride
                                              : held.stride / 4;
      }
    }
  }

  AXE_LAZY_FN constexpr refusal assign_matrices(int matrices) {
    list<int, most_modes> on_registers;
    for (int k = 0; k < modes.count; ++k)
      if (k != in_register && holders.shards[k].is_on(axis::reg)) on_registers.push(k);
    sort_by(on_registers, [&](int k) { return holders.shards[k].stride; });
    integer left = matrices, lane = 8;
    for (int const k : on_registers) {
      iter const held = holders.shards[k];
      integer const taken = greatest_common_divisor(left, held.extent);
      if (taken == 1) continue;
      copy_mode& mode = modes[k];
      mode.threads = taken;
      mode.thread_stride = lane;
      mode.issues = mode.extent / taken;
      of_value.insert(0, {taken, held.stride});
      lane *= taken;
      left /= taken;
    }
    if (left > 1) return {rule::copy_matrix_registers, {matrices, matrices / left}};
    for (int const k : on_registers)
      if (holders.shards[k].stride % (32 / bits) != 0)
        return {rule::copy_matrix_registers, {matrices, 0}};
    return {};
  }

  /// Splits the mode on registers or on threads that crosses the place `boundary`.
  AXE_LAZY_FN constexpr void split_mode_at(bool registers, integer boundary) {
    for (int k = 0; k < modes.count; ++k) {
      iter const held = holders.shards[k];
      if (held.is_on(axis::reg) != registers || held.stride < 1 || boundary % held.stride != 0)
        continue;
      integer const inner = boundary / held.stride;
      if (inner == 1 || held.extent <= inner || held.extent % inner != 0 ||
          modes.count == most_modes)
        continue;
      copy_mode outer = modes[k];
      outer.extent /= inner;
      outer.step *= inner;
      outer.coordinate_step *= inner;
      modes[k].extent = inner;
      modes.insert(k, outer);
      for (layout* side : {&from, &to, &holders}) {
        iter const i = side->shards[k];
        side->shards[k].extent = inner;
        side->shards.insert(k, {i.extent / inner, i.stride * inner, i.on});
      }
      return;
    }
  }

  AXE_LAZY_FN constexpr outcome<copy_plan> plan_by(copy_instruction i) {
    instruction = i;
    transposed = is_transposed(i);
    if (refusal const bad = check_matrix_copy()) return bad;
    bool const load = is_ldmatrix(i);
    int const matrices = matrices_of(instruction);
    integer const row = 128 / bits, register_elements = 32 / bits;
    split_mode_at(true, register_elements);
    split_mode_at(false, 32);
    layout const& memory = load ? from : to;
    if (refusal const bad = find_matrix(memory)) return bad;
    bytes = 16;
    values = matrices * register_elements;
    if (register_elements > 1) of_value.push({register_elements, 1});
    assign_within_matrix();
    if (refusal const bad = check_steps(memory, row, true)) return bad;
    for (copy_mode const& m : modes)
      if (edge_of(m) != 0) return refusal{rule::copy_edge};
    if (refusal const bad = assign_matrices(matrices)) return bad;
    // Lanes 8 * matrices to 31 do not address rows.
    if (matrices < 4 &&
        !access_partition.replicas.push({4 / matrices, 8 * integer{matrices}, thread}))
      return refusal{rule::copy_matrix_lanes, {8 * integer{matrices}}};
    outcome<copy_plan> const plan = finish_plan();
    if (plan.why) return plan;
    integer const base = load ? request->options.from_alignment : request->options.to_alignment;
    if (refusal const bad = check_base(16, base)) return bad;
    return plan;
  }
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
