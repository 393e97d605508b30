// SPDX-License-Identifier: MIT
// A plan's volume and rounds, and a device's traffic and memory. All but rounds count elements.
//
//     8 x 8, rows to columns on 4 devices:  each lacks 12 of its 16 elements, volume 48
//
// Proofs: docs/distributed.md.
#pragma once

#include <axe/distributed/runs.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

struct traffic {
  integer sent = 0;
  integer received = 0;
};

namespace detail {

struct device_digits {
  held src;
  held dst;

  AXE_FN constexpr device_digits(reshard_plan const& p, integer device, integer piece) {
    position const at = p.position_of(device);
    src = p.src.held_at(at, p.axes, piece);
    dst = p.dst.held_at(at, p.axes, piece);
  }
};

/// The elements that a device wants and holds. With a summand it holds the sum's element.
AXE_FN constexpr integer count_common(reshard_plan const& p, integer device, integer piece) {
  device_digits const d(p, device, piece);
  return d.src.any && d.dst.any ? count_elements(p.tensor, {&d.src, &d.dst}) : 0;
}

/// True if the device adds up sums that it wants, and holds summands of them.
AXE_FN constexpr bool adds_own(reshard_plan const& p, integer device, integer piece) {
  position const at = p.position_of(device);
  device_digits const d(p, device, piece);
  if (!d.src.any || !d.dst.any) return false;
  position base = at;
  position target_base = at;
  for (int a = 0; a < p.axes; ++a) {
    base.at[a] -= p.src.moved(a, d.src, placed::replica) + p.src.moved(a, d.src, placed::summand);
    target_base.at[a] -= p.dst.moved(a, d.dst, placed::replica);
  }
  position const root = adder_of(p, base, target_base, 0);
  for (int a = 0; a < p.axes; ++a)
    if (root.at[a] != at.at[a]) return false;
  return true;
}

}  // namespace detail

AXE_FN constexpr integer volume(reshard_plan const& p) {
  integer sum = 0;
  for (message const& m : messages(p))
    if (!m.local()) sum += count(p, m);
  return sum;
}

/// The lower bound of the volume of any plan.
AXE_FN constexpr integer least_volume(reshard_plan const& p) {
  integer without_message = 0;
  for (integer d = 0; d < p.device_count(); ++d)
    for (integer k = 0; k < p.pieces; ++k)
      if (p.groups == 1 || detail::adds_own(p, d, k))
        without_message += detail::count_common(p, d, k);
  integer const receivers = p.dst.replicas(p.axes) + (p.groups > 1 ? p.groups - 1 : 0);
  return p.elements() * receivers - without_message;
}

/// The elements that a device wants without holding a summand.
AXE_FN constexpr integer missing(reshard_plan const& p, integer device) {
  integer sum = 0;
  for (integer k = 0; k < p.pieces; ++k) {
    detail::device_digits const d(p, device, k);
    if (d.dst.any)
      sum +=
          detail::count_elements(p.tensor, {nullptr, &d.dst}) - detail::count_common(p, device, k);
  }
  return sum;
}

AXE_FN constexpr traffic traffic_of(reshard_plan const& p, integer device) {
  traffic out;
  for (message const& m : messages(p, device))
    if (!m.local()) out.received += count(p, m);
  for (message const& m : sent(p, device)) out.sent += count(p, m);
  return out;
}

/// Sets out[0] to out[devices - 1]. Visits each message once, which is faster than traffic_of for
/// each device of a plan with levels.
AXE_FN constexpr void traffic_of_all(reshard_plan const& p, traffic* out, integer devices) {
  for (integer d = 0; d < devices; ++d) out[d] = {};
  for (message const& m : messages(p)) {
    if (m.local()) continue;
    integer const elements = count(p, m);
    if (m.from < devices) out[m.from].sent += elements;
    if (m.to < devices) out[m.to].received += elements;
  }
}

/// The number of steps in which devices exchange messages.
AXE_FN constexpr integer rounds(reshard_plan const& p) {
  integer sum = 0;
  message_range const all = messages(p);
  for (auto m = all.begin(); !(m == all.end());) {
    if (m->local()) {
      ++m;
      continue;
    }
    ++sum;
    m.skip_step();
  }
  return sum;
}

/// The elements that a device has in the buffers src, dst and tmp0.
AXE_FN constexpr integer peak_memory(reshard_plan const& p, integer device) {
  integer const replicas = detail::count_sums(detail::sums_on(p.from.places.replicas, axis::m));
  integer sum = 0;
  for (integer k = 0; k < p.pieces; ++k) {
    detail::device_digits const d(p, device, k);
    if (d.src.any) {
      integer const held = detail::count_elements(p.tensor, {&d.src, nullptr});
      sum += held * p.in_memory * replicas +
             (p.in_memory > 1 ? detail::count_elements(p.tensor, {&d.src, nullptr, 0}) : 0);
    }
    if (d.dst.any) sum += detail::count_elements(p.tensor, {nullptr, &d.dst}) * p.memory_replicas;
  }
  return sum;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
