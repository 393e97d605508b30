// SPDX-License-Identifier: MIT
// make_partition: divides the accesses of a copy among threads.
//
//     modes of 64 and 6 accesses, 128 threads
//         6 threads on the second mode, 16 on the first: 4 issues of 96 threads
#pragma once

#include <axe/plan/engine/copy_view.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

using mode_order = list<int, copy_plan::most_modes>;

/// Orders the modes: the one of vectors first, then by ascending stride.
AXE_LAZY_FN constexpr mode_order thread_order(copy_request const& r, copy_view const& v,
                                              int vector) {
  bool const by_from = r.from_space == memory_space::global && r.to_space != memory_space::global;
  layout const& side = by_from ? v.from : v.to;
  bool const by_element = by_from ? v.from_by_element : v.to_by_element;
  mode_order order;
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

/// Puts modes of other dimensions with bounds tests directly after the fastest mode.
AXE_LAZY_FN constexpr mode_order tested_first(copy_view const& v, mode_order const& order) {
  mode_order out;
  int const fastest = v.modes[order[0]].dimension;
  for (bool const first : {true, false})
    for (int n = 0; n < order.count; ++n) {
      copy_mode const& m = v.modes[order[n]];
      if ((n == 0 || (m.dimension != fastest && v.edge_of(m) != 0)) == first) out.push(order[n]);
    }
  return out;
}

struct thread_choice {
  bool divides = false;
  integer issues = 0;
  integer fastest_tests = 1;  // bounds tests in the fastest mode's dimension
  integer other_tests = 1;
  integer covered = 0;  // accesses, also those past the end
  integer threads[copy_plan::most_modes]{};
};

/// Puts `first` threads along the fastest mode, then the rest along one mode after the other. With
/// `divides`, the threads along each of these divide its accesses.
AXE_LAZY_FN constexpr thread_choice choose_threads(copy_view const& v, mode_order const& order,
                                                   integer first, integer scope, bool divides) {
  thread_choice choice;
  choice.divides = divides;
  choice.issues = choice.covered = 1;
  integer left = scope;
  for (int n = 0; n < order.count; ++n) {
    copy_mode const& m = v.modes[order[n]];
    integer const accesses = m.accesses();
    integer const most = n == 0    ? first
                         : divides ? greatest_common_divisor(accesses, left)
                                   : smaller(accesses, left);
    integer const issues = (accesses - 1) / most + 1;
    integer const threads = (accesses - 1) / issues + 1;
    choice.threads[order[n]] = threads;
    choice.issues *= issues;
    bool const of_fastest = m.dimension == v.modes[order[0]].dimension;
    if (v.edge_of(m) != 0) (of_fastest ? choice.fastest_tests : choice.other_tests) *= issues;
    choice.covered *= issues * threads;
    left /= threads;
  }
  return choice;
}

inline constexpr integer most_copy_threads = 16 * 1024;

/// Prefers few issues, then few accesses past the end. On a tie, `divides` loses, then many threads
/// along the fastest mode win.
AXE_LAZY_FN constexpr thread_choice best_threads(copy_view const& v, mode_order const& order,
                                                 integer scope) {
  copy_mode const& fastest = v.modes[order[0]];
  integer const accesses = fastest.accesses();
  integer const bytes = fastest.values * v.bits / 8;
  thread_choice best;
  for (bool const divides : {false, true}) {
    integer last = 0;
    for (integer t = smaller(accesses, scope); t >= 1; --t) {
      // If possible, adjacent threads access at least 64 bytes.
      if (best.issues != 0 && t * bytes < 64 && t != accesses) break;
      integer const threads = (accesses - 1) / ((accesses - 1) / t + 1) + 1;
      if (threads == last) continue;
      last = threads;
      thread_choice const here = choose_threads(v, order, threads, scope, divides);
      if (best.issues == 0 || here.issues < best.issues ||
          (here.issues == best.issues && here.covered < best.covered))
        best = here;
    }
  }
  return best;
}

AXE_LAZY_FN constexpr void make_partition(copy_request const& r, copy_view& v, int vector) {
  mode_order order = thread_order(r, v, vector);
  thread_choice best;
  if (order.count != 0) {
    integer const scope = smaller(r.scope, most_copy_threads);
    best = best_threads(v, order, scope);
    integer const along_fastest = best.threads[order[0]];
    bool const fills_128_bytes = along_fastest * v.modes[order[0]].values * v.bits >= 1024;
    if (vector >= 0 && order.count > 2 && fills_128_bytes) {
      mode_order const other = tested_first(v, order);
      thread_choice const here = choose_threads(v, other, along_fastest, scope, best.divides);
      // More column tests give each access its own test, and in cp.async its own size. This pays
      // only if column tests far outnumber row tests.
      integer const least_ratio = r.options.asynchronous ? 4 : 2;
      bool const fewer_row_tests = here.other_tests < best.other_tests;
      bool const same_column_tests = here.fastest_tests == best.fastest_tests;
      bool const column_tests_outnumber = here.fastest_tests / least_ratio >= here.other_tests;
      if (here.issues == best.issues && here.covered == best.covered && fewer_row_tests &&
          (same_column_tests || column_tests_outnumber)) {
        order = other;
        best = here;
      }
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

AXE_LAZY_FN constexpr void follow_partition(copy_view& v) {
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

AXE_LAZY_FN constexpr void find_registers(copy_view& plan, int vector) {
  if (!in_memory(plan.from_space) || !in_memory(plan.to_space)) {
    plan.partition = plan.holders;
    if (vector >= 0) plan.of_value.push({plan.values, plan.holders.shards[vector].stride});
    for (int k = 0; k < plan.modes.count; ++k) {
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
  layout& partition = plan.partition;
  // The values of a bulk copy span several modes.
  bool const bulk = plan.instruction == copy_instruction::bulk;
  for (int k = 0; k < plan.modes.count; ++k) {
    copy_mode const& m = plan.modes[k];
    if (m.issues > 1) partition.shards.push({m.issues, m.issue_stride * plan.values, axis::reg});
    if (m.threads > 1) partition.shards.push({m.threads, m.thread_stride, plan.thread});
    if (m.values > 1)
      partition.shards.push({m.values, bulk ? plan.from.shards[k].stride : 1, axis::reg});
  }
  partition.replicas = plan.addresses.replicas;
  partition.offsets = plan.addresses.offsets;
}

AXE_LAZY_FN constexpr outcome<copy_plan> finish_plan(copy_request const& r, copy_view& plan,
                                                     int vector) {
  plan.issues = 1;
  for (int k = plan.modes.count - 1; k >= 0; --k) {
    plan.modes[k].issue_stride = plan.issues;
    plan.issues *= plan.modes[k].issues;
  }
  layout& addresses = plan.addresses;
  shape accesses;
  for (copy_mode const& m : plan.modes) {
    if (m.issues > 1) addresses.shards.push({m.issues, m.issue_stride, axis::reg});
    if (m.threads > 1) addresses.shards.push({m.threads, m.thread_stride, plan.thread});
    accesses.append(m.issues * m.threads);
  }
  integer const first = plan.holders.offset(plan.thread);
  if (first != 0) addresses.offsets.push({first, plan.thread});
  partition_data const threads = partition_from(addresses, accesses);
  // The threads come from the side in registers, or else from the partition.
  int const operand = !in_memory(r.from_space) ? 0 : !in_memory(r.to_space) ? 1 : 2;
  if (threads.why) return of_operand(operand, threads.why);
  plan.threads = threads.threads;
  if (plan.threads > r.scope) return refusal{rule::scope_too_small, {plan.threads, r.scope}};
  find_registers(plan, vector);
  return plan;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
