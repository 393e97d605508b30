// The oracle's answers to questions about maps. It visits every element and every place, and
// includes no header of the library.
//
//     table({(2:1)}, {(2:1)}) = {0,1} {1,2}         not injective: elements 0 and 1 share place 1
//
// A map is a table: element -> set of places.
#pragma once

#include "oracle/oracle.hpp"

#include <utility>

namespace oracle {

/// The first element whose places differ in two tables of equal length, or -1.
constexpr number first_difference(map_table const& a, map_table const& b) {
  for (std::size_t x = 0; x < a.size(); ++x)
    if (a[x] != b[x]) return static_cast<number>(x);
  return -1;
}

/// A place of which only some axes are named. The others may have any position.
struct partial_place {
  std::array<bool, axes> names{};
  place at{};

  constexpr bool agrees(place const& p) const {
    for (std::size_t a = 0; a < p.size(); ++a)
      if (names[a] && p[a] != at[a]) return false;
    return true;
  }
};

/// The elements that have a place with the named positions.
constexpr std::vector<number> elements(map_table const& map, partial_place const& asked) {
  std::vector<number> found;
  for (std::size_t x = 0; x < map.size(); ++x)
    if (std::any_of(map[x].begin(), map[x].end(), [&](place const& p) { return asked.agrees(p); }))
      found.push_back(static_cast<number>(x));
  return found;
}

/// The places of an element with the named positions. The named axes are set to 0 in the result.
constexpr place_set rest_at(place_set const& places, partial_place const& asked) {
  place_set rest;
  for (place p : places) {
    if (!asked.agrees(p)) continue;
    for (std::size_t a = 0; a < p.size(); ++a)
      if (asked.names[a]) p[a] = 0;
    rest.push_back(p);
  }
  return sorted(std::move(rest));
}

/// True if no place has two elements.
constexpr bool injective(map_table const& map) {
  std::vector<std::pair<place, std::size_t>> held;
  for (std::size_t x = 0; x < map.size(); ++x)
    for (place const& p : map[x]) held.emplace_back(p, x);
  std::sort(held.begin(), held.end());
  for (std::size_t i = 0; i + 1 < held.size(); ++i)
    if (held[i].first == held[i + 1].first) return false;  // the place of two elements
  return true;
}

enum class covered { contested, holes, replicas, once };

/// How a map covers the box of positions 0 to extents[a] - 1 on each axis a. The result is the
/// first of these that holds: a place has two elements (contested), a place has none (holes), an
/// element has two places (replicas), each element has one place (once). An extent of 0 leaves axis
/// a out.
constexpr covered coverage(map_table const& map, std::array<number, axes> const& extents) {
  bool holes = false;
  bool contested = false;
  std::vector<int> places_in_box(map.size(), 0);
  place p{};
  for (p[0] = 0; p[0] < std::max<number>(extents[0], 1); ++p[0])
    for (p[1] = 0; p[1] < std::max<number>(extents[1], 1); ++p[1])
      for (p[2] = 0; p[2] < std::max<number>(extents[2], 1); ++p[2]) {
        std::vector<number> const here =
            elements(map, {{extents[0] > 0, extents[1] > 0, extents[2] > 0}, p});
        holes = holes || here.empty();
        contested = contested || here.size() > 1;
        for (number x : here) ++places_in_box[static_cast<std::size_t>(x)];
      }
  if (contested) return covered::contested;
  if (holes) return covered::holes;
  bool const replicated =
      std::any_of(places_in_box.begin(), places_in_box.end(), [](int n) { return n > 1; });
  return replicated ? covered::replicas : covered::once;
}

/// The fewest digits whose sums are f, relative to f[0], or -1 if no digits have these sums. Tries
/// every factorisation of the length. Only elements 0, low, 2 * low, ... are considered.
constexpr int fewest_digits(std::vector<place> const& f, std::size_t low = 1) {
  std::size_t const left = f.size() / low;  // the number of elements that are considered
  if (left == 1) return 0;
  int best = -1;
  for (std::size_t extent = 2; extent <= left; ++extent) {
    if (left % extent != 0) continue;
    // Tries a digit of this extent with the step from element 0 to element `low`. The place of
    // every element must be that of its other digits plus the digit times the step.
    place step{};
    int axes_of_step = 0;
    for (std::size_t a = 0; a < step.size(); ++a) {
      step[a] = f[low][a] - f[0][a];
      axes_of_step += step[a] != 0;
    }
    bool fits = axes_of_step <= 1;
    for (std::size_t x = 0; fits && x < f.size(); x += low) {
      number const digit = static_cast<number>(x / low % extent);
      std::size_t const without = x - static_cast<std::size_t>(digit) * low;
      for (std::size_t a = 0; a < step.size(); ++a)
        fits = fits && f[x][a] == f[without][a] + digit * step[a];
    }
    if (!fits) continue;
    int const slower = fewest_digits(f, low * extent);
    if (slower >= 0 && (best < 0 || slower + 1 < best)) best = slower + 1;
  }
  return best;
}

/// The fewest digits of a layout that groups by the shape and whose D has the places d, or -1.
constexpr int fewest_grouped(std::vector<place> const& d, std::vector<number> const& shape) {
  std::vector<std::vector<number>> const at = coordinates(shape);
  int total = 0;
  std::vector<std::vector<place>> along(shape.size());  // the places along each dimension
  for (std::size_t k = 0; k < shape.size(); ++k) {
    for (std::size_t x = 0; x < d.size(); ++x) {
      bool alone = true;
      for (std::size_t j = 0; j < shape.size(); ++j) alone = alone && (j == k || at[x][j] == 0);
      if (alone) along[k].push_back(d[x]);
    }
    int const needed = fewest_digits(along[k]);
    if (needed < 0) return -1;
    total += needed;
  }
  for (std::size_t x = 0; x < d.size(); ++x) {  // the dimensions must add up
    place sum = d[0];
    for (std::size_t k = 0; k < shape.size(); ++k)
      for (std::size_t a = 0; a < sum.size(); ++a)
        sum[a] += along[k][static_cast<std::size_t>(at[x][k])][a] - d[0][a];
    if (sum != d[x]) return -1;
  }
  return total;
}

}  // namespace oracle
