// match_registers(P, S, Q, T): which register of a thread holds in one fragment what a register holds in another, both by the same coordinates.
//
//     P = S[(8,2,4,2):(4@lane,2@reg,1@lane,1@reg)] on (16,8), Q = S[(8,2):(4@lane,1@reg)] + R[4:1@lane] on (16,1)
//         registers 0 1 2 3 of P have their row in registers 0 0 1 1 of Q: dimension 1 is broadcast
//
// Dimensions of extent 1 in T are broadcast: the element serves the whole dimension, and each thread that holds part of the dimension must hold it. Along every other
// dimension the two count with the same digits of the thread's number, so that no element has to move. A fragment that names no threads is each thread's own.
// Refused: another rank or extent, elements that other threads hold, elements that the thread holds in no register. Cost: linear in the registers of P times the digits.
// Source: the Axe paper, section 4 (elementwise primitives). Definition: docs/plans.md, "Elementwise and reductions".
#pragma once

#include <axe/index/partition.hpp>
#include <axe/refusal/stop.hpp>

namespace axe::inline AXE_NAMESPACE {

/// For each register of one fragment, the register of another.
struct register_match {
  static constexpr int most = 512;
  list<short, most> at;

  AXE_FN friend constexpr bool operator==(register_match const&, register_match const&) = default;
};

namespace detail {

/// What dimension d adds up to by the thread's digits: the same lists are the same function of the thread.
AXE_FN constexpr owned_digits thread_digits(partition_data const& p, int d) {
  owned_digits found;
  for (owned_digit const& o : p.by_thread) {
    if (o.dimension != d || o.extent == 1) continue;
    int at = 0;
    while (at < found.size() && found[at].divisor < o.divisor) ++at;
    found.insert(at, o);
  }
  // Neighbours that count on are one digit: 2:1@lane, 4:2@lane along one dimension are 8:1@lane.
  for (int k = 0; k + 1 < found.size();) {
    owned_digit const& low = found[k];
    owned_digit const& high = found[k + 1];
    if (high.divisor == low.divisor * low.extent && high.step == low.step * low.extent) {
      found[k].extent *= high.extent;
      found.erase(k + 1);
    } else {
      ++k;
    }
  }
  return found;
}

AXE_FN constexpr bool same_threads(partition_data const& a, partition_data const& b, int d) {
  owned_digits const x = thread_digits(a, d);
  owned_digits const y = thread_digits(b, d);
  if (x.size() != y.size()) return false;
  for (int k = 0; k < x.size(); ++k)
    if (x[k].step != y[k].step || x[k].divisor != y[k].divisor || x[k].extent != y[k].extent) return false;
  return true;
}

/// How many elements of dimension d have a place of their own: fewer than it has where a digit does not move.
AXE_FN constexpr integer told_apart(partition_data const& p, int d) {
  integer n = 1;
  for (owned_digits const* digits : {&p.by_thread, &p.by_register})
    for (owned_digit const& o : *digits) n *= o.dimension == d ? o.extent : 1;
  return n;
}

AXE_FN constexpr outcome<register_match> match_registers(partition_data const& a, extent_list const& s,
                                                         partition_data const& b, extent_list const& t) {
  if (a.why.which != rule::none) return a.why;
  if (b.why.which != rule::none) return b.why;
  if (s.size() != t.size()) return refusal{rule::elementwise_rank, {s.size(), t.size()}};
  if (a.registers > register_match::most) return refusal{rule::elementwise_registers, {a.registers}};
  for (int d = 0; d < s.size(); ++d)
    if (s[d] != t[d] && t[d] != 1) return refusal{rule::elementwise_extents, {d, s[d], t[d]}};
  if (a.thread != b.thread && a.thread != axis::null && b.thread != axis::null)
    return refusal{rule::partition_of_two_thread_axes, {}, {a.thread, b.thread}};
  for (int d = 0; d < s.size(); ++d)
    if (t[d] != 1 && !same_threads(a, b, d)) return refusal{rule::elementwise_threads, {d}};
  // One register for elements that differ in b.
  for (int d = 0; d < s.size(); ++d)
    if (t[d] != 1 && told_apart(a, d) < told_apart(b, d))
      return refusal{rule::elementwise_extents, {d, told_apart(a, d), told_apart(b, d)}};
  // All threads of a are threads of b, at the same number.
  if (b.thread != axis::null && (a.first_thread != b.first_thread || b.threads < a.threads))
    return refusal{rule::elementwise_other_threads,
                   {a.first_thread, a.first_thread + a.threads, b.first_thread, b.first_thread + b.threads},
                   {b.thread}};
  register_match found;
  for (int r = 0; r < a.registers; ++r) {
    integer at = 0;
    for (owned_digit const& o : b.by_register)
      if (t[o.dimension] != 1) at += register_step(a, r, o.dimension) / o.step % o.extent * o.divisor;
    // Of several copies the one of the same number: `to` may be the operand.
    bool same = r < b.registers;
    for (int d = 0; d < s.size(); ++d)
      same = same && (t[d] == 1 || register_step(a, r, d) == register_step(b, r, d));
    if (same) at = r;
    for (int d = 0; d < s.size(); ++d)
      if (t[d] != 1 && register_step(a, r, d) != register_step(b, static_cast<int>(at), d))
        return refusal{rule::elementwise_not_held, {r}};
    found.at.push(static_cast<short>(at));
  }
  return found;
}

/// The same of a layout on a shape.
struct fragment_facts {
  partition_data held;
  extent_list extents;
};
AXE_FN constexpr fragment_facts facts_of_fragment(layout const& p, shape const& s) {
  fragment_facts f;
  integer size = 1;
  f.held = partition_from(p, s);
  if (refusal const bad = dimensions_of(s, f.extents, size);
      bad.which != rule::none && f.held.why.which == rule::none)
    f.held.why = bad;
  return f;
}

}  // namespace detail

AXE_FN constexpr outcome<register_match> try_match_registers(layout const& p, shape const& s, layout const& q,
                                                             shape const& t) {
  detail::fragment_facts const a = detail::facts_of_fragment(p, s);
  detail::fragment_facts const b = detail::facts_of_fragment(q, t);
  return detail::match_registers(a.held, a.extents, b.held, b.extents);
}

AXE_FN constexpr register_match match_registers(layout const& p, shape const& s, layout const& q,
                                                shape const& t) {
  outcome<register_match> const result = try_match_registers(p, s, q, t);
  detail::stop_on(result.why, "match_registers", {&p, &q, &s, &t});
  return *result;
}

}  // namespace axe::inline AXE_NAMESPACE
