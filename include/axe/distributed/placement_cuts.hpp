// SPDX-License-Identifier: MIT
// placement_cuts: builds a sharding by cutting dimensions over mesh axes.
//
//     6 rows of 8, cut(0, 1, {4, 1, mesh_x})       S[(4,2,8):(1@mesh_x,8,1)], real (6,8)
//
// Each dimension starts as one digit in memory. Digits that stay in memory are row-major.
#pragma once

#include <axe/algebra/group.hpp>
#include <axe/distributed/check_sharding.hpp>
#include <axe/notation/reader.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// Rounds n up to a multiple of `of`. False if that overflows.
AXE_FN constexpr bool pad_to(integer& n, integer of) {
  n = ceil_divide(n, of);
  return multiply(n, of);
}

class placement_cuts {
 public:
  AXE_LAZY_FN constexpr placement_cuts(mesh const& on, extent_list const& real,
                                       extent_list const& padded)
      : devices(on) {
    for (int d = 0; d < padded.size(); ++d) {
      dimensions.push({});
      dimensions[d].push({padded[d], 0, axis::m});
      extents.append(padded[d]);
      if (padded[d] != real[d]) uneven = true;
    }
    for (integer n : real) real_extents.append(n);
  }

  /// Cuts dimension d over `device`, after `slower` parts that stay in memory. False if extents do
  /// not divide one another, or for too many digits.
  AXE_LAZY_FN constexpr bool cut(int d, integer slower, iter device) {
    iter_list& digits = dimensions[d];
    for (int k = 0; k < digits.size() && device.extent > 1; ++k) {
      if (!digits[k].is_on(axis::m)) continue;
      integer const extent = digits[k].extent;
      if (slower >= extent && slower % extent == 0) {
        slower /= extent;
        continue;
      }
      integer const rest = extent / slower;
      integer const taken = smaller(rest, device.extent);
      if (extent % slower != 0 || rest % taken != 0 || device.extent % taken != 0) return false;
      device.extent /= taken;
      digits[k] = {taken, device.stride * device.extent, device.on};
      if (rest > taken && !digits.insert(k + 1, {rest / taken, 0, axis::m})) return false;
      if (slower > 1 && !digits.insert(k, {slower, 0, axis::m})) return false;
      if (slower > 1) ++k;
      slower = 1;
    }
    return device.extent == 1;
  }
  AXE_FN constexpr bool replicate(iter const& i) {
    return i.extent == 1 || places.replicas.push(i);
  }
  AXE_FN constexpr void set_offsets(layout const& from) { places.offsets = from.offsets; }
  AXE_FN constexpr bool add_summand(iter const& i) { return i.extent == 1 || summands.push(i); }

  AXE_LAZY_FN constexpr outcome<sharding> finish() {
    integer pitch = 1;
    for (int d = dimensions.size() - 1; d >= 0; --d) {
      iter_list& digits = dimensions[d];
      for (int k = digits.size() - 1; k >= 0; --k) {
        if (!digits[k].is_on(axis::m)) continue;
        digits[k].stride = pitch;
        if (!multiply(pitch, digits[k].extent)) return refusal{rule::size_overflows};
      }
    }
    sharding s;
    s.devices = devices;
    s.summands = summands.size();
    s.places = places;
    for (iter const& i : summands) {
      s.extents.append(i.extent);
      s.places.shards.push(i);
    }
    for (iter_list const& digits : dimensions)
      for (iter const& i : digits)
        if (i.extent > 1 && !s.places.shards.push(i))
          return refusal{rule::too_many_shards, {capacity::shards + 1}};
    for (int d = 0; d < extents.rank(); ++d) s.extents.append(extents[d]);
    if (uneven) s.real = real_extents;
    if (refusal const bad = check(s)) return bad;
    return s;
  }

 private:
  mesh devices;
  layout places;  // R and O
  iter_list summands;
  list<iter_list, capacity::shards> dimensions;
  shape extents;
  shape real_extents;
  bool uneven = false;
};

AXE_LAZY_FN constexpr refusal admit_tensor(mesh const& on, shape const& tensor, extent_list& real) {
  if (refusal const bad = check(on)) return bad;
  integer size = 1;
  if (refusal const bad = dimensions_of(tensor, real, size)) return bad;
  if (real.size() > capacity::shards) return {rule::too_many_dimensions, {real.size()}};
  return {};
}

/// The reader knows the mesh's axes. Rejects text after the form.
AXE_FN constexpr refusal read_whole(char const* text, mesh const& on, auto const& read_form) {
  list<axis, capacity::mesh_axes> names;
  for (mesh_axis const& a : on.axes)
    if (is_declared(a.on)) names.push(a.on);
  int length = 0;
  while (text[length] != '\0') ++length;
  reader in{text, length, 0, {names.begin(), names.size()}};
  if (!read_form(in)) return in.refusal;
  if (!in.at_end()) return {rule::expected_no_more, {in.position}};
  return {};
}

struct digits_of_dimensions {
  iter_list summands;
  list<iter_list, capacity::shards> dimensions;
  extent_list real;
};

/// Rejects offsets, except those on device axes if `with_offsets`.
AXE_LAZY_FN constexpr outcome<digits_of_dimensions> digits_by_dimension(sharding const& s,
                                                                        step_limit steps,
                                                                        bool with_offsets = false) {
  outcome<sharded_digits> const cut = checked_digits(s, steps);
  if (cut.why) return cut.why;
  outcome<layout> const grouped = try_group(s.places, s.extents);
  if (grouped.why) return grouped.why;
  for (term const& o : s.places.offsets)
    if (!with_offsets || s.devices.index_of(o.on) < 0)
      return refusal{rule::other_offset, {o.n}, {o.on}};
  digits_of_dimensions out;
  out.real = cut.value.real;
  int next = 0;
  for (int d = 0; d < grouped.value.blocks.size(); ++d) {
    if (d >= s.summands) out.dimensions.push({});
    for (int k = 0; k < grouped.value.blocks[d]; ++k) {
      iter const& i = grouped.value.shards[next++];
      if (i.extent > 1) (d < s.summands ? out.summands : out.dimensions.back()).push(i);
    }
  }
  return out;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
