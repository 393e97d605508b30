// messages(plan, device): what a device receives, step by step, its own local copies included.
// sent(plan, device): what it sends to others. runs(plan, message): the strided runs of a message.
//
//     for (message m : messages(p, 3))
//       for (strided_run r : runs(p, m)) …          r.begin_from, r.begin_to, r.digits
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

  AXE_FN constexpr bool local() const { return from == to; }
  AXE_FN friend constexpr bool operator==(message const&, message const&) = default;
};

/// One digit of a strided run: the same elements on both sides.
struct run_digit {
  integer extent = 1;
  integer from_stride = 0;
  integer to_stride = 0;
};

struct strided_run {
  integer begin_from = 0;
  integer begin_to = 0;
  list<run_digit, detail::most_tensor_parts> digits;  // slowest first

  AXE_FN constexpr integer size() const {
    integer product = 1;
    for (run_digit const& d : digits) product *= d.extent;
    return product;
  }
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

  /// The message, or false. `other` is the device of a class; inside a device it is the device.
  AXE_FN constexpr bool find(integer number, integer device, integer other, message& out) const {
    reshard_step const step = p->step(number);
    out = {};
    out.step = number;
    out.from = device;
    out.to = device;
    if (step.what == stage::release) return false;
    if (step.what == stage::add_inside) {
      if (other != device || !p->src.held_at(target, p->axes).any) return false;
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
      if (other != device) return false;
      out.read = buffer::dst;
      out.read_at = p->dst.first_address;
      out.write_at += memory_replica(*p, step.index);
      return true;
    }
    position const base = p->position_of(other);
    held const holds = p->src.held_at(base, p->axes);
    if (!is_base(holds)) return false;
    route const found = route_of(*p, step, {base, target, own_base});
    if (!found.exists || !meet(holds, p->slice_of(number))) return false;
    out.from = p->device_at(found.from);
    out.read = found.read;
    out.read_at = found.read == buffer::dst ? p->dst.first_address : p->src.first_address;
    out.adds = step.what == stage::add_across && step.index > 0;
    out.holder = other;
    return true;
  }
  AXE_FN constexpr bool meet(held const& holds, integer slice) const {
    return !element_boxes(p->tensor, {&holds, &wants, slice}, 0, p->tensor.parts.size()).at_end();
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
      other = of->only_class < 0 ? other + 1 : of->plan->device_count();
      done = !seek();
      return *this;
    }
    AXE_FN friend constexpr bool operator==(iterator const& i, detail::range_end) { return i.done; }

   private:
    message_range const* of;
    integer step = 0;
    integer to;
    integer other;  // the device of the class
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
        for (; other < devices; other = of->only_class < 0 ? other + 1 : devices)
          if (finder.find(step, to, other, found) && wanted()) return true;
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

namespace detail {

/// The digits that the two devices of a message fix.
struct message_digits {
  held src;
  held dst;
  message m;
  integer slice;

  AXE_FN constexpr message_digits(reshard_plan const& p, message const& of)
      : m(of), slice(p.slice_of(of.step)) {
    if (m.holder >= 0) src = p.src.held_at(p.position_of(m.holder), p.axes);
    if (m.target >= 0) dst = p.dst.held_at(p.position_of(m.target), p.axes);
  }
  AXE_FN constexpr fixed_sides sides() const {
    return {m.holder >= 0 ? &src : nullptr, m.target >= 0 ? &dst : nullptr, slice};
  }
};

}  // namespace detail

/// The number of elements of a message.
AXE_FN constexpr integer count(reshard_plan const& p, message const& m) {
  detail::message_digits const digits(p, m);
  return detail::count_elements(p.tensor, digits.sides());
}

class run_range {
 public:
  class iterator {
   public:
    AXE_FN constexpr iterator(run_range const& range, detail::fixed_sides fixed)
        : of(&range), box(range.plan->tensor, fixed, 0, range.plan->tensor.parts.size()) {}
    AXE_FN constexpr strided_run operator*() const {
      reshard_plan const& p = *of->plan;
      message const& m = of->digits.m;
      bool const from_src = m.read != buffer::dst;
      bool const to_src = m.write != buffer::dst;
      strided_run out;
      out.begin_from = m.read_at + detail::address_of(p.tensor, from_src, box);
      out.begin_to = m.write_at + detail::address_of(p.tensor, to_src, box);
      for (int k = 0; k < p.tensor.parts.size(); ++k) {
        detail::tensor_part const& part = p.tensor.parts[k];
        if (box.range_of(k).count == 1) continue;
        integer const src = p.tensor.src[part.src_last - 1].stride;
        integer const dst = p.tensor.dst[part.dst_last - 1].stride;
        out.digits.push({box.range_of(k).count, from_src ? src : dst, to_src ? src : dst});
      }
      return out;
    }
    AXE_FN constexpr iterator& operator++() {
      box.next();
      return *this;
    }
    AXE_FN friend constexpr bool operator==(iterator const& i, detail::range_end) {
      return i.box.at_end();
    }

   private:
    run_range const* of;
    detail::element_boxes box;
  };

  AXE_FN constexpr run_range(reshard_plan const& p, message const& m) : plan(&p), digits(p, m) {}
  AXE_FN constexpr iterator begin() const { return {*this, digits.sides()}; }
  AXE_FN constexpr detail::range_end end() const { return {}; }

 private:
  reshard_plan const* plan;
  detail::message_digits digits;
};

/// The plan must outlive the range.
AXE_FN constexpr run_range runs(reshard_plan const& p, message const& m) { return {p, m}; }

}  // namespace AXE_NAMESPACE
}  // namespace axe
