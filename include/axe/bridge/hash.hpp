// SPDX-License-Identifier: MIT
// std::hash for layouts.
//
//     std::unordered_map<axe::layout, kernel_handle> compiled;
//
// It hashes the value as written. For one key per map, use canonicalize(L). Needs <functional>.
#pragma once

#include <axe/layout/layout.hpp>

#include <functional>

template <> struct std::hash<axe::layout> {
  std::size_t operator()(axe::layout const& l) const noexcept {
    return static_cast<std::size_t>(axe::hash(l));
  }
};
