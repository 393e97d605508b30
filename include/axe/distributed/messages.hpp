// SPDX-License-Identifier: MIT
// messages(plan, device): the messages that a device receives, by step, with local copies.
// sent(plan, device): the messages that it sends to others.
//
// Definition: docs/distributed.md, "Messages".
#pragma once

#include <axe/distributed/message_finder.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

class message_range {
 public:
  class iterator {
   public:
    AXE_FN constexpr explicit iterator(message_range const& range)
        : of(&range), to(range.first), finder(*range.plan, range.first) {
      if (of->first >= of->last || !seek()) done = true;
    }
    AXE_FN constexpr message const& operator*() const { return found; }
    AXE_FN constexpr message const* operator->() const { return &found; }
    AXE_FN constexpr iterator& operator++() {
      ++next;
      done = !seek();
      return *this;
    }
    AXE_FN constexpr void skip_step() {
      to = of->last - 1;
      class_number = of->classes_in(step);
      next = 0;
      done = !seek();
    }
    AXE_FN friend constexpr bool operator==(iterator const& i, detail::range_end) { return i.done; }

   private:
    message_range const* of;
    integer step = 0;
    integer to;
    integer class_number = 0;
    integer next = 0;  // number of the message from the class to `to`
    detail::message_finder finder;
    message found{};
    bool done = false;

    AXE_FN constexpr bool seek() {
      for (;;) {
        if (step == of->plan->steps()) return false;
        integer const classes = of->classes_in(step);
        if (of->skips(step)) {
          to = of->last - 1;
          class_number = classes;
        } else if (!of->may_send_to(step, finder.target_base)) {
          class_number = classes;
        }
        bool const visits_all = of->plan->pieces == 1 && classes > 1;
        for (; class_number < classes; ++class_number) {
          if (visits_all && next == 0) {
            class_number = finder.next_class(class_number, of->plan->slice_of(step));
            if (class_number == classes) break;
          }
          integer const representative = of->device_of(step, class_number, to);
          integer const all = representative < 0 ? 0 : finder.most_messages(step, representative);
          for (; next < all; ++next) {
            next = next_possible(all, representative);
            if (next < all && finder.find(step, to, representative, next, found) &&
                matches_sender())
              return true;
          }
          next = 0;
        }
        class_number = 0;
        if (++to == of->last) {
          to = of->first;
          ++step;
        }
        if (of->last - of->first > 1) finder.set_target(to);
      }
    }
    /// The next message whose share the adder may add up. The adder is the target in add_across and
    /// the sender in move.
    AXE_FN constexpr integer next_possible(integer all, integer representative) {
      stage const kind = of->plan->step(step).kind;
      if (kind == stage::add_across)
        return finder.next_for_adder(next, all, representative, finder.target);
      if (kind != stage::move || of->sender < 0 || of->plan->groups == 1) return next;
      return finder.next_for_adder(next, all, representative, of->plan->position_of(of->sender));
    }
    AXE_FN constexpr bool matches_sender() const {
      return of->sender < 0 || (found.from == of->sender && !found.local());
    }
  };

  AXE_FN constexpr message_range(reshard_plan const& p, integer from, integer to, integer only)
      : plan(&p), first(from), last(to), sender(only), class_count(detail::count_classes(p)) {
    if (only < 0 || p.pieces > 1) return;
    sender_representative = detail::representative_of(p, only);
    // In a direct step a device sends only the class that it holds.
    if (p.levels == 0 && p.groups == 1 && sender_representative < 0) last = first;
    if (p.groups == 1) return;
    sender_base = detail::message_finder(p, only).target_base;
    sender_group = detail::group_of_device(p, only);
  }
  AXE_FN constexpr iterator begin() const { return iterator(*this); }
  AXE_FN constexpr detail::range_end end() const { return {}; }

 private:
  reshard_plan const* plan;
  integer first;
  integer last;
  integer sender;
  integer class_count;
  integer sender_representative = -1;
  integer sender_group = -1;
  detail::position sender_base{};  // the sender's replica 0 in dst

  /// -1: the sender may send several classes in the step.
  AXE_FN constexpr integer only_representative(integer step) const {
    bool const direct =
        plan->groups == 1 ? plan->levels == 0 : plan->step(step).kind == stage::add_across;
    return direct ? sender_representative : -1;
  }
  AXE_FN constexpr bool is_inside(integer step) const {
    stage const kind = plan->step(step).kind;
    return kind == stage::add_inside || kind == stage::replicate;
  }
  AXE_FN constexpr integer classes_in(integer step) const {
    if (plan->step(step).kind == stage::release) return 0;
    return is_inside(step) || only_representative(step) >= 0 ? 1 : class_count;
  }
  AXE_FN constexpr integer device_of(integer step, integer class_number, integer to) const {
    if (is_inside(step)) return to;
    integer const only = only_representative(step);
    return only >= 0 ? only : detail::representative_of_class(*plan, class_number);
  }

  AXE_FN constexpr bool skips(integer step) const {
    reshard_step const s = plan->step(step);
    bool const moves = s.kind == stage::move || s.kind == stage::pass_on;
    // A sum that only one device wants is added there.
    if (moves && plan->groups > 1 && plan->dst.replicas(plan->axes) == 1) return true;
    if (sender < 0) return false;
    if (!moves && s.kind != stage::add_across) return true;
    return s.kind == stage::add_across && plan->pieces == 1 && s.index != sender_group;
  }
  /// After add_across, a device sends only to the other replicas of the elements that it wants.
  AXE_FN constexpr bool may_send_to(integer step, detail::position const& target_base) const {
    if (sender < 0 || plan->groups == 1 || plan->pieces > 1) return true;
    return plan->step(step).kind == stage::add_across || target_base == sender_base;
  }
};

/// The plan must outlive the range.
AXE_FN constexpr message_range messages(reshard_plan const& p, integer device) {
  return {p, device, device + 1, -1};
}
AXE_FN constexpr message_range sent(reshard_plan const& p, integer device) {
  return {p, 0, p.device_count(), device};
}
AXE_FN constexpr message_range messages(reshard_plan const& p) {
  return {p, 0, p.device_count(), -1};
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
