// SPDX-License-Identifier: MIT
// Reads and prints XLA's sharding text.
//
//     {devices=[2,1,4]<=[4,2]T(1,0) last_tile_dim_replicate}    2 x 1 parts, each on 4 devices
//
// Definition: docs/distributed.md, "GSPMD".
#pragma once

#include <axe/algebra/is_injective.hpp>
#include <axe/distributed/device_order.hpp>
#include <axe/engine/normal_form.hpp>
#include <axe/notation/reader.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// A sharding of more devices must be written with `<=`.
inline constexpr int most_listed_devices = 1024;

struct gspmd_sharding {
  detail::extent_list parts;  // by dimension; if `replicates`, the replicas are last
  bool replicates = false;
  bool everywhere = false;  // {replicated}
  layout devices;           // of each part, on gpuid

  constexpr bool operator==(gspmd_sharding const&) const = default;
};

namespace detail {

AXE_LAZY_FN constexpr bool read_numbers(reader& in, char open, char close, extent_list& out) {
  if (!in.require(open, rule::expected_a_gspmd_sharding)) return false;
  do {
    integer n = 0;
    if (!in.read_integer(n, rule::expected_a_number)) return false;
    if (!out.push(n)) return in.fail(rule::list_is_too_long, out.capacity);
  } while (in.take(','));
  return in.require(close, rule::expected_a_gspmd_sharding);
}

AXE_LAZY_FN constexpr bool read_iota(reader& in, layout& devices) {
  extent_list box;
  extent_list order;
  int const start = in.position;
  if (!read_numbers(in, '[', ']', box)) return false;
  if (in.take_word("T")) {
    if (!read_numbers(in, '(', ')', order)) return false;
  } else {
    for (int k = 0; k < box.size(); ++k) order.push(k);
  }
  bool sound = order.size() == box.size() && box.size() <= capacity::shards;
  integer size = 1;
  for (integer n : box) sound = sound && n >= 1 && multiply(size, n);
  for (int k = 0; k < order.size() && sound; ++k) {
    sound = order[k] >= 0 && order[k] < box.size();
    for (int j = 0; j < k; ++j) sound = sound && order[j] != order[k];
  }
  if (!sound) return in.fail_at(start, rule::gspmd_order);
  devices = transposed_devices(box, order);
  return true;
}

using device_list = list<integer, most_listed_devices>;

AXE_LAZY_FN constexpr bool read_device_list(reader& in, device_list& listed) {
  int const start = in.position;
  do {
    integer n = 0;
    if (!in.read_integer(n, rule::expected_a_gspmd_sharding)) return false;
    if (n < 0 || n > largest / most_listed_devices)  // no stride may overflow
      return in.fail_at(start, rule::gspmd_irregular_list);
    if (!listed.push(n)) return in.fail_at(start, rule::gspmd_long_list, most_listed_devices);
  } while (in.take(','));
  return true;
}

AXE_LAZY_FN constexpr void sort_replicas(device_list& listed, integer replicas) {
  for (int i = 0; i < listed.count; ++i)
    for (int k = i; k % replicas != 0 && listed[k] < listed[k - 1]; --k) {
      integer const larger_one = listed[k - 1];
      listed[k - 1] = listed[k];
      listed[k] = larger_one;
    }
}

/// Reads the optional mark of replicas.
AXE_LAZY_FN constexpr bool read_replicates(reader& in, bool& replicates) {
  replicates = in.take_word("last_tile_dim_replicate");
  if (replicates || !in.take_word("last_tile_dims")) return true;
  if (!in.take('=') || !in.take('{') || !in.take_word("replicated") || !in.take('}'))
    return in.fail(rule::expected_a_gspmd_sharding);
  replicates = true;
  return true;
}

}  // namespace detail

AXE_LAZY_FN constexpr bool read(reader& in, gspmd_sharding& out) {
  if (!in.require('{', rule::expected_a_gspmd_sharding)) return false;
  if (in.take_word("replicated")) {
    out.everywhere = true;
    return in.require('}', rule::expected_a_gspmd_sharding);
  }
  bool const maximal = in.take_word("maximal");
  if (!in.take_word(maximal ? "device" : "devices") ||
      !in.require('=', rule::expected_a_gspmd_sharding))
    return in.fail(rule::expected_a_gspmd_sharding);
  if (maximal) {
    integer device = 0;
    if (!in.read_integer(device, rule::expected_a_number)) return false;
    if (device != 0) out.devices.offsets.push({device, axis::gpuid});
    return in.require('}', rule::expected_a_gspmd_sharding);
  }
  if (!detail::read_numbers(in, '[', ']', out.parts)) return false;
  detail::device_list listed;
  int const start = in.position;
  if (in.take('<')) {
    if (!in.require('=', rule::expected_a_gspmd_sharding) || !detail::read_iota(in, out.devices))
      return false;
  } else if (!detail::read_device_list(in, listed)) {
    return false;
  }
  if (!detail::read_replicates(in, out.replicates)) return false;
  if (out.replicates && out.parts.back() > 1) detail::sort_replicas(listed, out.parts.back());
  if (!listed.empty()) {
    if (!detail::layout_of_list(listed.begin(), listed.size(), out.devices))
      return in.fail_at(start, rule::gspmd_irregular_list);
    outcome<bool> const once = try_is_injective(out.devices);
    if (once.why) return in.fail_with(once.why);
    if (!once.value) return in.fail_at(start, rule::gspmd_device_twice);
  }
  return in.require('}', rule::expected_a_gspmd_sharding);
}

namespace detail {

AXE_FN constexpr void print_numbers(auto& out, extent_list const& numbers, char before,
                                    char close) {
  for (integer n : numbers) {
    out.put(before);
    out.put(n);
    before = ',';
  }
  out.put(close);
}

AXE_FN constexpr void print_iota(auto& out, layout const& devices) {
  iter_list const digits = canonical_shards(devices.shards);
  extent_list box;
  extent_list order;
  for (iter const& i : digits) {
    int dimension_in_box = 0;
    for (iter const& j : digits) dimension_in_box += j.stride > i.stride;
    order.push(dimension_in_box);
  }
  for (int k = 0; k < digits.size(); ++k)
    for (int j = 0; j < digits.size(); ++j)
      if (order[j] == k) box.push(digits[j].extent);
  out.put("<=");
  print_numbers(out, box, '[', ']');
  if (box.size() > 1) {
    out.put('T');
    print_numbers(out, order, '(', ')');
  }
}

}  // namespace detail

/// Prints the devices by `<=` with the fewest dimensions, or as a list if they have an offset.
AXE_FN constexpr void print(auto& out, gspmd_sharding const& g) {
  if (g.everywhere) return out.put("{replicated}");
  if (g.parts.empty()) {
    out.put("{maximal device=");
    out.put(g.devices.offset(axis::gpuid));
    return out.put('}');
  }
  out.put("{devices=");
  detail::print_numbers(out, g.parts, '[', ']');
  if (!g.devices.offsets.empty()) {
    integer const count = detail::product_of_extents(g.devices.shards);
    for (integer i = 0; i < count; ++i) {
      if (i > 0) out.put(',');
      out.put(detail::placement_of(g.devices, i).first()[axis::gpuid]);
    }
    return out.put(g.replicates ? " last_tile_dim_replicate}" : "}");
  }
  detail::print_iota(out, g.devices);
  if (g.replicates) out.put(" last_tile_dim_replicate");
  out.put('}');
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
