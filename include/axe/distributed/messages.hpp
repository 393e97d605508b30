// SPDX-License-Identifier: MIT
// messages(plan, device): what a device receives, step by step, its own local copies included.
// sent(plan, device): what it sends to others.
//
//     for (message m : messages(p, 3)) …          m.step, m.from, m.to, m.read, m.write, m.adds
//
// A message is a few integers; no list grows with the devices. Going through all messages costs
// O(devices * classes). Definition: docs/distributed.md, "Messages".
#pragma once

#include <axe/distributed/route.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

struct message {
  integer step = 0;  // its number in the plan
  integer from = 0;  // devices; plan.rank_of gives their ranks
  integer to = 0;
  buffer read = buffer::src;
  buffer write = buffer::dst;
  bool adds = false;    // adds to what is there
  integer read_at = 0;  // before the addresses of the elements
  integer write_at = 0;
  integer holder = -1;  // the device whose position fixes the digits of src; -1: none
  integer target = -1;  // likewise of dst
  integer share = -1;   // of the elements of a sum; -1: all
  integer piece = 0;    // of the elements

  AXE_FN constexpr bool local() const { return from == to; }
  AXE_FN friend constexpr bool operator==(message const&, message const&) = default;
};

namespace detail {

/// The end of a range whose iterator knows when it is done.
struct range_end {};

AXE_FN constexpr integer offset_of_summand(reshard_plan const& p, integer summand) {
  integer sum = 0;
  for (int k = p.src.summands_in_memory.size() - 1; k >= 0; --k) {
    iter const& i = p.src.summands_in_memory[k];
    sum += summand % i.extent * i.stride;
    summand /= i.extent;
  }
  return sum;
}

/// Replica number k in the memory of dst, in ascending order of addresses.
AXE_FN constexpr integer memory_replica(reshard_plan const& p, integer k) {
  step_limit all(largest);
  integer at = 0;
  for (; k > 0; --k) at = p.dst.memory_replicas.at_least(at + 1, all);
  return at;
}

/// The device that stands for the class which a device holds, or -1.
AXE_FN constexpr integer class_of(reshard_plan const& p, integer device) {
  position at = p.position_of(device);
  held const holds = p.src.held_at(at, p.axes);
  if (!holds.any) return -1;
  for (int a = 0; a < p.axes; ++a)
    at.at[a] -= p.src.moved(a, holds, placed::replica) + p.src.moved(a, holds, placed::summand);
  return p.device_at(at);
}

/// The summand group that a device holds, or -1.
AXE_FN constexpr integer group_of(reshard_plan const& p, integer device) {
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

/// Finds the message of a step between a class and a target.
struct message_finder {
  reshard_plan const* p;
  position target{};
  held wants{};
  position own_base{};
  integer shared_class = -1;  // of `shared`
  position shared_base{};
  position shared_adder{};
  shares_of_adder shared{};

  AXE_FN constexpr message_finder(reshard_plan const& plan, integer device) : p(&plan) {
    look_at_target(device);
  }
  AXE_FN constexpr void look_at_target(integer device) {
    target = p->position_of(device);
    look_at(0);
  }
  AXE_FN constexpr void look_at(integer piece) {
    wants = p->dst.held_at(target, p->axes, piece);
    for (int a = 0; a < p->axes; ++a)
      own_base.at[a] = target.at[a] - p->dst.moved(a, wants, placed::replica);
  }

  /// Is a device the one that stands for its class?
  AXE_FN constexpr bool is_base(held const& holds) const {
    if (!holds.any || !p->src.none_of(holds, placed::summand)) return false;
    for (int a = 0; a < p->axes; ++a)
      if (p->src.moved(a, holds, placed::replica) != 0) return false;
    return true;
  }

  /// How many messages a step can have between a class and the target, for all pieces.
  AXE_FN constexpr integer count(integer number, integer device, integer other) const {
    stage const what = p->step(number).what;
    if (what == stage::add_inside || what == stage::replicate)
      return other == device ? p->pieces : 0;
    if (what == stage::release) return 0;
    if (p->pieces > 1) return p->pieces * p->shares;
    return wants.any && is_base(p->src.held_at(p->position_of(other), p->axes)) ? p->shares : 0;
  }
  /// The next message from k on that a device can add up or send, of a sum that several add up.
  AXE_FN constexpr integer next_of(integer k, integer all, integer other, position const& adder) {
    if (p->shares == 1 || p->pieces > 1) return k;
    if (shared_class != other || !(shared_base == own_base) || !(shared_adder == adder)) {
      shared_class = other;
      shared_base = own_base;
      shared_adder = adder;
      shared = shares_of_adder(*p, p->position_of(other), own_base, adder);
    }
    while (k < all && !shared.may_have(k, p->axes)) ++k;
    return k;
  }
  /// Message k of them, or false. `other` is the device of a class; inside a device it is the
  /// device.
  AXE_FN constexpr bool find(integer number, integer device, integer other, integer k,
                             message& out) {
    reshard_step const step = p->step(number);
    bool const inside = step.what == stage::add_inside || step.what == stage::replicate;
    integer const piece = inside ? k : k / p->shares;
    if (p->pieces > 1) look_at(piece);
    out = {};
    out.step = number;
    out.piece = piece;
    out.from = device;
    out.to = device;
    if (step.what == stage::add_inside) {
      if (!p->src.held_at(target, p->axes, piece).any) return false;
      out.write = buffer::tmp0;
      out.adds = step.index > 0;
      out.read_at = p->src.first_address + offset_of_summand(*p, step.index);
      out.write_at = p->src.first_address;
      out.holder = device;
      return true;
    }
    if (!wants.any) return false;
    out.target = device;
    out.write_at = p->dst.first_address;
    if (step.what == stage::replicate) {
      out.read = buffer::dst;
      out.read_at = p->dst.first_address;
      out.write_at += memory_replica(*p, step.index);
      return true;
    }
    position const base = p->position_of(other);
    held const holds = p->src.held_at(base, p->axes, piece);
    if (p->pieces > 1 && !is_base(holds)) return false;
    integer const share = k % p->shares;
    route const found = route_of(*p, step, {base, target, own_base, share});
    if (p->shares > 1) out.share = share;
    if (!found.exists || !meet(holds, p->slice_of(number), out.share)) return false;
    out.from = p->device_at(found.from);
    out.read = found.read;
    out.read_at = found.read == buffer::dst ? p->dst.first_address : p->src.first_address;
    out.adds = step.what == stage::add_across && step.index > 0;
    out.holder = other;
    return true;
  }
  AXE_FN constexpr bool meet(held const& holds, integer slice, integer share) const {
    return !element_boxes(p->tensor, {&holds, &wants, slice, share}, 0, p->tensor.parts.size())
                .at_end();
  }
};

}  // namespace detail

/// The messages of a plan that go to devices in [first, last), from one device if asked. Steps,
/// targets and classes that cannot have such a message are skipped.
class message_range {
 public:
  class iterator {
   public:
    AXE_FN constexpr explicit iterator(message_range const& range)
        : of(&range), to(range.first), other(range.class_in(0)), finder(*range.plan, range.first) {
      if (of->first >= of->last || !seek()) done = true;
    }
    AXE_FN constexpr message const& operator*() const { return found; }
    AXE_FN constexpr message const* operator->() const { return &found; }
    AXE_FN constexpr iterator& operator++() {
      ++next;
      done = !seek();
      return *this;
    }
    AXE_FN friend constexpr bool operator==(iterator const& i, detail::range_end) { return i.done; }

   private:
    message_range const* of;
    integer step = 0;
    integer to;
    integer other;     // the device of the class
    integer next = 0;  // of the messages between the class and `to`
    detail::message_finder finder;
    message found{};
    bool done = false;

    AXE_FN constexpr bool seek() {
      integer const devices = of->plan->device_count();
      for (;;) {
        if (other >= devices) {
          if (++to == of->last) {
            to = of->first;
            ++step;
          }
          if (step == of->plan->steps()) return false;
          other = of->class_in(step);
          if (of->last - of->first > 1) finder.look_at_target(to);
        }
        if (step == of->plan->steps()) return false;
        if (of->skips(step)) {
          to = of->last - 1;
          other = devices;
        } else if (!of->serves(step, finder.own_base)) {
          other = devices;
        }
        for (; other < devices; other = of->only_class(step) < 0 ? other + 1 : devices) {
          integer const all = finder.count(step, to, other);
          for (; next < all; ++next) {
            next = next_share(all);
            if (next < all && finder.find(step, to, other, next, found) && wanted()) return true;
          }
          next = 0;
        }
      }
    }
    /// The adder of a share receives its groups, and sends the sum.
    AXE_FN constexpr integer next_share(integer all) {
      stage const what = of->plan->step(step).what;
      if (what == stage::add_across) return finder.next_of(next, all, other, finder.target);
      if (what != stage::move || of->sender < 0 || of->plan->groups == 1) return next;
      return finder.next_of(next, all, other, of->plan->position_of(of->sender));
    }
    AXE_FN constexpr bool wanted() const {
      return of->sender < 0 || (found.from == of->sender && !found.local());
    }
  };

  AXE_FN constexpr message_range(reshard_plan const& p, integer from, integer to, integer only)
      : plan(&p), first(from), last(to), sender(only) {
    if (only < 0 || p.pieces > 1) return;
    sender_class = detail::class_of(p, only);
    // In one direct step a device sends the class that it holds and no other.
    if (p.levels == 0 && p.groups == 1 && sender_class < 0) last = first;
    if (p.groups == 1) return;
    sender_base = detail::message_finder(p, only).own_base;
    sender_group = detail::group_of(p, only);
  }
  AXE_FN constexpr iterator begin() const { return iterator(*this); }
  AXE_FN constexpr detail::range_end end() const { return {}; }

 private:
  reshard_plan const* plan;
  integer first;
  integer last;
  integer sender;
  integer sender_class = -1;  // that the sender holds
  integer sender_group = -1;
  detail::position sender_base{};  // the sender's replica 0 in dst

  /// The class that messages of a step are of; -1: any.
  AXE_FN constexpr integer only_class(integer step) const {
    bool const direct =
        plan->groups == 1 ? plan->levels == 0 : plan->step(step).what == stage::add_across;
    return direct ? sender_class : -1;
  }
  AXE_FN constexpr integer class_in(integer step) const {
    return detail::larger(0, only_class(step));
  }

  AXE_FN constexpr bool skips(integer step) const {
    reshard_step const s = plan->step(step);
    bool const moves = s.what == stage::move || s.what == stage::pass_on;
    // The only device that wants a sum adds it up.
    if (moves && plan->groups > 1 && plan->dst.replicas(plan->axes) == 1) return true;
    if (sender < 0) return false;
    if (!moves && s.what != stage::add_across) return true;
    return s.what == stage::add_across && plan->pieces == 1 && s.index != sender_group;
  }
  /// Sums are sent to the other replicas of their adder.
  AXE_FN constexpr bool serves(integer step, detail::position const& own_base) const {
    if (sender < 0 || plan->groups == 1 || plan->pieces > 1) return true;
    return plan->step(step).what == stage::add_across || own_base == sender_base;
  }
};

/// The plan must outlive the range.
AXE_FN constexpr message_range messages(reshard_plan const& p, integer device) {
  return {p, device, device + 1, -1};
}
AXE_FN constexpr message_range sent(reshard_plan const& p, integer device) {
  return {p, 0, p.device_count(), device};
}
/// All messages, ordered by step.
AXE_FN constexpr message_range messages(reshard_plan const& p) {
  return {p, 0, p.device_count(), -1};
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
