// Decides whether tables of places are affine over F2, and whether some layout has them. An oracle:
// it includes no header of the library.
//
//     is_affine(table)           element -> places is affine over F2
//     is_some_layout(table)      a layout, swizzled or not, has these places
#pragma once

#include "linear/walk.hpp"

namespace oracle {

constexpr bool is_power_of_two(number n) { return n > 0 && (n & (n - 1)) == 0; }

constexpr place exclusive_or(place a, place const& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] ^= b[i];
  return a;
}

/// True if element -> places is affine over F2: the place of an element is the XOR of the images of
/// its bits, and all elements have the same XOR differences between replicas.
constexpr bool is_affine(map_table const& table) {
  if (!is_power_of_two(static_cast<number>(table.size()))) return false;
  place const origin = table[0][0];
  place_set differences;
  for (place const& p : table[0]) differences.push_back(exclusive_or(p, origin));
  differences = sorted(differences);
  auto const is_in = [](place_set const& set, place const& p) {
    return std::binary_search(set.begin(), set.end(), p);
  };
  for (place const& a : differences)
    for (place const& b : differences)
      if (!is_in(differences, exclusive_or(a, b))) return false;
  for (std::size_t x = 0; x < table.size(); ++x) {
    if (table[x].size() != differences.size()) return false;
    place image = origin;
    for (std::size_t bit = 1; bit < table.size(); bit *= 2)
      if ((x & bit) != 0) image = exclusive_or(image, exclusive_or(table[bit][0], origin));
    if (!is_in(table[x], image)) return false;
    for (place const& p : table[x])
      if (!is_in(differences, exclusive_or(p, table[x][0]))) return false;
  }
  return true;
}

/// The places of the elements of a map from dimensions and replicas to axes. Elements are counted
/// in row-major order.
constexpr map_table places_of(bit_map const& map, int replica_axis) {
  words const images = walk(map);
  std::size_t elements = 1;
  for (bit_axis const& a : map.in)
    if (a.on != replica_axis) elements <<= a.bits;
  map_table table(elements);
  for (word w = 0; w < images.size(); ++w) {
    std::size_t element = 0;
    for (bit_axis const& a : map.in)
      if (a.on != replica_axis)
        element = (element << a.bits) + static_cast<std::size_t>(component(map.in, a.on, w));
    place p{};
    for (bit_axis const& a : map.out)
      p.at(static_cast<std::size_t>(a.on)) = component(map.out, a.on, images[w]);
    table[element].push_back(p);
  }
  for (place_set& places : table) places = sorted(std::move(places));
  return table;
}

/// The element at each place that the output bits can name, if every place has exactly one. The
/// replicas are the last input axis.
constexpr images_or_none holders(bit_map const& map, int replica_axis) {
  words const images = walk(map);
  word const elements = word{1} << (bits_of(map.in) - bits_on(map.in, replica_axis));
  images_or_none found{true, words(std::size_t{1} << bits_of(map.out), elements)};
  for (word w = 0; w < images.size(); ++w) {
    word& holder = found.images[images[w]];
    found.exists = found.exists && (holder == elements || holder == w % elements);
    holder = w % elements;
  }
  for (word const holder : found.images) found.exists = found.exists && holder != elements;
  return found;
}

/// True if element -> place is a list of digits, each on one axis. The table has 2^n elements, so
/// each digit may have extent 2: every bit of the element adds a step on one axis.
constexpr bool is_digit_list(std::vector<place> const& table) {
  for (std::size_t x = 0; x < table.size(); ++x) {
    place sum = table[0];
    for (std::size_t bit = 1; bit < table.size(); bit *= 2) {
      int moved = 0;
      for (std::size_t a = 0; a < sum.size(); ++a) {
        number const step = table[bit][a] - table[0][a];
        moved += step != 0 ? 1 : 0;
        if ((x & bit) != 0) sum[a] += step;
      }
      if (moved > 1) return false;
    }
    if (sum != table[x]) return false;
  }
  return true;
}

/// True if one, two or four sorted values are the sums of strides of replicas: {0}, {0, a} or
/// {0, a, b, a + b}.
constexpr bool is_sum_of_replicas(std::vector<number> const& values) {
  return values.size() < 3 ||
         (values.size() == 4 && values[1] - values[0] == values[3] - values[2]);
}

/// True if element -> places is a layout without a swizzle. An element has at most four places. Its
/// corner is their minimum on each axis. The corners must be a digit list, and all
/// elements must have the same sums of replicas beside their corners.
constexpr bool is_plain_layout(map_table const& table) {
  std::vector<place> corners;
  std::vector<std::vector<number>> values(axes);
  for (place_set const& places : table) {
    place corner = places[0];
    for (place const& p : places)
      for (std::size_t a = 0; a < p.size(); ++a) corner[a] = std::min(corner[a], p[a]);
    corners.push_back(corner);
    std::size_t product = 1;
    for (std::size_t a = 0; a < corner.size(); ++a) {
      std::vector<number> here;
      for (place const& p : places) here.push_back(p[a] - corner[a]);
      std::sort(here.begin(), here.end());
      here.erase(std::unique(here.begin(), here.end()), here.end());
      if (&places == &table[0]) values[a] = here;
      if (here != values[a] || !is_sum_of_replicas(here)) return false;
      product *= here.size();
    }
    if (product != places.size()) return false;
  }
  return is_digit_list(corners);
}

/// The table of places that a swizzle of axis 0 maps to the given ones.
constexpr map_table unswizzled(map_table table, swizzle f, number size) {
  for (place_set& places : table) {
    for (place& p : places) {
      number plain = 0;
      while (plain < size && swizzled(f, plain) != p[0]) ++plain;
      p[0] = plain;
    }
    places = sorted(std::move(places));
  }
  return table;
}

/// True if some layout has the table. If all places are on axis 0 alone, the layout may have a
/// swizzle. Places on axis 0 are below 64.
constexpr bool is_some_layout(map_table const& table, bool on_axis_0_alone) {
  bool exists = is_plain_layout(table);
  for (int M = 0; on_axis_0_alone && M < 4; ++M)
    for (int B = 1; !exists && M + B < 6; ++B)
      for (int S = -6 + M + B; !exists && S <= 6 - M - B; ++S)
        exists = S != 0 && is_plain_layout(unswizzled(table, {M, B, S}, 64));
  return exists;
}

}  // namespace oracle
