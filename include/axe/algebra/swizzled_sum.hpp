// When does adding commute with a swizzle? f(a + b) = a + f(b) for every outer step a and inner address b that occur.
//
//     f = swizzle(3,1,3), inner 16:1, outer steps 16 and 32       exact, though neither is a multiple of the period 128
//     f = swizzle(3,3,3), inner (64,64):(64,1), outer 96          refused: 96 reaches bits that the swizzle reads
//
// f(m + period) = f(m) + period, so a matters only modulo the period: the distinct residues of A's places are tabulated (at most `period`), and B's
// addresses against each, within the step bound.
// Definition: docs/algebra.md, D11, D16.
#pragma once

#include <axe/map/reach.hpp>

namespace axe::inline AXE_NAMESPACE::detail {

/// Every address that a bag of iters reaches from `start`, slowest iter first; false once visit says so.
template <class Visit>
AXE_FN constexpr bool visit_sums(iter_bag const& bag, int k, integer at, Visit const& visit) {
  if (k == bag.size()) return visit(at);
  for (integer c = 0; c < bag[k].extent; ++c)
    if (!visit_sums(bag, k + 1, at + c * bag[k].stride, visit)) return false;
  return true;
}

template <class Iters> AXE_FN constexpr void add_residues(Iters const& iters, integer period, iter_bag& bag) {
  for (iter const& i : iters) {
    if (i.on != axis::m || i.stride == 0 || i.extent == 1) continue;
    integer const turn = period / greatest_common_divisor(period, i.stride);
    if (turn > 1) bag.push({smaller(i.extent, turn), i.stride % period, axis::m});
  }
}

/// D and R on m, each iter no longer than its residues modulo the period repeat.
AXE_FN constexpr iter_bag residues_of(layout const& l, integer period) {
  iter_bag bag;
  add_residues(l.shards, period, bag);
  add_residues(l.replicas, period, bag);
  return bag;
}

/// May A, plain, be added to B under B's swizzle?
AXE_FN constexpr refusal check_sum_swizzle(layout const& a, layout const& b, step_budget& steps) {
  if (!a.swizzle.none()) {
    step_budget own = steps;
    outcome<swizzled_walk> const walked = walk_swizzled(a, own);
    if (!walked) return walked.why;
    if (walked->moves) return {rule::outer_is_swizzled};
  }
  if (b.swizzle.none()) return {};
  if (axis const other = moves_beside_memory(a); other != axis::null)
    return {rule::swizzled_inner_on_memory_only, {}, {other}};
  axe::swizzle const f = b.swizzle;
  integer const period = f.period();
  iter_bag const inner = residues_of(b, period);
  refusal found;
  visit_sums(residues_of(a, period), 0, a.offset(axis::m) % period, [&](integer outer) {
    return visit_sums(inner, 0, b.offset(axis::m) % period, [&](integer address) {
      if (!steps.take()) {
        found = steps.refusal();
        return false;
      }
      if (f(outer + address) == outer + f(address)) return true;
      found = {rule::swizzle_does_not_commute, {outer, address, outer + f(address), f(outer + address)}};
      return false;
    });
  });
  return found;
}

}  // namespace axe::inline AXE_NAMESPACE::detail
