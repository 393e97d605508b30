// SPDX-License-Identifier: MIT
// copy_wavefronts, copy_sectors: the shared-memory wavefronts or global-memory sectors of one side
// of a copy. Both count predicated accesses. Both reject tensor copies, sides in another memory,
// and partitions that begin inside a warp.
#pragma once

#include <axe/analysis/sectors.hpp>
#include <axe/plan/copy_plan.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

struct copy_accesses {
  layout where;
  shape covered;  // extents of the modes, including accesses past the end
  access_pattern pattern;
};

/// Maps (issue, thread, value) to elements of the covered tile.
AXE_LAZY_FN constexpr access_pattern pattern_of(copy_plan const& plan, planned_side const& side) {
  struct thread_digit {
    integer divisor = 0;
    iter digit{};
  };
  list<thread_digit, capacity::shards> threads;
  iter_list issues, values;
  integer below = 1;
  for (int k = plan.modes.count - 1; k >= 0; --k) {
    copy_mode const& m = plan.modes[k];
    integer const step = side.by_element ? m.step : below;
    below *= m.covered();
    if (m.issues > 1) issues.insert(0, {m.issues, step * m.threads * m.values, axis::m});
    if (m.threads > 1) threads.push({m.thread_stride, {m.threads, step * m.values, axis::m}});
    if (m.values > 1) values.insert(0, {m.values, step, axis::m});
  }
  // Replicated threads access the same addresses. Replicated lanes of ldmatrix supply none.
  for (iter const& r : plan.access_partition.replicas)
    if (!is_matrix(plan.instruction) || r.stride >= 32)
      threads.push({r.stride, {r.extent, 0, axis::m}});
  sort_by(threads, [](thread_digit const& t) { return -t.divisor; });
  access_pattern a;
  iter_list& elements = a.elements.shards;
  elements = issues;
  a.sweep = 1;
  for (thread_digit const& t : threads) {
    elements.push(t.digit);
    a.sweep *= t.digit.extent;
  }
  for (iter const& i : values) elements.push(i);
  a.bits = plan.bits;
  a.values = static_cast<int>(plan.bytes * 8 / plan.bits);
  if (is_matrix(plan.instruction)) {
    a.matrices = true;
    a.lanes = 8 * matrices_of(plan.instruction);
  }
  return a;
}

AXE_LAZY_FN constexpr outcome<copy_accesses> accesses_of(copy_plan const& plan, copy_side which,
                                                         memory_space space) {
  planned_side const side = planned_side_of(plan, which);
  if (side.space != space || plan.instruction == copy_instruction::tma)
    return refusal{rule::copy_traffic_is_not_counted};
  if (integer const first = plan.access_partition.offset(plan.thread); first % 32 != 0)
    return refusal{rule::copy_traffic_from_another_lane, {first}};
  copy_accesses out{side.where, {}, pattern_of(plan, side)};
  if (side.by_element) out.covered = shape(product_of_extents(side.where.shards));
  for (int k = 0; k < plan.modes.count && !side.by_element; ++k) {
    integer const extent = side.by_stride ? plan.modes[k].covered() : plan.modes[k].extent;
    if (side.by_stride) out.where.shards[k].extent = extent;
    out.covered.append(extent);
  }
  return out;
}

}  // namespace detail

AXE_LAZY_FN constexpr outcome<shared_traffic> try_copy_wavefronts(copy_plan const& plan,
                                                                  copy_side which) {
  auto const a = detail::accesses_of(plan, which, memory_space::shared);
  if (a.why) return a.why;
  return try_shared_memory(a->where, a->covered, a->pattern);
}
AXE_LAZY_FN constexpr outcome<global_traffic> try_copy_sectors(copy_plan const& plan,
                                                               copy_side which) {
  auto const a = detail::accesses_of(plan, which, memory_space::global);
  if (a.why) return a.why;
  return try_global_memory(a->where, a->covered, a->pattern);
}

AXE_LAZY_FN constexpr shared_traffic copy_wavefronts(copy_plan const& plan, copy_side which) {
  return detail::stop_on(try_copy_wavefronts(plan, which), "copy_wavefronts",
                         {&plan.from, &plan.to});
}
AXE_LAZY_FN constexpr global_traffic copy_sectors(copy_plan const& plan, copy_side which) {
  return detail::stop_on(try_copy_sectors(plan, which), "copy_sectors", {&plan.from, &plan.to});
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
