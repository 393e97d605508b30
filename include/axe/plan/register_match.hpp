// match_registers(P, S, Q, T): for each register of fragment P the register of fragment Q that
// holds the element of the same coordinate. Dimensions of extent 1 in T are broadcast.
//
//     P = S[(8,2,4,2):(4@lane,2@reg,1@lane,1@reg)], Q = S[(8,2):(4@lane,1@reg)] + R[4:1@lane]
//         on (16,8) and (16,1): registers 0 1 2 3 of P match registers 0 0 1 1 of Q
//
// Rejects elements that another thread holds. Cost: the registers of P times the iters. Source: the
// Axe paper, section 4. Definition: docs/plans.md, "Elementwise and reductions".
#pragma once

#include <axe/index/owned_digits.hpp>
#include <axe/sentence/stop.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// For each register of one fragment, a register of the other.
struct register_match {
  static constexpr int most = 512;
  list<short, most> at;

  AXE_FN friend constexpr bool operator==(register_match const&, register_match const&) = default;
};

namespace detail {

/// A part of a dimension's coordinate, (coordinate / step) mod extent, and what it is mapped to:
/// the thread number, registers, or nothing.
struct held_part {
  static constexpr int nothing = 0, threads = 1, registers = 2;
  integer step = 1;
  integer extent = 1;
  int by = nothing;
  integer divisor = 0;  // of the thread's number
};
using held_parts = list<held_part, 2 * capacity::shards>;

/// The parts of dimension d, fastest first. Adjacent parts are merged: registers always, threads if
/// their strides continue.
AXE_LAZY_FN constexpr held_parts parts_of(partition_data const& p, int d, integer extent) {
  held_parts moving;
  for (bool const threads : {false, true})
    for (owned_digit const& o : threads ? p.by_thread : p.by_register) {
      if (o.dimension != d || o.extent == 1) continue;
      int at = 0;
      while (at < moving.size() && moving[at].step < o.step) ++at;
      moving.insert(at, {o.step, o.extent, threads ? held_part::threads : held_part::registers,
                         threads ? o.divisor : 0});
    }
  held_parts all;
  auto const add = [&all](held_part const& x) {
    if (x.extent == 1) return;
    if (!all.empty() && all.back().by == x.by &&
        (x.by != held_part::threads || x.divisor == all.back().divisor * all.back().extent))
      all.back().extent *= x.extent;
    else
      all.push(x);
  };
  integer counted = 1;
  for (held_part const& x : moving) {
    add({counted, x.step / counted});
    add(x);
    counted = x.step * x.extent;
  }
  add({counted, extent / counted});
  return all;
}

/// True if both parts give the same value for each thread; theirs counts from `apart` threads
/// earlier.
AXE_LAZY_FN constexpr bool same_by_threads(held_part const& mine, held_part const& theirs,
                                           integer extent, integer apart, integer threads) {
  if (mine.divisor == theirs.divisor && apart % (mine.divisor * extent) == 0) return true;
  // Threads 1 and 2 are neighbours, but in different pairs. A CTA has at most 1,024 threads.
  if (apart == 0 || threads > 1024) return false;
  for (integer t = 0; t < threads; ++t)
    if (t / mine.divisor % extent != (t + apart) / theirs.divisor % extent) return false;
  return true;
}

/// Rejects a dimension if some thread does not hold, in registers that do not depend on the thread,
/// each element of `theirs` that it holds of `mine`. Parts whose boundaries do not divide each
/// other are rejected.
AXE_LAZY_FN constexpr refusal check_parts(held_parts mine, held_parts theirs, integer apart,
                                          integer threads, int d) {
  int i = 0;
  for (int j = 0; j < theirs.size();) {
    held_part& a = mine[i];
    held_part& b = theirs[j];
    if (b.by == held_part::nothing && j + 1 == theirs.size()) return {};
    integer const taken = a.extent < b.extent ? a.extent : b.extent;
    if (b.by == held_part::registers && a.by == held_part::nothing)
      return {rule::elementwise_one_register, {d, a.extent}};
    bool const alike = b.by == held_part::nothing || a.by == b.by;
    if (!alike || a.extent % taken != 0 || b.extent % taken != 0)
      return {rule::elementwise_threads, {d}};
    if (b.by == held_part::threads && !same_by_threads(a, b, taken, apart, threads))
      return {rule::elementwise_threads, {d}};
    for (held_part* x : {&a, &b}) {
      x->extent /= taken;
      x->divisor *= taken;
    }
    if (a.extent == 1) ++i;
    if (b.extent == 1) ++j;
  }
  return {};
}

/// The number of elements of dimension d at different places.
AXE_LAZY_FN constexpr integer told_apart(partition_data const& p, int d) {
  integer n = 1;
  for (owned_digits const* digits : {&p.by_thread, &p.by_register})
    for (owned_digit const& o : *digits) n *= o.dimension == d ? o.extent : 1;
  return n;
}

AXE_LAZY_FN constexpr outcome<register_match> match_registers(partition_data const& a,
                                                              extent_list const& s,
                                                              partition_data const& b,
                                                              extent_list const& t) {
  if (a.why) return a.why;
  if (b.why) return b.why;
  if (s.size() != t.size()) return refusal{rule::elementwise_rank, {s.size(), t.size()}};
  if (a.registers > register_match::most)
    return refusal{rule::elementwise_registers, {a.registers}};
  for (int d = 0; d < s.size(); ++d)
    if (s[d] != t[d] && t[d] != 1) return refusal{rule::elementwise_extents, {d, s[d], t[d]}};
  if (a.thread != b.thread && a.thread != axis::null && b.thread != axis::null)
    return refusal{rule::partition_of_two_thread_axes, {}, {a.thread, b.thread}};
  // All threads of a are threads of b.
  if (b.thread != axis::null &&
      (a.first_thread < b.first_thread || b.first_thread + b.threads < a.first_thread + a.threads))
    return refusal{
        rule::elementwise_other_threads,
        {a.first_thread, a.first_thread + a.threads, b.first_thread, b.first_thread + b.threads},
        {b.thread}};
  for (int d = 0; d < s.size(); ++d) {
    if (t[d] == 1) continue;
    refusal const bad = check_parts(parts_of(a, d, s[d]), parts_of(b, d, s[d]),
                                    a.first_thread - b.first_thread, a.threads, d);
    if (bad) return bad;
  }
  register_match found;
  for (int r = 0; r < a.registers; ++r) {
    integer at = 0;
    for (owned_digit const& o : b.by_register)
      if (t[o.dimension] != 1)
        at += register_step(a, r, o.dimension) / o.step % o.extent * o.divisor;
    // Of several replicas take the one with the same number: `to` may be the operand itself.
    bool same = r < b.registers;
    for (int d = 0; d < s.size(); ++d)
      same = same &&
             (t[d] == 1 || register_step(b, static_cast<int>(at), d) == register_step(b, r, d));
    if (same) at = r;
    found.at.push(static_cast<short>(at));
  }
  return found;
}

/// The same for a layout on a shape.
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
  detail::fragment_facts const a = detail::facts_of_fragment(p, s);
  detail::fragment_facts const b = detail::facts_of_fragment(q, t);
  return detail::match_registers(a.held, a.extents, b.held, b.extents);
}

AXE_LAZY_FN constexpr register_match match_registers(layout const& p, shape const& s,
                                                     layout const& q, shape const& t) {
  outcome<register_match> const result = try_match_registers(p, s, q, t);
  if (!result) detail::stop_on(result.why, "match_registers", {&p, &q, &s, &t});
  return *result;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
