// SPDX-License-Identifier: MIT
// plan_trainium_matmul: the matmuls of a product on Trainium, and the starts of their operands.
//
//     plan_trainium_matmul(A, {256, 128}, B, {256, 1024}, C, {128, 1024})     (K,M), (K,N), (M,N)
//         matmul of 128 x 128 x 512 (k, m, n), 2 along K, 1 along M, 2 along N
//
// A matmul adds A[p][i] * B[p][j], summed over partitions p, to C[i][j]. Sources: the Axe paper,
// Appendix D; docs/plans.md, "Trainium".
#pragma once

#include <axe/atoms/trainium_tiles.hpp>
#include <axe/plan/engine/mma_operand.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

struct trainium_plan {
  integer k = 0, m = 0, n = 0;  // one matmul's extents
  integer k_steps = 0, m_steps = 0, n_steps = 0;
  // Map step (k, m) of A, (k, n) of B, (m, n) of C to its start on P, F and Bank.
  layout a, b, c;
  integer a_stride = 0, b_stride = 0, c_stride = 0;  // between two columns on F
};

namespace detail {

AXE_LAZY_FN constexpr refusal check_on_chip(layout const& l, bool in_psum, integer bits) {
  if (refusal const bad = check_no_replicas(l)) return bad;
  for (axis a : axes_of(l)) {
    integer most = 0;
    switch (a) {
      case axis::P: most = trainium::partitions; break;
      case axis::F:
        most = in_psum ? trainium::psum_bank_bytes / 4 : trainium::sbuf_bytes * 8 / bits;
        break;
      case axis::Bank: most = in_psum ? trainium::psum_banks : 0; break;
      default: break;
    }
    if (most == 0) return {rule::trainium_axis, {}, {a}};
    auto const [least, last] = reach_before_swizzle(l, a);
    if (least < 0 || last >= most)
      return {rule::trainium_place, {least < 0 ? least : last, most}, {a}};
  }
  return {};
}

AXE_LAZY_FN constexpr refusal group_on_chip(mma_tile const (&tiles)[3], integer bits,
                                            layout (&grouped)[3]) {
  integer rows[3]{}, columns[3]{};
  for (int t = 0; t < 3; ++t) {
    valid_layout operand;
    refusal bad = operand.admit(tiles[t].where);
    if (!bad) bad = extents_of_tile(tiles[t], rows[t], columns[t]);
    if (!bad) bad = check_on_chip(tiles[t].where, t == 2, bits);
    if (bad) return of_operand(t, bad);
    outcome<layout> const made = group_of(operand, {rows[t], columns[t]});
    if (made.why) return of_operand(t, made.why);
    grouped[t] = *made;
  }
  if (rows[0] != rows[1] || columns[0] != rows[2] || columns[1] != columns[2])
    return {rule::mma_shapes, {columns[0], rows[0], rows[1], columns[1], rows[2], columns[2]}};
  return {};
}

/// Makes digits of K on partitions part of the matmul. Reverses negative strides, which lowers the
/// first partition.
AXE_LAZY_FN constexpr refusal contract_partitions(digit_pairs& digits, trainium_plan& plan) {
  list<digit_pair*, capacity::shards> contracted;
  for (digit_pair& d : digits) {
    bool const on_partitions = d.first.is_on(axis::P);
    if (on_partitions != d.second.is_on(axis::P) || (on_partitions && d.first != d.second))
      return {rule::trainium_contraction,
              {d.first.extent, d.first.stride, d.second.stride},
              {d.first.on, d.second.on}};
    if (!on_partitions) continue;
    contracted.push(&d);
    if (d.first.stride >= 0) continue;
    for (layout* l : {&plan.a, &plan.b})
      add_offset(*l, term{(d.first.extent - 1) * d.first.stride, axis::P});
    d.first.stride = d.second.stride = -d.first.stride;
  }
  sort_by(contracted, [](digit_pair const* d) { return d->first.stride; });
  plan.k = 1;
  for (digit_pair* d : contracted) {
    if (d->first.stride > plan.k) return {rule::trainium_partitions, {plan.k}};
    d->covered = d->first.stride == plan.k;  // a digit that overlaps another becomes a step
    if (d->covered) plan.k *= d->first.extent;
  }
  return {};
}

AXE_LAZY_FN constexpr refusal check_free(digit_pairs const& m, digit_pairs const& n) {
  for (digit_pairs const* free : {&m, &n})
    for (digit_pair const& d : *free)
      if (d.first.is_on(axis::P) || d.second.is_on(axis::null) ||
          (free == &n && d.second.is_on(axis::P)))
        return {rule::trainium_free, {d.first.extent}};
  return {};
}

AXE_FN constexpr digit_pair no_run() { return {{1, 0, axis::null}, {1, 0, axis::null}}; }

/// Takes the digit on F of the smallest stride, and those that continue it in both operands.
AXE_LAZY_FN constexpr digit_pair take_run(digit_pairs& digits, axis second_on) {
  list<digit_pair*, digit_pairs::capacity> free;
  for (digit_pair& d : digits)
    if (d.first.is_on(axis::F) && d.second.is_on(second_on) && d.first.stride >= 0 &&
        d.second.stride >= 0)
      free.push(&d);
  sort_by(free, [](digit_pair const* d) { return d->second.stride; });
  digit_pair run = no_run();
  for (digit_pair* d : free) {
    integer const extent = run.first.extent;
    d->covered = extent == 1 || (d->first.stride == run.first.stride * extent &&
                                 d->second.stride == run.second.stride * extent);
    if (extent == 1)
      run = *d;
    else if (d->covered)
      run.first.extent *= d->first.extent;
  }
  return run;
}

/// If the rows of C skip partitions, each row has its own matmul.
AXE_LAZY_FN constexpr digit_pair take_rows(digit_pairs& m) {
  digit_pair const run = take_run(m, axis::P);
  if (!run.covered || run.second.stride == 1) return run;
  for (digit_pair& d : m) d.covered = false;
  return no_run();
}

}  // namespace detail

/// C = A^T B for A (K,M), B (K,N), C (M,N). Elements of A and B have 8, 16 or 32 `bits`, those of C
/// 32.
AXE_LAZY_FN constexpr outcome<trainium_plan> try_plan_trainium_matmul(
    layout const& a, shape const& s_a, layout const& b, shape const& s_b, layout const& c,
    shape const& s_c, integer bits = 8) {
  using namespace detail;
  if (refusal const bad = check_operand_width(bits)) return bad;
  layout grouped[3];
  if (refusal const bad = group_on_chip({{a, s_a}, {b, s_b}, {c, s_c}}, bits, grouped)) return bad;
  auto const digits = [&grouped](int operand, int d) {
    return iters_of_block(grouped[operand], d);
  };
  digit_pairs k, m, n;
  if (!pair_digits(digits(0, 0), digits(1, 0), k)) return refusal{rule::trainium_digits, {0}};
  if (!pair_digits(digits(0, 1), digits(2, 0), m)) return refusal{rule::trainium_digits, {1}};
  if (!pair_digits(digits(1, 1), digits(2, 1), n))
    return of_operand(1, refusal{rule::trainium_digits, {1}});
  if (a.offset(axis::P) != b.offset(axis::P))
    return refusal{rule::trainium_first_partition, {a.offset(axis::P), b.offset(axis::P)}};
  trainium_plan plan;
  plan.a.offsets = a.offsets;
  plan.b.offsets = b.offsets;
  plan.c.offsets = c.offsets;
  if (refusal const bad = contract_partitions(k, plan)) return bad;
  if (refusal const bad = check_free(m, n)) return bad;
  // K and M lie on 128 partitions, N in a bank: no size exceeds a limit.
  digit_pair const rows = take_rows(m), columns = take_run(n, axis::F);
  plan.m = rows.first.extent;
  plan.n = columns.first.extent;
  plan.a_stride = rows.first.stride;
  plan.b_stride = columns.first.stride;
  plan.c_stride = columns.second.stride;
  if (refusal const bad = check_injective(valid_layout::proved(c), rule::mma_c_collides))
    return of_operand(2, bad);
  plan.k_steps = add_steps(plan.a, k, false);
  plan.m_steps = add_steps(plan.a, m, false);
  add_steps(plan.b, k, true);
  plan.n_steps = add_steps(plan.b, n, false);
  add_steps(plan.c, m, true);
  add_steps(plan.c, n, true);
  return plan;
}

AXE_LAZY_FN constexpr trainium_plan plan_trainium_matmul(layout const& a, shape const& s_a,
                                                         layout const& b, shape const& s_b,
                                                         layout const& c, shape const& s_c,
                                                         integer bits = 8) {
  return detail::stop_on(try_plan_trainium_matmul(a, s_a, b, s_b, c, s_c, bits),
                         "plan_trainium_matmul", {&a, &b, &s_a, &s_b, &c, &s_c});
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
