// SPDX-License-Identifier: MIT
// relabel(from, to, S, d): an order of dimension d for which a conversion to `to` needs no shuffle.
//
//     relabel(S[(2,2):(1@lane,1@reg)], S[(2,2):(1@reg,1@lane)], {4}, 0)      S[(2,2):(1,2)]
//
// Definition: docs/algebra.md, D21.
#pragma once

#include <axe/algebra/reorder.hpp>
#include <axe/convert/engine/within_warp.hpp>
#include <axe/engine/memory_digits.hpp>
#include <axe/map/coordinates.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

/// Searches for an order c -> k digit by digit, fastest digit of c first. The sorted absolute
/// strides must be 1, e, e*f, … for extents e, f, …
struct relabelling {
  valid_layout from, to;
  shape const& seen_as;
  integer dimension;
  around_dimension const& along;
  axis_list axes;
  bool keeps_registers;
  step_limit steps;
  integer first = 0;   // the k of c = 0
  iter_list digits{};  // slowest first

  /// True if every thread that needs index k of `to` holds index c of `from`.
  AXE_FN constexpr bool matches(integer c, integer k) {
    for (axis on : axes) {
      if (on == axis::reg && !keeps_registers) continue;
      compared_places const places(from, to, on);
      for (integer a = 0; a < along.above; ++a)
        for (integer b = 0; b < along.below; ++b)
          if (!steps.take() || places.missing(along.element(a, c, b), along.element(a, k, b),
                                              steps) != sum_set::none)
            return false;
    }
    return true;
  }

  /// True if index `at` + c matches k + `further`, for each c < `grain` and the k of this c.
  AXE_FN constexpr bool matches_block(integer at, integer grain, integer further) {
    for (integer c = 0; c < grain; ++c) {
      integer const k = first + sum_of_digits(digits, c) + further;
      if (k < 0 || k >= along.extent || steps.spent() || !matches(at + c, k)) return false;
    }
    return true;
  }

  AXE_FN constexpr bool can_be_an_order() const {
    for (iter const& high : digits) {
      integer const step = magnitude(high.stride);
      if (along.extent % (step * high.extent) != 0) return false;
      for (iter const& low : digits)
        if (&low != &high && magnitude(low.stride) <= step &&
            step % (magnitude(low.stride) * low.extent) != 0)
          return false;
    }
    return true;
  }

  AXE_FN constexpr bool is_answer() {
    outcome<layout> const reordered =
        reorder_of(to, seen_as, dimension, valid_layout::proved(found()),
                   step_limit(steps.allowed - steps.taken));
    if (!reordered && reordered.why.which == rule::undecided) steps.spend_all();
    return static_cast<bool>(reordered);
  }

  /// Extends the slowest digit or begins the next one, smallest k first.
  AXE_FN constexpr bool complete(integer reached) {
    if (reached == along.extent) return can_be_an_order() && is_answer();
    iter const last = digits.empty() ? iter{} : digits[0];
    for (integer step = -first; step < along.extent - first && steps.take(); ++step) {
      if (!digits.empty() && step == last.extent * last.stride) {
        if (extend(reached)) return true;
      } else if (step != 0 && digits.insert(0, {1, step, axis::m})) {
        if (can_be_an_order() && extend(reached)) return true;
        digits.erase(0);
      }
    }
    return false;
  }
  AXE_FN constexpr bool extend(integer reached) {
    iter& last = digits[0];
    iter const before = last;
    integer const grain = reached / last.extent;
    bool matched = true;
    do {
      matched = matches_block(reached, grain, last.extent * last.stride);
      ++last.extent;
      reached += grain;
    } while (matched && along.extent % reached != 0);
    if (matched && complete(reached)) return true;
    last = before;
    return false;
  }
  AXE_FN constexpr bool find() {
    for (first = 0; first < along.extent && !steps.spent(); ++first)
      if (matches(0, first) && complete(1)) return true;
    return false;
  }
  AXE_FN constexpr layout found() const {
    layout order;
    order.shards = canonical_shards(digits);
    set_offset(order, first);
    return order;
  }
};

/// The first c that matches no k, or -1. Also -1 if undecided.
AXE_LAZY_FN constexpr integer unmatched_index(relabelling search) {
  for (integer c = 0; c < search.along.extent; ++c) {
    integer k = 0;
    while (k < search.along.extent && !search.steps.spent() && !search.matches(c, k)) ++k;
    if (search.steps.spent()) return -1;
    if (k == search.along.extent) return c;
  }
  return -1;
}

}  // namespace detail

/// The result maps an index along d in `from` to the one in `to`. Both must admit the shape s.
AXE_LAZY_FN constexpr outcome<layout> try_relabel(layout const& from, layout const& to,
                                                  shape const& s, integer d,
                                                  step_limit steps = step_limit{1'000'000}) {
  using namespace detail;
  outcome<layout> sides[2];
  if (refusal const bad = check_conversion(from, to, 8, sides)) return bad;
  for (outcome<layout> const& l : sides)
    if (refusal const bad = check_injective(l, rule::registers_contested)) return bad;
  integer const size = product_of_extents(from.shards);
  around_dimension const along(s, d);
  if (along.why) return along.why;
  if (along.size != size) return refusal{rule::shape_does_not_fit, {along.size, size}};
  auto const& [source, target] = sides;
  axis_list axes = axes_of(*source);
  if (!note_axes(axes, *target)) return refusal{rule::result_too_many_axes};
  // The first search gets a quarter of the steps, unmatched_index another.
  step_limit const quarter(steps.allowed / 4);
  relabelling same{source, target, s, d, along, axes, true, quarter};
  if (same.find()) return same.found();
  relabelling other_registers{source, target, s, d, along, axes, false, quarter};
  if (integer const c = unmatched_index(other_registers); c >= 0)
    return refusal{rule::no_relabelling, {d, c}};
  other_registers.steps = step_limit(steps.allowed - 2 * quarter.allowed);
  if (other_registers.find()) return other_registers.found();
  if (other_registers.steps.spent()) return steps.refusal();
  return refusal{rule::no_relabelling_is_a_layout, {d}};
}
AXE_LAZY_FN constexpr layout relabel(layout const& from, layout const& to, shape const& s,
                                     integer d) {
  return detail::stop_on(try_relabel(from, to, s, d), "relabel", {&from, &to, &s});
}
AXE_CARRIER_FORM(relabel);

}  // namespace AXE_NAMESPACE
}  // namespace axe
