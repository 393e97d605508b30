// SPDX-License-Identifier: MIT
// difference(sharding, sharding): the first element that two shardings hold at different places.
//
//     auto const d = axe::difference(a, b);
//     d.at, d.a, d.b            the element, its places: device number on gpuid, address on m
//
// Definition: docs/distributed.md, "The same placement".
#pragma once

#include <axe/algebra/difference.hpp>
#include <axe/distributed/check_sharding.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

struct sharding_difference {
  bool found = false;
  coordinate at;
  placement a, b;

  AXE_FN constexpr explicit operator bool() const { return found; }
};

namespace detail {

AXE_LAZY_FN constexpr layout by_device_number(sharding const& s) {
  auto const numbered = [&](integer n, axis on) {
    integer below = 1;
    for (int k = s.devices.axes.size() - 1; k >= 0; --k) {
      // The product overflows only if the digit is 0 in all elements.
      if (s.devices.axes[k].on == on) return term(multiply(n, below) ? n : 0, axis::gpuid);
      below *= s.devices.axes[k].extent;
    }
    return term(n, on);
  };
  layout l = s.places;
  l.blocks.clear();
  l.offsets.clear();
  for (iter& i : l.shards) {
    term const t = numbered(i.stride, i.on);
    i = {i.extent, t.n, t.on};
  }
  for (iter& i : l.replicas) {
    term const t = numbered(i.stride, i.on);
    i = {i.extent, t.n, t.on};
  }
  place where;
  for (term const& o : s.places.offsets) where.add(numbered(o.n, o.on));
  for (term const& t : where.terms)
    if (t.n != 0) l.offsets.push(t);
  return l;
}

struct comparable_sharding {
  layout places;
  extent_list extents;
  extent_list real;

  AXE_FN constexpr placement at(extent_list const& element) const {
    integer x = 0;
    for (int d = 0; d < extents.size(); ++d) x = x * extents[d] + element[d];
    return placement_of(places, x);
  }
};

AXE_LAZY_FN constexpr outcome<comparable_sharding> to_compare(sharding const& s, step_limit steps) {
  outcome<sharded_digits> const cut = checked_digits(s, steps);
  if (cut.why) return cut.why;
  comparable_sharding out;
  out.places = by_device_number(s);
  if (refusal const bad = admit_dimensions(out.places, s.extents, out.extents)) return bad;
  out.real = out.extents;
  for (int d = 0; d < cut.value.real.size(); ++d) out.real[s.summands + d] = cut.value.real[d];
  return out;
}

}  // namespace detail

/// Rejects different shapes. Cost in addition to check(): O(iters) for equal shardings of one
/// padded shape, else a step for each element up to the first difference.
AXE_LAZY_FN constexpr outcome<sharding_difference> try_difference(sharding const& a,
                                                                  sharding const& b,
                                                                  step_limit steps = {}) {
  outcome<detail::comparable_sharding> const in_a = detail::to_compare(a, steps);
  if (in_a.why) return in_a.why;
  outcome<detail::comparable_sharding> const in_b = detail::to_compare(b, steps);
  if (!in_b) return of_operand(1, in_b.why);
  detail::extent_list const& real = in_a.value.real;
  if (a.summands != b.summands || !(real == in_b.value.real))
    return refusal{rule::shardings_of_other_shapes};
  if (in_a.value.extents == in_b.value.extents) {
    outcome<layout_difference> const d =
        try_difference(in_a.value.places, in_b.value.places, steps);
    if (d && !d.value.found) return sharding_difference{};
  }
  detail::extent_list at;
  for (int d = 0; d < real.size(); ++d) at.push(0);
  for (;;) {
    if (!steps.take()) return steps.refusal();
    sharding_difference d;
    d.a = in_a.value.at(at);
    d.b = in_b.value.at(at);
    if (!(d.a == d.b)) {
      d.found = true;
      for (integer c : at) d.at.append(c);
      return d;
    }
    int k = at.size() - 1;
    for (; k >= 0 && ++at[k] == real[k]; --k) at[k] = 0;
    if (k < 0) return sharding_difference{};
  }
}

AXE_LAZY_FN constexpr sharding_difference difference(sharding const& a, sharding const& b,
                                                     step_limit steps = {}) {
  return detail::stop_on(try_difference(a, b, steps), "difference", {&a.places, &b.places});
}

AXE_LAZY_FN constexpr bool equivalent(sharding const& a, sharding const& b, step_limit steps = {}) {
  return !difference(a, b, steps).found;
}

namespace detail {

/// Rejects s if `form`, its description in another notation, differs from it.
AXE_LAZY_FN constexpr refusal same_form(sharding const& s, outcome<sharding> const& form,
                                        step_limit steps) {
  if (form.why) return form.why;
  outcome<sharding_difference> const d = try_difference(s, form.value, steps);
  if (d.why) return d.why;
  if (!d.value.found) return {};
  outcome<comparable_sharding> const here = to_compare(s, steps);
  integer element = 0;  // in the padded tensor
  for (int k = 0; k < d.value.at.rank(); ++k)
    element = element * here.value.extents[k] + d.value.at.nodes.value(1 + k);
  place only;  // in one sharding only
  for (place const& p : d.value.a)
    if (!d.value.b.contains(p)) only = p;
  for (place const& p : d.value.b)
    if (!d.value.a.contains(p)) only = p;
  return {rule::other_form_differs, {element, only[axis::gpuid], only[axis::m]}};
}

}  // namespace detail

}  // namespace AXE_NAMESPACE
}  // namespace axe
