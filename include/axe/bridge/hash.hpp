// SPDX-License-Identifier: MIT
// std::hash of a layout as written.
//
//     std::unordered_map<axe::layout, kernel_handle> compiled;
//
// With canonicalize(L) as key, most equivalent layouts share an entry.
#pragma once

#include <axe/layout/layout.hpp>

#include <functional>

template <> struct std::hash<axe::layout> {
  std::size_t operator()(axe::layout const& l) const noexcept {
    return static_cast<std::size_t>(axe::hash(l));
  }
};
