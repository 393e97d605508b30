// SPDX-License-Identifier: MIT
// plan_reduce: how threads reduce a fragment in registers, lanes and warps.
//
//     S[(8,2,4,2):(4@lane,2@reg,1@lane,1@reg)] on (16,8), over dimension 1
//         folds 4 registers to 2, then lanes ^ 1 and ^ 2: S[(8,2):(4@lane,1@reg)] + R[4:1@lane]
//
// Definition: docs/plans.md, "Elementwise and reductions".
#pragma once

#include <axe/plan/reduce_plan.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

using dimension_flags = list<bool, capacity::shards>;

AXE_LAZY_FN constexpr refusal check_redux(fold_options const& fold, integer lanes) {
  if (lanes != 32) return {rule::redux_lanes, {lanes}};
  bool const ordered =
      fold.operation == fold_operation::minimum || fold.operation == fold_operation::maximum;
  bool const integers = fold.type == element_type::s32 || fold.type == element_type::u32;
  bool const floats = fold.type == element_type::f32 && number_of(fold.target) == 100;
  if (!(integers && (ordered || fold.operation == fold_operation::plus)) && !(floats && ordered))
    return {rule::redux_operation, {bits_of(fold.type)}};
  return {};
}

struct reduce_planner : reduce_plan {
  dimension_flags reduced;
  extent_list extents;  // of the tile, with reduced neighbours merged
  layout grouped;       // by `extents`
  partition_data partition;

  AXE_LAZY_FN constexpr refusal mark_dimensions(list<int, capacity::shards> const& over) {
    int const rank = extents.count;
    for (int d = 0; d < rank; ++d) reduced.push(false);
    for (int d : over) {
      if (d < 0 || d >= rank || reduced[d]) return {rule::reduce_dimension, {d, rank}};
      reduced[d] = true;
    }
    return {};
  }

  /// Merges neighbouring reduced dimensions. Some layouts group only by the product of the extents.
  AXE_LAZY_FN constexpr void merge_reduced() {
    extent_list& s = extents;
    int last = 0;
    for (int d = 1; d < s.count; ++d) {
      if (s[d] == 1) continue;
      if (!reduced[last] || !reduced[d]) {
        last = d;
        continue;
      }
      s[last] *= s[d];
      s[d] = 1;
    }
  }

  AXE_LAZY_FN constexpr refusal check_reduced_digits() const {
    integer below = 1;  // elements in one step of digit k
    int k = grouped.shards.count;
    for (int d = grouped.blocks.count - 1; d >= 0; --d)
      for (int const first = k - grouped.blocks[d]; k > first;) {
        iter const& i = grouped.shards[--k];
        if (reduced[d] && (i.stride == 0 || i.is_on(axis::null)))
          return {rule::reduce_one_place, {0, below}};
        below *= i.extent;
      }
    return {};
  }

  AXE_LAZY_FN constexpr partition_digit fold_lanes(partition_digit digit) {
    while (digit.extent > 1) {
      // A butterfly flips one lane bit, so the first thread must be a multiple of `pair`.
      integer const pair = 2 * digit.divisor;
      if (digit.extent % 2 == 0 && 32 % pair == 0 && first_thread % pair == 0) {
        lanes.push({digit.divisor, 2, true});
        digit = {digit.dimension, digit.step * 2, pair, digit.extent / 2};
        continue;
      }
      // Without butterflies, all threads must be in one warp.
      if (first_thread % 32 + threads > 32) break;
      lanes.push({digit.divisor, digit.extent, false});
      digit.extent = 1;
    }
    return digit;
  }

  AXE_LAZY_FN constexpr refusal read_operands(layout const& l, shape const& s,
                                              list<int, capacity::shards> const& over) {
    refusal bad = dimensions_of(s, extents);
    if (!bad) bad = mark_dimensions(over);
    if (bad) return bad;
    outcome<layout> const canonical = try_canonicalize(l);
    if (canonical.why) return canonical.why;
    for (axis a : axes_of(*canonical))
      if (a >= axis::cta_x && a <= axis::cluster_cta_z) return {rule::reduce_axis, {}, {a}};
    merge_reduced();
    outcome<layout> const by_extents = try_group(*canonical, shape_with(extents));
    if (by_extents.why) return try_group(*canonical, s).why;
    grouped = *by_extents;
    partition = partition_from(*canonical, shape_with(extents));
    if (partition.why) return partition.why;
    thread = partition.thread;
    threads = partition.threads;
    first_thread = partition.first_thread;
    registers = partition.registers;
    if (thread == axis::lane) bad = check_lanes(*canonical);
    return bad ? bad : check_reduced_digits();
  }

  /// Returns the digits that lanes cannot fold.
  AXE_LAZY_FN constexpr partition_digits fold_threads() {
    partition_digits left;
    for (partition_digit const& digit : partition.by_thread) {
      if (!reduced[digit.dimension]) continue;
      partition_digit const rest = fold_lanes(digit);
      if (rest.extent > 1) left.push(rest);
    }
    return left;
  }

  AXE_LAZY_FN constexpr void choose_lane_fold(fold_options const& fold) {
    if (lanes_together() == 1) return;
    refusal const why = check_redux(fold, lanes_together());
    if (!why) by = lane_fold::redux;
    candidates.push({lane_fold::redux, why});
    if (why) candidates.push({lane_fold::shuffles, {}});
  }

  /// Fuses replicas, because reduced digits become replicas and a layout has at most 8.
  AXE_LAZY_FN constexpr outcome<layout> reduced_layout() const {
    layout out;
    list<iter, capacity::shards + capacity::replicas> replicas;
    iter_list on_registers;
    for (int d = 0; d < grouped.blocks.count; ++d)
      for (iter const& i : iters_of_block(grouped, d)) {
        if (reduced[d]) {
          if (i.extent > 1 && !i.is_on(axis::reg) && !i.is_on(axis::null)) replicas.push(i);
          continue;
        }
        out.shards.push(i);
        if (i.is_on(axis::reg) && i.stride != 0) on_registers.push(i);
      }
    for (iter& i : out.shards) {
      if (!i.is_on(axis::reg) || i.stride == 0) continue;
      integer below = 1;
      for (iter const& r : on_registers)
        if (r.stride < i.stride) below *= r.extent;
      i.stride = below;
    }
    for (iter const& r : grouped.replicas)
      if (!r.is_on(axis::reg)) replicas.push(r);
    sort_by(replicas, [](iter const& i) { return -i.stride; });
    for (axis a : axes_of(grouped))
      for (iter const& i : replicas)
        if (i.is_on(a) && !push_digit(out.replicas, i)) return refusal{rule::too_many_replicas};
    for (term const& t : grouped.offsets)
      if (!t.is_on(axis::reg)) out.offsets.push(t);
    return out;
  }

  AXE_LAZY_FN constexpr refusal plan_result() {
    outcome<layout> const made = reduced_layout();
    if (made.why) return made.why;
    result = *made;
    for (int d = 0; d < reduced.count; ++d) result_extents.push(reduced[d] ? 1 : extents[d]);
    if (outcome<layout> const canonical = try_canonicalize(result); canonical) result = *canonical;
    partition_data const of_result = partition_from(result, shape_with(result_extents));
    outcome<register_match> const match =
        match_registers(partition, extents, of_result, result_extents);
    if (match.why) return match.why;
    into = *match;
    results = of_result.registers;
    for (iter const& replica : grouped.replicas)
      for (int r = 0; r < into.at.count; ++r)
        if (replica.is_on(axis::reg) && replica.stride > 0 &&
            r / replica.stride % replica.extent != 0)
          into.at[r] = -1;
    return {};
  }

  /// Shared memory has, fastest first: a thread's results, kept digits of the thread number,
  /// reduced digits.
  AXE_LAZY_FN constexpr void plan_shared(partition_digits const& left) {
    list<shared_digit, 2 * capacity::shards> sorted;
    for (partition_digit const& o : left) sorted.push({o.divisor, o.extent, 0, true});
    for (partition_digit const& o : partition.by_thread)
      if (!reduced[o.dimension] && o.extent > 1) sorted.push({o.divisor, o.extent, 0, false});
    sort_by(sorted, [](shared_digit const& s) { return s.divisor; });
    integer below = 1;
    for (shared_digit const& s : sorted) {
      // Threads that differ only in digits outside `sorted` have the same partial results.
      if (s.divisor > below) writers.push({below, s.divisor / below, false});
      below = s.divisor * s.extent;
    }
    if (threads > below) writers.push({below, threads / below, false});
    partials = results;
    for (bool const folded : {false, true})
      for (shared_digit s : sorted) {
        if (s.reduced != folded) continue;
        s.stride = partials;
        partials *= s.extent;
        through_shared.push(s);
        if (!folded) ++unreduced_digits;
      }
  }

  AXE_LAZY_FN constexpr void choose_shared_fold() {
    integer const summands = reads();  // of a result
    integer const folds = (partials / summands + threads - 1) / threads;
    constexpr integer exchange = 9;  // a barrier, an address, a predicate, stores and loads
    // If each thread folds its own results, it reads vectors of partial results. If threads share
    // the folds, they read single ones.
    if (summands + results * (summands - 1) > folds * 2 * summands + exchange) shared_folds = folds;
  }
};

}  // namespace detail

/// Reduces the dimensions `over`, each listed once. Without `fold` the plan is right for any
/// operation. Cost: O(r n^2) for r registers and n iters.
AXE_LAZY_FN constexpr outcome<reduce_plan> try_plan_reduce(layout const& l, shape const& s,
                                                           list<int, capacity::shards> const& over,
                                                           fold_options const& fold = {}) {
  using namespace detail;
  reduce_planner plan;
  refusal bad = plan.read_operands(l, s, over);
  if (bad) return bad;
  partition_digits const left = plan.fold_threads();
  plan.choose_lane_fold(fold);
  bad = plan.plan_result();
  if (bad) return bad;
  if (left.count != 0) {
    plan.plan_shared(left);
    plan.choose_shared_fold();
  }
  return plan;
}

AXE_LAZY_FN constexpr reduce_plan plan_reduce(layout const& p, shape const& s,
                                              list<int, capacity::shards> const& over,
                                              fold_options const& fold = {}) {
  return detail::stop_on(try_plan_reduce(p, s, over, fold), "plan_reduce", {&p, nullptr, &s});
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
