// SPDX-License-Identifier: MIT
// match_registers(P, S, Q, T): for each register of fragment P the register of fragment Q with the
// element of the same coordinate. Dimensions of extent 1 in T are broadcast.
//
//     P = S[(8,2,4,2):(4@lane,2@reg,1@lane,1@reg)], Q = S[(8,2):(4@lane,1@reg)] + R[4:1@lane]
//         on (16,8) and (16,1): registers 0 1 2 3 of P match registers 0 0 1 1 of Q
//
// Rejects elements that another thread holds. Source: the Axe paper, section 4. Definition:
// docs/plans.md, "Elementwise and reductions".
#pragma once

#include <axe/base/sort.hpp>
#include <axe/index/partition_digits.hpp>
#include <axe/plan/digit_pairs.hpp>
#include <axe/sentence/stop.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

struct register_match {
  static constexpr int most = 512;
  list<short, most> at;

  AXE_FN friend constexpr bool operator==(register_match const&, register_match const&) = default;
};

namespace detail {

/// The digits of a dimension: on tid, on reg, or on the null axis if threads and registers do not
/// depend on them.
using held_digits = list<iter, 2 * capacity::shards>;

AXE_LAZY_FN constexpr held_digits digits_held(partition_data const& p, int d, integer extent) {
  struct moving_digit {
    integer step = 1;
    iter digit;
  };
  list<moving_digit, 2 * capacity::shards> moving;
  for (partition_digit const& o : p.by_thread)
    if (o.dimension == d) moving.push({o.step, {o.extent, o.divisor, axis::tid}});
  for (partition_digit const& o : p.by_register)
    if (o.dimension == d) moving.push({o.step, {o.extent, 0, axis::reg}});
  sort_by(moving, [](moving_digit const& m) { return m.step; });
  held_digits all;
  auto const add = [&all](iter const& i) {
    if (i.extent == 1) return;
    if (all.count != 0 && all[0].on == i.on && i.stride == all[0].stride * all[0].extent)
      all[0].extent *= i.extent;
    else
      all.insert(0, i);
  };
  integer counted = 1;
  for (moving_digit const& m : moving) {
    add({m.step / counted, 0, axis::null});
    add(m.digit);
    counted = m.step * m.digit.extent;
  }
  add({extent / counted, 0, axis::null});
  return all;
}

/// True if both digits have the same value in each thread. The threads of `theirs` begin `apart`
/// threads earlier.
AXE_LAZY_FN constexpr bool same_by_threads(iter const& mine, iter const& theirs, integer apart,
                                           integer threads) {
  if (mine.stride == theirs.stride && apart % (mine.stride * mine.extent) == 0) return true;
  // Compares each thread, because an odd `apart`, for example, splits pairs. A CTA has at most
  // 1,024.
  if (apart == 0 || threads > 1024) return false;
  for (integer t = 0; t < threads; ++t)
    if (t / mine.stride % mine.extent != (t + apart) / theirs.stride % mine.extent) return false;
  return true;
}

/// Rejects dimension d unless each thread holds its elements of `mine` in `theirs` too, in
/// registers that do not depend on the thread. Digits must divide each other.
AXE_LAZY_FN constexpr refusal check_digits(held_digits const& mine, held_digits const& theirs,
                                           integer apart, integer threads, int d) {
  digit_pairs pairs;
  bool const divide = pair_digits(mine, theirs, pairs);
  for (int k = pairs.count - 1; k >= 0; --k) {
    iter const &a = pairs[k].first, &b = pairs[k].second;
    if (b.on == axis::null) continue;
    if (b.on == axis::reg && a.on == axis::null)
      return {rule::elementwise_one_register, {d, a.extent}};
    if (a.on != b.on || (b.on == axis::tid && !same_by_threads(a, b, apart, threads)))
      return {rule::elementwise_threads, {d}};
  }
  return divide ? refusal{} : refusal{rule::elementwise_threads, {d}};
}

AXE_LAZY_FN constexpr outcome<register_match> match_registers(partition_data const& a,
                                                              extent_list const& s,
                                                              partition_data const& b,
                                                              extent_list const& t) {
  if (a.why) return a.why;
  if (b.why) return b.why;
  if (s.count != t.count) return refusal{rule::elementwise_rank, {s.count, t.count}};
  if (a.registers > register_match::most)
    return refusal{rule::elementwise_registers, {a.registers}};
  for (int d = 0; d < s.count; ++d)
    if (s[d] != t[d] && t[d] != 1) return refusal{rule::elementwise_extents, {d, s[d], t[d]}};
  if (a.thread != b.thread && a.thread != axis::null && b.thread != axis::null)
    return refusal{rule::partition_of_two_thread_axes, {}, {a.thread, b.thread}};
  if (b.thread != axis::null &&
      (a.first_thread < b.first_thread || b.first_thread + b.threads < a.first_thread + a.threads))
    return refusal{
        rule::elementwise_other_threads,
        {a.first_thread, a.first_thread + a.threads, b.first_thread, b.first_thread + b.threads},
        {b.thread}};
  for (int d = 0; d < s.count; ++d) {
    if (t[d] == 1) continue;
    refusal const bad = check_digits(digits_held(a, d, s[d]), digits_held(b, d, s[d]),
                                     a.first_thread - b.first_thread, a.threads, d);
    if (bad) return bad;
  }
  register_match found;
  for (int r = 0; r < a.registers; ++r) {
    integer at = 0;
    for (partition_digit const& o : b.by_register)
      if (t[o.dimension] != 1)
        at += register_step(a, r, o.dimension) / o.step % o.extent * o.divisor;
    // Prefers the register with the same number, because the result may overwrite the operand.
    bool same = r < b.registers;
    for (int d = 0; d < s.count; ++d)
      same = same &&
             (t[d] == 1 || register_step(b, static_cast<int>(at), d) == register_step(b, r, d));
    if (same) at = r;
    found.at.push(static_cast<short>(at));
  }
  return found;
}

struct fragment_facts {
  partition_data held;
  extent_list extents;
};
AXE_LAZY_FN constexpr fragment_facts facts_of_fragment(layout const& p, shape const& s) {
  fragment_facts f;
  integer size = 1;
  f.held = partition_from(p, s);
  if (refusal const bad = dimensions_of(s, f.extents, size); bad && !f.held.why) f.held.why = bad;
  return f;
}

}  // namespace detail

AXE_LAZY_FN constexpr outcome<register_match> try_match_registers(layout const& p, shape const& s,
                                                                  layout const& q, shape const& t) {
  using namespace detail;
  fragment_facts const a = facts_of_fragment(p, s);
  fragment_facts const b = facts_of_fragment(q, t);
  return match_registers(a.held, a.extents, b.held, b.extents);
}

AXE_LAZY_FN constexpr register_match match_registers(layout const& p, shape const& s,
                                                     layout const& q, shape const& t) {
  auto const result = try_match_registers(p, s, q, t);
  detail::stop_on(result.why, "match_registers", {&p, &q, &s, &t});
  return result.value;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
