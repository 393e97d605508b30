// SPDX-License-Identifier: MIT
// Shifts of lanes, l -> l ^ v, and elements, e -> e ^ a, that map an exchange to itself.
//
//     S[(4,4):(1@lane,1@reg)] to S[(4,4):(1@reg,1@lane)]     4 shifts: v = 1 together with a = 5, …
//
// The router routes one element of each orbit and shifts its route.
#pragma once

#include <axe/convert/engine/holding.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

struct exchange_shift {
  int lane = 0, element = 0;
};
using exchange_symmetry = list<exchange_shift, warp_lanes>;

AXE_LAZY_FN constexpr register_word shifted(register_word lanes, int by) {
  register_word result = 0;
  for (; lanes != 0; lanes &= lanes - 1) result |= register_word{1} << (lowest(lanes) ^ by);
  return result;
}

AXE_LAZY_FN constexpr bool maps_to_itself(warp_exchange const& x, int lane, int element) {
  for (int e = 0; e < x.elements; ++e)
    if (x.holders[e ^ element] != shifted(x.holders[e], lane) ||
        x.readers[e ^ element] != shifted(x.readers[e], lane))
      return false;
  return true;
}

/// A group of shifts, the identity first. `seed` selects among several groups.
AXE_LAZY_FN constexpr exchange_symmetry symmetry_of(warp_exchange const& x, int seed) {
  exchange_symmetry group;
  group.push({});
  for (int i = 1; i < warp_lanes && is_power_of_two(x.elements); ++i)
    for (int element = 1; element < x.elements; ++element) {
      int const lane = i * (2 * seed + 1) % warp_lanes;
      bool is_new = true;
      for (auto const& s : group) is_new = is_new && s.lane != lane && s.element != element;
      if (!is_new || !maps_to_itself(x, lane, element)) continue;
      for (int k = 0, size = group.size(); k < size; ++k)
        group.push({group[k].lane ^ lane, group[k].element ^ element});
    }
  return group;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
