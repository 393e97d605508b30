// SPDX-License-Identifier: MIT
// bulk_planner: plans a copy by cp.async.bulk, in runs of bytes that are contiguous on both sides.
//
//     S[(64,64):(64,1)] to S[(64,64):(72,1)]        64 runs of 64 elements
#pragma once

#include <axe/plan/engine/copy_vectors.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

struct bulk_planner : access_planner {
  using access_planner::access_planner;

  /// A swizzle of both sides cancels if runs are whole periods.
  AXE_LAZY_FN constexpr bool drop_common_swizzle(integer run) {
    if (!(from.swizzle == to.swizzle)) return false;
    if (from.swizzle.none()) return true;
    integer const period = from.swizzle.period();
    if (run % period != 0) return false;
    for (layout const* side : {&from, &to}) {
      if (side->offset(axis::m) % period != 0) return false;
      for (int k = 0; k < modes.count; ++k)
        if (modes[k].values == 1 && modes[k].extent > 1 && side->shards[k].stride % period != 0)
          return false;
    }
    from.swizzle = to.swizzle = {};
    return true;
  }

  AXE_LAZY_FN constexpr outcome<copy_plan> plan() {
    using enum memory_space;
    copy_request const& r = *request;
    bool const load = r.copies(global, shared);
    if (!load && !r.copies(shared, global)) return refusal{rule::copy_not_between_these};
    if (!has_tma(target)) return refusal{rule::needs_sm_90};
    if (!modes_are_iters) return refusal{rule::copy_no_common_digits};
    if (partitioned) return refusal{rule::copy_not_between_these};
    instruction = copy_instruction::bulk;
    // A mode extends the run if both its strides are the run's length.
    integer run = 1;
    for (int k = 0; k < modes.count; ++k) {
      copy_mode& m = modes[k];
      if (m.values > 1 || m.extent == 1 || from.shards[k].stride != run ||
          to.shards[k].stride != run)
        continue;
      m.values = m.extent;
      run *= m.extent;
      k = -1;  // an earlier mode may extend it
    }
    values = run;
    bytes = run * bits / 8;
    if (bytes % 16 != 0) return refusal{rule::copy_bulk_bytes, {bytes}};
    if (!drop_common_swizzle(run)) {
      axe::swizzle const f = from.swizzle.none() ? to.swizzle : from.swizzle;
      return refusal{rule::copy_swizzle_splits, {bytes, (integer{1} << f.M) * bits / 8}};
    }
    if (refusal const bad = check_alignment(128 / bits)) return bad;
    for (int k = 0; k < modes.count; ++k)
      if (copy_mode const& m = modes[k]; m.values > 1 && may_end_inside_access(k, m.values))
        return refusal{rule::copy_accesses_cut, {m.values, edge_of(m)}};
    if (load && outside == copy_outside::zero && has_edge(edges)) return refusal{rule::copy_edge};
    make_partition();
    return finish_plan();
  }
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
