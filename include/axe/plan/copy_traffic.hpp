// SPDX-License-Identifier: MIT
// copy_traffic(plan, side): the wavefronts of shared memory or the sectors of global memory that
// the accesses of a copy need on one side.
//
//     copy_wavefronts(plan, copy_end::to)      conflicts 1: no bank conflict
//     copy_sectors(plan, copy_end::from)       256 sectors, the fewest
//
// Counts all accesses of all threads. Predicated ones count as executed, so that the result is an
// upper bound for partial tiles. Definition: docs/plans.md, "Copy"; docs/algebra.md, D19.
#pragma once

#include <axe/analysis/conflicts.hpp>
#include <axe/analysis/sectors.hpp>
#include <axe/base/sort.hpp>
#include <axe/plan/copy_plan.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

enum class copy_end : unsigned char { from, to };

namespace detail {

struct planned_side {
  char const* name;
  layout const& where;
  bool by_element;
  memory_space space;
};
AXE_LAZY_FN constexpr planned_side planned_side_of(copy_plan const& plan, copy_end end) {
  return end == copy_end::from
             ? planned_side{"from", plan.from, plan.from_by_element, plan.from_space}
             : planned_side{"to", plan.to, plan.to_by_element, plan.to_space};
}

struct copy_accesses {
  layout where;
  shape covered;
  access_pattern pattern;
};

AXE_LAZY_FN constexpr copy_accesses accesses_of(copy_plan const& plan, copy_end end) {
  planned_side const planned = planned_side_of(plan, end);
  layout const& side = planned.where;
  copy_accesses out;
  out.where = side;
  int const count = plan.modes.count;
  list<integer, copy_plan::most_modes> step;
  integer below = 1;
  for (int k = count - 1; k >= 0; --k) {
    copy_mode const& m = plan.modes[k];
    step.insert(0, planned.by_element ? m.step : below);
    below *= m.covered();
  }
  // Otherwise a mode may have several digits on this side.
  bool const by_stride = side.shards.count == count;
  if (planned.by_element) out.covered = shape(plan.tile);
  for (int k = 0; k < count && !planned.by_element; ++k) {
    integer const extent = by_stride ? plan.modes[k].covered() : plan.modes[k].extent;
    if (by_stride) out.where.shards[k].extent = extent;
    out.covered.append(extent);
  }
  iter_list issues, threads, values;
  struct thread_digit {
    integer divisor = 0;
    iter digit;
  };
  list<thread_digit, capacity::shards> of_thread;
  for (int k = 0; k < count; ++k) {
    copy_mode const& m = plan.modes[k];
    if (m.issues > 1) issues.push({m.issues, step[k] * m.threads * m.values, axis::m});
    if (m.values > 1) values.push({m.values, step[k], axis::m});
    if (m.threads > 1) of_thread.push({m.thread_stride, {m.threads, step[k] * m.values, axis::m}});
  }
  // Replicated threads access the same addresses. In ldmatrix, replicated lanes pass no address.
  for (iter const& r : plan.addresses.replicas)
    if (!is_matrix(plan.instruction) || r.stride >= 32)
      of_thread.push({r.stride, {r.extent, 0, axis::m}});
  sort_by(of_thread, [](thread_digit const& t) { return -t.divisor; });
  for (thread_digit const& t : of_thread) threads.push(t.digit);
  access_pattern& a = out.pattern;
  for (iter_list const* part : {&issues, &threads, &values})
    for (iter const& i : *part) a.elements.shards.push(i);
  a.bits = plan.bits;
  a.values = static_cast<int>(plan.bytes * 8 / plan.bits);
  a.sweep = product_of_extents(threads);
  if (is_matrix(plan.instruction)) {
    a.matrices = true;
    a.lanes = 8 * matrices_of(plan.instruction);
  }
  return out;
}

AXE_LAZY_FN constexpr bool accesses(copy_plan const& plan, copy_end end, memory_space space) {
  return planned_side_of(plan, end).space == space && plan.instruction != copy_instruction::tma;
}

}  // namespace detail

/// Rejects a side that is not in shared memory.
AXE_LAZY_FN constexpr outcome<shared_traffic> try_copy_wavefronts(copy_plan const& plan,
                                                                  copy_end end,
                                                                  step_limit steps = {}) {
  if (!detail::accesses(plan, end, memory_space::shared))
    return refusal{rule::copy_not_between_these};
  detail::copy_accesses const a = detail::accesses_of(plan, end);
  return try_shared_memory(a.where, a.covered, a.pattern, steps);
}
/// Rejects a side that is not in global memory.
AXE_LAZY_FN constexpr outcome<global_traffic> try_copy_sectors(copy_plan const& plan, copy_end end,
                                                               step_limit steps = {}) {
  if (!detail::accesses(plan, end, memory_space::global))
    return refusal{rule::copy_not_between_these};
  detail::copy_accesses const a = detail::accesses_of(plan, end);
  return try_global_memory(a.where, a.covered, a.pattern, steps);
}

AXE_LAZY_FN constexpr shared_traffic copy_wavefronts(copy_plan const& plan, copy_end end,
                                                     step_limit steps = {}) {
  auto const result = try_copy_wavefronts(plan, end, steps);
  detail::stop_on(result.why, "copy_wavefronts", {&plan.from, &plan.to});
  return result.value;
}
AXE_LAZY_FN constexpr global_traffic copy_sectors(copy_plan const& plan, copy_end end,
                                                  step_limit steps = {}) {
  auto const result = try_copy_sectors(plan, end, steps);
  detail::stop_on(result.why, "copy_sectors", {&plan.from, &plan.to});
  return result.value;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
