// SPDX-License-Identifier: MIT
// sharding: a tensor on a mesh, as a layout on its padded shape.
//
//     sharding{S({4, 8, 8}, {1 * mesh_x, 8, 1}), {4, 8, 8}, nodes, 1}   a pending sum of 4 summands
//
// The first `summands` dimensions are not added up yet. Elements from `real` on are padding.
// Definition: docs/distributed.md, "Shardings".
#pragma once

#include <axe/distributed/mesh.hpp>
#include <axe/engine/digits.hpp>
#include <axe/layout/check.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

struct sharding {
  layout places;
  shape extents;  // summands, then the padded tensor
  mesh devices;
  int summands = 0;
  shape real{};  // without padding; empty: no padding

  constexpr bool operator==(sharding const&) const = default;
};

namespace detail {

/// One dimension of a padded tensor, or neighbours that share digits.
struct padded_run {
  int first = 0;
  int count = 0;
  int first_digit = 0;
  int last_digit = 0;
  integer size = 1;   // elements of these dimensions
  integer below = 1;  // elements of the dimensions after these

  /// True if padding may begin inside a digit: each element is then tested.
  AXE_FN constexpr bool enumerated() const { return count > 1; }
};

struct sharded_digits {
  iter_list summands;
  iter_list elements;
  iter_list reached;       // `elements`, with the extents that real elements reach
  extent_list dimensions;  // of the tensor
  extent_list real;
  list<padded_run, 48> runs;  // empty without padding
  integer size = 1;           // elements with padding

  AXE_FN constexpr bool padded() const {
    for (int d = 0; d < dimensions.size(); ++d)
      if (real[d] < dimensions[d]) return true;
    return false;
  }
  /// False for padding. Tests enumerated runs if `of_enumerated`, else the others.
  AXE_FN constexpr bool is_real(integer element, bool of_enumerated) const {
    for (padded_run const& r : runs) {
      if (r.enumerated() != of_enumerated) continue;
      integer rest = element / r.below;
      for (int d = r.first + r.count - 1; d >= r.first; --d) {
        if (rest % dimensions[d] >= real[d]) return false;
        rest /= dimensions[d];
      }
    }
    return true;
  }
  AXE_FN constexpr integer enumerated_elements() const {
    integer product = 1;
    for (padded_run const& r : runs)
      if (r.enumerated()) product *= r.size;
    return product;
  }
  AXE_FN constexpr integer enumerated_element(integer k) const {
    integer element = 0;
    for (padded_run const& r : runs) {
      if (!r.enumerated()) continue;
      element += k % r.size * r.below;
      k /= r.size;
    }
    return element;
  }
  AXE_FN constexpr integer enumerated_sum(integer element, axis on) const {
    integer sum = 0;
    for (padded_run const& r : runs)
      if (r.enumerated()) sum += enumerated_sum(element, r, on);
    return sum;
  }
  AXE_FN constexpr integer enumerated_sum(integer element, padded_run const& r, axis on) const {
    integer sum = 0;
    integer rest = element / r.below;
    for (int k = r.last_digit - 1; k >= r.first_digit; --k) {
      if (elements[k].on == on) sum += rest % elements[k].extent * elements[k].stride;
      rest /= elements[k].extent;
    }
    return sum;
  }
  AXE_FN constexpr bool is_enumerated(int digit) const {
    for (padded_run const& r : runs)
      if (r.enumerated() && digit >= r.first_digit && digit < r.last_digit) return true;
    return false;
  }
};

/// The number of values that a digit takes in elements 0 to real - 1. A step of it is `below`
/// elements.
AXE_FN constexpr integer reached_extent(integer extent, integer below, integer real) {
  return smaller(extent, ceil_divide(real, below));
}

AXE_LAZY_FN constexpr refusal find_padded_runs(sharded_digits& s) {
  s.reached = s.elements;
  if (!s.padded()) return {};
  iter_list const whole = s.elements;
  s.elements.clear();
  s.reached.clear();
  integer rest = s.size;
  return for_each_run(whole, s.dimensions, [&](int first, int count, iter_list const& block) {
    integer below = product_of_extents(block);
    int const digit = s.elements.size();
    rest /= below;
    s.runs.push({first, count, digit, digit + block.size(), below, rest});
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
    if (refusal const bad = dimensions_of(s.real, real)) return bad;
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
  if (refusal const bad = find_padded_runs(out)) return bad;
  return out;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
