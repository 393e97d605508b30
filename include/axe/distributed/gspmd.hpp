// SPDX-License-Identifier: MIT
// Converts XLA's shardings (GSPMD).
//
//     from_gspmd("{devices=[2,2]<=[4]}", 4, {8, 8})    4 x 4 elements on each device
//
// Definition: docs/distributed.md, "GSPMD".
#pragma once

#include <axe/algebra/is_injective.hpp>
#include <axe/distributed/gspmd_text.hpp>
#include <axe/distributed/placement_cuts.hpp>
#include <axe/distributed/sharding_difference.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

/// Rejects device numbers outside [0, devices), also in padding.
AXE_LAZY_FN constexpr refusal check_devices(layout const& l, integer devices) {
  interval reach{l.offset(axis::gpuid), l.offset(axis::gpuid)};
  for (iter const& i : l.shards)
    if (!extend(reach, i)) return {rule::size_overflows};
  if (reach.least >= 0 && reach.largest < devices) return {};
  return {rule::sharding_outside_the_mesh,
          {reach.least < 0 ? reach.least : reach.largest, devices},
          {axis::gpuid}};
}

AXE_LAZY_FN constexpr outcome<layout> group_by_parts(layout const& devices, shape const& parts) {
  outcome<layout> const grouped = try_group(devices, parts);
  if (!grouped.why.is(rule::does_not_group)) return grouped;
  auto const& n = grouped.why.numbers;
  return refusal{rule::gspmd_parts, {n[0], n[1], n[2], n[4]}};
}

}  // namespace detail

AXE_LAZY_FN constexpr outcome<sharding> try_from_gspmd(gspmd_sharding const& g, integer devices,
                                                       shape const& tensor) {
  mesh const on = detail::flat_mesh(devices);
  detail::extent_list real;
  if (refusal const bad = detail::admit_tensor(on, tensor, real)) return bad;
  int const rank = real.size();
  if (g.everywhere) {
    detail::placement_cuts cuts(on, real, real);
    cuts.replicate({devices, 1, axis::gpuid});
    return cuts.finish();
  }
  bool const one = g.parts.empty();  // {maximal device=3}
  if (!one && g.parts.size() != rank + g.replicates)
    return refusal{rule::gspmd_rank, {g.parts.size() - g.replicates, rank}};
  integer count = 1;
  shape split;
  for (integer n : g.parts) {
    split.append(n);
    if (!detail::multiply(count, n)) return refusal{rule::size_overflows};
  }
  if (!one && count != devices) return refusal{rule::gspmd_devices, {count, devices}};
  if (refusal const bad = detail::check_devices(g.devices, devices)) return bad;
  outcome<layout> const grouped = detail::group_by_parts(g.devices, one ? shape(1) : split);
  if (grouped.why) return grouped.why;
  detail::extent_list padded = real;
  for (int d = 0; d < rank && !one; ++d)
    if (!detail::pad_to(padded[d], g.parts[d])) return refusal{rule::size_overflows};
  detail::placement_cuts cuts(on, real, padded);
  cuts.set_offsets(g.devices);
  int next = 0;
  for (int d = 0; d < grouped.value.blocks.size(); ++d)
    for (int k = 0; k < grouped.value.blocks[d]; ++k) {
      iter const& i = grouped.value.shards[next++];
      if (!(d < rank ? cuts.cut(d, 1, i) : cuts.replicate(i)))
        return refusal{rule::too_many_shards, {capacity::shards + 1}};
    }
  return cuts.finish();
}

namespace detail {

/// Adds parts of padding: 3 rows on 4 devices become 4 parts.
struct part_padding {
  sharding const& given;
  shape const& tensor;
  integer all;  // devices
  step_limit steps;

  AXE_FN constexpr bool fits(gspmd_sharding const& padded) const {
    outcome<bool> const once = try_is_injective(padded.devices, steps);
    return !once.why && once.value && !check_devices(padded.devices, all) &&
           !same_form(given, try_from_gspmd(padded, all, tensor), steps);
  }
  /// False if the parts of dimension d get smaller.
  AXE_FN constexpr bool set_parts(gspmd_sharding& out, int d, integer parts) const {
    integer const last = tensor.extent(d) - 1, before = last / out.parts[d];
    out.parts[d] = parts;
    return before == last / parts;
  }
  /// Inserts slower digits until each device has a part.
  AXE_FN constexpr bool insert(gspmd_sharding& out) {
    iter_list const digits = out.devices.shards;
    integer below = 1;
    for (int k = 0; k < digits.size(); ++k)
      if (magnitude(digits[k].stride) == below) {
        if (!multiply(below, digits[k].extent) || below > all) return false;
        k = -1;
      }
    if (below == all) return fits(out);
    integer const most = all / product_of_extents(digits);
    int slowest = 0;
    for (int d = 0; d < tensor.rank(); ++d) {
      for (integer more = most; more > 1 && steps.take(); --more) {
        if (all % (below * more) != 0) continue;
        gspmd_sharding padded = out;
        if (set_parts(padded, d, out.parts[d] * more) &&
            padded.devices.shards.insert(slowest, {more, below, axis::gpuid}) && insert(padded)) {
          out = padded;
          return true;
        }
      }
      for (integer parts = out.parts[d]; parts > 1; ++slowest) parts /= digits[slowest].extent;
    }
    return false;
  }
  /// Enlarges the slowest digits of the dimensions from d on. `slowest` is that of d.
  AXE_FN constexpr bool enlarge(gspmd_sharding& out, int d, int slowest) {
    if (d == tensor.rank()) return insert(out);
    int next = slowest;
    for (integer parts = out.parts[d]; parts > 1; ++next) parts /= out.devices.shards[next].extent;
    if (next == slowest) return enlarge(out, d + 1, next);
    integer const extent = out.devices.shards[slowest].extent,
                  others = product_of_extents(out.devices.shards) / extent;
    for (integer more = all / others; more >= extent && steps.take(); --more) {
      if (all % more != 0) continue;
      gspmd_sharding padded = out;
      padded.devices.shards[slowest].extent = more;
      if (set_parts(padded, d, out.parts[d] / extent * more) && enlarge(padded, d + 1, next)) {
        out = padded;
        return true;
      }
    }
    return false;
  }
};

/// The sharding before padding.
AXE_LAZY_FN constexpr outcome<gspmd_sharding> parts_on_devices(
    list<iter_list, capacity::shards> const& dimensions, layout const& places, integer all) {
  gspmd_sharding out;
  integer replicas = 1;
  for (iter_list const& digits : dimensions) {
    integer parts = 1;
    for (iter const& i : digits) {
      if (i.on != axis::gpuid) continue;
      parts *= i.extent;
      out.devices.shards.push(i);
    }
    out.parts.push(parts);
  }
  for (iter const& r : places.replicas) {
    if (r.on != axis::gpuid) continue;  // same_form rejects replicas in memory
    if (!out.devices.shards.push(r)) return refusal{rule::too_many_shards, {capacity::shards + 1}};
    replicas *= r.extent;
  }
  out.devices.offsets = places.offsets;
  out.replicates = replicas > 1;
  if (out.replicates) out.parts.push(replicas);
  integer const count = product_of_extents(out.devices.shards);
  if (count == 1) out.parts.clear();
  if (count == replicas && count == all) {
    out = {};
    out.everywhere = true;
  }
  return out;
}

}  // namespace detail

/// Rejects pending sums, memory that is not row-major, and devices that get no part.
AXE_LAZY_FN constexpr outcome<gspmd_sharding> try_to_gspmd(sharding const& given,
                                                           step_limit steps = {}) {
  sharding s = given;
  s.places = detail::by_device_number(given);
  s.devices = detail::flat_mesh(given.devices.devices());
  outcome<detail::digits_of_dimensions> const found = detail::digits_by_dimension(s, steps, true);
  if (found.why) return found.why;
  if (!found.value.summands.empty()) return refusal{rule::other_sum};
  integer const all = s.devices.devices();
  outcome<gspmd_sharding> parts = detail::parts_on_devices(found.value.dimensions, s.places, all);
  if (parts.why) return parts.why;
  gspmd_sharding& out = parts.value;
  integer const count = detail::product_of_extents(out.devices.shards);
  shape tensor;
  for (integer n : found.value.real) tensor.append(n);
  if (count > 1 && count < all)
    if (detail::part_padding padding{given, tensor, all, steps};
        !padding.enlarge(out, 0, 0) && padding.steps.spent())
      return padding.steps.refusal();
  if (!given.places.offsets.empty() && detail::check_devices(out.devices, all)) {
    term const& o = given.places.offsets[0];
    return refusal{rule::other_offset, {o.n}, {o.on}};
  }
  if (refusal const bad = detail::same_form(given, try_from_gspmd(out, all, tensor), steps))
    return bad;
  // An offset means descending device numbers, which need a list.
  integer const listed = detail::product_of_extents(out.devices.shards);
  if (listed > most_listed_devices && !out.devices.offsets.empty())
    return refusal{rule::gspmd_descends, {listed, most_listed_devices}};
  return out;
}

AXE_LAZY_FN constexpr outcome<sharding> try_from_gspmd(char const* text, integer devices,
                                                       shape const& tensor) {
  gspmd_sharding read_form;
  refusal const bad = detail::read_whole(text, detail::flat_mesh(devices),
                                         [&](reader& in) { return read(in, read_form); });
  if (bad) return bad;
  return try_from_gspmd(read_form, devices, tensor);
}

template <class Form>
AXE_FN constexpr sharding from_gspmd(Form const& form, integer devices, shape const& tensor) {
  return detail::stop_on(try_from_gspmd(form, devices, tensor), "from_gspmd");
}

AXE_LAZY_FN constexpr gspmd_sharding to_gspmd(sharding const& s, step_limit steps = {}) {
  return detail::stop_on(try_to_gspmd(s, steps), "to_gspmd", {&s.places, nullptr, &s.extents});
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
