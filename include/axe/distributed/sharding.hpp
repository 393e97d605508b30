// sharding: a tensor on the devices of a mesh, as a layout on its padded shape.
//
//     sharding{"S[(2,4,8):(1@mesh_x,8,1)]", {8,8}, nodes}        rows on mesh_x, replicated nowhere
//     sharding{"S[(4,8,8):(1@mesh_x,8,1)]", {4,8,8}, nodes, 1}   a pending sum of 4 summands
//
// The first `summands` dimensions are not added up yet. `real` cuts the other dimensions: elements
// from there on are padding, which is neither held nor needed. Axes are those of the mesh and m.
// Definition: docs/distributed.md, "Shardings".
#pragma once

#include <axe/distributed/mesh.hpp>
#include <axe/engine/digits.hpp>
#include <axe/layout/check.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

struct sharding {
  layout places;
  shape extents;  // the summand dimensions, then the padded tensor
  mesh devices;
  int summands = 0;
  shape real{};  // of the tensor; empty: no padding

  AXE_FN friend constexpr bool operator==(sharding const&, sharding const&) = default;
};

namespace detail {

/// The dimensions of a sharding: D cut behind the summands, and the real extents.
struct sharded_digits {
  iter_list summands;
  iter_list elements;
  iter_list reached;       // elements, without the values that only padding has
  extent_list dimensions;  // of the tensor
  extent_list real;
  list<bool, 48> aligned;  // dimensions with digits of their own, in a padded tensor
  integer size = 1;        // of the padded tensor

  AXE_FN constexpr bool padded() const {
    for (int d = 0; d < dimensions.size(); ++d)
      if (real[d] < dimensions[d]) return true;
    return false;
  }
};

/// The values that a digit takes below a real extent: `below` elements per step.
AXE_FN constexpr integer reached_extent(integer extent, integer below, integer real) {
  return smaller(extent, ceil_divide(real, below));
}

/// Cuts digits at dimensions and leaves out the values that only padding has.
AXE_LAZY_FN constexpr refusal drop_padding(sharded_digits& s) {
  s.reached = s.elements;
  if (!s.padded()) return {};
  iter_list const whole = s.elements;
  s.elements.clear();
  s.reached.clear();
  return for_each_run(whole, s.dimensions, [&](int first, int count, iter_list const& block) {
    for (int d = 0; d < count; ++d) s.aligned.push(count == 1);
    integer below = product_of_extents(block);
    for (iter i : block) {
      below /= i.extent;
      if (!s.elements.push(i)) return refusal{rule::too_many_shards, {capacity::shards + 1}};
      if (count == 1) i.extent = reached_extent(i.extent, below, s.real[first]);
      s.reached.push(i);
    }
    return refusal{};
  });
}

AXE_LAZY_FN constexpr outcome<sharded_digits> cut_summands(sharding const& s) {
  if (refusal const bad = check(s.places)) return bad;
  extent_list all;
  if (refusal const bad = admit_dimensions(s.places, s.extents, all)) return bad;
  if (s.summands < 0 || s.summands > all.size())
    return refusal{rule::sharding_summands, {s.summands, all.size()}};
  sharded_digits out;
  for (int d = s.summands; d < all.size(); ++d) {
    out.dimensions.push(all[d]);
    out.size *= all[d];
  }
  out.real = out.dimensions;
  if (s.real.rank() > 0) {
    extent_list real;
    integer product = 1;
    if (refusal const bad = dimensions_of(s.real, real, product)) return bad;
    if (real.size() != out.dimensions.size())
      return refusal{rule::sharding_real_rank, {real.size(), out.dimensions.size()}};
    for (int d = 0; d < real.size(); ++d)
      if (real[d] > out.dimensions[d])
        return refusal{rule::sharding_real_extent, {d, real[d], out.dimensions[d]}};
    out.real = real;
  }
  iter_list const digits = canonical_shards(s.places.shards);
  integer const whole = product_of_extents(digits);
  if (!emit_between(digits, out.size, whole, out.summands) ||
      !emit_between(digits, 1, out.size, out.elements))
    return refusal{rule::sharding_summands_split, {s.summands}};
  if (refusal const bad = drop_padding(out)) return bad;
  return out;
}

/// Two elements at one place: digit differences on one axis that replicas even out.
struct collision_search {
  struct digit {
    integer most = 0;
    integer stride = 0;
    integer elements = 0;  // that one step moves; 0 for a replica
    integer difference = 0;
  };
  list<digit, capacity::shards + capacity::replicas> digits;
  sharded_digits const* cut = nullptr;
  step_limit* steps = nullptr;

  /// The first elements that differ so: the one with the digits that rise, or the other.
  AXE_FN constexpr integer element(bool rising) const {
    integer sum = 0;
    for (digit const& d : digits)
      sum += larger(rising ? d.difference : -d.difference, 0) * d.elements;
    return sum;
  }
  /// False for padding of a dimension with digits of its own. There the elements with fewer steps
  /// are real too, so that the two elements found are the first that differ so.
  AXE_FN constexpr bool is_real(integer element) const {
    for (int d = cut->dimensions.size() - 1; d >= 0; --d) {
      if (cut->padded() && cut->aligned[d] && element % cut->dimensions[d] >= cut->real[d])
        return false;
      element /= cut->dimensions[d];
    }
    return true;
  }
  AXE_FN constexpr void add(iter const& i, integer elements) {
    if (i.extent == 1 || (i.stride == 0 && elements == 0)) return;
    int at = 0;
    while (at < digits.size() && magnitude(digits[at].stride) >= magnitude(i.stride)) ++at;
    digits.insert(at, {i.extent - 1, i.stride, elements});
  }
  AXE_FN constexpr bool find(int k, integer sum, bool differs) {
    if (k == digits.size())
      return sum == 0 && differs && is_real(element(true)) && is_real(element(false));
    if (!steps->take()) return false;
    integer rest = 0;
    for (int i = k + 1; i < digits.size(); ++i)
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
};

AXE_LAZY_FN constexpr refusal check_one_element_per_address(sharding const& s,
                                                            sharded_digits const& cut,
                                                            step_limit steps) {
  for (axis on : axes_of(s.places)) {
    collision_search search;
    search.cut = &cut;
    search.steps = &steps;
    auto const add = [&](iter_list const& digits, iter_list const& whole, integer below) {
      for (int k = digits.size() - 1; k >= 0; --k) {
        if (digits[k].on == on) search.add(digits[k], below);
        below *= whole[k].extent;
      }
    };
    add(cut.summands, cut.summands, cut.size);
    add(cut.reached, cut.elements, 1);
    for (iter const& r : s.places.replicas)
      if (r.on == on) search.add(r, 0);
    bool const two = search.find(0, 0, false);
    if (steps.taken > steps.allowed) return steps.refusal();
    if (!two) continue;
    integer moved = 0;
    for (collision_search::digit const& d : search.digits)
      moved += larger(d.difference, 0) * d.stride;
    integer device = 0;
    for (mesh_axis const& a : s.devices.axes)
      device = device * a.extent + s.places.offset(a.on) + (a.on == on ? moved : 0);
    integer const address = s.places.offset(axis::m) + (on == axis::m ? moved : 0);
    return {rule::sharding_two_elements,
            {search.element(true), search.element(false), address, device}};
  }
  return {};
}

/// Every place must lie in the box of the mesh, and no address may be negative.
AXE_LAZY_FN constexpr refusal check_box(sharding const& s, sharded_digits const& cut) {
  layout reached = s.places;
  reached.blocks.clear();
  reached.shards = cut.reached;
  for (int k = cut.summands.size() - 1; k >= 0; --k) reached.shards.insert(0, cut.summands[k]);
  for (axis on : axes_of(s.places)) {
    interval reach;
    plain_reach(reached, on, reach);
    int const k = s.devices.index_of(on);
    if (k < 0 && on != axis::m) return {rule::sharding_axis, {}, {on}};
    if (k < 0 && reach.least < 0) return {rule::sharding_negative_address, {reach.least}};
    if (k < 0) continue;
    integer const extent = s.devices.axes[k].extent;
    if (reach.least < 0 || reach.largest >= extent)
      return {rule::sharding_outside_the_mesh,
              {reach.least < 0 ? reach.least : reach.largest, extent},
              {on}};
  }
  return {};
}

AXE_LAZY_FN constexpr outcome<sharded_digits> checked_digits(sharding const& s, step_limit steps) {
  if (refusal const bad = check(s.devices)) return bad;
  if (!s.places.swizzle.none()) return refusal{rule::sharding_swizzled};
  outcome<sharded_digits> const cut = cut_summands(s);
  if (!cut) return cut;
  for (iter const& i : cut.value.reached)
    if (i.extent > 1 && i.stride == 0) return refusal{rule::sharding_stride_zero, {i.extent}};
  for (iter const& i : cut.value.summands)
    if (i.stride == 0) return refusal{rule::sharding_stride_zero, {i.extent}};
  if (refusal const bad = check_box(s, *cut)) return bad;
  if (refusal const bad = check_one_element_per_address(s, *cut, steps)) return bad;
  return cut;
}

}  // namespace detail

/// The refusal of an invalid sharding, or an empty one.
AXE_LAZY_FN constexpr refusal check(sharding const& s, step_limit steps = {}) {
  return detail::checked_digits(s, steps).why;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
