// SPDX-License-Identifier: MIT
// elements_entering(plan, level): the elements that enter the enclosures of a level, such as nodes.
//
//     replicate S[4:1] from device 0 over 2 nodes of 2 devices: 4 elements enter a node
//
// Definition: docs/distributed.md, "Levels".
#pragma once

#include <axe/distributed/volume.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

AXE_FN constexpr bool enclosure_has_one_coordinate(reshard_plan const& p, int on, int level) {
  return p.level_of[on] != 0 && p.level_of[on] <= level;
}

AXE_FN constexpr bool crosses_level(reshard_plan const& p, message const& m, int level) {
  position const from = p.position_of(m.from);
  position const to = p.position_of(m.to);
  for (int a = 0; a < p.axes; ++a)
    if (enclosure_has_one_coordinate(p, a, level) && from.at[a] != to.at[a]) return true;
  return false;
}

AXE_FN constexpr void free_digits_inside(reshard_plan const& p, holding_side const& s, int level,
                                         held& h) {
  for (int k = 0; k < s.on_devices.size(); ++k)
    if (!enclosure_has_one_coordinate(p, s.on_devices[k].on, level)) h.value[k] = -1;
}

AXE_FN constexpr integer count_inside(reshard_plan const& p, integer enclosure, int level,
                                      integer piece) {
  position src_offsets;
  position dst_offsets;
  held src = p.src.digits_of_piece(piece, src_offsets);
  held dst = p.dst.digits_of_piece(piece, dst_offsets);
  for (int a = p.axes - 1; a >= 0; --a) {
    if (!enclosure_has_one_coordinate(p, a, level)) continue;
    integer const at = enclosure % p.devices.axes[a].extent;
    enclosure /= p.devices.axes[a].extent;
    if (!p.src.solve(p.src.first_on(a), a, at - p.src.first[a] - src_offsets.at[a], src,
                     all_placed) ||
        !p.dst.solve(p.dst.first_on(a), a, at - p.dst.first[a] - dst_offsets.at[a], dst,
                     all_placed))
      return 0;
  }
  free_digits_inside(p, p.src, level, src);
  free_digits_inside(p, p.dst, level, dst);
  return count_elements(p.tensor, {&src, &dst});
}

}  // namespace detail

/// Levels count from 1.
AXE_FN constexpr integer elements_entering(reshard_plan const& p, int level) {
  integer sum = 0;
  for (message const& m : messages(p))
    if (detail::crosses_level(p, m, level)) sum += count(p, m);
  return sum;
}

/// The lower bound of elements_entering() for plans without summands.
AXE_FN constexpr integer least_elements_entering(reshard_plan const& p, int level) {
  integer wanted = p.elements();  // elements times the enclosures that want them
  for (int a = 0; a < p.axes; ++a)
    if (detail::enclosure_has_one_coordinate(p, a, level))
      wanted *= detail::count_sums(p.dst.replicas_on(a));
  integer enclosures = 1;
  for (int a = 0; a < p.axes; ++a)
    if (detail::enclosure_has_one_coordinate(p, a, level)) enclosures *= p.devices.axes[a].extent;
  for (integer e = 0; e < enclosures; ++e) {
    for (integer piece = 0; piece < p.pieces; ++piece)
      wanted -= detail::count_inside(p, e, level, piece);
  }
  return wanted;
}

AXE_FN constexpr integer volume_of_gathering(reshard_plan const& p) {
  integer const devices = p.device_count();
  if (p.groups > 1) return p.elements() * (p.groups + devices - 2);
  return p.elements() * (devices - p.src.replicas(p.axes));
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
