// SPDX-License-Identifier: MIT
// plan_reduce: how threads reduce a fragment in registers, lanes, warps and CTAs.
//
//     S[(8,2,4,2):(4@lane,2@reg,1@lane,1@reg)] on (16,8), over dimension 1
//         4 registers into 2, lanes ^ 1 and ^ 2; the result S[(8,2):(4@lane,1@reg)] + R[4:1@lane]
//
// Definition: docs/plans.md, "Elementwise and reductions".
#pragma once

#include <axe/engine/normal_form.hpp>
#include <axe/plan/reduce_plan.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

using dimension_flags = list<bool, capacity::shards>;

AXE_LAZY_FN constexpr outcome<dimension_flags> mark_dimensions(
    list<int, capacity::shards> const& over, int rank) {
  dimension_flags marked;
  for (int d = 0; d < rank; ++d) marked.push(false);
  for (int d : over) {
    if (d < 0 || d >= rank || marked[d]) return refusal{rule::reduce_dimension, {d, rank}};
    marked[d] = true;
  }
  return marked;
}

/// Merges neighbouring reduced dimensions, because some layouts group only by their product.
AXE_LAZY_FN constexpr void merge_reduced(extent_list& s, dimension_flags const& reduced) {
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

struct cta_fragment {
  layout held;
  extent_list extents;
  integer ctas = 1;  // CTAs that reduce together
};

AXE_LAZY_FN constexpr outcome<cta_fragment> without_ctas(layout const& p, shape const& tile,
                                                         extent_list s,
                                                         dimension_flags const& reduced) {
  cta_fragment out;
  merge_reduced(s, reduced);
  outcome<layout> const grouped = try_group(p, shape_with(s));
  if (grouped.why) return try_group(p, tile).why;
  iter_list folded;
  integer kept = 1;  // CTAs along dimensions that are not reduced
  for (int d = 0; d < s.count; ++d) {
    integer extent = 1;
    for (iter const& i : iters_of_block(*grouped, d)) {
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
  // Reduced digits must number the CTAs without gaps.
  sort_by(folded, [](iter const& i) { return i.stride; });
  for (iter const& i : folded) {
    if (i.stride != out.ctas) return refusal{rule::reduce_ctas, {i.extent, i.stride, out.ctas}};
    out.ctas *= i.extent;
  }
  integer const left_out = out.ctas * (kept - 1) + p.offset(axis::cluster_cta_x);
  if (out.ctas > 1 && left_out != 0) return refusal{rule::reduce_keeps_ctas, {out.ctas, left_out}};
  layout const rest = in_one_cta(p);
  out.held.replicas = rest.replicas;
  out.held.offsets = rest.offsets;
  return out;
}

AXE_LAZY_FN constexpr refusal check_reduced_digits(layout const& grouped,
                                                   dimension_flags const& reduced) {
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

AXE_LAZY_FN constexpr partition_digit plan_lanes(partition_digit digit, partition_data const& p,
                                                 reduce_plan& plan) {
  while (digit.extent > 1) {
    integer const pair = 2 * digit.divisor;
    // A butterfly flips one lane bit, so the first thread must be a multiple of `pair`.
    if (digit.extent % 2 == 0 && 32 % pair == 0 && p.first_thread % pair == 0) {
      plan.lanes.push({digit.divisor, 2, true});
      digit = {digit.dimension, digit.step * 2, pair, digit.extent / 2};
      continue;
    }
    // Without butterflies, all threads must be in one warp.
    if (p.first_thread % 32 + p.threads > 32) break;
    plan.lanes.push({digit.divisor, digit.extent, false});
    digit.extent = 1;
  }
  return digit;
}

AXE_LAZY_FN constexpr refusal check_redux(fold_options const& fold, integer lanes) {
  if (lanes != 32) return {rule::redux_lanes, {lanes}};
  bool const ordered =
      fold.operation == fold_operation::minimum || fold.operation == fold_operation::maximum;
  bool const integers = fold.type == element_type::s32 || fold.type == element_type::u32;
  bool const floats = fold.type == element_type::f32 && number_of(fold.on) == 100;
  if (!(integers && (ordered || fold.operation == fold_operation::plus)) && !(floats && ordered))
    return {rule::redux_operation, {bits_of(fold.type)}};
  return {};
}

AXE_LAZY_FN constexpr refusal choose_lane_fold(reduce_plan& plan, fold_options const& fold) {
  using enum lane_fold;
  integer const lanes = plan.lanes_together();
  if (lanes == 1 && fold.forced != redux) return {};
  if (fold.forced != shuffles) {
    refusal const why = check_redux(fold, lanes);
    plan.candidates.push({redux, why});
    if (!why) plan.by = redux;
    if (!why || fold.forced == redux) return why;
  }
  plan.candidates.push({shuffles, {}});
  return {};
}

/// Fuses replicas, because reduced digits become replicas and a layout can have only a few.
AXE_LAZY_FN constexpr outcome<layout> reduced_layout(layout const& grouped,
                                                     dimension_flags const& reduced) {
  layout out;
  list<iter, capacity::shards + capacity::replicas> replicas;
  iter_list registers;
  for (int d = 0; d < grouped.blocks.count; ++d)
    for (iter const& i : iters_of_block(grouped, d)) {
      if (reduced[d]) {
        if (i.extent > 1 && !i.is_on(axis::reg) && !i.is_on(axis::null)) replicas.push(i);
        continue;
      }
      out.shards.push(i);
      if (i.is_on(axis::reg) && i.stride != 0) registers.push(i);
    }
  for (iter& i : out.shards) {
    if (!i.is_on(axis::reg) || i.stride == 0) continue;
    integer below = 1;
    for (iter const& r : registers)
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

AXE_LAZY_FN constexpr refusal plan_result(layout const& grouped, cta_fragment const& in_cta,
                                          partition_data const& held,
                                          dimension_flags const& reduced, reduce_plan& plan) {
  outcome<layout> const result_layout = reduced_layout(grouped, reduced);
  if (result_layout.why) return result_layout.why;
  plan.result = *result_layout;
  for (int d = 0; d < reduced.count; ++d)
    plan.result_extents.push(reduced[d] ? 1 : in_cta.extents[d]);
  if (outcome<layout> const canonical = try_canonicalize(plan.result); canonical)
    plan.result = *canonical;
  partition_data const result = partition_from(plan.result, shape_with(plan.result_extents));
  outcome<register_match> const into =
      match_registers(held, in_cta.extents, result, plan.result_extents);
  if (into.why) return into.why;
  plan.into = *into;
  plan.results = result.registers;
  for (iter const& replica : in_cta.held.replicas)
    for (int r = 0; r < plan.into.at.count; ++r)
      if (replica.is_on(axis::reg) && replica.stride > 0 &&
          r / replica.stride % replica.extent != 0)
        plan.into.at[r] = -1;
  return {};
}

/// The order in shared memory: a thread's results, the fastest, then kept digits of the thread
/// number, then reduced digits.
AXE_LAZY_FN constexpr void plan_shared(partition_data const& p, partition_digits const& left,
                                       dimension_flags const& reduced, reduce_plan& plan) {
  list<shared_digit, 2 * capacity::shards> sorted;
  for (partition_digit const& o : left) sorted.push({o.divisor, o.extent, 0, true});
  for (partition_digit const& o : p.by_thread)
    if (!reduced[o.dimension] && o.extent > 1) sorted.push({o.divisor, o.extent, 0, false});
  sort_by(sorted, [](shared_digit const& s) { return s.divisor; });
  integer below = 1;
  for (shared_digit const& s : sorted) {
    // Threads that differ in other digits have the same partial result.
    if (s.divisor > below) plan.writers.push({below, s.divisor / below, false});
    below = s.divisor * s.extent;
  }
  if (p.threads > below) plan.writers.push({below, p.threads / below, false});
  plan.partials = plan.results;
  for (bool const folded : {false, true})
    for (shared_digit s : sorted) {
      if (s.reduced != folded) continue;
      s.stride = plan.partials;
      plan.partials *= s.extent;
      plan.through_shared.push(s);
      if (!folded) ++plan.kept;
    }
}

AXE_LAZY_FN constexpr void choose_shared_fold(reduce_plan& plan) {
  integer const reads = plan.reads();
  integer const folds = (plan.partials / reads + plan.threads - 1) / plan.threads;
  constexpr integer exchange = 9;  // a barrier, an address, a predicate, stores and loads
  // A thread that folds its own results reads vectors of partial results. Shared folds read single
  // ones.
  if (reads + plan.results * (reads - 1) > folds * 2 * reads + exchange) plan.shared_folds = folds;
}

}  // namespace detail

/// Reduces the dimensions `over`, each listed once. Without `fold` the plan is right for any
/// operation. Cost: O(r n^2) for r registers and n iters.
AXE_LAZY_FN constexpr outcome<reduce_plan> try_plan_reduce(layout const& written, shape const& s,
                                                           list<int, capacity::shards> const& over,
                                                           fold_options const& fold = {}) {
  using namespace detail;
  extent_list extents;
  if (refusal const bad = dimensions_of(s, extents)) return bad;
  outcome<dimension_flags> const reduced = mark_dimensions(over, extents.count);
  if (reduced.why) return reduced.why;
  outcome<layout> const canonical = try_canonicalize(written);
  if (canonical.why) return canonical.why;
  layout const& p = canonical.value;
  outcome<cta_fragment> const in_cta = without_ctas(p, s, extents, *reduced);
  if (in_cta.why) return in_cta.why;
  shape const held_shape = shape_with(in_cta->extents);
  partition_data const held = partition_from(in_cta->held, held_shape);
  if (held.why) return held.why;
  if (held.thread == axis::lane)
    if (refusal const bad = check_lanes(p)) return bad;
  outcome<layout> const grouped = group_of(valid_layout::proved(in_cta->held), held_shape);
  if (refusal const bad = check_reduced_digits(*grouped, *reduced)) return bad;
  reduce_plan plan{.thread = held.thread,
                   .threads = held.threads,
                   .first_thread = held.first_thread,
                   .registers = held.registers,
                   .ctas = in_cta->ctas};
  partition_digits left;
  for (partition_digit const& digit : held.by_thread) {
    if (!(*reduced)[digit.dimension]) continue;
    if (held.thread >= axis::cta_x && held.thread <= axis::cluster_cta_z)
      return refusal{rule::reduce_axis, {}, {held.thread}};
    partition_digit const rest = plan_lanes(digit, held, plan);
    if (rest.extent > 1) left.push(rest);
  }
  refusal bad = choose_lane_fold(plan, fold);
  if (!bad) bad = plan_result(*grouped, *in_cta, held, *reduced, plan);
  if (bad) return bad;
  if (left.count != 0) {
    plan_shared(held, left, *reduced, plan);
    choose_shared_fold(plan);
  }
  return plan;
}

/// Plans how the CTAs of a cluster combine elements. The first thread that holds an element writes
/// it.
AXE_LAZY_FN constexpr outcome<reduce_plan> try_plan_cluster_fold(layout const& p, shape const& s) {
  using namespace detail;
  fragment_partition const fragment = partition_of_fragment(p, s);
  partition_data const& held = fragment.held;
  if (held.why) return held.why;
  reduce_plan plan{.result = p,
                   .result_extents = fragment.extents,
                   .thread = held.thread,
                   .threads = held.threads,
                   .first_thread = held.first_thread,
                   .registers = held.registers,
                   .results = held.registers};
  plan_shared(held, {}, {}, plan);
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
