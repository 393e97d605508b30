// SPDX-License-Identifier: MIT
// check(sharding): every place lies on the mesh, and no address holds two elements.
//
//     S[(2,2):(1@x,1)] + R[2:1@x]     elements 0 and 2 are both at address 0 of device 1
#pragma once

#include <axe/distributed/sharding.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

struct collision_search {
  struct digit {
    axis on = axis::null;
    integer most = 0;
    integer stride = 0;
    integer elements = 0;  // per step; 0: a replica
    integer difference = 0;
  };
  list<digit, capacity::shards + capacity::replicas> digits;  // by axis, longest strides first
  sharded_digits const* cut = nullptr;
  step_limit* steps = nullptr;
  /// For the two elements of a pair: the part of the number in the enumerated runs (sharding.hpp),
  /// which `digits` lacks.
  integer enumerated[2] = {0, 0};

  /// The first or second element of a pair: the smallest one whose digits have these differences.
  AXE_FN constexpr integer element(bool first) const {
    integer sum = enumerated[first ? 0 : 1];
    for (digit const& d : digits)
      sum += larger(first ? d.difference : -d.difference, 0) * d.elements;
    return sum;
  }
  /// The position of both elements, without the offset.
  AXE_FN constexpr integer position_on(axis on) const {
    integer sum = cut->enumerated_sum(enumerated[0], on);
    for (digit const& d : digits)
      if (d.on == on) sum += larger(d.difference, 0) * d.stride;
    return sum;
  }
  AXE_FN constexpr integer enumerated_distance(axis on) const {
    return cut->enumerated_sum(enumerated[0], on) - cut->enumerated_sum(enumerated[1], on);
  }
  AXE_FN constexpr void add(iter const& i, integer elements) {
    if (i.extent == 1 || (i.stride == 0 && elements == 0)) return;
    int at = 0;
    while (at < digits.size() && digits[at].on != i.on) ++at;
    while (at < digits.size() && digits[at].on == i.on &&
           magnitude(digits[at].stride) >= magnitude(i.stride))
      ++at;
    digits.insert(at, {i.on, i.extent - 1, i.stride, elements});
  }
  AXE_FN constexpr void add_axis(sharding const& s, axis on, bool with_enumerated) {
    auto const add_all = [&](iter_list const& reached, iter_list const& whole, integer below,
                             bool of_elements) {
      for (int k = reached.size() - 1; k >= 0; --k) {
        if (reached[k].on == on && (with_enumerated || !of_elements || !cut->is_enumerated(k)))
          add(reached[k], below);
        below *= whole[k].extent;
      }
    };
    add_all(cut->summands, cut->summands, cut->size, false);
    add_all(cut->reached, cut->elements, 1, true);
    for (iter const& r : s.places.replicas)
      if (r.on == on) add(r, 0);
  }
  /// `sum`: the distance so far on this axis. If the smallest pair with these differences is
  /// padding, all pairs are.
  AXE_FN constexpr bool find(int k, integer sum, bool differs) {
    bool const ends = k == digits.size();
    if (k > 0 && (ends || digits[k].on != digits[k - 1].on)) {
      if (sum != 0) return false;
      if (!ends) sum = enumerated_distance(digits[k].on);
    }
    if (ends)
      return differs && cut->is_real(element(true), false) && cut->is_real(element(false), false);
    if (!steps->take()) return false;
    integer rest = 0;
    for (int i = k + 1; i < digits.size() && digits[i].on == digits[k].on; ++i)
      rest += digits[i].most * magnitude(digits[i].stride);
    digit& here = digits[k];
    integer low = -here.most;
    integer high = here.most;
    if (integer const step = magnitude(here.stride); step != 0) {
      integer const aim = here.stride > 0 ? sum : -sum;
      low = larger(low, ceil_divide(-rest - aim, step));
      high = smaller(high, floor_divide(rest - aim, step));
    }
    for (integer c = low; c <= high && steps->taken <= steps->allowed; ++c) {
      here.difference = c;
      if (find(k + 1, sum + c * here.stride, differs || (here.elements != 0 && c != 0)))
        return true;
    }
    return false;
  }
  AXE_FN constexpr bool find_apart(sharding const& s, integer first, integer second) {
    enumerated[0] = first;
    enumerated[1] = second;
    axis_list const axes = axes_of(s.places);
    for (axis on : axes) {
      bool moves = false;
      for (digit const& d : digits) moves = moves || d.on == on;
      if (!moves && enumerated_distance(on) != 0) return false;
    }
    for (digit& d : digits) d.difference = 0;
    return find(0, digits.empty() ? 0 : enumerated_distance(digits[0].on), first != second);
  }

  AXE_FN constexpr refusal two_elements(sharding const& s) const {
    integer device = 0;
    for (mesh_axis const& a : s.devices.axes)
      device = device * a.extent + s.places.offset(a.on) + position_on(a.on);
    integer const address = s.places.offset(axis::m) + position_on(axis::m);
    return {rule::sharding_two_elements, {element(true), element(false), address, device}};
  }
};

AXE_LAZY_FN constexpr refusal check_enumerated_elements(sharding const& s,
                                                        sharded_digits const& cut,
                                                        step_limit steps) {
  collision_search search;
  search.cut = &cut;
  search.steps = &steps;
  for (axis on : axes_of(s.places)) search.add_axis(s, on, false);
  integer const count = cut.enumerated_elements();
  for (integer k = 0; k < count; ++k) {
    integer const first = cut.enumerated_element(k);
    if (!cut.is_real(first, true)) continue;
    for (integer j = k == 0 ? 0 : k + 1; j < count; ++j) {
      integer const second = cut.enumerated_element(j);
      if (!steps.take()) return steps.refusal();
      if (!cut.is_real(second, true)) continue;
      bool const two = search.find_apart(s, first, second);
      if (steps.taken > steps.allowed) return steps.refusal();
      if (two) return search.two_elements(s);
    }
  }
  return {};
}

AXE_LAZY_FN constexpr refusal check_one_element_per_address(sharding const& s,
                                                            sharded_digits const& cut,
                                                            step_limit steps) {
  step_limit const all = steps;
  for (axis on : axes_of(s.places)) {
    collision_search search;
    search.cut = &cut;
    search.steps = &steps;
    search.add_axis(s, on, true);
    bool const two = search.find(0, 0, false);
    bool const undecided = steps.taken > steps.allowed;
    if (!two && !undecided) continue;
    if (cut.enumerated_elements() > 1) return check_enumerated_elements(s, cut, all);
    return undecided ? steps.refusal() : search.two_elements(s);
  }
  return {};
}

/// The positions of a run on an axis. Includes padding of enumerated runs, unless `exact`.
AXE_LAZY_FN constexpr interval reach_of_run(sharded_digits const& s, padded_run const& r, axis on,
                                            bool exact) {
  interval out{largest, smallest};
  auto const include = [&out](integer least, integer most) {
    out.least = smaller(out.least, least);
    out.largest = larger(out.largest, most);
  };
  if (r.enumerated() && exact) {
    for (integer x = 0; x < r.size; ++x) {
      integer const sum = s.enumerated_sum(x * r.below, r, on);
      if (s.is_real(x * r.below, true)) include(sum, sum);
    }
    return out;
  }
  // An element before the last one agrees with it in some leading digits. Its next digit is
  // smaller, and the digits after that have any value.
  integer rest = (r.enumerated() ? r.size : s.real[r.first]) - 1;
  integer below = r.size;
  integer fixed = 0;
  for (int k = r.first_digit; k < r.last_digit; ++k) {
    iter const& i = s.elements[k];
    below /= i.extent;
    integer const last = rest / below;
    rest %= below;
    interval free{fixed, fixed};
    for (int j = k; j < r.last_digit; ++j) {
      integer const most = j == k ? last - 1 : s.elements[j].extent - 1;
      if (s.elements[j].on != on) continue;
      free.least += smaller(0, most * s.elements[j].stride);
      free.largest += larger(0, most * s.elements[j].stride);
    }
    if (last > 0) include(free.least, free.largest);
    if (i.on == on) fixed += last * i.stride;
  }
  include(fixed, fixed);
  return out;
}

AXE_LAZY_FN constexpr interval reach_of(sharding const& s, sharded_digits const& cut, axis on,
                                        bool exact) {
  interval reach;
  for (iter const& i : cut.summands)
    if (i.on == on) extend(reach, i);
  for (iter const& r : s.places.replicas)
    if (r.on == on) extend(reach, r);
  for (iter const& i : cut.elements)
    if (i.on == on && !cut.padded()) extend(reach, i);
  for (padded_run const& r : cut.runs) {
    interval const own = reach_of_run(cut, r, on, exact);
    reach.least += own.least;
    reach.largest += own.largest;
  }
  integer const offset = s.places.offset(on);
  return {reach.least + offset, reach.largest + offset};
}

AXE_LAZY_FN constexpr refusal check_bounds(sharding const& s, sharded_digits const& cut,
                                           step_limit const& steps) {
  for (axis on : axes_of(s.places)) {
    int const k = s.devices.index_of(on);
    if (k < 0 && on != axis::m) return {rule::sharding_axis, {}, {on}};
    integer const end = k < 0 ? largest : s.devices.axes[k].extent;
    interval reach = reach_of(s, cut, on, false);
    auto const is_outside = [&] { return reach.least < 0 || reach.largest >= end; };
    if (is_outside() && cut.enumerated_elements() > 1) {
      if (cut.enumerated_elements() > steps.allowed) return steps.refusal();
      reach = reach_of(s, cut, on, true);
    }
    if (!is_outside()) continue;
    if (k < 0) return {rule::sharding_negative_address, {reach.least}};
    return {rule::sharding_outside_the_mesh,
            {reach.least < 0 ? reach.least : reach.largest, end},
            {on}};
  }
  return {};
}

AXE_LAZY_FN constexpr bool invalid_if_padding_is_real(sharding const& s, sharded_digits cut,
                                                      step_limit const& steps) {
  cut.runs.clear();
  cut.reached = cut.elements;
  cut.real = cut.dimensions;
  return check_bounds(s, cut, steps) || check_one_element_per_address(s, cut, steps);
}

AXE_LAZY_FN constexpr outcome<sharded_digits> checked_digits(sharding const& s, step_limit steps) {
  if (refusal const bad = check(s.devices)) return bad;
  if (!s.places.swizzle.none()) return refusal{rule::sharding_swizzled};
  outcome<sharded_digits> const cut = cut_summands(s);
  if (!cut) return cut;
  for (int k = 0; k < cut.value.reached.size(); ++k) {
    iter const& i = cut.value.reached[k];
    if (i.extent > 1 && i.stride == 0 && !cut.value.is_enumerated(k))
      return refusal{rule::sharding_stride_zero, {i.extent}};
  }
  for (iter const& i : cut.value.summands)
    if (i.stride == 0) return refusal{rule::sharding_stride_zero, {i.extent}};
  if (refusal const bad = check_bounds(s, *cut, steps)) return bad;
  if (refusal const bad = check_one_element_per_address(s, *cut, steps)) return bad;
  return cut;
}

}  // namespace detail

AXE_LAZY_FN constexpr refusal check(sharding const& s, step_limit steps = {}) {
  return detail::checked_digits(s, steps).why;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
