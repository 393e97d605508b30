// SPDX-License-Identifier: MIT
// shared_demand: distributes the elements that holders must send, by maximum flow.
//
//     holders {0,1} and {1,2} of 6 wanted elements each     each device sends 4
//
// A base is the position of a holder that is replica 0.
#pragma once

#include <axe/distributed/volume.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

AXE_FN constexpr void for_each_holder(reshard_plan const& p, position const& base,
                                      auto const& visit, int on = 0, position at = {}) {
  if (on == p.axes) return visit(at);
  sum_set const set = p.src.replicas_on(on);
  step_limit all(largest);
  for (integer v = set.least; v != sum_set::none; v = set.at_least(v + 1, all)) {
    at.at[on] = base.at[on] + v;
    for_each_holder(p, base, visit, on + 1, at);
  }
}

AXE_FN constexpr integer demand_on_holders(reshard_plan const& p, integer device) {
  message_finder const any(p, 0);
  position const base = p.position_of(device);
  integer const targets = p.dst.replicas(p.axes);
  integer demand = 0;
  for (integer piece = 0; piece < p.pieces; ++piece) {
    held const holds = p.src.held_at(base, p.axes, piece);
    if (!any.is_base(holds)) continue;
    demand += count_elements(p.tensor, {&holds, nullptr}) * targets;
    for_each_holder(p, base, [&](position const& at) {
      held const wants = p.dst.held_at(at, p.axes, piece);
      if (wants.any) demand -= count_elements(p.tensor, {&holds, &wants});
    });
  }
  return demand;
}

/// Zeros on the heap, usable in constant expressions.
class numbers {
 public:
  AXE_FN constexpr explicit numbers(integer count)
      : at(new integer[static_cast<decltype(sizeof(0))>(count)]{}) {}
  AXE_FN constexpr ~numbers() { delete[] at; }
  numbers(numbers const&) = delete;
  numbers& operator=(numbers const&) = delete;
  AXE_FN constexpr integer& operator[](integer k) { return at[k]; }
  AXE_FN constexpr integer const& operator[](integer k) const { return at[k]; }

 private:
  integer* at;
};

class shared_demand {
 public:
  AXE_FN constexpr shared_demand(reshard_plan const& p, step_limit limit)
      : devices(p.device_count()),
        holders(p.src.replicas(p.axes)),
        steps(limit),
        wanted(devices),
        unserved(devices),
        sent(devices),
        holder(devices * holders),
        flow(devices * holders),
        edges_into(devices * holders),
        count_into(devices),
        reached_by(2 * devices),
        queue(2 * devices) {
    for (integer base = 0; base < devices; ++base) {
      wanted[base] = unserved[base] = demand_on_holders(p, base);
      if (wanted[base] == 0) continue;
      integer edge = base * holders;
      for_each_holder(p, p.position_of(base), [&](position const& at) {
        integer const d = p.device_at(at);
        holder[edge] = d;
        edges_into[d * holders + count_into[d]++] = edge++;
      });
    }
  }

  /// True if devices can serve all demand with at most `capacity` each. `capacity` must not
  /// decrease between calls.
  AXE_FN constexpr bool serve(integer capacity) {
    for (;;) {
      integer const end = search(capacity);
      if (undecided()) return false;
      if (end < 0) break;
      augment(end, capacity);
    }
    for (integer base = 0; base < devices; ++base)
      if (unserved[base] > 0) return false;
    return true;
  }
  AXE_FN constexpr bool undecided() const { return steps.taken > steps.allowed; }

  /// The minimum cut of the last search.
  AXE_FN constexpr integer cut_demand() const {
    integer sum = 0;
    for (integer base = 0; base < devices; ++base)
      if (reached_by[base] != 0) sum += wanted[base];
    return sum;
  }
  AXE_FN constexpr integer cut_holders() const {
    integer count = 0;
    for (integer d = 0; d < devices; ++d)
      if (reached_by[devices + d] != 0) ++count;
    return count;
  }
  AXE_FN constexpr integer cut_device() const {
    integer d = 0;
    while (reached_by[devices + d] == 0) ++d;
    return d;
  }

 private:
  integer devices;
  integer holders;  // per base
  step_limit steps;
  numbers wanted;  // demand, by base
  numbers unserved;
  numbers sent;        // elements, by device
  numbers holder;      // holders, by base; an edge is a position in this array
  numbers flow;        // elements, by edge
  numbers edges_into;  // by device, at most `holders` each
  numbers count_into;
  numbers reached_by;  // by base, then device: 1 + the edge of the path, `root`, or 0
  numbers queue;

  static constexpr integer root = -1;

  /// Finds a shortest path from unserved demand to a device below capacity; -1: none.
  AXE_FN constexpr integer search(integer capacity) {
    integer first = 0;
    integer last = 0;
    for (integer k = 0; k < 2 * devices; ++k) reached_by[k] = 0;
    for (integer base = 0; base < devices; ++base)
      if (unserved[base] > 0) reach(base, root, last);
    while (first < last) {
      integer const node = queue[first++];
      integer const d = node - devices;
      if (d >= 0 && sent[d] < capacity) return d;
      integer const edges = d >= 0 ? count_into[d] : holders;
      for (integer k = 0; k < edges; ++k) {
        if (!steps.take()) return -1;
        integer const edge = d >= 0 ? edges_into[d * holders + k] : node * holders + k;
        if (d < 0)
          reach(devices + holder[edge], 1 + edge, last);
        else if (flow[edge] > 0)
          reach(edge / holders, 1 + edge, last);
      }
    }
    return -1;
  }
  AXE_FN constexpr void reach(integer node, integer by, integer& last) {
    if (reached_by[node] != 0) return;
    reached_by[node] = by;
    queue[last++] = node;
  }

  /// -1 at the root.
  AXE_FN constexpr integer device_before(integer d) const {
    integer const back = reached_by[(reached_by[devices + d] - 1) / holders];
    return back == root ? -1 : holder[back - 1];
  }
  AXE_FN constexpr void augment(integer end, integer capacity) {
    integer amount = capacity - sent[end];
    integer from = 0;
    for (integer d = end; d >= 0; d = device_before(d)) {
      from = (reached_by[devices + d] - 1) / holders;
      if (reached_by[from] != root) amount = smaller(amount, flow[reached_by[from] - 1]);
    }
    amount = smaller(amount, unserved[from]);
    for (integer d = end; d >= 0; d = device_before(d)) {
      integer const edge = reached_by[devices + d] - 1;
      integer const back = reached_by[edge / holders];
      flow[edge] += amount;
      if (back != root) flow[back - 1] -= amount;
    }
    unserved[from] -= amount;
    sent[end] += amount;
  }
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
