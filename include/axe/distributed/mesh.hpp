// SPDX-License-Identifier: MIT
// mesh: named device axes with extents. It gives each device a number and a rank.
//
//     constexpr mesh nodes{{mesh_y, 2}, {mesh_x, 4}};           device = 4*y + x, rank = device
//     constexpr mesh half = nodes.on_ranks({1, 2}, 8);          rank = 8 + y + 2*x
//
// Definition: docs/distributed.md, "Meshes".
#pragma once

#include <axe/layout/place.hpp>
#include <axe/map/step_limit.hpp>
#include <axe/refusal/refusal.hpp>
#include <axe/sentence/stop.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace capacity {
inline constexpr int mesh_axes = 8;
}

struct mesh_axis {
  axis on = axis::null;
  integer extent = 1;
  integer rank_stride = 0;  // between neighbouring devices

  constexpr bool operator==(mesh_axis const&) const = default;
};

struct mesh {
  list<mesh_axis, capacity::mesh_axes> axes;  // slowest first
  integer first_rank = 0;
  bool overflowed = false;    // too many axes or devices
  int rejected_strides = -1;  // wrong number of strides in on_ranks, or -1

  constexpr mesh() = default;
  AXE_FN constexpr mesh(initializer_list<mesh_axis> from) {
    for (mesh_axis const& a : from) add(a.on, a.extent);
  }
  mesh(initializer_list<integer>) = delete;  // an axis is {x, 4}, in its own braces

  /// Appends the fastest axis and numbers the ranks row-major.
  AXE_FN constexpr void add(axis on, integer extent) {
    if (!axes.push({on, extent, 1})) overflowed = true;
    rejected_strides = -1;
    integer below = 1;
    for (int k = axes.size() - 1; k >= 0; --k) {
      axes[k].rank_stride = below;
      if (!detail::multiply(below, axes[k].extent)) overflowed = true;
    }
  }

  AXE_FN constexpr mesh on_ranks(initializer_list<integer> strides, integer first = 0) const {
    mesh moved = *this;
    moved.first_rank = first;
    int k = 0;
    for (integer stride : strides) {
      if (k < moved.axes.size()) moved.axes[k].rank_stride = stride;
      ++k;
    }
    moved.rejected_strides = k == moved.axes.size() ? -1 : k;
    return moved;
  }

  AXE_FN constexpr integer devices() const {
    integer product = 1;
    for (mesh_axis const& a : axes) product *= a.extent;
    return product;
  }
  AXE_FN constexpr int index_of(axis on) const {
    for (int k = 0; k < axes.size(); ++k)
      if (detail::number_of(axes[k].on) == detail::number_of(on)) return k;
    return -1;
  }
  AXE_FN constexpr integer rank_of(integer device) const {
    integer rank = first_rank;
    for (int k = axes.size() - 1; k >= 0; --k) {
      rank += device % axes[k].extent * axes[k].rank_stride;
      device /= axes[k].extent;
    }
    return rank;
  }
  AXE_FN constexpr integer last_rank() const {
    integer rank = first_rank;
    for (mesh_axis const& a : axes) rank += detail::larger(0, (a.extent - 1) * a.rank_stride);
    return rank;
  }

  constexpr bool operator==(mesh const&) const = default;
};

namespace detail {

struct rank_collision_search {
  list<mesh_axis, capacity::mesh_axes> axes;  // longest strides first
  step_limit* steps;

  AXE_FN constexpr rank_collision_search(mesh const& m, step_limit& allowed) : steps(&allowed) {
    for (mesh_axis const& a : m.axes) {
      int at = 0;
      while (at < axes.size() && magnitude(axes[at].rank_stride) >= magnitude(a.rank_stride)) ++at;
      if (a.extent > 1) axes.insert(at, a);
    }
  }
  AXE_FN constexpr bool find(int k, integer rank, bool moved) const {
    if (k == axes.size()) return moved && rank == 0;
    integer reach_of_later_axes = 0;
    for (int i = k + 1; i < axes.size(); ++i)
      reach_of_later_axes += (axes[i].extent - 1) * magnitude(axes[i].rank_stride);
    mesh_axis const& a = axes[k];
    integer low = 1 - a.extent;
    integer high = a.extent - 1;
    if (integer const step = magnitude(a.rank_stride); step != 0) {
      integer const aim = a.rank_stride > 0 ? rank : -rank;
      low = larger(low, ceil_divide(-reach_of_later_axes - aim, step));
      high = smaller(high, floor_divide(reach_of_later_axes - aim, step));
    }
    for (integer c = low; c <= high && steps->take(); ++c)
      if (find(k + 1, rank + c * a.rank_stride, moved || c != 0)) return true;
    return false;
  }
};

AXE_FN constexpr bool counts_row_major(mesh const& m) {
  integer below = 1;
  for (int k = m.axes.size() - 1; k >= 0; --k) {
    if (m.axes[k].rank_stride != below) return false;
    below *= m.axes[k].extent;
  }
  return true;
}

}  // namespace detail

AXE_LAZY_FN constexpr refusal check(mesh const& m, step_limit steps = {}) {
  if (m.overflowed) return {rule::mesh_too_large, {capacity::mesh_axes}};
  if (m.rejected_strides >= 0)
    return {rule::mesh_rank_strides, {m.rejected_strides, m.axes.size()}};
  integer least = m.first_rank;
  integer largest_distance = 0;
  for (int k = 0; k < m.axes.size(); ++k) {
    mesh_axis const& a = m.axes[k];
    if (a.extent < 1) return {rule::mesh_extent_below_one, {a.extent}, {a.on}};
    if (kind_of(a.on) != kind::device) return {rule::mesh_axis_is_not_a_device_axis, {}, {a.on}};
    if (m.index_of(a.on) != k) return {rule::mesh_names_an_axis_twice, {}, {a.on}};
    integer far = a.rank_stride;
    if (!detail::multiply(far, a.extent - 1) || far < -detail::largest ||
        !detail::add(largest_distance, detail::magnitude(far)) ||
        !detail::add(least, detail::smaller(0, far)))
      return {rule::mesh_too_large, {capacity::mesh_axes}};
  }
  if (least < 0) return {rule::mesh_rank_is_negative, {least}};
  integer last = m.first_rank;
  if (!detail::add(last, largest_distance) || last == detail::largest)
    return {rule::mesh_too_large, {capacity::mesh_axes}};
  if (detail::counts_row_major(m)) return {};
  bool const twice = detail::rank_collision_search(m, steps).find(0, 0, false);
  if (steps.taken > steps.allowed) return steps.refusal();
  if (twice) return {rule::mesh_rank_twice};
  return {};
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
