// SPDX-License-Identifier: MIT
// reshard_plan: how a tensor moves between two shardings, as a value of fixed size.
//
// In a step all reads come before all writes. Steps are in the order of `stage`; without
// add_across, release follows the moves. tmp0 is a buffer for sums inside a device.
// Definition: docs/distributed.md, "Plans" and "Messages".
#pragma once

#include <axe/distributed/held.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

struct reshard_options {
  /// Mesh axes, outermost first.
  list<axis, capacity::mesh_axes> levels{};
  /// Limits the elements that a device receives in a step plus those in its tmp0. 0: no limit.
  integer scratch = 0;
};

enum class stage : unsigned char {
  add_inside,
  add_across,
  release,    // frees tmp0
  move,       // with levels only to the first device of an enclosure
  pass_on,    // to its other devices
  replicate,  // in a device's memory
};

struct reshard_step {
  stage kind = stage::move;
  integer index = 0;  // summand or group from 0, level or replica from 1

  constexpr bool operator==(reshard_step const&) const = default;
};

struct reshard_plan {
  sharding from;
  sharding to;
  detail::tensor_parts tensor;
  detail::holding_side src;
  detail::holding_side dst;
  mesh devices;  // one axis of all ranks if the meshes differ
  bool by_rank = false;
  int axes = 0;
  int levels = 0;                       // distinct entries of options.levels
  int level_of[capacity::mesh_axes]{};  // of an axis, from 1; 0: none
  integer groups = 1;
  integer in_memory = 1;          // summands in a device
  integer memory_replicas = 1;    // of dst in a device
  integer slices = 1;             // the steps are repeated for each
  integer shares = 1;             // of a sum, each added up by one device
  integer pieces = 1;             // all elements of a piece are on the same devices
  integer bound_per_element = 1;  // no count exceeds elements() * this

  AXE_FN constexpr integer steps() const { return slices * steps_of_slice(); }
  AXE_FN constexpr integer slice_of(integer k) const { return k / steps_of_slice(); }
  AXE_FN constexpr integer steps_of_slice() const {
    integer const inside = in_memory > 1 ? in_memory : 0;
    return inside + (groups > 1 ? groups : 0) + (in_memory > 1 ? 1 : 0) + moves() +
           memory_replicas - 1;
  }
  AXE_FN constexpr integer moves() const { return 1 + levels; }

  AXE_FN constexpr reshard_step step(integer k) const {
    k %= steps_of_slice();
    integer const inside = in_memory > 1 ? in_memory : 0;
    integer const across = groups > 1 ? groups : 0;
    if (k < inside) return {stage::add_inside, k};
    k -= inside;
    if (k < across) return {stage::add_across, k};
    k -= across;
    if (inside > 0 && across > 0) {
      if (k == 0) return {stage::release, 0};
      --k;
    }
    if (k < moves()) return {k == 0 ? stage::move : stage::pass_on, k};
    k -= moves();
    if (inside > 0 && across == 0) {
      if (k == 0) return {stage::release, 0};
      --k;
    }
    return {stage::replicate, k + 1};
  }

  AXE_FN constexpr integer device_count() const { return devices.devices(); }
  AXE_FN constexpr detail::position position_of(integer device) const {
    detail::position p;
    for (int a = axes - 1; a >= 0; --a) {
      p.at[a] = device % devices.axes[a].extent;
      device /= devices.axes[a].extent;
    }
    return p;
  }
  AXE_FN constexpr integer device_at(detail::position const& p) const {
    integer device = 0;
    for (int a = 0; a < axes; ++a) device = device * devices.axes[a].extent + p.at[a];
    return device;
  }
  AXE_FN constexpr integer rank_of(integer device) const { return devices.rank_of(device); }
  AXE_FN constexpr bool holds_any(detail::holding_side const& side, integer device) const {
    for (integer k = 0; k < pieces; ++k)
      if (side.held_at(position_of(device), axes, k).any) return true;
    return false;
  }
  /// The number of elements, without padding and summands.
  AXE_FN constexpr integer elements() const {
    integer product = 1;
    for (integer e : tensor.real) product *= e;
    return product;
  }
};

namespace detail {

/// If `by_rank`, the strides of `out` count ranks.
AXE_LAZY_FN constexpr void place_side(holding_side& out,
                                      list<side_digit, most_tensor_parts>& digits,
                                      sharding const& s, sharded_digits const& cut, bool by_rank) {
  auto const on_device = [&](iter const& i, placed kind) {
    int const k = s.devices.index_of(i.on);
    integer const step = by_rank ? i.stride * s.devices.axes[k].rank_stride : i.stride;
    return device_digit{i.extent, step, by_rank ? 0 : k, kind, {}};
  };
  for (side_digit& d : digits) {
    if (d.on == axis::m) continue;
    device_digit own = on_device({d.reached, d.stride, d.on}, placed::element);
    own.in = d.in;
    own.piece_step = d.piece_step;
    int const at = out.add(own, digits);
    d.index_on_devices = at;
  }
  for (iter const& i : cut.summands) {
    if (i.on == axis::m) {
      out.summands_in_memory.push(i);
      continue;
    }
    out.summands_on_devices.push(i);
    out.add(on_device(i, placed::summand), digits);
  }
  for (iter const& r : s.places.replicas)
    if (r.on != axis::m && r.stride != 0 && r.extent > 1)
      out.add(on_device(r, placed::replica), digits);
  for (int k = 0; k < s.devices.axes.size(); ++k) {
    integer const o = s.places.offset(s.devices.axes[k].on);
    if (by_rank)
      out.first[0] += o * s.devices.axes[k].rank_stride;
    else
      out.first[k] = o;
  }
  if (by_rank) out.first[0] += s.devices.first_rank;
  out.memory_replicas = sums_on(s.places.replicas, axis::m);
  out.first_address = s.places.offset(axis::m) + out.memory_replicas.least;
  out.memory_replicas.least = 0;
}

AXE_LAZY_FN constexpr refusal number_levels(reshard_plan& p, reshard_options const& options) {
  for (axis on : options.levels) {
    int const k = p.devices.index_of(on);
    if (k < 0 || p.by_rank) return {rule::reshard_level, {}, {on}};
    if (p.level_of[k] == 0) p.level_of[k] = ++p.levels;
  }
  return {};
}

AXE_LAZY_FN constexpr refusal set_largest_factor(reshard_plan& p) {
  integer elements = p.elements();
  integer on_device = count_sums(sums_on(p.from.places.replicas, axis::m));
  p.bound_per_element = p.device_count();
  bool const fits = add(p.bound_per_element, p.groups) && multiply(on_device, p.in_memory) &&
                    add(on_device, p.memory_replicas) && add(on_device, 1);
  p.bound_per_element = larger(p.bound_per_element, on_device);
  if (!fits || !multiply(elements, p.bound_per_element)) return {rule::reshard_overflows};
  return {};
}

AXE_LAZY_FN constexpr refusal slice_parts(reshard_plan& p, integer scratch) {
  integer held = 1;
  integer wanted = 1;
  for (side_digit const& d : p.tensor.src)
    if (d.in_memory() || d.piece_step != 0) held *= d.reached;
  for (side_digit const& d : p.tensor.dst)
    if (d.in_memory() || d.piece_step != 0) wanted *= d.reached;
  integer in_flight = wanted + (p.in_memory > 1 ? held : 0);
  for (tensor_part& part : p.tensor.parts) {
    if (in_flight <= scratch) break;
    if (!part.regular() || !p.tensor.src[part.src_first].in_memory() ||
        !p.tensor.dst[part.dst_first].in_memory())
      continue;
    integer const extent = p.tensor.src[part.src_first].reached;
    in_flight /= extent;
    part.slice_width = larger(1, smaller(extent, scratch / in_flight));
    part.slices = ceil_divide(extent, part.slice_width);
    in_flight *= part.slice_width;
  }
  if (in_flight > scratch) return {rule::reshard_scratch, {scratch, in_flight}};
  for (int k = p.tensor.parts.size() - 1; k >= 0; --k) {
    p.tensor.parts[k].slices_below = p.slices;
    p.slices *= p.tensor.parts[k].slices;
  }
  return {};
}

/// Divides a sum among the replicas of dst, along the longest part in memory on both sides.
AXE_LAZY_FN constexpr void share_sum(reshard_plan& p) {
  if (p.groups == 1 || p.slices > 1 || p.levels > 0) return;
  integer longest = 1;
  for (int k = 0; k < p.tensor.parts.size(); ++k) {
    tensor_part const& part = p.tensor.parts[k];
    if (part.extent <= longest || !part.regular() || part.run_is_one_padded_dimension ||
        !p.tensor.src[part.src_first].in_memory() || !p.tensor.dst[part.dst_first].in_memory())
      continue;
    longest = part.extent;
    p.tensor.share_part = k;
  }
  integer replicas = 1;
  for (int a = 0; a < p.axes; ++a) replicas *= p.dst.replica_extent(a);
  p.tensor.share_width = ceil_divide(longest, replicas);
  p.shares = ceil_divide(longest, p.tensor.share_width);
}

AXE_LAZY_FN constexpr void set_devices(reshard_plan& p) {
  if (p.by_rank)
    p.devices.add(axis::gpuid, 1 + larger(p.from.devices.last_rank(), p.to.devices.last_rank()));
  else
    p.devices = p.from.devices;
  p.axes = p.devices.axes.size();
}

}  // namespace detail

/// Rejects different shapes, summands in `to`, levels that are not axes of a shared mesh, and too
/// small a scratch.
AXE_LAZY_FN constexpr outcome<reshard_plan> try_plan_reshard(sharding const& from,
                                                             sharding const& to,
                                                             reshard_options const& options = {},
                                                             step_limit steps = {}) {
  outcome<detail::sharded_digits> a = detail::checked_digits(from, steps);
  if (a.why) return a.why;
  outcome<detail::sharded_digits> b = detail::checked_digits(to, steps);
  if (!b) return of_operand(1, b.why);
  if (to.summands != 0) return refusal{rule::reshard_into_a_sum, {to.summands}};
  if (!(a.value.real == b.value.real))
    return refusal{from.real.rank() + to.real.rank() > 0 ? rule::reshard_real
                                                         : rule::reshard_shapes};
  if (refusal const bad = detail::share_padding(a.value, b.value)) return bad;
  outcome<reshard_plan> result;
  reshard_plan& p = result.value;
  p.from = from;
  p.to = to;
  p.tensor = detail::parts_of(*a, *b);
  if (p.tensor.enumerates() && (detail::invalid_if_padding_is_real(from, *a, steps) ||
                                detail::invalid_if_padding_is_real(to, *b, steps)))
    p.pieces = p.tensor.cut_into_pieces();
  if (p.pieces > steps.allowed) return steps.refusal();
  p.by_rank = !(from.devices == to.devices);
  detail::place_side(p.src, p.tensor.src, from, *a, p.by_rank);
  detail::place_side(p.dst, p.tensor.dst, to, *b, p.by_rank);
  if (p.tensor.overflowed || p.src.overflowed || p.dst.overflowed)
    return refusal{rule::reshard_too_many_digits, {detail::most_on_devices}};
  detail::set_devices(p);
  if (refusal const bad = detail::number_levels(p, options)) return bad;
  for (iter const& i : p.src.summands_on_devices) p.groups *= i.extent;
  for (iter const& i : p.src.summands_in_memory) p.in_memory *= i.extent;
  p.memory_replicas = detail::count_sums(p.dst.memory_replicas);
  if (refusal const bad = detail::set_largest_factor(p)) return bad;
  if (options.scratch > 0)
    if (refusal const bad = detail::slice_parts(p, options.scratch)) return bad;
  detail::share_sum(p);
  return result;
}

AXE_LAZY_FN constexpr reshard_plan plan_reshard(sharding const& from, sharding const& to,
                                                reshard_options const& options = {},
                                                step_limit steps = {}) {
  return detail::stop_on(try_plan_reshard(from, to, options, steps), "plan_reshard",
                         {&from.places, &to.places, &from.extents, &to.extents});
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
