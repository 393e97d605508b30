// SPDX-License-Identifier: MIT
// plan_bulk: plans a copy by cp.async.bulk, in runs of bytes that are contiguous on both sides.
//
//     S[(64,64):(64,1)] to S[(64,64):(72,1)]        64 runs of 64 elements
#pragma once

#include <axe/plan/engine/copy_vectors.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// A swizzle of both sides cancels if runs are whole periods.
AXE_LAZY_FN constexpr bool drop_common_swizzle(copy_view& v, integer run) {
  if (!(v.from.swizzle == v.to.swizzle)) return false;
  if (v.from.swizzle.none()) return true;
  integer const period = v.from.swizzle.period();
  if (run % period != 0) return false;
  for (layout const* side : {&v.from, &v.to}) {
    if (side->offset(axis::m) % period != 0) return false;
    for (int k = 0; k < v.modes.count; ++k)
      if (v.modes[k].values == 1 && v.modes[k].extent > 1 && side->shards[k].stride % period != 0)
        return false;
  }
  v.from.swizzle = v.to.swizzle = {};
  return true;
}

AXE_LAZY_FN constexpr outcome<copy_plan> plan_bulk(copy_request const& r, copy_view const& view) {
  using enum memory_space;
  bool const load = r.copies(global, shared);
  if (!(r.options.remote ? r.copies(shared, shared) : load || r.copies(shared, global)))
    return refusal{rule::copy_not_between_these};
  if (!has_tma(r.target)) return refusal{rule::needs_architecture, {90}};
  if (!view.simple) return refusal{rule::copy_not_simple};
  if (view.partitioned) return refusal{rule::copy_not_between_these};
  copy_view v = view;
  v.instruction = copy_instruction::bulk;
  // A mode extends the run if both its strides are the run's length.
  integer run = 1;
  for (int k = 0; k < v.modes.count; ++k) {
    copy_mode& m = v.modes[k];
    if (m.values > 1 || m.extent == 1 || v.from.shards[k].stride != run ||
        v.to.shards[k].stride != run)
      continue;
    m.values = m.extent;
    run *= m.extent;
    k = -1;  // an earlier mode may extend it
  }
  v.values = run;
  v.bytes = run * v.bits / 8;
  if (v.bytes % 16 != 0) return refusal{rule::copy_bulk_bytes, {v.bytes}};
  if (!drop_common_swizzle(v, run)) {
    axe::swizzle const f = v.from.swizzle.none() ? v.to.swizzle : v.from.swizzle;
    return refusal{rule::copy_swizzle_splits, {v.bytes, (integer{1} << f.M) * v.bits / 8}};
  }
  if (refusal const bad = check_alignment(r, v, 128 / v.bits)) return bad;
  for (int k = 0; k < v.modes.count; ++k)
    if (copy_mode const& m = v.modes[k]; m.values > 1 && may_end_inside_access(v, k, m.values))
      return refusal{rule::copy_accesses_cut, {m.values, v.edge_of(m)}};
  if (load && r.options.outside == copy_outside::zero && has_edge(v.edges))
    return refusal{rule::copy_edge};
  make_partition(r, v, -1);
  return finish_plan(r, v, -1);
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
