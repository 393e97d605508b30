// plan_trainium_matmul: a matrix product on Trainium's tensor engine: the matmuls, their sizes, and
// the place of the operands of each in SBUF and PSUM.
//
//     plan_trainium_matmul(A, {256, 128}, B, {256, 1024}, C, {128, 1024})     (K,M), (K,N), (M,N)
//         matmul of 128 x 128 x 512 (k, m, n), 2 along K, 1 along M, 2 along N
//
// One matmul sums over partitions: C[i][j] += A[p][i] * B[p][j]. The iters of K, M and N are
// refined until the operands agree. Source: the Axe paper, Appendix D. Definition: docs/plans.md.
#pragma once

#include <axe/atoms/trainium_tiles.hpp>
#include <axe/plan/mma_operand.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

struct trainium_plan {
  integer k = 0, m = 0, n = 0;  // of one matmul
  integer k_steps = 0, m_steps = 0, n_steps = 0;
  layout a, b, c;  // (k, m), (k, n), (m, n) steps to where each begins, on P, F and Bank
  integer a_stride = 0, b_stride = 0, c_stride = 0;  // along F, from column to column of one matmul

  AXE_FN friend constexpr bool operator==(trainium_plan const&, trainium_plan const&) = default;
};

namespace detail {

/// One iter of a dimension that two operands share.
struct digit_pair {
  iter first, second;
  bool taken = false;  // by the instruction
};
using digit_pairs = list<digit_pair, capacity::shards>;

/// The interval of a layout on one axis.
struct axis_reach {
  integer first = 0, last = 0;
};
AXE_LAZY_FN constexpr axis_reach reach_along(layout const& l, axis a) {
  axis_reach r{l.offset(a), l.offset(a)};
  for (iter const& i : l.shards)
    if (i.is_on(a)) (i.stride < 0 ? r.first : r.last) += (i.extent - 1) * i.stride;
  return r;
}

/// Rejects places outside SBUF (128 partitions of 192 KiB) or PSUM (8 banks of 512 fp32).
AXE_LAZY_FN constexpr refusal within_memory(layout const& l, bool in_psum, integer bits) {
  axis_reach const p = reach_along(l, axis::P), f = reach_along(l, axis::F),
                   bank = reach_along(l, axis::Bank);
  if (p.first < 0) return {rule::trainium_rows, {p.first}};
  if (p.last >= trainium::partitions) return {rule::trainium_rows, {p.last + 1}};
  if (!in_psum) {
    integer const held = trainium::sbuf_bytes * 8 / bits;
    if (f.first < 0 || f.last >= held)
      return {rule::trainium_sbuf, {f.first < 0 ? f.first : f.last, held, bits}};
    return {};
  }
  if (f.first < 0 || f.last >= trainium::psum_bank_bytes / 4)
    return {rule::trainium_psum_bank, {f.first < 0 ? f.first : f.last}};
  if (bank.first < 0 || bank.last >= trainium::psum_banks)
    return {rule::trainium_psum_banks, {bank.first < 0 ? bank.first : bank.last}};
  return {};
}

/// Rejects other axes than P, F and, in PSUM, Bank, and replicas.
AXE_LAZY_FN constexpr refusal on_chip(layout const& l, bool in_psum) {
  if (!l.replicas.empty())
    return {rule::address_of_replicas,
            {l.replicas[0].extent, l.replicas[0].stride},
            {l.replicas[0].on}};
  for (axis a : axes_of(l)) {
    switch (a) {
      case axis::P:
      case axis::F:
      case axis::null: break;
      case axis::Bank:
        if (in_psum) break;
        [[fallthrough]];
      default: return {rule::trainium_axis, {}, {a}};
    }
  }
  return {};
}

/// The iters of dimension `of_a` of a and `of_b` of b, refined until they agree.
AXE_FN constexpr bool refine(layout const& a, int of_a, layout const& b, int of_b,
                             extent_list& out) {
  return common_digits(block_extents(a, of_a), block_extents(b, of_b), out);
}

/// The number of consecutive partitions that the iters on P of one dimension cover, slowest first.
AXE_LAZY_FN constexpr refusal partitions_of(digit_pairs const& digits, bool in_second,
                                            integer& count) {
  count = 1;
  for (int n = 0; n < digits.size(); ++n) {
    bool found = false;
    bool more = false;
    for (digit_pair const& d : digits) {
      iter const i = in_second ? d.second : d.first;
      if (!i.is_on(axis::P) || i.extent == 1) continue;
      if (i.stride >= count) more = true;
      if (i.stride == count) {
        count *= i.extent;
        found = true;
        break;
      }
    }
    if (!found) return more ? refusal{rule::trainium_partitions, {count}} : refusal{};
  }
  return {};
}

/// Takes iters as long as one step serves them in both operands, or in one if the other is on
/// partitions. Returns the step on F of each.
struct run_of_digits {
  integer extent = 1, first = 0, second = 0;
};

/// Marks the iters of the longest run, fastest in `second` first.
AXE_LAZY_FN constexpr run_of_digits take_run(digit_pairs& digits, axis second_on) {
  run_of_digits run;
  while (true) {
    int next = -1;
    for (int d = 0; d < digits.size(); ++d) {
      digit_pair const& x = digits[d];
      if (x.taken || x.first.extent == 1 || !x.first.is_on(axis::F) || !x.second.is_on(second_on))
        continue;
      if (x.first.stride < 0 || x.second.stride < 0) continue;
      if (run.extent == 1 ? next < 0 || x.second.stride < digits[next].second.stride
                          : x.first.stride == run.first * run.extent &&
                                x.second.stride == run.second * run.extent)
        next = d;
    }
    if (next < 0) return run;
    digit_pair& x = digits[next];
    if (run.extent == 1) run.first = x.first.stride, run.second = x.second.stride;
    run.extent *= x.first.extent;
    x.taken = true;
  }
}

/// Reverses iters of partitions that run downwards in both operands, which does not change a sum.
/// Returns the new start.
AXE_LAZY_FN constexpr integer turn_round(digit_pairs& digits) {
  integer begin = 0;
  for (digit_pair& d : digits) {
    if (!d.taken || d.first.stride >= 0) continue;
    begin += (d.first.extent - 1) * d.first.stride;
    d.first.stride = d.second.stride = -d.first.stride;
  }
  return begin;
}

AXE_LAZY_FN constexpr void move_begin(layout& l, integer by) {
  if (by == 0) return;
  integer const at = l.offset(axis::P) + by;
  decltype(l.offsets) kept;
  for (term const& o : l.offsets)
    if (!o.is_on(axis::P)) kept.push(o);
  if (at != 0) kept.push({at, axis::P});
  l.offsets = kept;
}

/// Appends the iters that are steps to a layout's dimension.
AXE_LAZY_FN constexpr integer add_steps(layout& l, digit_pairs const& digits, bool second) {
  integer count = 1;
  int held = 0;
  for (digit_pair const& d : digits) {
    iter const i = second ? d.second : d.first;
    if (d.taken || i.extent == 1) continue;
    l.shards.push(i);
    ++held;
    count *= i.extent;
  }
  l.blocks.push(held);
  return count;
}

AXE_LAZY_FN constexpr digit_pairs pair_digits(layout const& a, int from_a, layout const& b,
                                              int from_b, int count) {
  digit_pairs out;
  for (int d = 0; d < count; ++d) {
    iter const x = digit_of(a, from_a + d), y = digit_of(b, from_b + d);
    out.push({x, y});
  }
  return out;
}

}  // namespace detail

AXE_LAZY_FN constexpr outcome<trainium_plan> try_plan_trainium_matmul(
    layout const& a, shape const& s_a, layout const& b, shape const& s_b, layout const& c,
    shape const& s_c, integer bits = 8) {
  if (bits != 8 && bits != 16 && bits != 32) return refusal{rule::trainium_element_width, {bits}};
  mma_tile const tiles[] = {{a, s_a}, {b, s_b}, {c, s_c}};
  integer rows[3]{}, columns[3]{};
  layout canonical[3];
  for (int t = 0; t < 3; ++t) {
    if (refusal const bad = detail::extents_of_tile(tiles[t], rows[t], columns[t])) return bad;
    if (refusal const bad = detail::on_chip(tiles[t].where, t == 2)) return bad;
    outcome<layout> const grouped = try_group(tiles[t].where, {rows[t], columns[t]});
    if (!grouped) return grouped.why;
    canonical[t] = *grouped;
  }
  if (rows[0] != rows[1] || columns[0] != rows[2] || columns[1] != columns[2])
    return refusal{rule::mma_shapes,
                   {columns[0], rows[0], rows[1], columns[1], rows[2], columns[2]}};
  detail::extent_list k, m, n;
  if (!detail::refine(canonical[0], 0, canonical[1], 0, k) ||
      !detail::refine(canonical[0], 1, canonical[2], 0, m) ||
      !detail::refine(canonical[1], 1, canonical[2], 1, n))
    return refusal{rule::trainium_digits};
  outcome<layout> const of_a = detail::split(canonical[0], k, m),
                        of_b = detail::split(canonical[1], k, n),
                        of_c = detail::split(canonical[2], m, n);
  if (!of_a || !of_b || !of_c) return refusal{rule::trainium_digits};
  detail::digit_pairs ks = detail::pair_digits(*of_a, 0, *of_b, 0, k.size());
  detail::digit_pairs ms = detail::pair_digits(*of_a, k.size(), *of_c, 0, m.size());
  detail::digit_pairs ns = detail::pair_digits(*of_b, k.size(), *of_c, m.size(), n.size());
  trainium_plan plan;

  // K: iters on partitions in both are contracted, the others are summed in steps.
  for (detail::digit_pair& d : ks) {
    if (d.first.extent == 1) continue;
    if (d.first.is_on(axis::P) != d.second.is_on(axis::P) ||
        (d.first.is_on(axis::P) && d.first != d.second))
      return refusal{rule::trainium_contraction, {d.first.extent, d.first.stride, d.second.stride}};
    d.taken = d.first.is_on(axis::P);
  }
  if (a.offset(axis::P) != b.offset(axis::P))
    return refusal{rule::trainium_contraction, {1, a.offset(axis::P), b.offset(axis::P)}};
  integer const begin = detail::turn_round(ks);
  if (refusal const bad = detail::partitions_of(ks, false, plan.k)) return bad;
  // M is on C's partitions, N is not. Iters that do not move A or B are steps.
  for (detail::digit_pair const& d : ms)
    if (d.first.extent > 1 && (d.first.is_on(axis::P) || d.second.is_on(axis::null)))
      return refusal{rule::trainium_free, {d.first.extent}};
  for (detail::digit_pair const& d : ns)
    if (d.first.extent > 1 &&
        (d.first.is_on(axis::P) || d.second.is_on(axis::P) || d.second.is_on(axis::null)))
      return refusal{rule::trainium_free, {d.first.extent}};
  for (int t = 0; t < 3; ++t)
    if (refusal const bad = detail::within_memory(tiles[t].where, t == 2, bits)) return bad;
  detail::run_of_digits across = detail::take_run(ms, axis::P),
                        along = detail::take_run(ns, axis::F);
  // Operands inside the memories keep the limits of a matmul. A run that skips partitions of C is
  // cut to one row each.
  if (across.extent > 1 && across.second != 1) {
    for (detail::digit_pair& d : ms) d.taken = false;
    across = {};
  }
  plan.m = across.extent, plan.n = along.extent;
  plan.a_stride = across.first, plan.b_stride = along.first, plan.c_stride = along.second;
  if (outcome<bool> const apart = try_is_injective(c); !apart || !*apart)
    return apart ? refusal{rule::mma_c_collides} : apart.why;
  plan.k_steps = detail::add_steps(plan.a, ks, false);
  plan.m_steps = detail::add_steps(plan.a, ms, false);
  detail::add_steps(plan.b, ks, true);
  plan.n_steps = detail::add_steps(plan.b, ns, false);
  detail::add_steps(plan.c, ms, true);
  detail::add_steps(plan.c, ns, true);
  plan.a.offsets = a.offsets, plan.b.offsets = b.offsets, plan.c.offsets = c.offsets;
  detail::move_begin(plan.a, begin), detail::move_begin(plan.b, begin);
  return plan;
}

AXE_LAZY_FN constexpr trainium_plan plan_trainium_matmul(layout const& a, shape const& s_a,
                                                         layout const& b, shape const& s_b,
                                                         layout const& c, shape const& s_c,
                                                         integer bits = 8) {
  outcome<trainium_plan> const result = try_plan_trainium_matmul(a, s_a, b, s_b, c, s_c, bits);
  if (!result) detail::stop_on(result.why, "plan_trainium_matmul", {&a, &b, &s_a, &s_b});
  return *result;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
