// SPDX-License-Identifier: MIT
// Copies by loads, stores and cp.async of 1 to 16 bytes: the width that fits, and the partition.
//
//     S[(64,48):(4096,1)] global -> S[(64,48):(56,1)] shared, 16 bits, 128 threads
//         vector.16: 6 threads along a row, 16 rows, 4 issues of 96 threads
//
// One thread must own the V elements of an access, contiguous on both sides. Other strides and
// offsets must be multiples of V, the base must be aligned, and a swizzle must keep its bytes
// together. Definition: docs/plans.md, "Copy".
#pragma once

#include <axe/plan/copy_view.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// The mode along which an access has its values, or -1 for one value.
AXE_LAZY_FN constexpr outcome<int> vector_mode(copy_request const& r, copy_view const& v,
                                               integer values) {
  if (values == 1) return -1;
  if (!v.simple) return refusal{rule::copy_not_simple};
  integer most = 1;
  int found = -1;
  for (int k = 0; k < v.modes.count; ++k) {
    bool adjacent = v.modes[k].step != 0;
    if (in_memory(r.from_space)) adjacent = adjacent && v.from.shards[k].stride == 1;
    if (in_memory(r.to_space)) adjacent = adjacent && v.to.shards[k].stride == 1;
    if (v.partitioned) {
      iter const held = v.holders.shards[k];
      bool const in_registers = !in_memory(r.from_space) || !in_memory(r.to_space);
      adjacent =
          adjacent && held.is_on(axis::reg) && (!in_registers || held.stride == 1 || v.bits >= 32);
    }
    if (!adjacent || v.modes[k].extent <= most) continue;
    found = k;
    most = v.modes[k].extent;
  }
  if (found < 0 || most < values || (v.partitioned && most % values != 0))
    return refusal{rule::copy_too_few_adjacent, {values, most, v.bits}};
  return found;
}

/// Rejects vectors that are not aligned on this side. The refusal names the smallest stride that
/// fails. That is a static one if any fails, because dynamic strides are planned as large numbers.
AXE_LAZY_FN constexpr refusal check_steps(copy_view const& v, layout const& side, integer values,
                                          bool rows = false) {
  integer const bytes = values * v.bits / 8;
  if (values == 1) return {};
  if (!side.swizzle.none() && values > (integer{1} << side.swizzle.M))
    return {rule::copy_swizzle_splits, {bytes, (integer{1} << side.swizzle.M) * v.bits / 8}};
  if (side.offset(axis::m) % values != 0)
    return {rule::copy_step_not_aligned, {bytes, side.offset(axis::m), v.bits}};
  integer worst = 0;
  for (int k = 0; k < v.modes.count; ++k) {
    integer const step = side.shards[k].stride;
    if (v.modes[k].values > 1 || step % values == 0) continue;
    if (worst == 0 || magnitude(step) < magnitude(worst)) worst = step;
  }
  if (worst == 0) return {};
  return rows ? refusal{rule::copy_matrix_rows, {worst * v.bits / 8}}
              : refusal{rule::copy_step_not_aligned, {bytes, worst, v.bits}};
}
/// Rejects accesses of `bytes` bytes if the base is only a multiple of `base` bytes. Strides are
/// checked before, so an access that this rejects lacks only the alignment of the base.
AXE_LAZY_FN constexpr refusal check_base(integer bytes, integer base) {
  if (base < 1 || base % bytes != 0) return {rule::copy_base_not_aligned, {bytes, base}};
  return {};
}
AXE_LAZY_FN constexpr refusal check_alignment(copy_request const& r, copy_view const& v,
                                              integer values) {
  integer const bytes = values * v.bits / 8;
  bool const from = in_memory(r.from_space) && !v.from_by_element;
  bool const to = in_memory(r.to_space) && !v.to_by_element;
  refusal bad, other;
  if (from) bad = check_steps(v, v.from, values);
  if (to) other = check_steps(v, v.to, values);
  bool const both = bad && other && bad.which == rule::copy_step_not_aligned;
  if (!bad || (both && (other.which != bad.which ||
                        magnitude(other.numbers[1]) < magnitude(bad.numbers[1]))))
    bad = other;
  if (!bad && from) bad = check_base(bytes, r.options.from_alignment);
  if (!bad && to) bad = check_base(bytes, r.options.to_alignment);
  return bad;
}

/// The order in which modes get threads: the vector's mode, then by the strides of the destination,
/// or of the source if only that is in global memory, the smallest first.
AXE_LAZY_FN constexpr list<int, copy_plan::most_modes> driving_order(copy_request const& r,
                                                                     copy_view const& v,
                                                                     int vector) {
  bool const by_from = r.from_space == memory_space::global && r.to_space != memory_space::global;
  layout const& side = by_from ? v.from : v.to;
  bool const by_element = by_from ? v.from_by_element : v.to_by_element;
  list<int, copy_plan::most_modes> order;
  auto const rank = [&](int k) {
    if (k == vector) return integer{0};
    if (by_element || !v.simple) return v.modes[k].step;
    integer const stride = magnitude(side.shards[k].stride);
    return stride == 0 ? largest : stride;
  };
  for (int k = v.modes.count - 1; k >= 0; --k) {
    if (v.modes[k].step == 0) continue;
    int at = 0;
    while (at < order.count && rank(order[at]) <= rank(k)) ++at;
    order.insert(at, k);
  }
  return order;
}

struct thread_choice {
  integer issues = 0;   // accesses of one thread, along all modes
  integer covered = 0;  // accesses of all threads, also beyond the tile
  integer threads[copy_plan::most_modes]{};
};

/// Puts `first` threads along the fastest mode, and the others along the other modes in turn.
AXE_LAZY_FN constexpr thread_choice choose_threads(copy_view const& v,
                                                   list<int, copy_plan::most_modes> const& order,
                                                   integer first, integer scope) {
  thread_choice c;
  c.issues = c.covered = 1;
  integer left = scope;
  for (int n = 0; n < order.count; ++n) {
    integer const accesses = v.modes[order[n]].accesses();
    integer const most = n == 0 ? first : smaller(accesses, left);
    integer const issues = (accesses - 1) / most + 1;
    integer const threads = (accesses - 1) / issues + 1;
    c.threads[order[n]] = threads;
    c.issues *= issues;
    c.covered *= issues * threads;
    left /= threads;
  }
  return c;
}

/// A cluster has at most 16 CTAs of 1,024 threads.
inline constexpr integer most_copy_threads = 1 << 14;

/// Chooses the fewest issues, then the fewest accesses outside the tile, then the most threads
/// along the fastest mode.
AXE_LAZY_FN constexpr void make_partition(copy_request const& r, copy_view& v, int vector) {
  list<int, copy_plan::most_modes> const order = driving_order(r, v, vector);
  integer const scope = smaller(r.scope, most_copy_threads);
  thread_choice best;
  if (order.count != 0) {
    copy_mode const& fastest = v.modes[order[0]];
    integer const accesses = fastest.accesses();
    integer const bytes = fastest.values * v.bits / 8;
    integer last = 0;
    for (integer t = smaller(accesses, scope); t >= 1; --t) {
      if (best.issues != 0 && t * bytes < 64) break;
      integer const threads = (accesses - 1) / ((accesses - 1) / t + 1) + 1;
      if (threads == last) continue;
      last = threads;
      thread_choice const here = choose_threads(v, order, threads, scope);
      if (best.issues == 0 || here.issues < best.issues ||
          (here.issues == best.issues && here.covered < best.covered))
        best = here;
    }
  }
  integer stride = 1;
  for (int const k : order) {
    copy_mode& m = v.modes[k];
    m.threads = best.threads[k];
    m.issues = (m.accesses() - 1) / m.threads + 1;
    m.thread_stride = stride;
    stride *= m.threads;
  }
  for (copy_mode& m : v.modes)
    if (m.step == 0) m.issues = m.extent;
}

AXE_LAZY_FN constexpr void take_partition(copy_view& v) {
  for (int k = 0; k < v.modes.count; ++k) {
    copy_mode& m = v.modes[k];
    iter const held = v.holders.shards[k];
    if (!held.is_on(axis::reg) && held.stride != 0) {
      m.threads = m.extent;
      m.thread_stride = held.stride;
    } else {
      m.issues = m.accesses();
    }
  }
}

/// The operand that determines the threads: the side in registers (0 or 1), else the user's
/// partition (2).
AXE_FN constexpr int operand_of_holders(copy_request const& r) {
  return !in_memory(r.from_space) ? 0 : !in_memory(r.to_space) ? 1 : 2;
}

AXE_LAZY_FN constexpr refusal finish_plan(copy_request const& r, copy_view& plan) {
  plan.issues = 1;
  for (int k = plan.modes.count - 1; k >= 0; --k) {
    plan.modes[k].issue_stride = plan.issues;
    plan.issues *= plan.modes[k].issues;
  }
  layout a;
  shape accesses;
  for (copy_mode const& m : plan.modes) {
    if (m.issues > 1) a.shards.push({m.issues, m.issue_stride, axis::reg});
    if (m.threads > 1) a.shards.push({m.threads, m.thread_stride, plan.thread});
    accesses.append(m.issues * m.threads);
  }
  a.replicas = plan.addresses.replicas;
  integer const first = plan.holders.offset(plan.thread);
  if (first != 0) a.offsets.push({first, plan.thread});
  plan.addresses = a;
  partition_data const threads = partition_from(a, accesses);
  if (threads.why) return of_operand(operand_of_holders(r), threads.why);
  plan.threads = threads.threads;
  if (plan.threads > r.scope) return {rule::copy_scope_too_small, {plan.threads, r.scope}};
  return {};
}

AXE_LAZY_FN constexpr void find_holders(copy_view& plan, int vector) {
  if (!in_memory(plan.from_space) || !in_memory(plan.to_space)) {
    plan.partition = plan.holders;
    plan.partition.replicas = plan.replicas_of_threads;
    if (vector >= 0) plan.of_value.push({plan.values, plan.holders.shards[vector].stride});
    for (int k = plan.modes.count - 1; k >= 0; --k) {
      copy_mode const& m = plan.modes[k];
      iter const held = plan.holders.shards[k];
      if (m.issues > 1)
        plan.of_issue.push(
            {m.issues, held.is_on(axis::reg) ? held.stride * m.values * m.threads : 0});
    }
    return;
  }
  if (plan.values > 1) plan.of_value.push({plan.values, 1});
  if (plan.issues > 1) plan.of_issue.push({plan.issues, plan.values});
  layout p;
  // The values of a bulk copy span several modes.
  bool const bulk = plan.instruction == copy_instruction::bulk;
  for (int k = 0; k < plan.modes.count; ++k) {
    copy_mode const& m = plan.modes[k];
    if (m.issues > 1) p.shards.push({m.issues, m.issue_stride * plan.values, axis::reg});
    if (m.threads > 1) p.shards.push({m.threads, m.thread_stride, plan.thread});
    if (m.values > 1) p.shards.push({m.values, bulk ? plan.from.shards[k].stride : 1, axis::reg});
  }
  p.replicas = plan.addresses.replicas;
  p.offsets = plan.addresses.offsets;
  plan.partition = p;
}

/// True if the tensor or the tile may end inside an access along mode k.
AXE_LAZY_FN constexpr bool cuts(copy_view const& v, int k, integer values) {
  if (values == 1) return false;
  copy_mode const& m = v.modes[k];
  if (m.extent % values != 0) return true;
  return v.edge_of(m) != 0 && v.edge_of(m) % (m.radix * values) != 0;
}

AXE_LAZY_FN constexpr outcome<copy_plan> plan_vectors(copy_request const& r, copy_view const& view,
                                                      copy_instruction instruction) {
  copy_view v = view;
  v.instruction = instruction;
  v.bytes = bytes_of(instruction);
  v.values = v.bytes * 8 / v.bits;
  bool const cp_async = is_cp_async(instruction);
  if (r.options.remote || (cp_async && !r.leads(memory_space::global, memory_space::shared)))
    return refusal{rule::copy_not_between_these};
  if (v.values < 1) return refusal{rule::copy_too_few_adjacent, {1, 0, v.bits}};
  outcome<int> const mode = vector_mode(r, v, v.values);
  if (mode.why) return mode.why;
  if (*mode >= 0) {
    v.modes[*mode].values = v.values;
    v.cut = cuts(v, *mode, v.values);
  }
  if (cp_async && v.cut) {
    copy_mode const& m = v.modes[*mode];
    if (m.extent % v.values != 0)
      return refusal{rule::copy_too_few_adjacent, {v.values, m.extent % v.values, v.bits}};
    if (r.options.outside == copy_outside::skip)
      return refusal{rule::copy_accesses_cut, {v.values, v.edge_of(m)}};
  }
  refusal bad = check_alignment(r, v, v.values);
  if (bad) return bad;
  if (v.partitioned) {
    take_partition(v);
    v.addresses.replicas = v.replicas_of_threads;
    if (in_memory(r.to_space)) v.stores_once = v.replicas_of_threads;
  } else {
    make_partition(r, v, *mode);
  }
  bad = finish_plan(r, v);
  if (bad) return bad;
  find_holders(v, *mode);
  return v;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
