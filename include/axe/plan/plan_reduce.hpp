// SPDX-License-Identifier: MIT
// plan_reduce: how threads reduce a fragment in registers, lanes, warps and CTAs.
//
//     S[(8,2,4,2):(4@lane,2@reg,1@lane,1@reg)] on (16,8), over dimension 1
//         4 registers into 2, lanes ^ 1 and ^ 2; the result S[(8,2):(4@lane,1@reg)] + R[4:1@lane]
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
  layout held;          // by one CTA
  extent_list extents;  // of `held`
  layout grouped;       // `held`, grouped by `extents`
  partition_data partition;

  AXE_LAZY_FN constexpr refusal mark_dimensions(list<int, capacity::shards> const& over, int rank) {
    for (int d = 0; d < rank; ++d) reduced.push(false);
    for (int d : over) {
      if (d < 0 || d >= rank || reduced[d]) return {rule::reduce_dimension, {d, rank}};
      reduced[d] = true;
    }
    return {};
  }

  /// Merges neighbouring reduced dimensions, because some layouts group only by their product.
  AXE_LAZY_FN constexpr void merge_reduced(extent_list& s) const {
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

  AXE_LAZY_FN constexpr refusal split_off_ctas(layout const& p, shape const& tile, extent_list s) {
    merge_reduced(s);
    outcome<layout> const in_cluster = try_group(p, shape_with(s));
    if (in_cluster.why) return try_group(p, tile).why;
    iter_list folded;
    integer kept_ctas = 1;  // along dimensions that are not reduced
    for (int d = 0; d < s.count; ++d) {
      integer extent = 1;
      for (iter const& i : iters_of_block(*in_cluster, d)) {
        if (!i.is_on(axis::cluster_cta_x)) {
          extent *= i.extent;
          held.shards.push(i);
        } else if (!reduced[d]) {
          kept_ctas *= i.extent;
        } else if (i.extent > 1) {
          folded.push(i);
        }
      }
      extents.push(extent);
    }
    // Reduced digits must number the CTAs without gaps.
    sort_by(folded, [](iter const& i) { return i.stride; });
    for (iter const& i : folded) {
      if (i.stride != ctas) return {rule::reduce_ctas, {i.extent, i.stride, ctas}};
      ctas *= i.extent;
    }
    integer const left_out = kept_ctas > 1 ? ctas * (kept_ctas - 1) : p.offset(axis::cluster_cta_x);
    if (ctas > 1 && left_out != 0) return {rule::reduce_keeps_ctas, {ctas, left_out}};
    layout const rest = in_one_cta(p);
    held.replicas = rest.replicas;
    held.offsets = rest.offsets;
    return {};
  }

  AXE_LAZY_FN constexpr refusal read_partition(layout const& p, shape const& s) {
    partition = partition_from(p, s);
    thread = partition.thread;
    threads = partition.threads;
    first_thread = partition.first_thread;
    registers = partition.registers;
    return partition.why;
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

  AXE_LAZY_FN constexpr refusal read_operands(layout const& written, shape const& s,
                                              list<int, capacity::shards> const& over) {
    extent_list whole;
    refusal bad = dimensions_of(s, whole);
    if (!bad) bad = mark_dimensions(over, whole.count);
    if (bad) return bad;
    outcome<layout> const canonical = try_canonicalize(written);
    if (canonical.why) return canonical.why;
    layout const& p = canonical.value;
    bad = split_off_ctas(p, s, whole);
    shape const held_shape = shape_with(extents);
    if (!bad) bad = read_partition(held, held_shape);
    if (!bad && thread == axis::lane) bad = check_lanes(p);
    if (bad) return bad;
    grouped = group_of(valid_layout::proved(held), held_shape).value;
    return check_reduced_digits();
  }

  /// Sets `left` to the digits that lanes cannot fold.
  AXE_LAZY_FN constexpr refusal fold_threads(partition_digits& left) {
    for (partition_digit const& digit : partition.by_thread) {
      if (!reduced[digit.dimension]) continue;
      if (thread >= axis::cta_x && thread <= axis::cluster_cta_z)
        return {rule::reduce_axis, {}, {thread}};
      partition_digit const rest = fold_lanes(digit);
      if (rest.extent > 1) left.push(rest);
    }
    return {};
  }

  AXE_LAZY_FN constexpr refusal choose_lane_fold(fold_options const& fold) {
    using enum lane_fold;
    integer const together = lanes_together();
    if (together == 1 && fold.forced != redux) return {};
    if (fold.forced != shuffles) {
      refusal const why = check_redux(fold, together);
      candidates.push({redux, why});
      if (!why) by = redux;
      if (!why || fold.forced == redux) return why;
    }
    candidates.push({lane_fold::shuffles, {}});
    return {};
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
    for (iter const& replica : held.replicas)
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
        if (!folded) ++kept;
      }
  }

  AXE_LAZY_FN constexpr void choose_shared_fold() {
    integer const summands = reads();  // of a result
    integer const folds = (partials / summands + threads - 1) / threads;
    constexpr integer exchange = 9;  // a barrier, an address, a predicate, stores and loads
    // A thread that folds its own results reads vectors of partial results. Shared folds read
    // single ones.
    if (summands + results * (summands - 1) > folds * 2 * summands + exchange) shared_folds = folds;
  }
};

}  // namespace detail

/// Reduces the dimensions `over`, each listed once. Without `fold` the plan is right for any
/// operation. Cost: O(r n^2) for r registers and n iters.
AXE_LAZY_FN constexpr outcome<reduce_plan> try_plan_reduce(layout const& written, shape const& s,
                                                           list<int, capacity::shards> const& over,
                                                           fold_options const& fold = {}) {
  using namespace detail;
  reduce_planner plan;
  partition_digits left;
  refusal bad = plan.read_operands(written, s, over);
  if (!bad) bad = plan.fold_threads(left);
  if (!bad) bad = plan.choose_lane_fold(fold);
  if (!bad) bad = plan.plan_result();
  if (bad) return bad;
  if (left.count != 0) {
    plan.plan_shared(left);
    plan.choose_shared_fold();
  }
  return plan;
}

/// Plans how the CTAs of a cluster combine elements. The first thread that holds an element writes
/// it.
AXE_LAZY_FN constexpr outcome<reduce_plan> try_plan_cluster_fold(layout const& p, shape const& s) {
  detail::reduce_planner plan;
  refusal bad = plan.read_partition(p, s);
  if (!bad) bad = detail::dimensions_of(s, plan.result_extents);
  if (!bad) bad = plan.mark_dimensions({}, plan.result_extents.count);
  if (bad) return bad;
  plan.result = p;
  plan.results = plan.registers;
  plan.plan_shared({});
  return plan;
}

AXE_LAZY_FN constexpr reduce_plan plan_reduce(layout const& p, shape const& s,
                                              list<int, capacity::shards> const& over,
                                              fold_options const& fold = {}) {
  return detail::stop_on(try_plan_reduce(p, s, over, fold), "plan_reduce", {&p, nullptr, &s});
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
