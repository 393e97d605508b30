// std::hash for layouts, so that they are keys of std::unordered_map and std::unordered_set.
//
//     std::unordered_map<axe::layout, kernel_handle> compiled;
//
// Equal values have equal hashes; equal maps need not: use canonicalize(L) as the key. A header of
// its own, since <functional> is not small.
#pragma once

#include <axe/layout/layout.hpp>

#include <functional>

template <> struct std::hash<axe::layout> {
  std::size_t operator()(axe::layout const& l) const noexcept {
    return static_cast<std::size_t>(axe::hash(l));
  }
};
