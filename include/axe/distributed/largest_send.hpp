// SPDX-License-Identifier: MIT
// largest_send(plan): the elements that the busiest device sends in one direct step, under the best
// choice of senders.
//
//     S[8:1] on devices 0 and 1 -> on 0, 1, 2, 3       16 elements from two holders: 8 each
//
// Definition: docs/distributed.md, "Bounds".
#pragma once

#include <axe/distributed/shared_demand.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

struct send_bound {
  integer elements = 0;  // some device must send this many; none needs to send more
  integer demand = 0;    // elements that only `holders` devices can send
  integer holders = 0;
  integer device = 0;  // one of the holders
};

/// Rejects sums over devices.
AXE_LAZY_FN constexpr outcome<send_bound> try_largest_send(reshard_plan const& p,
                                                           step_limit steps = {}) {
  if (p.groups > 1) return refusal{rule::largest_send_of_a_sum, {p.groups}};
  send_bound worst;
  integer const holders = p.src.replicas(p.axes);
  if (p.pieces == 1) {
    for (integer d = 0; d < p.device_count(); ++d) {
      integer const demand = detail::demand_on_holders(p, d);
      integer const share = detail::ceil_divide(demand, holders);
      if (share > worst.elements) worst = {share, demand, holders, d};
    }
    return worst;
  }
  integer edges = p.device_count();
  if (!detail::multiply(edges, holders) || edges > steps.allowed) return steps.refusal();
  detail::shared_demand flow(p, steps);
  while (!flow.serve(worst.elements)) {
    if (flow.undecided()) return steps.refusal();
    worst = {0, flow.cut_demand(), flow.cut_holders(), flow.cut_device()};
    worst.elements = detail::ceil_divide(worst.demand, worst.holders);
  }
  return worst;
}

AXE_LAZY_FN constexpr send_bound largest_send(reshard_plan const& p, step_limit steps = {}) {
  return detail::stop_on(try_largest_send(p, steps), "largest_send",
                         {&p.from.places, &p.to.places, &p.from.extents, &p.to.extents});
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
