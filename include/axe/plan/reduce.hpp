// reduce_plan: how threads fold the dimensions of a fragment: registers first, then lanes by the
// layout's own strides, then warps through shared memory, then CTAs.
//
//     S[(8,2,4,2):(4@lane,2@reg,1@lane,1@reg)] on (16,8), over dimension 1
//         2 registers into each of 2, then lanes ^ 1 and ^ 2; the result is S[(8,2):(4@lane,1@reg)] + R[4:1@lane] on (16,1)
//
// Every thread that held part of a reduced element holds the whole of it afterwards: what counted a
// reduced dimension on threads counts copies in the result. All copies have the same bits, because
// a butterfly combines the same two halves on both sides, and any other digit is folded by
// everybody in the same order. Where all lanes of a warp fold into one value, and redux.sync knows
// the operation, that is one instruction (plan/reduce_lanes.hpp). Else a digit of lanes that is a
// power of two, at a power of two, is a butterfly: one XOR shuffle for each bit. Other digits
// inside a warp are gathered: one shuffle for each of its values. What no warp holds alone goes
// through shared memory: each thread whose other reduced digits are 0 writes its partial results,
// all threads read those of their group. A digit on cluster_cta_x is folded by reading the partial
// results of the other CTAs.
// Refused: dimensions that the tile has not, layouts that are no partition, a result that lies with
// other threads (convert it first). Cost: n log n in the digits, and registers times results.
// Source: the Axe paper, section 4 (reduction); PTX ISA, "shfl.sync", "redux.sync". Definition:
// docs/plans.md, "Elementwise and reductions".
#pragma once

#include <axe/plan/candidate.hpp>
#include <axe/plan/reduce_lanes.hpp>
#include <axe/plan/register_match.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// One round inside a warp: `extent` lanes, `divisor` apart, end up with the fold of all of them.
struct lane_round {
  integer divisor = 0;
  integer extent = 0;
  bool butterfly =
      false;  // extent 2: with lane ^ divisor; else `extent` lanes are read one after the other

  AXE_FN friend constexpr bool operator==(lane_round const&, lane_round const&) = default;
};

/// A digit of the thread's number and where it counts partial results in shared memory.
struct shared_digit {
  integer divisor = 0;
  integer extent = 0;
  integer stride = 0;  // partial results
  bool reduced = false;

  AXE_FN friend constexpr bool operator==(shared_digit const&, shared_digit const&) = default;
};

struct reduce_plan {
  layout result{};  // on the shape with extent 1 in each reduced dimension
  list<integer, capacity::shards> result_extents{};
  axis thread = axis::null;  // what counts the threads; null: each for itself
  integer threads = 1;       // that hold a part
  integer first_thread = 0;  // of them, on its axis
  integer registers = 0;     // of a thread, before
  integer results = 0;       // and after
  register_match
      into{};  // register -> result that it is folded into; -1: a copy of another register
  list<lane_round, 16> lanes{};
  lane_fold by = lane_fold::shuffles;                     // how the lanes fold
  candidate_list<lane_fold> candidates{};                 // of that; none where no lane folds
  list<shared_digit, capacity::shards> through_shared{};  // empty: no shared memory
  // Digits that are 0 in threads that write: `extent` values, `divisor` apart.
  list<lane_round, capacity::shards> writers{};
  integer partials = 0;  // in shared memory, elements
  integer ctas = 1;      // of a cluster, folded last

  /// Lanes of a warp that fold into one value.
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
  /// Partial results that a thread reads back from shared memory for each of its results; 0 without
  /// shared memory.
  AXE_FN constexpr integer reads() const {
    integer n = through_shared.empty() ? 0 : 1;
    for (shared_digit const& s : through_shared) n *= s.reduced ? s.extent : 1;
    return n;
  }
  AXE_FN constexpr bool folds_warps() const { return !through_shared.empty(); }

  AXE_FN friend constexpr bool operator==(reduce_plan const&, reduce_plan const&) = default;
};

namespace detail {

/// The CTAs of a cluster that share a reduced dimension, taken out of the layout: what is left is
/// what one CTA holds.
struct cluster_part {
  layout held;
  extent_list extents;  // of what one CTA holds
  integer ctas = 1;
};

AXE_PLANNER constexpr outcome<cluster_part> without_ctas(
    layout const& p, extent_list const& s, list<bool, capacity::shards> const& reduced) {
  cluster_part out;
  shape wanted;
  for (integer e : s) wanted.append(tree(e));
  outcome<layout> const grouped = try_group(p, wanted);
  if (!grouped) return grouped.why;
  iter_list folded;  // by stride
  integer kept = 1;
  int k = 0;
  for (int d = 0; d < s.size(); ++d) {
    integer extent = 1;
    for (int const last = k + grouped->blocks[d]; k < last; ++k) {
      iter const i = grouped->shards[k];
      if (!i.is_on(axis::cluster_cta_x)) {
        extent *= i.extent;
        out.held.shards.push(i);
      } else if (!reduced[d]) {
        kept *= i.extent;
      } else if (i.extent > 1) {
        int at = 0;
        while (at < folded.size() && folded[at].stride < i.stride) ++at;
        folded.insert(at, i);
      }
    }
    out.extents.push(extent);
  }
  for (iter const& i : folded) {
    if (i.stride != out.ctas) return refusal{rule::reduce_ctas, {i.extent, i.stride, out.ctas}};
    out.ctas *= i.extent;
  }
  if (out.ctas > 1 && kept > 1) return refusal{rule::reduce_keeps_ctas, {out.ctas, kept}};
  for (iter const& r : p.replicas)
    if (!r.is_on(axis::cluster_cta_x)) out.held.replicas.push(r);
  for (term const& t : p.offsets)
    if (!t.is_on(axis::cluster_cta_x)) out.held.offsets.push(t);
  return out;
}

/// The first element beyond 0 along dimension d that lies where element 0 does: the first digit
/// that does not move.
AXE_PLANNER constexpr integer first_alike(partition_data const& p, extent_list const& extents,
                                          int d) {
  integer step = 1;
  for (integer before = 0; before != step;) {
    before = step;
    for (owned_digits const* digits : {&p.by_register, &p.by_thread})
      for (owned_digit const& o : *digits)
        if (o.dimension == d && o.step == step) step *= o.extent;
  }
  for (int k = d + 1; k < extents.size(); ++k) step *= extents[k];
  return step;
}

/// What of a reduced digit lies inside a warp, in rounds; what does not is returned as a digit for
/// shared memory, extent 1 where nothing is left.
AXE_PLANNER constexpr owned_digit plan_lanes(owned_digit digit, partition_data const& p,
                                             reduce_plan& plan) {
  while (digit.extent > 1) {
    integer const pair = 2 * digit.divisor;
    // The lane's own bit tells the halves apart: the digit stands at a power of two, and the first
    // thread moves no lower bit.
    if (digit.extent % 2 == 0 && 32 % pair == 0 && p.first_thread % pair == 0) {
      plan.lanes.push({digit.divisor, 2, true});
      digit = {digit.dimension, digit.step * 2, pair, digit.extent / 2};
      continue;
    }
    // A group of another size is whole in a warp only where all threads are in one.
    if (p.first_thread % 32 + p.threads > 32) break;
    plan.lanes.push({digit.divisor, digit.extent, false});
    digit.extent = 1;
  }
  return digit;
}

/// Chooses how the lanes fold.
AXE_PLANNER constexpr refusal choose_lane_fold(reduce_plan& plan, fold_options const& fold) {
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

/// The layout of the result: reduced digits of threads count copies, those of registers are gone,
/// the registers that stay are counted without gaps.
AXE_PLANNER constexpr layout reduced_layout(layout const& grouped,
                                            list<bool, capacity::shards> const& reduced) {
  layout out;
  iter_list registers;  // kept, by stride
  int k = 0;
  for (int d = 0; d < grouped.blocks.size(); ++d) {
    for (int const last = k + grouped.blocks[d]; k < last; ++k) {
      iter const i = grouped.shards[k];
      if (reduced[d]) {
        if (i.extent > 1 && !i.is_on(axis::reg) && !i.is_on(axis::null)) out.replicas.push(i);
        continue;
      }
      out.shards.push(i);
      if (!i.is_on(axis::reg) || i.stride == 0) continue;
      int at = 0;
      while (at < registers.size() && registers[at].stride < i.stride) ++at;
      registers.insert(at, i);
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

/// Numbers the partial results: those digits of threads that no warp has folded, then each result
/// of a thread.
AXE_PLANNER constexpr void plan_shared(partition_data const& p,
                                       list<owned_digit, capacity::shards> const& left,
                                       list<bool, capacity::shards> const& reduced,
                                       reduce_plan& plan) {
  list<shared_digit, 2 * capacity::shards> sorted;
  auto const add = [&](integer divisor, integer extent, bool folded) {
    if (extent == 1) return;
    int at = 0;
    while (at < sorted.size() && sorted[at].divisor < divisor) ++at;
    sorted.insert(at, {divisor, extent, 0, folded});
  };
  for (owned_digit const& o : left) add(o.divisor, o.extent, true);
  for (owned_digit const& o : p.by_thread)
    if (!reduced[o.dimension]) add(o.divisor, o.extent, false);
  plan.partials = 1;
  integer below = 1;  // what the digits so far count to
  for (shared_digit& s : sorted) {
    // Threads that differ in no digit of these hold the same partial result: lanes that a round has
    // folded, and copies. The first of them writes.
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

/// `over`: the dimensions to fold, each once. `fold`: what with; without it the plan is one for any
/// operation.
AXE_PLANNER constexpr outcome<reduce_plan> try_plan_reduce(layout const& p, shape const& s,
                                                           list<int, capacity::shards> const& over,
                                                           fold_options const& fold = {}) {
  detail::extent_list extents;
  integer size = 1;
  if (refusal const bad = detail::dimensions_of(s, extents, size)) return bad;
  list<bool, capacity::shards> reduced;
  for (int d = 0; d < extents.size(); ++d) reduced.push(false);
  for (int d : over) {
    if (d < 0 || d >= extents.size() || reduced[d])
      return refusal{rule::reduce_dimension, {d, extents.size()}};
    reduced[d] = true;
  }
  outcome<detail::cluster_part> const one = detail::without_ctas(p, extents, reduced);
  if (!one) return one.why;
  shape held_shape;
  for (integer e : one->extents) held_shape.append(tree(e));
  detail::partition_data const held = detail::partition_from(one->held, held_shape);
  if (held.why) return held.why;

  for (int d = 0; d < extents.size(); ++d)
    if (reduced[d] && detail::told_apart(held, d) != one->extents[d])
      return refusal{rule::elements_not_told_apart,
                     {0, detail::first_alike(held, one->extents, d)}};

  reduce_plan plan{.thread = held.thread,
                   .threads = held.threads,
                   .first_thread = held.first_thread,
                   .registers = held.registers,
                   .ctas = one->ctas};
  list<detail::owned_digit, capacity::shards> left;
  for (detail::owned_digit const& o : held.by_thread) {
    if (!reduced[o.dimension]) continue;
    if (held.thread >= axis::cta_x && held.thread <= axis::cluster_cta_z)
      return refusal{rule::partition_on_another_axis, {}, {held.thread}};
    detail::owned_digit const beyond = detail::plan_lanes(o, held, plan);
    if (beyond.extent > 1) left.push(beyond);
  }
  if (refusal const bad = detail::choose_lane_fold(plan, fold)) return bad;
  outcome<layout> const joined = try_group(one->held, held_shape);
  plan.result = detail::reduced_layout(*joined, reduced);
  shape kept;
  for (int d = 0; d < extents.size(); ++d) {
    plan.result_extents.push(reduced[d] ? 1 : one->extents[d]);
    kept.append(tree(plan.result_extents[d]));
  }
  if (outcome<layout> const canonical = try_canonicalize(plan.result); canonical)
    plan.result = *canonical;
  detail::fragment_facts const result = detail::facts_of_fragment(plan.result, kept);
  outcome<register_match> const into =
      detail::match_registers(held, one->extents, result.held, result.extents);
  if (!into) return into.why;
  plan.into = *into;
  for (iter const& c : one->held.replicas)
    for (int r = 0; r < plan.into.at.size(); ++r)
      if (c.is_on(axis::reg) && c.stride > 0 && r / c.stride % c.extent != 0) plan.into.at[r] = -1;
  plan.results = result.held.registers;
  if (!left.empty()) detail::plan_shared(held, left, reduced, plan);
  return plan;
}

/// How the CTAs of a cluster put what their threads hold side by side in shared memory: no
/// dimension is folded, and each element is written by the first that holds it.
AXE_PLANNER constexpr outcome<reduce_plan> try_plan_cluster_fold(layout const& p, shape const& s) {
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

AXE_PLANNER constexpr reduce_plan plan_reduce(layout const& p, shape const& s,
                                              list<int, capacity::shards> const& over,
                                              fold_options const& fold = {}) {
  outcome<reduce_plan> const result = try_plan_reduce(p, s, over, fold);
  if (!result) detail::stop_on(result.why, "plan_reduce", {&p, nullptr, &s});
  return *result;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
