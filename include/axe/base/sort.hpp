// SPDX-License-Identifier: MIT
// sort_by(list, key): Shell sort of a short list. Not stable.
//
//     sort_by(iters, [](iter const& i) { return i.stride; })        strides ascending
#pragma once

#include <axe/config.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

AXE_FN constexpr void sort_by(auto& entries, auto const& key) {
  for (int gap = 13; gap > 0; gap /= 3)
    for (int i = gap; i < entries.count; ++i)
      for (int k = i; k >= gap && key(entries[k]) < key(entries[k - gap]); k -= gap) {
        auto const moved = entries[k];
        entries[k] = entries[k - gap];
        entries[k - gap] = moved;
      }
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
