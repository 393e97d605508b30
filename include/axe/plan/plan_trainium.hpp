// SPDX-License-Identifier: MIT
// plan_trainium_matmul: plans a matrix product on Trainium's tensor engine: the matmuls, their
// sizes, and where each finds its operands in SBUF and PSUM.
//
//     plan_trainium_matmul(A, {256, 128}, B, {256, 1024}, C, {128, 1024})     (K,M), (K,N), (M,N)
//         matmul of 128 x 128 x 512 (k, m, n), 2 along K, 1 along M, 2 along N
//
// C[i][j] += A[p][i] * B[p][j], summed over partitions p. The iters of K, M and N are refined until
// the operands agree. Source: the Axe paper, Appendix D. Definition: docs/plans.md.
#pragma once

#include <axe/atoms/trainium_tiles.hpp>
#include <axe/base/sort.hpp>
#include <axe/plan/mma_operand.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

struct trainium_plan {
  integer k = 0, m = 0, n = 0;  // of one matmul
  integer k_steps = 0, m_steps = 0, n_steps = 0;
  layout a, b, c;                                    // steps to the start of each, on P, F and Bank
  integer a_stride = 0, b_stride = 0, c_stride = 0;  // along F, between columns
};

namespace detail {

/// Rejects replicas, other axes than P, F and, in PSUM, Bank, and places outside SBUF or PSUM.
AXE_LAZY_FN constexpr refusal check_on_chip(layout const& l, bool in_psum, integer bits) {
  if (refusal const bad = check_no_replicas(l)) return bad;
  integer const held = trainium::sbuf_bytes * 8 / bits;
  for (axis a : axes_of(l)) {
    interval reach;
    plain_reach(l, a, reach);
    bool const below = reach.least < 0;
    integer const at = below ? reach.least : reach.largest;
    switch (a) {
      case axis::P:
        if (below || at >= trainium::partitions)
          return {rule::trainium_rows, {below ? at : at + 1}};
        break;
      case axis::F:
        if (in_psum && (below || at >= trainium::psum_bank_bytes / 4))
          return {rule::trainium_psum_bank, {at}};
        if (below || at >= held) return {rule::trainium_sbuf, {at, held, bits}};
        break;
      case axis::Bank:
        if (in_psum && (below || at >= trainium::psum_banks))
          return {rule::trainium_psum_banks, {at}};
        if (in_psum) break;
        [[fallthrough]];
      default: return {rule::trainium_axis, {}, {a}};
    }
  }
  return {};
}

/// Takes the longest run of digits that has one stride on F in `first` and one stride on
/// `second_on` in `second`. It begins with the fastest digit of `second`.
AXE_LAZY_FN constexpr digit_pair take_run(digit_pairs& digits, axis second_on) {
  digit_pair run{{1}, {1}};
  while (true) {
    digit_pair* next = nullptr;
    for (digit_pair& x : digits) {
      if (x.taken || !x.first.is_on(axis::F) || !x.second.is_on(second_on) || x.first.stride < 0 ||
          x.second.stride < 0)
        continue;
      integer const n = run.first.extent;
      if (n == 1
              ? next == nullptr || x.second.stride < next->second.stride
              : x.first.stride == run.first.stride * n && x.second.stride == run.second.stride * n)
        next = &x;
    }
    if (next == nullptr) return run;
    next->taken = true;
    if (run.first.extent == 1)
      run = *next;
    else
      run.first.extent *= next->first.extent;
  }
}

/// Contracts the digits of K that are on partitions in both operands; the others are steps. A
/// negative stride is reversed, which changes no sum; `begin` is the new start.
AXE_LAZY_FN constexpr refusal contract(digit_pairs& digits, integer& begin, integer& count) {
  list<digit_pair*, capacity::shards> contracted;
  for (digit_pair& d : digits) {
    bool const on_partitions = d.first.is_on(axis::P);
    if (on_partitions != d.second.is_on(axis::P) || (on_partitions && d.first != d.second))
      return {rule::trainium_contraction, {d.first.extent, d.first.stride, d.second.stride}};
    if (!on_partitions) continue;
    contracted.push(&d);
    if (d.first.stride >= 0) continue;
    begin += (d.first.extent - 1) * d.first.stride;
    d.first.stride = d.second.stride = -d.first.stride;
  }
  sort_by(contracted, [](digit_pair const* d) { return d->first.stride; });
  count = 1;
  for (digit_pair* d : contracted) {
    if (d->first.stride > count) return {rule::trainium_partitions, {count}};
    d->taken = d->first.stride == count;  // else digits overlap, and this one is a step
    if (d->taken) count *= d->first.extent;
  }
  return {};
}

}  // namespace detail

AXE_LAZY_FN constexpr outcome<trainium_plan> try_plan_trainium_matmul(
    layout const& a, shape const& s_a, layout const& b, shape const& s_b, layout const& c,
    shape const& s_c, integer bits = 8) {
  using namespace detail;
  if (bits != 8 && bits != 16 && bits != 32) return refusal{rule::trainium_element_width, {bits}};
  mma_tile const tiles[] = {{a, s_a}, {b, s_b}, {c, s_c}};
  integer rows[3]{}, columns[3]{};
  layout grouped[3];
  for (int t = 0; t < 3; ++t) {
    valid_layout operand;
    if (refusal const bad = operand.admit(tiles[t].where)) return bad;
    if (refusal const bad = extents_of_tile(tiles[t], rows[t], columns[t])) return bad;
    if (refusal const bad = check_on_chip(tiles[t].where, t == 2, bits)) return bad;
    outcome<layout> const made = group_of(operand, {rows[t], columns[t]});
    if (made.why) return made.why;
    grouped[t] = *made;
  }
  if (rows[0] != rows[1] || columns[0] != rows[2] || columns[1] != columns[2])
    return refusal{rule::mma_shapes,
                   {columns[0], rows[0], rows[1], columns[1], rows[2], columns[2]}};
  digit_pairs ks, ms, ns;
  auto const pair = [&grouped](int x, int of_x, int y, int of_y, digit_pairs& out) {
    return pair_digits(iters_of_block(grouped[x], of_x), iters_of_block(grouped[y], of_y), out);
  };
  if (!pair(0, 0, 1, 0, ks) || !pair(0, 1, 2, 0, ms) || !pair(1, 1, 2, 1, ns))
    return refusal{rule::trainium_digits};
  trainium_plan plan;
  integer begin = 0;
  if (a.offset(axis::P) != b.offset(axis::P))
    return refusal{rule::trainium_contraction, {1, a.offset(axis::P), b.offset(axis::P)}};
  if (refusal const bad = contract(ks, begin, plan.k)) return bad;
  // In A and B, neither M nor N is on partitions. In C, M may be on partitions, but N is not.
  for (digit_pairs const* free : {&ms, &ns})
    for (digit_pair const& d : *free)
      if (d.first.is_on(axis::P) || d.second.is_on(axis::null) ||
          (free == &ns && d.second.is_on(axis::P)))
        return refusal{rule::trainium_free, {d.first.extent}};
  digit_pair across = take_run(ms, axis::P);
  digit_pair const along = take_run(ns, axis::F);
  // Operands that fit in the memories also fit in a matmul. A run that skips partitions of C
  // becomes steps of one row.
  if (across.taken && across.second.stride != 1) {
    for (digit_pair& d : ms) d.taken = false;
    across = {{1}, {1}};
  }
  plan.m = across.first.extent, plan.n = along.first.extent;
  plan.a_stride = across.first.stride, plan.b_stride = along.first.stride;
  plan.c_stride = along.second.stride;
  if (outcome<bool> const apart = injective(valid_layout::proved(c)); !apart || !*apart)
    return apart ? refusal{rule::mma_c_collides} : apart.why;
  plan.k_steps = add_steps(plan.a, ks, false);
  plan.m_steps = add_steps(plan.a, ms, false);
  add_steps(plan.b, ks, true);
  plan.n_steps = add_steps(plan.b, ns, false);
  add_steps(plan.c, ms, true);
  add_steps(plan.c, ns, true);
  plan.a.offsets = a.offsets, plan.b.offsets = b.offsets, plan.c.offsets = c.offsets;
  for (layout* l : {&plan.a, &plan.b}) add_offset(*l, term{begin, axis::P});
  return plan;
}

AXE_LAZY_FN constexpr trainium_plan plan_trainium_matmul(layout const& a, shape const& s_a,
                                                         layout const& b, shape const& s_b,
                                                         layout const& c, shape const& s_c,
                                                         integer bits = 8) {
  auto const result = try_plan_trainium_matmul(a, s_a, b, s_b, c, s_c, bits);
  detail::stop_on(result.why, "plan_trainium_matmul", {&a, &b, &s_a, &s_b});
  return result.value;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
