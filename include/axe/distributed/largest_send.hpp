// SPDX-License-Identifier: MIT
// largest_send(plan): the least maximum of what one device must send in a direct movement.
//
//     S[8:1] on devices 0 and 1 -> on 0, 1, 2, 3       16 elements from two holders: 8 each
//
// Classes have disjoint holders, because a position fixes its digits. So the replicas of a class
// share its demand and nothing else, and the maximum flow is the closed form
// max over classes of ceil(demand / holders). Definition: docs/distributed.md, "Bounds".
#pragma once

#include <axe/distributed/volume.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

struct send_bound {
  integer elements = 0;  // some device must send as many, and no device needs to send more
  integer demand = 0;    // that only these devices can serve
  integer holders = 0;
  integer device = 0;  // one of them
};

namespace detail {

/// Calls visit(position) for every device that holds the class of a base position.
template <class Visit>
AXE_FN constexpr void for_each_holder(reshard_plan const& p, position const& base,
                                      Visit const& visit, int on = 0, position at = {}) {
  if (on == p.axes) return visit(at);
  sum_set set;
  for (device_digit const& d : p.src.on_devices)
    if (d.on == on && d.what == placed::replica) set.add(d.extent, d.stride);
  set.saturate();
  step_limit all(largest);
  for (integer v = set.least; v != sum_set::none; v = set.at_least(v + 1, all)) {
    at.at[on] = base.at[on] + v;
    for_each_holder(p, base, visit, on + 1, at);
  }
}

}  // namespace detail

/// For a movement. Cost: O(devices).
AXE_LAZY_FN constexpr outcome<send_bound> try_largest_send(reshard_plan const& p) {
  if (p.groups > 1) return refusal{rule::largest_send_of_a_sum, {p.groups}};
  if (p.pieces > 1) return refusal{rule::largest_send_of_pieces, {p.pieces}};
  send_bound worst;
  integer const holders = p.src.replicas(p.axes);
  integer const copies = detail::targets_of_element(p);
  detail::message_finder const any(p, 0);
  for (integer d = 0; d < p.device_count(); ++d) {
    detail::position const base = p.position_of(d);
    detail::held const holds = p.src.held_at(base, p.axes);
    if (!any.is_base(holds)) continue;
    integer demand = detail::count_elements(p.tensor, {&holds, nullptr}) * copies;
    if (demand <= worst.elements * holders) continue;
    detail::for_each_holder(p, base, [&](detail::position const& at) {
      detail::held const wants = p.dst.held_at(at, p.axes);
      if (wants.any) demand -= detail::count_elements(p.tensor, {&holds, &wants});
    });
    integer const share = detail::ceil_divide(demand, holders);
    if (share > worst.elements) worst = {share, demand, holders, d};
  }
  return worst;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
