// Layouts and linear maps against sets of places: which layouts are linear maps over F2, and which maps are layouts?
//
//     layout_disagreement(l, s)         linear(L, S) exists iff the table of places is affine, and then has these places; its refusals' witnesses are true
//     map_disagreement(m)               to_layout(M) exists iff some layout, swizzled or not, has these places
#pragma once

#include "linear/walk.hpp"

#include <axe/linear/owner_map.hpp>
#include <axe/linear/to_layout.hpp>

namespace axe_test {

constexpr bool is_power_of_two(oracle::number n) { return n > 0 && (n & (n - 1)) == 0; }

constexpr oracle::place exclusive_or(oracle::place a, oracle::place const& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] ^= b[i];
  return a;
}

/// Is element -> places affine over F2? One subgroup of differences for all elements, and places that XOR.
constexpr bool is_affine(oracle::map_table const& table) {
  if (!is_power_of_two(static_cast<oracle::number>(table.size()))) return false;
  oracle::place const origin = table[0][0];
  oracle::place_set differences;
  for (oracle::place const& p : table[0]) differences.push_back(exclusive_or(p, origin));
  differences = oracle::sorted(differences);
  auto const is_in = [](oracle::place_set const& set, oracle::place const& p) {
    return std::binary_search(set.begin(), set.end(), p);
  };
  for (oracle::place const& a : differences)
    for (oracle::place const& b : differences)
      if (!is_in(differences, exclusive_or(a, b))) return false;
  for (std::size_t x = 0; x < table.size(); ++x) {
    if (table[x].size() != differences.size()) return false;
    oracle::place image = origin;
    for (std::size_t bit = 1; bit < table.size(); bit *= 2)
      if ((x & bit) != 0) image = exclusive_or(image, exclusive_or(table[bit][0], origin));
    if (!is_in(table[x], image)) return false;
    for (oracle::place const& p : table[x])
      if (!is_in(differences, exclusive_or(p, table[x][0]))) return false;
  }
  return true;
}

/// The places of element x (row-major over the dimensions in order) of a map from dimensions and `replica` to axes.
constexpr oracle::map_table places_of(linear_map const& map) {
  words const images = walk(map);
  std::size_t elements = 1;
  for (axe::linear_axis const& a : map.in.axes)
    if (a.on != axe::axes::replica) elements <<= a.bits;
  oracle::map_table table(elements);
  for (bit_word word = 0; word < images.size(); ++word) {
    std::size_t element = 0;
    for (axe::linear_axis const& a : map.in.axes)
      if (a.on != axe::axes::replica)
        element = (element << a.bits) + static_cast<std::size_t>(component(map.in, a.on, word));
    oracle::place p{};
    for (axe::linear_axis const& a : map.out.axes)
      p.at(static_cast<std::size_t>(number_of(a.on))) = component(map.out, a.on, images[word]);
    table[element].push_back(p);
  }
  for (oracle::place_set& places : table) places = oracle::sorted(std::move(places));
  return table;
}

/// Are the numbers of a refusal true of the layout?
constexpr char const* witness_disagreement(axe::refusal const& why, axe::shape const& s,
                                           oracle::map_table const& plain) {
  axe::integer const* const n = why.numbers;
  if (why.which == axe::rule::linear_extent)
    return is_power_of_two(n[1]) || s[static_cast<int>(n[0])] != axe::tree(n[1]) ? "the extent" : nullptr;
  if (why.which == axe::rule::linear_replicas)
    return is_power_of_two(n[0]) ? "the number of copies" : nullptr;
  auto const axis = static_cast<std::size_t>(number_of(why.axes[0]));
  auto const reached = [&](oracle::number at) {
    for (oracle::place_set const& places : plain)
      for (oracle::place const& p : places)
        if (p[axis] == at) return true;
    return false;
  };
  if (why.which == axe::rule::linear_negative)
    return n[0] < 0 && reached(n[0]) && !reached(n[0] - 1) ? nullptr : "the least place";
  if (why.which != axe::rule::linear_carry) return "another reason";
  for (int i = 2; i < 6; ++i)
    if (!reached(n[i])) return "a carry between places that are not reached";
  if (n[3] != n[2] + n[0] || n[4] != n[2] + n[1] || n[5] != n[3] + n[1])
    return "steps that do not lead there";
  return (n[2] ^ n[3] ^ n[4]) == n[5] ? "a carry that is none" : nullptr;
}

constexpr char const* layout_disagreement(axe::layout const& l, axe::shape const& s) {
  oracle::layout const asked = to_oracle(l);
  oracle::map_table const table = oracle::table(asked);
  bool from_zero = true;
  for (oracle::place_set const& places : table)
    for (oracle::place const& p : places)
      for (oracle::number at : p) from_zero = from_zero && at >= 0;
  bool const affine = from_zero && is_affine(table);
  axe::outcome<linear_map> const map = axe::try_linear(l, s);
  if (static_cast<bool>(map) != affine)
    return map ? "linear: it is not affine" : "linear: refused without need";
  if (!map) {
    oracle::layout plain = asked;
    plain.f = {};
    return witness_disagreement(map.why, s, oracle::table(plain));
  }
  if (axe::check(map.value).which != axe::rule::none) return "linear: no linear map";
  if (places_of(map.value) != table) return "linear: other places";
  axe::outcome<axe::layout> const again = axe::try_to_layout(map.value);
  if (!again) return "to_layout: refuses what came from a layout";
  if (oracle::table(to_oracle(*again)) != table) return "to_layout of linear is another map";
  // Every place of the box holds one element, or there is no owner map.
  bit_word const box = bit_word{1} << map.value.matrix.rows;
  words holders(box, table.size());
  bool contested = false;
  bit_word held = 0;
  words const images = walk(map.value);
  linear_map const& of = map.value;
  for (bit_word word = 0; word < images.size(); ++word) {
    bit_word element = word % (bit_word{1} << (of.in.bits() - of.in.bits_on(axe::axes::replica)));
    bit_word& holder = holders[images[word]];
    contested = contested || (holder != table.size() && holder != element);
    held += holder == table.size() ? 1u : 0u;
    holder = element;
  }
  axe::outcome<linear_map> const owner = axe::try_owner_map(l, s);
  if (static_cast<bool>(owner) != (!contested && held == box))
    return "owner_map: does every place hold one element?";
  if (owner && walk(owner.value) != holders) return "owner_map";
  if (owner && places_of(axe::preimage(owner.value)) != table) return "preimage of the owner map";
  return nullptr;
}

/// Is element -> place one digit list, each digit on one axis? For a table of 2^n: the steps of the bits add up.
constexpr bool is_digit_list(std::vector<oracle::place> const& table) {
  for (std::size_t x = 0; x < table.size(); ++x) {
    oracle::place sum = table[0];
    for (std::size_t bit = 1; bit < table.size(); bit *= 2) {
      int moved = 0;
      for (std::size_t a = 0; a < sum.size(); ++a) {
        oracle::number const step = table[bit][a] - table[0][a];
        moved += step != 0 ? 1 : 0;
        if ((x & bit) != 0) sum[a] += step;
      }
      if (moved > 1) return false;
    }
    if (sum != table[x]) return false;
  }
  return true;
}

/// Is a set of one, two or four values a sum of replicas, counted from its least?
constexpr bool is_sum_of_replicas(std::vector<oracle::number> const& values) {
  return values.size() < 3 || (values.size() == 4 && values[1] - values[0] == values[3] - values[2]);
}

/// Is element -> set of places a layout without a swizzle? Sets of up to four places that differ by replicas along single axes, their
/// corners a digit list.
constexpr bool is_plain_layout(oracle::map_table const& table) {
  std::vector<oracle::place> corners;
  std::vector<std::vector<oracle::number>> values(oracle::axes);
  for (oracle::place_set const& places : table) {
    oracle::place corner = places[0];
    for (oracle::place const& p : places)
      for (std::size_t a = 0; a < p.size(); ++a) corner[a] = std::min(corner[a], p[a]);
    corners.push_back(corner);
    std::size_t product = 1;
    for (std::size_t a = 0; a < corner.size(); ++a) {
      std::vector<oracle::number> here;
      for (oracle::place const& p : places) here.push_back(p[a] - corner[a]);
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

/// The table with every address on axis 0 taken back through a swizzle.
constexpr oracle::map_table unswizzled(oracle::map_table table, oracle::swizzle f, oracle::number size) {
  for (oracle::place_set& places : table) {
    for (oracle::place& p : places) {
      oracle::number plain = 0;
      while (plain < size && oracle::swizzled(f, plain) != p[0]) ++plain;
      p[0] = plain;
    }
    places = oracle::sorted(std::move(places));
  }
  return table;
}

/// M has at most 2 bits of `replica`; its addresses are below 16.
constexpr char const* map_disagreement(linear_map const& map) {
  oracle::map_table const table = places_of(map);
  bool exists = is_plain_layout(table);
  bool memory_alone = true;
  for (axe::linear_axis const& a : map.out.axes)
    memory_alone = memory_alone && (a.on == axe::axis::m || a.bits == 0);
  for (int M = 0; memory_alone && M < 4; ++M)
    for (int B = 1; !exists && M + B < 6; ++B)
      for (int S = -6 + M + B; !exists && S <= 6 - M - B; ++S)
        exists = S != 0 && is_plain_layout(unswizzled(table, {M, B, S}, 64));
  axe::outcome<axe::layout> const l = axe::try_to_layout(map);
  if (static_cast<bool>(l) != exists)
    return l ? "to_layout: there is none" : "to_layout: refused without need";
  if (!l) return nullptr;
  return oracle::table(to_oracle(*l)) == table ? nullptr : "to_layout";
}

/// Powers of two more often than not, so that half of the layouts are linear maps.
constexpr axe::iter draw_iter(draw& d) {
  constexpr axe::integer strides[]{1, 1, 2, 2, 4, 4, 8, 8, 16, 0, 3, 5, 6, -1, -2, -4};
  axe::integer const extent = d.between(0, 19) == 0 ? 3 : axe::integer{1} << d.between(0, 2);
  return {extent, strides[d.between(0, 15)], known_axes[static_cast<std::size_t>(d.between(0, 2))]};
}

constexpr axe::layout draw_layout(draw& d) {
  axe::layout l;
  for (int n = d.between(0, 3); n > 0; --n) l.shards.push(draw_iter(d));
  for (int n = d.between(0, 5) - 3; n > 0; --n) l.replicas.push(draw_iter(d));
  for (axe::axis a : known_axes)
    if (d.between(0, 2) == 0) l.offsets.push({d.between(1, 15), a});
  if (d.between(0, 3) == 0) d.make_swizzled(l);
  axe::detail::order_offsets(l);
  return l;
}

/// A shape of the layout's size in one to three dimensions.
constexpr axe::shape draw_shape(draw& d, axe::layout const& l) {
  axe::integer rest = axe::detail::product_of_extents(l.shards);
  axe::shape s;
  for (int n = d.between(0, 2); n > 0; --n) {
    axe::integer extent = 1;
    while (d.between(0, 1) == 1 && rest % (2 * extent) == 0) extent *= 2;
    rest /= extent;
    s.append(axe::tree(extent));
  }
  s.append(axe::tree(rest));
  return s;
}

}  // namespace axe_test
