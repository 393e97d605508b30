// SPDX-License-Identifier: MIT
// match_registers(P, S, Q, T): for each register of fragment P, the register of Q with the same
// coordinate. Q is broadcast along dimensions of extent 1 in T, and along leading dimensions that T
// lacks. Rejects fragments in which the two registers are in different threads.
//
//     P = S[(8,2,4,2):(4@lane,2@reg,1@lane,1@reg)], Q = S[(8,2):(4@lane,1@reg)] + R[4:1@lane]
//         on (16,8) and (16,1): registers 0 1 2 3 of P match registers 0 0 1 1 of Q
#pragma once

#include <axe/index/partition_digits.hpp>
#include <axe/plan/engine/digit_pairs.hpp>
#include <axe/sentence/stop.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// Register r of P matches register at[r] of Q.
struct register_match {
  static constexpr int most_registers = 512;
  list<short, most_registers> at;

  constexpr bool operator==(register_match const&) const = default;
};

namespace detail {

/// The digits of a dimension: on tid, on reg, or on null if they change neither.
using held_digits = list<iter, 2 * capacity::shards>;

AXE_LAZY_FN constexpr held_digits digits_of_dimension(partition_data const& p, int d,
                                                      integer extent) {
  held_digits all;
  iter next{};
  for (integer counted = 1; counted < extent; counted *= next.extent) {
    next = {extent / counted, 0, axis::null};
    auto const consider = [&](partition_digit const& o, integer stride, axis on) {
      if (o.dimension != d || o.step < counted) return;
      if (o.step == counted)
        next = {o.extent, stride, on};
      else if (next.on == axis::null)
        next.extent = smaller(next.extent, o.step / counted);
    };
    for (partition_digit const& o : p.by_thread) consider(o, o.divisor, axis::tid);
    for (partition_digit const& o : p.by_register) consider(o, 0, axis::reg);
    if (all.count != 0 && all[0].on == next.on && next.stride == all[0].stride * all[0].extent)
      all[0].extent *= next.extent;
    else
      all.insert(0, next);
  }
  return all;
}

/// `apart`: P's first thread minus Q's.
AXE_LAZY_FN constexpr bool same_by_threads(iter const& p, iter const& q, integer apart,
                                           integer threads) {
  if (p.stride == q.stride && apart % (p.stride * p.extent) == 0) return true;
  // Different digits may still have equal values in all threads.
  if (apart == 0 || threads > 1024) return false;
  for (integer t = 0; t < threads; ++t)
    if (t / p.stride % p.extent != (t + apart) / q.stride % p.extent) return false;
  return true;
}

AXE_LAZY_FN constexpr refusal check_digits(held_digits const& p, held_digits const& q,
                                           integer apart, integer threads, int d) {
  digit_pairs pairs;
  bool const divide = pair_digits(p, q, pairs);
  for (int k = pairs.count - 1; k >= 0; --k) {
    iter const &in_p = pairs.at[k].first, &in_q = pairs.at[k].second;
    if (in_q.on == axis::null) continue;
    if (in_q.on == axis::reg && in_p.on == axis::null)
      return {rule::elementwise_one_register, {d, in_p.extent}};
    if (in_p.on != in_q.on ||
        (in_q.on == axis::tid && !same_by_threads(in_p, in_q, apart, threads)))
      return {rule::elementwise_threads, {d}};
  }
  return divide ? refusal{} : refusal{rule::elementwise_threads, {d}};
}

AXE_LAZY_FN constexpr refusal check_match(partition_data const& p, extent_list const& s,
                                          partition_data const& q, extent_list const& t) {
  if (p.why) return p.why;
  if (q.why) return q.why;
  if (s.count != t.count) return {rule::elementwise_rank, {s.count, t.count}};
  for (integer const n : {p.registers, q.registers})
    if (n > register_match::most_registers) return {rule::elementwise_registers, {n}};
  for (int d = 0; d < s.count; ++d)
    if (s[d] != t[d] && t[d] != 1) return {rule::elementwise_extents, {d, s[d], t[d]}};
  if (p.thread != q.thread && p.thread != axis::null && q.thread != axis::null)
    return {rule::elementwise_axes, {}, {p.thread, q.thread}};
  integer const p_end = p.first_thread + p.threads, q_end = q.first_thread + q.threads;
  if (q.thread != axis::null && (p.first_thread < q.first_thread || q_end < p_end))
    return {rule::elementwise_other_threads,
            {p.first_thread, p_end, q.first_thread, q_end},
            {q.thread}};
  for (int d = 0; d < s.count; ++d) {
    if (t[d] == 1) continue;
    refusal const bad =
        check_digits(digits_of_dimension(p, d, s[d]), digits_of_dimension(q, d, s[d]),
                     p.first_thread - q.first_thread, p.threads, d);
    if (bad) return bad;
  }
  return {};
}

AXE_LAZY_FN constexpr outcome<register_match> match_registers(partition_data const& p,
                                                              extent_list const& s,
                                                              partition_data const& q,
                                                              extent_list const& t) {
  if (refusal const bad = check_match(p, s, q, t)) return bad;
  register_match found;
  for (int r = 0; r < p.registers; ++r) {
    integer at = 0;
    for (partition_digit const& o : q.by_register)
      if (t[o.dimension] != 1)
        at += register_step(p, r, o.dimension) / o.step % o.extent * o.divisor;
    // Prefers the register of the same number, so that the result may overwrite the operand.
    bool same = r < q.registers;
    for (int d = 0; d < s.count; ++d)
      same = same &&
             (t[d] == 1 || register_step(q, static_cast<int>(at), d) == register_step(q, r, d));
    if (same) at = r;
    found.at.push(static_cast<short>(at));
  }
  return found;
}

}  // namespace detail

AXE_LAZY_FN constexpr outcome<register_match> try_match_registers(layout const& p, shape const& s,
                                                                  layout const& q, shape const& t) {
  using namespace detail;
  extent_list in_p, in_q;
  if (refusal const bad = dimensions_of(s, in_p)) return bad;
  if (refusal const bad = dimensions_of(t, in_q)) return bad;
  while (in_q.count < in_p.count) in_q.insert(0, 1);
  return match_registers(partition_from(p, shape_with(in_p)), in_p,
                         partition_from(q, shape_with(in_q)), in_q);
}

AXE_LAZY_FN constexpr register_match match_registers(layout const& p, shape const& s,
                                                     layout const& q, shape const& t) {
  return detail::stop_on(try_match_registers(p, s, q, t), "match_registers", {&p, &q, &s, &t});
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
