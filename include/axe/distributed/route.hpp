// SPDX-License-Identifier: MIT
// route_of: the device that sends a class of elements to another device.
//
// Definition: docs/distributed.md, "Routes".
#pragma once

#include <axe/distributed/element_boxes.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// The tensor before, the tensor after, or partial sums.
enum class buffer : unsigned char { src, dst, tmp0 };

namespace detail {

/// `base` holds group 0 and replica 0 of a class that `target` wants.
struct class_and_target {
  position base;
  position target;
  position target_base;  // replica 0 in dst
  integer share = 0;     // of a sum's elements
};

struct route {
  bool exists = false;
  position from{};
  buffer read = buffer::src;
};

/// A holder of the group. On each axis it has the target's coordinate if a holder has it, else the
/// coordinate of the replica that is assigned to the target.
AXE_FN constexpr position holder_for(reshard_plan const& p, position const& base,
                                     position const& group, position const& target) {
  position from;
  for (int a = 0; a < p.axes; ++a) {
    integer const origin = base.at[a] + group.at[a];
    from.at[a] = p.src.reaches(a, target.at[a] - origin, false)
                     ? target.at[a]
                     : origin + p.src.assigned_replica(a, target.at[a]);
  }
  return from;
}

/// The target that adds up `share`. On each axis the targets that hold a group take turns.
AXE_FN constexpr position adder_of(reshard_plan const& p, position const& base,
                                   position const& target_base, integer share) {
  position root = target_base;
  for (int a = 0; a < p.axes; ++a) {
    integer const replicas = p.dst.replica_extent(a);
    if (replicas == 1) continue;
    integer candidates = 0;
    for (integer r = 0; r < replicas; ++r)
      if (p.src.reaches(a, target_base.at[a] + p.dst.assigned_replica(a, r) - base.at[a], true))
        ++candidates;
    integer turn = share % replicas % larger(candidates, 1);
    share /= replicas;
    if (candidates == 0) continue;
    for (integer r = 0; r < replicas; ++r) {
      integer const at = target_base.at[a] + p.dst.assigned_replica(a, r);
      if (!p.src.reaches(a, at - base.at[a], true) || turn-- > 0) continue;
      root.at[a] = at;
      break;
    }
  }
  return root;
}

/// The shares that `adder` may add up. On each axis `candidates` targets take the shares in turn,
/// and `turn` is the adder's turn.
struct shares_of_adder {
  integer replicas[capacity::mesh_axes]{};
  integer candidates[capacity::mesh_axes]{};
  integer turn[capacity::mesh_axes]{};  // -1: any
  bool none = false;

  constexpr shares_of_adder() = default;
  AXE_FN constexpr shares_of_adder(reshard_plan const& p, position const& base,
                                   position const& target_base, position const& adder) {
    for (int a = 0; a < p.axes; ++a) {
      replicas[a] = p.dst.replica_extent(a);
      turn[a] = -1;
      int found = 0;
      for (integer r = 0; r < replicas[a] && replicas[a] > 1; ++r) {
        integer const at = target_base.at[a] + p.dst.assigned_replica(a, r);
        if (!p.src.reaches(a, at - base.at[a], true)) continue;
        if (at == adder.at[a] && ++found == 1) turn[a] = candidates[a];
        ++candidates[a];
      }
      if (found > 1) turn[a] = -1;  // several replicas have the adder's coordinate
      none = none || (candidates[a] > 0 ? found == 0 : adder.at[a] != target_base.at[a]);
    }
  }
  AXE_FN constexpr bool may_have(integer share, int axes) const {
    if (none) return false;
    for (int a = 0; a < axes; ++a) {
      if (replicas[a] == 1) continue;
      if (candidates[a] > 0 && turn[a] >= 0 && share % replicas[a] % candidates[a] != turn[a])
        return false;
      share /= replicas[a];
    }
    return true;
  }
};

AXE_FN constexpr position offset_of_group(reshard_plan const& p, integer group) {
  position out;
  for (int k = p.src.summands_on_devices.size() - 1; k >= 0; --k) {
    iter const& i = p.src.summands_on_devices[k];
    integer const moved = group % i.extent * i.stride;
    group /= i.extent;
    int const axis_in_mesh = p.from.devices.index_of(i.on);
    if (p.by_rank)
      out.at[0] += moved * p.from.devices.axes[axis_in_mesh].rank_stride;
    else
      out.at[axis_in_mesh] += moved;
  }
  return out;
}

/// The level of the outermost of the target's enclosures that lack the elements. 0: the target
/// has them. levels + 1: all its enclosures have them, but the target does not.
/// has(a): a device with the elements has the target's coordinate on axis a.
AXE_FN constexpr int lacking_level(reshard_plan const& p, auto const& has) {
  int lacking = 0;
  for (int a = 0; a < p.axes; ++a) {
    if (has(a)) continue;
    int const fixed = p.level_of[a] == 0 ? p.levels + 1 : p.level_of[a];
    if (lacking == 0 || fixed < lacking) lacking = fixed;
  }
  return lacking;
}

/// The level of the outermost enclosure in which the target is the first device that wants the
/// class. 0: it is the first of all devices. levels + 1: it is never the first.
AXE_FN constexpr int leading_level(reshard_plan const& p, class_and_target const& c) {
  int level = 0;
  for (int a = 0; a < p.axes; ++a)
    if (c.target.at[a] != c.target_base.at[a])
      level = static_cast<int>(larger(level, p.level_of[a] == 0 ? p.levels + 1 : p.level_of[a]));
  return level;
}

AXE_FN constexpr route route_of_move(reshard_plan const& p, reshard_step step,
                                     class_and_target const& c) {
  bool const sums = p.groups > 1;
  position const origin = sums ? adder_of(p, c.base, c.target_base, c.share)
                               : holder_for(p, c.base, position{}, c.target);
  int const lacking = lacking_level(p, [&](int a) { return origin.at[a] == c.target.at[a]; });
  if (sums && lacking == 0) return {};  // the target adds up the sum
  int const leading = leading_level(p, c);
  buffer const read = sums ? buffer::dst : p.in_memory > 1 ? buffer::tmp0 : buffer::src;
  if (p.levels == 0 || lacking == 0 || leading <= lacking) {
    if (step.kind != stage::move) return {};
    return {true, origin, read};
  }
  if (step.kind != stage::pass_on || step.index != leading - 1) return {};
  route out{true, c.target_base, buffer::dst};
  for (int a = 0; a < p.axes; ++a)
    if (p.level_of[a] != 0 && p.level_of[a] < leading) out.from.at[a] = c.target.at[a];
  return out;
}

/// Precondition: the step is add_across, move or pass_on.
AXE_FN constexpr route route_of(reshard_plan const& p, reshard_step step,
                                class_and_target const& c) {
  if (step.kind != stage::add_across) return route_of_move(p, step, c);
  position const root = adder_of(p, c.base, c.target_base, c.share);
  for (int a = 0; a < p.axes; ++a)
    if (root.at[a] != c.target.at[a]) return {};
  return {true, holder_for(p, c.base, offset_of_group(p, step.index), c.target),
          p.in_memory > 1 ? buffer::tmp0 : buffer::src};
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
