// SPDX-License-Identifier: MIT
// plan_reduce: how threads reduce dimensions of a fragment: registers, then lanes, then warps
// through shared memory, then the CTAs of a cluster.
//
//     S[(8,2,4,2):(4@lane,2@reg,1@lane,1@reg)] on (16,8), over dimension 1
//         2 registers, then lanes ^ 1 and ^ 2; the result S[(8,2):(4@lane,1@reg)] + R[4:1@lane]
//
// Every thread with a part of a result gets the whole result, with the same bits. Definition:
// docs/plans.md, "Elementwise and reductions".
#pragma once

#include <axe/base/sort.hpp>
#include <axe/plan/candidate.hpp>
#include <axe/plan/reduce_lanes.hpp>
#include <axe/plan/register_match.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// One round in a warp: groups of `extent` lanes, `divisor` apart, get the result of the group.
struct lane_round {
  integer divisor = 0;
  integer extent = 0;
  bool butterfly = false;  // each lane reads lane ^ divisor; else all lanes of the group in turn

  AXE_FN friend constexpr bool operator==(lane_round const&, lane_round const&) = default;
};

/// A digit of the thread number, and its stride in shared memory.
struct shared_digit {
  integer divisor = 0;
  integer extent = 0;
  integer stride = 0;  // in partial results
  bool reduced = false;

  AXE_FN friend constexpr bool operator==(shared_digit const&, shared_digit const&) = default;
};

struct reduce_plan {
  layout result{};  // on the shape with extent 1 in each reduced dimension
  list<integer, capacity::shards> result_extents{};
  axis thread = axis::null;  // null: each thread reduces alone
  integer threads = 1;       // threads that hold a part
  integer first_thread = 0;  // of those, on that axis
  integer registers = 0;     // of a thread, before the reduction
  integer results = 0;       // of a thread, after it
  register_match into{};     // register -> result; -1 for replicas
  list<lane_round, 16> lanes{};
  lane_fold by = lane_fold::shuffles;
  candidate_list<lane_fold> candidates{};                 // for the lanes, if they reduce
  list<shared_digit, capacity::shards> through_shared{};  // empty without shared memory
  // A thread writes partial results to shared memory if these digits of its number are 0.
  list<lane_round, capacity::shards> writers{};
  integer partials = 0;  // elements in shared memory
  integer ctas = 1;      // of a cluster, reduced last

  AXE_FN constexpr integer lanes_together() const {
    integer n = 1;
    for (lane_round const& l : lanes) n *= l.extent;
    return n;
  }
  AXE_FN constexpr integer shuffles() const {
    integer n = 0;
    for (lane_round const& l : lanes) n += l.butterfly ? 1 : l.extent;
    return by == lane_fold::shuffles ? n * results : 0;
  }
  /// The number of partial results in shared memory that a thread reads for each result.
  AXE_FN constexpr integer reads() const {
    integer n = through_shared.count == 0 ? 0 : 1;
    for (shared_digit const& s : through_shared) n *= s.reduced ? s.extent : 1;
    return n;
  }
  AXE_FN constexpr bool folds_warps() const { return through_shared.count != 0; }

  AXE_FN friend constexpr bool operator==(reduce_plan const&, reduce_plan const&) = default;
};

namespace detail {

struct cluster_part {
  layout held;
  extent_list extents;
  integer ctas = 1;
};

AXE_LAZY_FN constexpr outcome<cluster_part> without_ctas(
    layout const& p, extent_list const& s, list<bool, capacity::shards> const& reduced) {
  cluster_part out;
  outcome<layout> const grouped = try_group(p, shape_with(s));
  if (grouped.why) return grouped.why;
  iter_list folded;
  integer kept = 1;
  int k = 0;
  for (int d = 0; d < s.count; ++d) {
    integer extent = 1;
    for (int const last = k + grouped->blocks[d]; k < last; ++k) {
      iter const i = grouped->shards[k];
      if (!i.is_on(axis::cluster_cta_x)) {
        extent *= i.extent;
        out.held.shards.push(i);
      } else if (!reduced[d]) {
        kept *= i.extent;
      } else if (i.extent > 1) {
        folded.push(i);
      }
    }
    out.extents.push(extent);
  }
  sort_by(folded, [](iter const& i) { return i.stride; });
  for (iter const& i : folded) {
    if (i.stride != out.ctas) return refusal{rule::reduce_ctas, {i.extent, i.stride, out.ctas}};
    out.ctas *= i.extent;
  }
  if (out.ctas > 1 && kept > 1) return refusal{rule::reduce_keeps_ctas, {out.ctas, kept}};
  layout const rest = in_one_cta(p);
  out.held.replicas = rest.replicas;
  out.held.offsets = rest.offsets;
  return out;
}

/// Adds rounds for the part of a reduced digit inside a warp, and returns the rest.
AXE_LAZY_FN constexpr partition_digit plan_lanes(partition_digit digit, partition_data const& p,
                                                 reduce_plan& plan) {
  while (digit.extent > 1) {
    integer const pair = 2 * digit.divisor;
    // A butterfly flips one bit of the lane, which must not depend on the first thread's number.
    if (digit.extent % 2 == 0 && 32 % pair == 0 && p.first_thread % pair == 0) {
      plan.lanes.push({digit.divisor, 2, true});
      digit = {digit.dimension, digit.step * 2, pair, digit.extent / 2};
      continue;
    }
    // Other digits need all threads in one warp.
    if (p.first_thread % 32 + p.threads > 32) break;
    plan.lanes.push({digit.divisor, digit.extent, false});
    digit.extent = 1;
  }
  return digit;
}

AXE_LAZY_FN constexpr refusal choose_lane_fold(reduce_plan& plan, fold_options const& fold) {
  integer const lanes = plan.lanes_together();
  if (lanes == 1 && fold.forced != lane_fold::redux) return {};
  if (fold.forced != lane_fold::shuffles) {
    refusal const why = check_redux(fold, lanes);
    plan.candidates.push({lane_fold::redux, why});
    if (!why) plan.by = lane_fold::redux;
    if (!why || fold.forced == lane_fold::redux) return why;
  }
  plan.candidates.push({lane_fold::shuffles, {}});
  return {};
}

/// Turns reduced digits of threads into replicas, drops those of registers and renumbers the rest.
AXE_LAZY_FN constexpr layout reduced_layout(layout const& grouped,
                                            list<bool, capacity::shards> const& reduced) {
  layout out;
  iter_list registers;  // of kept dimensions
  int k = 0;
  for (int d = 0; d < grouped.blocks.count; ++d) {
    for (int const last = k + grouped.blocks[d]; k < last; ++k) {
      iter const i = grouped.shards[k];
      if (reduced[d]) {
        if (i.extent > 1 && !i.is_on(axis::reg) && !i.is_on(axis::null)) out.replicas.push(i);
        continue;
      }
      out.shards.push(i);
      if (i.is_on(axis::reg) && i.stride != 0) registers.push(i);
    }
  }
  for (iter& i : out.shards) {
    if (!i.is_on(axis::reg) || i.stride == 0) continue;
    integer below = 1;
    for (iter const& r : registers)
      if (r.stride < i.stride) below *= r.extent;
    i.stride = below;
  }
  for (iter const& r : grouped.replicas)
    if (!r.is_on(axis::reg)) out.replicas.push(r);
  for (term const& t : grouped.offsets)
    if (!t.is_on(axis::reg)) out.offsets.push(t);
  return out;
}

/// Numbers the partial results in shared memory: by the thread digits that no warp reduced, then by
/// the results of a thread.
AXE_LAZY_FN constexpr void plan_shared(partition_data const& p,
                                       list<partition_digit, capacity::shards> const& left,
                                       list<bool, capacity::shards> const& reduced,
                                       reduce_plan& plan) {
  list<shared_digit, 2 * capacity::shards> sorted;
  auto const add = [&](integer divisor, integer extent, bool folded) {
    if (extent > 1) sorted.push({divisor, extent, 0, folded});
  };
  for (partition_digit const& o : left) add(o.divisor, o.extent, true);
  for (partition_digit const& o : p.by_thread)
    if (!reduced[o.dimension]) add(o.divisor, o.extent, false);
  sort_by(sorted, [](shared_digit const& s) { return s.divisor; });
  plan.partials = 1;
  integer below = 1;
  for (shared_digit& s : sorted) {
    // Threads that differ in other digits hold the same partial result. The first writes it.
    if (s.divisor > below) plan.writers.push({below, s.divisor / below, false});
    below = s.divisor * s.extent;
    s.stride = plan.partials;
    plan.partials *= s.extent;
    plan.through_shared.push(s);
  }
  if (p.threads > below) plan.writers.push({below, p.threads / below, false});
  plan.partials *= plan.results;
}

}  // namespace detail

/// Plans the reduction of the dimensions `over`, each listed once. `fold` is the operation; without
/// it the plan works for any. Cost: n log n in the iters.
AXE_LAZY_FN constexpr outcome<reduce_plan> try_plan_reduce(layout const& p, shape const& s,
                                                           list<int, capacity::shards> const& over,
                                                           fold_options const& fold = {}) {
  using namespace detail;
  extent_list extents;
  integer size = 1;
  if (refusal const bad = dimensions_of(s, extents, size)) return bad;
  list<bool, capacity::shards> reduced;
  for (int d = 0; d < extents.count; ++d) reduced.push(false);
  for (int d : over) {
    if (d < 0 || d >= extents.count || reduced[d])
      return refusal{rule::reduce_dimension, {d, extents.count}};
    reduced[d] = true;
  }
  outcome<cluster_part> const one = without_ctas(p, extents, reduced);
  if (one.why) return one.why;
  shape const held_shape = shape_with(one->extents);
  partition_data const held = partition_from(one->held, held_shape);
  if (held.why) return held.why;

  outcome<layout> const joined = group_of(valid_layout::proved(one->held), held_shape);
  integer below = 1;
  for (int d = extents.count - 1, k = joined->shards.count - 1; d >= 0; --d)
    for (int const end = k - joined->blocks[d]; k > end; below *= joined->shards[k--].extent)
      if (iter const& i = joined->shards[k]; reduced[d] && (i.stride == 0 || i.is_on(axis::null)))
        return refusal{rule::elements_not_told_apart, {0, below}};

  reduce_plan plan{.thread = held.thread,
                   .threads = held.threads,
                   .first_thread = held.first_thread,
                   .registers = held.registers,
                   .ctas = one->ctas};
  list<partition_digit, capacity::shards> left;
  for (partition_digit const& o : held.by_thread) {
    if (!reduced[o.dimension]) continue;
    if (held.thread >= axis::cta_x && held.thread <= axis::cluster_cta_z)
      return refusal{rule::partition_on_another_axis, {}, {held.thread}};
    partition_digit const rest = plan_lanes(o, held, plan);
    if (rest.extent > 1) left.push(rest);
  }
  if (refusal const bad = choose_lane_fold(plan, fold)) return bad;
  plan.result = reduced_layout(*joined, reduced);
  shape kept;
  for (int d = 0; d < extents.count; ++d) {
    plan.result_extents.push(reduced[d] ? 1 : one->extents[d]);
    kept.append(tree(plan.result_extents[d]));
  }
  if (outcome<layout> const canonical = try_canonicalize(plan.result); canonical)
    plan.result = *canonical;
  fragment_facts const result = facts_of_fragment(plan.result, kept);
  outcome<register_match> const into =
      match_registers(held, one->extents, result.held, result.extents);
  if (into.why) return into.why;
  plan.into = *into;
  for (iter const& c : one->held.replicas)
    for (int r = 0; r < plan.into.at.count; ++r)
      if (c.is_on(axis::reg) && c.stride > 0 && r / c.stride % c.extent != 0) plan.into.at[r] = -1;
  plan.results = result.held.registers;
  if (left.count != 0) plan_shared(held, left, reduced, plan);
  return plan;
}

/// Plans how the CTAs of a cluster combine their elements; no dimension is reduced. The first
/// thread that holds an element writes it.
AXE_LAZY_FN constexpr outcome<reduce_plan> try_plan_cluster_fold(layout const& p, shape const& s) {
  detail::fragment_facts const f = detail::facts_of_fragment(p, s);
  if (f.held.why) return f.held.why;
  reduce_plan plan{.result = p,
                   .thread = f.held.thread,
                   .threads = f.held.threads,
                   .first_thread = f.held.first_thread,
                   .registers = f.held.registers,
                   .results = f.held.registers};
  list<bool, capacity::shards> reduced;
  for (integer e : f.extents) {
    plan.result_extents.push(e);
    reduced.push(false);
  }
  detail::plan_shared(f.held, {}, reduced, plan);
  return plan;
}

AXE_LAZY_FN constexpr reduce_plan plan_reduce(layout const& p, shape const& s,
                                              list<int, capacity::shards> const& over,
                                              fold_options const& fold = {}) {
  auto const result = try_plan_reduce(p, s, over, fold);
  detail::stop_on(result.why, "plan_reduce", {&p, nullptr, &s});
  return result.value;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
