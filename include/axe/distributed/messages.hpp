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

  AXE_FN constexpr bool local() const { return from == to; }
  AXE_FN friend constexpr bool operator==(message const&, message const&) = default;
};

namespace detail {

/// The end of a range that knows when it is done.
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

/// Finds the message of a step between a class and a target.
struct message_finder {
  reshard_plan const* p;
  position target{};
  held wants{};
  position own_base{};

  AXE_FN constexpr message_finder(reshard_plan const& plan, integer device) : p(&plan) {
    target = plan.position_of(device);
    wants = plan.dst.held_at(target, plan.axes);
    for (int a = 0; a < plan.axes; ++a)
      own_base.at[a] = target.at[a] - plan.dst.moved(a, wants, placed::replica);
  }

  /// Is a device the one that stands for its class?
  AXE_FN constexpr bool is_base(held const& holds) const {
    if (!holds.any || !p->src.none_of(holds, placed::summand)) return false;
    for (int a = 0; a < p->axes; ++a)
      if (p->src.moved(a, holds, placed::replica) != 0) return false;
    return true;
  }

  /// How many messages a step can have between a class and the target.
  AXE_FN constexpr integer shares(integer number, integer device, integer other) const {
    stage const what = p->step(number).what;
    if (what == stage::add_inside || what == stage::replicate) return other == device ? 1 : 0;
    if (what == stage::release || !wants.any) return 0;
    return is_base(p->src.held_at(p->position_of(other), p->axes)) ? p->shares : 0;
  }
  /// The message, or false. `other` is the device of a class; inside a device it is the device.
  AXE_FN constexpr bool find(integer number, integer device, integer other, integer share,
                             message& out) const {
    reshard_step const step = p->step(number);
    out = {};
    out.step = number;
    out.from = device;
    out.to = device;
    if (step.what == stage::add_inside) {
      if (!p->src.held_at(target, p->axes).any) return false;
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
    held const holds = p->src.held_at(base, p->axes);
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

/// The messages of a plan that go to devices in [first, last), from one device if asked.
class message_range {
 public:
  class iterator {
   public:
    AXE_FN constexpr explicit iterator(message_range const& range)
        : of(&range),
          to(range.first),
          other(range.only_class < 0 ? 0 : range.only_class),
          finder(*range.plan, range.first) {
      if (of->first >= of->last || !seek()) done = true;
    }
    AXE_FN constexpr message const& operator*() const { return found; }
    AXE_FN constexpr message const* operator->() const { return &found; }
    AXE_FN constexpr iterator& operator++() {
      ++share;
      done = !seek();
      return *this;
    }
    AXE_FN friend constexpr bool operator==(iterator const& i, detail::range_end) { return i.done; }

   private:
    message_range const* of;
    integer step = 0;
    integer to;
    integer other;  // the device of the class
    integer share = 0;
    detail::message_finder finder;
    message found{};
    bool done = false;

    AXE_FN constexpr bool seek() {
      integer const devices = of->plan->device_count();
      for (;;) {
        if (other >= devices) {
          other = of->only_class < 0 ? 0 : of->only_class;
          if (++to == of->last) {
            to = of->first;
            if (++step == of->plan->steps()) return false;
          }
          if (of->last - of->first > 1) finder = detail::message_finder(*of->plan, to);
        }
        if (step == of->plan->steps()) return false;
        for (; other < devices; other = of->only_class < 0 ? other + 1 : devices) {
          for (integer const all = finder.shares(step, to, other); share < all; ++share)
            if (finder.find(step, to, other, share, found) && wanted()) return true;
          share = 0;
        }
      }
    }
    AXE_FN constexpr bool wanted() const {
      return of->sender < 0 || (found.from == of->sender && !found.local());
    }
  };

  AXE_FN constexpr message_range(reshard_plan const& p, integer from, integer to, integer only)
      : plan(&p), first(from), last(to), sender(only) {
    // In one direct step a device sends the class that it holds and no other.
    if (only < 0 || p.levels > 0 || p.groups > 1) return;
    only_class = detail::class_of(p, only);
    if (only_class < 0) last = first;
  }
  AXE_FN constexpr iterator begin() const { return iterator(*this); }
  AXE_FN constexpr detail::range_end end() const { return {}; }

 private:
  reshard_plan const* plan;
  integer first;
  integer last;
  integer sender;
  integer only_class = -1;
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
