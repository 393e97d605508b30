// SPDX-License-Identifier: MIT
// A region: a box of a shape, one range [begin, end) for each dimension.
//
//     region{{2, 5}, {0, 8}}        rows 2 to 4 and columns 0 to 7, printed (2:5, 0:8)
//
// A nested dimension's range counts elements row-major. Definition: docs/algebra.md, D10.
#pragma once

#include <axe/layout/place.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

struct range {
  integer begin = 0;
  integer end = 0;

  constexpr bool operator==(range const&) const = default;
};

/// `overflowed`: too many ranges, which operations reject.
struct region {
  list<range, 2 * capacity::shards> ranges;
  bool overflowed = false;

  constexpr region() = default;
  AXE_FN constexpr region(initializer_list<range> from) {
    for (range const& r : from)
      if (!ranges.push(r)) overflowed = true;
  }
  region(initializer_list<integer>) = delete;  // a range needs its own braces

  constexpr bool operator==(region const&) const = default;
};

/// A region as a type: static_region<range{2, 5}, range{0, 8}>.
template <range... Ranges> struct static_region {
  static constexpr region value{Ranges...};
  AXE_FN constexpr operator region() const { return value; }
};

AXE_FN constexpr void print(auto& out, region const& r) {
  out.put('(');
  for (int d = 0; d < r.ranges.count; ++d) {
    if (d > 0) out.put(", ");
    out.put(r.ranges[d].begin);
    out.put(':');
    out.put(r.ranges[d].end);
  }
  out.put(')');
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
