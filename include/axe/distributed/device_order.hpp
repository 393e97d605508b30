// SPDX-License-Identifier: MIT
// XLA's order of devices as a layout, from a list or a transposed box.
//
//     layout_of_list({0, 2, 1, 3}, 4, l)               S[(2,2):(1@gpuid,2@gpuid)]
#pragma once

#include <axe/distributed/mesh.hpp>
#include <axe/map/places.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

AXE_FN constexpr mesh flat_mesh(integer devices) { return {{axis::gpuid, devices}}; }

AXE_LAZY_FN constexpr bool layout_of_list(integer const* list, int count, layout& out) {
  int step = 1;
  while (step < count) {
    int const rest = count / step;
    integer const stride = list[step] - list[0];
    int extent = rest;
    auto const repeats = [&](int e) {
      for (int i = 1; i < e; ++i)
        if (list[i * step] != list[0] + i * stride) return false;
      return true;
    };
    while (extent > 1 && (rest % extent != 0 || !repeats(extent))) --extent;
    if (extent == 1 || !out.shards.insert(0, {extent, stride, axis::gpuid})) return false;
    step *= extent;
  }
  if (list[0] != 0) out.offsets.push({list[0], axis::gpuid});
  for (int i = 0; i < count; ++i)
    if (placement_of(out, i).first()[axis::gpuid] != list[i]) return false;
  return true;
}

AXE_LAZY_FN constexpr layout transposed_devices(extent_list const& box, extent_list const& order) {
  layout out;
  for (integer k : order) {
    integer below = 1;
    for (int i = static_cast<int>(k) + 1; i < box.size(); ++i) below *= box[i];
    out.shards.push({box[static_cast<int>(k)], below, axis::gpuid});
  }
  return out;
}

}  // namespace detail

}  // namespace AXE_NAMESPACE
}  // namespace axe
