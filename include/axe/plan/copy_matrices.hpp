// SPDX-License-Identifier: MIT
// Copies by ldmatrix and stmatrix: the 8x8 matrices in the registers, and the lane of each address.
//
//     S[(2,8,2,4,2):(2@reg,4@lane,4@reg,1@lane,1@reg)] from S[(16,16):(72,1)]        ldmatrix.x4
//     S[(2,4,2,8):(2@reg,1@lane,1@reg,4@lane)] from S[(16,8):(72,1)]           ldmatrix.trans.x2
//
// Lane 8q + r holds the address of row r of matrix q: 16 bytes at a multiple of 16. Lane 4i + j
// gets 32 bits of row i, or with .trans the 16-bit elements i of rows 2j and 2j + 1. Source: PTX
// ISA, "ldmatrix", "stmatrix". Definition: docs/plans.md, "Copy".
#pragma once

#include <axe/plan/copy_vectors.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

struct matrix_digits {
  // The mode along the 16 bytes of a row: it has 4 lanes, or 8 lanes with .trans.
  int row_bytes = -1;
  int in_register = -1;  // the mode in one 32-bit register, or -1
};

AXE_LAZY_FN constexpr outcome<matrix_digits> find_matrix(copy_view const& v, layout const& memory,
                                                         bool transposed) {
  matrix_digits found;
  integer const v32 = 32 / v.bits;
  integer lanes = 1;
  integer wrong = -1;
  for (int k = 0; k < v.modes.count; ++k) {
    iter const held = v.holders.shards[k];
    if (held.stride == 0) return refusal{rule::copy_matrix_lanes, {v.bits, 0}};
    if (held.is_on(axis::reg)) {
      if (held.stride == 1 && held.extent == v32 && v32 > 1 &&
          (transposed || memory.shards[k].stride == 1))
        found.in_register = k;
      continue;
    }
    if (held.stride >= 32) continue;  // the mode is on warps
    bool const along = transposed
                           ? held.stride == 4 && held.extent == 8 && memory.shards[k].stride == 1
                           : held.stride == 1 && held.extent == 4 && memory.shards[k].stride == v32;
    if (along)
      found.row_bytes = k;
    else if (transposed ? held.stride * held.extent <= 4
                        : held.stride >= 4 && held.stride * held.extent <= 32)
      lanes *= held.extent;
    else
      wrong = held.stride;
  }
  if (found.row_bytes < 0) return refusal{rule::copy_matrix_lanes, {v.bits, transposed ? 4 : 1}};
  if (wrong >= 0 || lanes != (transposed ? 4 : 8))
    return refusal{rule::copy_matrix_lanes, {v.bits, wrong >= 0 ? wrong : transposed ? 1 : 4}};
  if (v32 > 1 && found.in_register < 0) return refusal{rule::copy_matrix_registers, {1, 0}};
  return found;
}

/// Lets lanes 8q to 8q + 7 address matrix q. Modes on registers number the matrices, that with
/// the smallest stride first.
AXE_LAZY_FN constexpr refusal take_matrices(copy_view& v, matrix_digits const& m, int matrices) {
  integer const v32 = 32 / v.bits;
  integer wanted = matrices, lane = 8;
  for (integer below = 0; wanted > 1;) {
    int next = -1;
    for (int k = 0; k < v.modes.count; ++k) {
      iter const held = v.holders.shards[k];
      if (k == m.in_register || !held.is_on(axis::reg) || held.stride <= below) continue;
      if (next < 0 || held.stride < v.holders.shards[next].stride) next = k;
    }
    iter const held = next < 0 ? iter{1} : v.holders.shards[next];
    below = held.stride;
    integer const taken = greatest_common_divisor(wanted, held.extent);
    if (taken == 1 || (taken != wanted && taken != held.extent))
      return {rule::copy_matrix_registers, {matrices, matrices / wanted}};
    copy_mode& mode = v.modes[next];
    mode.threads = taken;
    mode.thread_stride = lane;
    mode.issues = mode.extent / taken;
    v.of_value.push({taken, held.stride});
    lane *= taken;
    wanted /= taken;
  }
  for (int k = 0; k < v.modes.count; ++k)
    if (iter const held = v.holders.shards[k];
        held.is_on(axis::reg) && k != m.in_register && held.stride % v32 != 0)
      return {rule::copy_matrix_registers, {matrices, 0}};
  return {};
}

AXE_LAZY_FN constexpr outcome<copy_plan> plan_matrices(copy_request const& r, copy_view const& view,
                                                       copy_instruction instruction) {
  bool const load = is_ldmatrix(instruction), transposed = is_transposed(instruction);
  bool const between = load ? r.leads(memory_space::shared, memory_space::registers)
                            : r.leads(memory_space::registers, memory_space::shared);
  if (!between || r.options.remote) return refusal{rule::copy_not_between_these};
  if (!load && !has_stmatrix(r.target)) return refusal{rule::copy_needs_architecture, {90}};
  if (!view.simple) return refusal{rule::copy_not_simple};
  copy_view v = view;
  v.instruction = instruction;
  if (transposed ? v.bits != 16 : v.bits > 32) return refusal{rule::copy_matrix_lanes, {v.bits, 0}};
  // A fragment must begin at the first lane of a warp.
  if (integer const first = v.holders.offset(v.thread); first % 32 != 0)
    return refusal{rule::copy_matrix_lanes, {v.bits, first}};
  // Replicas must lie on whole warps. Every replica loads, and only the first stores.
  for (iter const& i : v.replicas_of_threads)
    if (i.stride % 32 != 0) return refusal{rule::copy_matrix_lanes, {v.bits, i.stride}};
  for (copy_mode const& m : v.modes)
    if (m.step == 0) return refusal{rule::copy_matrix_lanes, {v.bits, 0}};
  layout const& memory = load ? v.from : v.to;
  outcome<matrix_digits> const found = find_matrix(v, memory, transposed);
  if (found.why) return found.why;
  v.bytes = 16;
  integer const row = 128 / v.bits;
  integer const v32 = 32 / v.bits;
  v.values = matrices_of(instruction) * v32;
  if (v32 > 1) v.of_value.push({v32, 1});
  // One address is that of a whole row, so modes within a row are values of the access.
  for (int k = 0; k < v.modes.count; ++k) {
    copy_mode& m = v.modes[k];
    iter const held = v.holders.shards[k];
    if (k == found->row_bytes || (k == found->in_register && !transposed)) {
      m.values = m.extent;
    } else if (k == found->in_register) {
      m.threads = m.extent;
      m.thread_stride = 1;
    } else if (!held.is_on(axis::reg)) {
      m.threads = m.extent;
      m.thread_stride = held.stride >= 32 ? held.stride
                        : transposed      ? 2 * held.stride
                                          : held.stride / 4;
    } else {
      m.issues = m.extent;
    }
  }
  if (refusal const bad = check_steps(v, memory, row, true)) return bad;
  for (copy_mode const& m : v.modes)
    if (v.edge_of(m) != 0) return refusal{rule::copy_accesses_cut, {row, v.edge_of(m)}};
  int const matrices = matrices_of(instruction);
  if (refusal const bad = take_matrices(v, *found, matrices)) return bad;
  v.addresses.replicas = v.replicas_of_threads;
  if (!load) v.stores_once = v.replicas_of_threads;
  if (matrices < 4 && !v.addresses.replicas.push({4 / matrices, 8 * integer{matrices}, v.thread}))
    return refusal{rule::copy_matrix_lanes, {v.bits, 8 * integer{matrices}}};
  if (refusal const bad = finish_plan(r, v)) return bad;
  integer const base = load ? r.options.from_alignment : r.options.to_alignment;
  if (refusal const bad = check_base(16, base)) return bad;
  find_holders(v, -1);
  return v;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
