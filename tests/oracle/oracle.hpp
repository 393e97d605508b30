// An oracle for the meaning of a layout: sets and nested loops, without headers of the library.
//
//     L(x) = { D(x) + r + O : r in Delta(R) },  x counts through D's digits, last one fastest
//     d = (2:4 on 0)(2:1 on 0), r = (2:1 on 1), o = 5 on 0
//     table = {5,.} {6,.} {9,.} {10,.}, each at 0 and 1 on axis 1
//
// An axis is a number. Swizzles act on axis 0, and digits on `nowhere` add nothing. A set is a
// sorted vector, because constant expressions allow vectors.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace oracle {

using number = long long;
inline constexpr int axes = 3;
inline constexpr int nowhere = -1;

using place = std::array<number, axes>;
using place_set = std::vector<place>;  // sorted, distinct

struct digit {
  number extent = 1;
  number stride = 0;
  int on = nowhere;
};

struct swizzle {
  int M = 0;
  int B = 0;
  int S = 0;
};

struct layout {
  std::vector<digit> d;
  std::vector<digit> r;
  place o{};
  swizzle f{};
};

constexpr place_set sorted(place_set places) {
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

/// The swizzled address, computed bit by bit from the bits of m. Let b be one of the B bits from
/// bit M up. For S > 0, bit b is XORed with bit b + S of m. For S < 0, bit b + |S| is XORed with
/// bit b of m.
constexpr number swizzled(swizzle f, number m) {
  number address = m;
  for (int bit = f.M; bit < f.M + f.B; ++bit) {
    int const from = f.S > 0 ? bit + f.S : bit;
    int const to = f.S > 0 ? bit : bit - f.S;
    if (((m >> from) & 1) != 0) address ^= number{1} << to;
  }
  return address;
}

/// Appends `at` plus digit times stride, summed over the digits from number k on, for all values of
/// these digits. The last digit is the fastest.
constexpr void walk(std::vector<digit> const& digits, std::size_t k, place at,
                    std::vector<place>& out) {
  if (k == digits.size()) {
    out.push_back(at);
    return;
  }
  for (number c = 0; c < digits[k].extent; ++c) {
    walk(digits, k + 1, at, out);
    if (digits[k].on != nowhere) at[static_cast<std::size_t>(digits[k].on)] += digits[k].stride;
  }
}

constexpr std::vector<place> walk(std::vector<digit> const& digits) {
  std::vector<place> out;
  walk(digits, 0, {}, out);
  return out;
}

using map_table = std::vector<place_set>;

/// The places of each element, in the order of the elements.
constexpr map_table table(layout const& l) {
  std::vector<place> const replicas = walk(l.r);
  map_table out;
  for (place const& element : walk(l.d)) {
    place_set here;
    for (place const& replica : replicas) {
      place p{};
      for (std::size_t a = 0; a < p.size(); ++a) p[a] = element[a] + replica[a] + l.o[a];
      p[0] = swizzled(l.f, p[0]);
      here.push_back(p);
    }
    out.push_back(sorted(std::move(here)));
  }
  return out;
}

struct range {
  number least = 0;
  number largest = 0;
};

/// The least and the largest position on one axis, over all places.
constexpr range reached(map_table const& map, int axis) {
  auto const a = static_cast<std::size_t>(axis);
  range found{map.front().front()[a], map.front().front()[a]};
  for (place_set const& places : map)
    for (place const& p : places) {
      found.least = std::min(found.least, p[a]);
      found.largest = std::max(found.largest, p[a]);
    }
  return found;
}

/// The same map with 0 on every other axis.
constexpr map_table on_axis(map_table map, int axis) {
  for (place_set& places : map) {
    for (place& p : places)
      for (std::size_t a = 0; a < p.size(); ++a)
        if (a != static_cast<std::size_t>(axis)) p[a] = 0;
    places = sorted(std::move(places));
  }
  return map;
}

/// All coordinates of a shape in row-major order: entry x is the coordinate of element x.
constexpr std::vector<std::vector<number>> coordinates(std::vector<number> const& shape) {
  std::vector<std::vector<number>> out{{}};
  for (number extent : shape) {
    std::vector<std::vector<number>> longer;
    for (std::vector<number> const& c : out)
      for (number i = 0; i < extent; ++i) {
        longer.push_back(c);
        longer.back().push_back(i);
      }
    out = std::move(longer);
  }
  return out;
}

}  // namespace oracle
