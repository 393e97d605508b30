// SPDX-License-Identifier: MIT
// held: the digits and the replica that a device has, by its position on the mesh axes.
//
//     D = (2:4@x, 4:8), R = 2:1@x, x = 5      digit 0 is 1, the replica is 1
//
// Definition: docs/distributed.md, "Holders".
#pragma once

#include <axe/distributed/parts.hpp>
#include <axe/map/sum_set.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

inline constexpr int most_on_devices = 48;

enum class placed : unsigned char { element = 1, summand = 2, replica = 4 };
inline constexpr unsigned all_placed = 7;

struct device_digit {
  integer extent = 1;
  integer stride = 0;
  int on = 0;  // mesh axis
  placed kind = placed::element;
  padded_digit in{};
  integer piece_step = 0;  // digit = piece / piece_step % extent; 0: not fixed
};

struct position {
  integer at[capacity::mesh_axes]{};

  AXE_FN friend constexpr bool operator==(position const& a, position const& b) {
    return equal_entries(a.at, b.at);
  }
};

/// Values of a device's digits. `any`: the device holds elements of the piece.
struct held {
  bool any = false;
  integer piece = 0;
  integer value[most_on_devices]{};
};

AXE_LAZY_FN constexpr integer count_sums(sum_set const& set) {
  integer count = 1;
  if (set.gap_ok()) {
    for (sum_iter const& r : set.iters) count *= r.extent;
    return count;
  }
  step_limit all(largest);
  count = 0;
  for (integer v = set.least; v != sum_set::none; v = set.at_least(v + 1, all)) ++count;
  return count;
}

struct holding_side {
  list<device_digit, most_on_devices> on_devices;  // by axis, then by |stride| descending
  integer first[capacity::mesh_axes]{};            // offset, by axis
  integer first_address = 0;                       // of the first replica in memory
  list<iter, capacity::shards> summands_on_devices;
  list<iter, capacity::shards> summands_in_memory;
  sum_set memory_replicas;
  bool overflowed = false;

  /// The position in on_devices, or -1 if full.
  AXE_FN constexpr int add(device_digit const& d, list<side_digit, most_tensor_parts>& digits) {
    int at = 0;
    while (at < on_devices.size() &&
           (on_devices[at].on < d.on ||
            (on_devices[at].on == d.on && magnitude(on_devices[at].stride) >= magnitude(d.stride))))
      ++at;
    if (!on_devices.insert(at, d)) {
      overflowed = true;
      return -1;
    }
    for (side_digit& digit : digits)
      if (digit.index_on_devices >= at) ++digit.index_on_devices;
    return at;
  }

  AXE_FN static constexpr bool counts_elements(unsigned kinds) {
    return (kinds & static_cast<unsigned>(placed::element)) != 0;
  }
  /// False if the digits on this axis occur in padding only.
  AXE_FN constexpr bool is_real(int on, held const& h) const {
    for (device_digit const& d : on_devices) {
      if (d.on != on || d.in.dimension < 0) continue;
      integer at = 0;
      for (int k = 0; k < on_devices.size(); ++k)
        if (on_devices[k].on == on && on_devices[k].in.dimension == d.in.dimension)
          at += h.value[k] * on_devices[k].in.weight;
      if (at >= d.in.real) return false;
    }
    return true;
  }

  /// Finds values of an axis's digits k and later that sum to `left`. Only digits of `kinds` may be
  /// nonzero.
  AXE_FN constexpr bool solve(int k, int on, integer left, held& out, unsigned kinds) const {
    auto const counts = [&](int i) {
      return on_devices[i].piece_step == 0 &&
             (kinds & static_cast<unsigned>(on_devices[i].kind)) != 0;
    };
    while (k < on_devices.size() && on_devices[k].on == on && !counts(k)) ++k;
    if (k == on_devices.size() || on_devices[k].on != on)
      return left == 0 && (!counts_elements(kinds) || is_real(on, out));
    integer least = 0;
    integer most = 0;
    for (int i = k + 1; i < on_devices.size() && on_devices[i].on == on; ++i) {
      if (!counts(i)) continue;
      integer const far = (on_devices[i].extent - 1) * on_devices[i].stride;
      least += smaller(far, 0);
      most += larger(far, 0);
    }
    device_digit const& d = on_devices[k];
    integer const step = magnitude(d.stride);
    integer const low = d.stride > 0 ? left - most : least - left;
    integer const high = d.stride > 0 ? left - least : most - left;
    integer const first_value = step == 0 ? 0 : larger(0, ceil_divide(low, step));
    integer const last_value = step == 0 ? 0 : smaller(d.extent - 1, floor_divide(high, step));
    for (integer c = first_value; c <= last_value; ++c) {
      out.value[k] = c;
      if (solve(k + 1, on, left - c * d.stride, out, kinds)) return true;
    }
    return false;
  }
  AXE_FN constexpr int first_on(int on) const {
    int k = 0;
    while (k < on_devices.size() && on_devices[k].on < on) ++k;
    return k;
  }

  AXE_FN constexpr held digits_of_piece(integer piece, position& offsets) const {
    held out;
    out.piece = piece;
    for (int k = 0; k < on_devices.size(); ++k) {
      device_digit const& d = on_devices[k];
      if (d.piece_step == 0) continue;
      out.value[k] = piece / d.piece_step % d.extent;
      offsets.at[d.on] += out.value[k] * d.stride;
    }
    return out;
  }
  AXE_FN constexpr held held_at(position const& p, int axes, integer piece = 0) const {
    position offsets;
    held out = digits_of_piece(piece, offsets);
    for (int a = 0; a < axes; ++a)
      if (!solve(first_on(a), a, p.at[a] - first[a] - offsets.at[a], out, all_placed)) return out;
    out.any = true;
    return out;
  }
  /// True if replicas, and summands if `with_summands`, add up to `distance`.
  AXE_FN constexpr bool reaches(int on, integer distance, bool with_summands) const {
    held found;
    unsigned const replicas = static_cast<unsigned>(placed::replica);
    unsigned const summands = with_summands ? static_cast<unsigned>(placed::summand) : 0;
    return solve(first_on(on), on, distance, found, replicas | summands);
  }
  /// The distance that digits of one kind add up to.
  AXE_FN constexpr integer moved(int on, held const& h, placed kind) const {
    integer sum = 0;
    for (int k = 0; k < on_devices.size(); ++k)
      if (on_devices[k].on == on && on_devices[k].kind == kind)
        sum += h.value[k] * on_devices[k].stride;
    return sum;
  }
  AXE_FN constexpr bool none_of(held const& h, placed kind) const {
    for (int k = 0; k < on_devices.size(); ++k)
      if (on_devices[k].kind == kind && h.value[k] != 0) return false;
    return true;
  }
  /// The distance from replica 0 to replica `wanted % replica_extent(on)`.
  AXE_FN constexpr integer assigned_replica(int on, integer wanted) const {
    integer sum = 0;
    for (device_digit const& d : on_devices)
      if (d.on == on && d.kind == placed::replica) {
        sum += wanted % d.extent * d.stride;
        wanted /= d.extent;
      }
    return sum;
  }
  AXE_FN constexpr integer replica_extent(int on) const {
    integer product = 1;
    for (device_digit const& d : on_devices)
      if (d.on == on && d.kind == placed::replica) product *= d.extent;
    return product;
  }
  /// The distances of the replicas on an axis from replica 0.
  AXE_FN constexpr sum_set replicas_on(int on) const {
    sum_set set;
    for (device_digit const& d : on_devices)
      if (d.on == on && d.kind == placed::replica) set.add(d.extent, d.stride);
    set.saturate();
    return set;
  }
  AXE_FN constexpr integer replicas(int axes) const {
    integer product = 1;
    for (int a = 0; a < axes; ++a) product *= count_sums(replicas_on(a));
    return product;
  }
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
