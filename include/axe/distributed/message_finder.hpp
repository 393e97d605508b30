// SPDX-License-Identifier: MIT
// message_finder: finds the messages of a step to one device, the target.
#pragma once

#include <axe/distributed/route.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

struct message {
  integer step = 0;
  integer from = 0;  // device numbers
  integer to = 0;
  buffer read = buffer::src;
  buffer write = buffer::dst;
  bool adds = false;
  integer read_at = 0;  // added to addresses
  integer write_at = 0;
  integer holder = -1;  // its position fixes src's digits; -1: none
  integer target = -1;  // its position fixes dst's digits; -1: none
  integer share = -1;   // of a sum's elements; -1: all
  integer piece = 0;

  AXE_FN constexpr bool local() const { return from == to; }
  constexpr bool operator==(message const&) const = default;
};

namespace detail {

AXE_FN constexpr integer offset_of_summand(reshard_plan const& p, integer summand) {
  integer sum = 0;
  for (int k = p.src.summands_in_memory.size() - 1; k >= 0; --k) {
    iter const& i = p.src.summands_in_memory[k];
    sum += summand % i.extent * i.stride;
    summand /= i.extent;
  }
  return sum;
}

AXE_FN constexpr integer offset_of_memory_replica(reshard_plan const& p, integer k) {
  step_limit all(largest);
  integer at = 0;
  for (; k > 0; --k) at = p.dst.memory_replicas.at_least(at + 1, all);
  return at;
}

/// The number of classes. In a plan with pieces, each device counts as one.
AXE_FN constexpr integer count_classes(reshard_plan const& p) {
  if (p.pieces > 1) return p.device_count();
  integer product = 1;
  for (device_digit const& d : p.src.on_devices)
    if (d.kind == placed::element) product *= d.extent;
  return product;
}

/// The device at replica 0 that holds class k, or -1 if the class is padding.
AXE_FN constexpr integer representative_of_class(reshard_plan const& p, integer k) {
  if (p.pieces > 1) return k;
  held digits;
  position at;
  for (int a = 0; a < p.axes; ++a) at.at[a] = p.src.first[a];
  for (int i = p.src.on_devices.size() - 1; i >= 0; --i) {
    device_digit const& d = p.src.on_devices[i];
    if (d.kind != placed::element) continue;
    digits.value[i] = k % d.extent;
    k /= d.extent;
    at.at[d.on] += digits.value[i] * d.stride;
  }
  for (int a = 0; a < p.axes; ++a)
    if (!p.src.is_real(a, digits)) return -1;
  return p.device_at(at);
}

/// The representative of the class that a device holds, or -1 if it holds nothing.
AXE_FN constexpr integer representative_of(reshard_plan const& p, integer device) {
  position at = p.position_of(device);
  held const holds = p.src.held_at(at, p.axes);
  if (!holds.any) return -1;
  for (int a = 0; a < p.axes; ++a)
    at.at[a] -= p.src.moved(a, holds, placed::replica) + p.src.moved(a, holds, placed::summand);
  return p.device_at(at);
}

AXE_FN constexpr integer group_of_device(reshard_plan const& p, integer device) {
  held const holds = p.src.held_at(p.position_of(device), p.axes);
  if (!holds.any) return -1;
  for (integer group = 0; group < p.groups; ++group) {
    position const offset = offset_of_group(p, group);
    bool same = true;
    for (int a = 0; a < p.axes; ++a)
      same = same && offset.at[a] == p.src.moved(a, holds, placed::summand);
    if (same) return group;
  }
  return -1;
}

struct message_finder {
  reshard_plan const* p;
  position target{};
  held wants{};
  position target_base{};
  integer shared_representative = -1;  // `shared` was computed for these three
  position shared_base{};
  position shared_adder{};
  shares_of_adder shared{};

  AXE_FN constexpr message_finder(reshard_plan const& plan, integer device) : p(&plan) {
    set_target(device);
  }
  AXE_FN constexpr void set_target(integer device) {
    target = p->position_of(device);
    set_piece(0);
  }
  AXE_FN constexpr void set_piece(integer piece) {
    wants = p->dst.held_at(target, p->axes, piece);
    for (int a = 0; a < p->axes; ++a)
      target_base.at[a] = target.at[a] - p->dst.moved(a, wants, placed::replica);
  }

  AXE_FN constexpr bool is_base(held const& holds) const {
    if (!holds.any || !p->src.none_of(holds, placed::summand)) return false;
    for (int a = 0; a < p->axes; ++a)
      if (p->src.moved(a, holds, placed::replica) != 0) return false;
    return true;
  }

  /// The first class from `number` on that may have a wanted element. Precondition: one piece.
  AXE_FN constexpr integer next_class(integer number, integer slice) const {
    integer const all = count_classes(*p);
    if (!wants.any) return all;
    while (number < all) {
      held leading;
      for (integer& value : leading.value) value = -1;
      integer block = all;
      integer skipped = 0;
      for (int i = 0; i < p->src.on_devices.size() && skipped == 0; ++i) {
        device_digit const& d = p->src.on_devices[i];
        if (d.kind != placed::element) continue;
        block /= d.extent;
        leading.value[i] = number / block % d.extent;
        if (block > 1 && number % block == 0 && !wants_some_of(leading, slice, -1)) skipped = block;
      }
      if (skipped == 0) break;
      number += skipped;
    }
    return number;
  }
  AXE_FN constexpr integer most_messages(integer step, integer representative) const {
    stage const kind = p->step(step).kind;
    if (kind == stage::add_inside || kind == stage::replicate) return p->pieces;
    if (p->pieces > 1) return p->pieces * p->shares;
    return wants.any && is_base(p->src.held_at(p->position_of(representative), p->axes)) ? p->shares
                                                                                         : 0;
  }
  /// The first message from k on whose share `adder` may add up.
  AXE_FN constexpr integer next_for_adder(integer k, integer all, integer representative,
                                          position const& adder) {
    if (p->shares == 1 || p->pieces > 1) return k;
    if (shared_representative != representative || !(shared_base == target_base) ||
        !(shared_adder == adder)) {
      shared_representative = representative;
      shared_base = target_base;
      shared_adder = adder;
      shared = shares_of_adder(*p, p->position_of(representative), target_base, adder);
    }
    while (k < all && !shared.may_have(k, p->axes)) ++k;
    return k;
  }
  AXE_FN constexpr bool find_summand(integer summand, message& out) const {
    if (!p->src.held_at(target, p->axes, out.piece).any) return false;
    out.write = buffer::tmp0;
    out.adds = summand > 0;
    out.read_at = p->src.first_address + offset_of_summand(*p, summand);
    out.write_at = p->src.first_address;
    out.holder = out.from;
    return true;
  }
  /// Sets `out` to message k of a step. False if there is none. In a step inside a device,
  /// `representative` is `device`.
  AXE_FN constexpr bool find(integer number, integer device, integer representative, integer k,
                             message& out) {
    reshard_step const step = p->step(number);
    bool const inside = step.kind == stage::add_inside || step.kind == stage::replicate;
    integer const piece = inside ? k : k / p->shares;
    if (p->pieces > 1) set_piece(piece);
    out = {};
    out.step = number;
    out.piece = piece;
    out.from = device;
    out.to = device;
    if (step.kind == stage::add_inside) return find_summand(step.index, out);
    if (!wants.any) return false;
    out.target = device;
    out.write_at = p->dst.first_address;
    if (step.kind == stage::replicate) {
      out.read = buffer::dst;
      out.read_at = p->dst.first_address;
      out.write_at += offset_of_memory_replica(*p, step.index);
      return true;
    }
    position const base = p->position_of(representative);
    held const holds = p->src.held_at(base, p->axes, piece);
    if (p->pieces > 1 && !is_base(holds)) return false;
    integer const share = k % p->shares;
    route const found = route_of(*p, step, {base, target, target_base, share});
    if (p->shares > 1) out.share = share;
    if (!found.exists || !wants_some_of(holds, p->slice_of(number), out.share)) return false;
    out.from = p->device_at(found.from);
    out.read = found.read;
    out.read_at = found.read == buffer::dst ? p->dst.first_address : p->src.first_address;
    out.adds = step.kind == stage::add_across && step.index > 0;
    out.holder = representative;
    return true;
  }
  AXE_FN constexpr bool wants_some_of(held const& holds, integer slice, integer share) const {
    return !element_boxes(p->tensor, {&holds, &wants, slice, share}, 0, p->tensor.parts.size())
                .at_end();
  }
};

}  // namespace detail

}  // namespace AXE_NAMESPACE
}  // namespace axe
