// Tests linear and to_layout: the result must have the places that the oracle computes. The
// functions return null if this is true, otherwise what is wrong.
//
//     layout_disagreement(l, s)    linear(L, S) exists if and only if the places are affine over F2
//     map_disagreement(m)          to_layout(M) exists if and only if a layout has the places of M
//
// The numbers of a refusal must be true too.
#pragma once

#include "linear/places.hpp"
#include "linear/random_maps.hpp"

#include <axe/linear/invert.hpp>
#include <axe/linear/to_layout.hpp>

namespace axe_test {

constexpr oracle::map_table places_of(linear_map const& map) {
  return oracle::places_of(to_oracle(map), bit_axis_number(axe::axes::replica));
}

/// Null if the numbers of a refusal are true of the layout, otherwise what is wrong.
constexpr char const* witness_disagreement(axe::refusal const& why, axe::shape const& s,
                                           oracle::map_table const& plain) {
  axe::integer const* const n = why.numbers;
  if (why.which == axe::rule::linear_extent)
    return oracle::is_power_of_two(n[1]) || s[static_cast<int>(n[0])] != axe::tree(n[1])
               ? "the extent"
               : nullptr;
  if (why.which == axe::rule::linear_replicas)
    return oracle::is_power_of_two(n[0]) ? "the number of replicas" : nullptr;
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
    return "the four places are not sums of the two steps";
  return (n[2] ^ n[3] ^ n[4]) == n[5] ? "a carry is reported that does not exist" : nullptr;
}

constexpr char const* layout_disagreement(axe::layout const& l, axe::shape const& s) {
  oracle::layout const asked = to_oracle(l);
  oracle::map_table const table = oracle::table(asked);
  bool from_zero = true;
  for (oracle::place_set const& places : table)
    for (oracle::place const& p : places)
      for (oracle::number at : p) from_zero = from_zero && at >= 0;
  bool const affine = from_zero && oracle::is_affine(table);
  axe::outcome<linear_map> const map = axe::try_linear(l, s);
  if (static_cast<bool>(map) != affine)
    return map ? "linear: the layout is not affine" : "linear: a legal case is rejected";
  if (!map) {
    oracle::layout plain = asked;
    plain.f = {};
    return witness_disagreement(map.why, s, oracle::table(plain));
  }
  if (axe::check(map.value).which != axe::rule::none) return "linear: not a linear map";
  if (places_of(map.value) != table) return "linear: other places";
  axe::outcome<axe::layout> const again = axe::try_to_layout(map.value);
  if (!again) return "to_layout rejects the map of a layout";
  if (oracle::table(to_oracle(*again)) != table) return "to_layout of linear is another map";
  oracle::images_or_none const held =
      oracle::holders(to_oracle(map.value), bit_axis_number(axe::axes::replica));
  axe::outcome<linear_map> const owner = axe::try_owner_map(l, s);
  if (static_cast<bool>(owner) != held.exists)
    return "owner_map must exist if and only if every place holds one element";
  if (owner && walk(to_oracle(owner.value)) != held.images) return "owner_map";
  if (owner && places_of(axe::preimage(owner.value)) != table) return "preimage of the owner map";
  return nullptr;
}

/// Changes which replica of each element the linear map gives first. to_layout must still return a
/// layout with the same places.
constexpr char const* replica_disagreement(axe::layout const& l, axe::shape const& s,
                                           random_source& d) {
  axe::outcome<linear_map> const map = axe::try_linear(l, s);
  if (!map) return nullptr;
  axe::outcome<axe::layout> const again =
      axe::try_to_layout(with_random_first_replica(d, map.value));
  if (!again) return "to_layout rejects the map with other replicas";
  return oracle::table(to_oracle(*again)) == oracle::table(to_oracle(l))
             ? nullptr
             : "to_layout of the map with other replicas is another layout";
}

/// Precondition: M has at most 2 bits of `replica`, and its addresses are below 16.
constexpr char const* map_disagreement(linear_map const& map) {
  oracle::map_table const table = places_of(map);
  bool memory_alone = true;
  for (axe::linear_axis const& a : map.out.axes)
    memory_alone = memory_alone && (a.on == axe::axis::m || a.bits == 0);
  bool const exists = oracle::is_some_layout(table, memory_alone);
  axe::outcome<axe::layout> const l = axe::try_to_layout(map);
  if (static_cast<bool>(l) != exists)
    return l ? "to_layout: a layout that does not exist" : "to_layout: a legal case is rejected";
  if (!l) return nullptr;
  return oracle::table(to_oracle(*l)) == table ? nullptr : "to_layout";
}

constexpr axe::iter random_iter(random_source& d) {
  constexpr axe::integer strides[]{1, 1, 2, 2, 4, 4, 8, 8, 16, 0, 3, 5, 6, -1, -2, -4};
  axe::integer const extent = d.between(0, 19) == 0 ? 3 : axe::integer{1} << d.between(0, 2);
  return {extent, strides[d.between(0, 15)], known_axes[static_cast<std::size_t>(d.between(0, 2))]};
}

/// Makes a random layout. Many are linear maps, because most extents and strides are powers of two.
constexpr axe::layout random_layout(random_source& d) {
  axe::layout l;
  for (int n = d.between(0, 3); n > 0; --n) l.shards.push(random_iter(d));
  for (int n = d.between(0, 5) - 3; n > 0; --n) l.replicas.push(random_iter(d));
  for (axe::axis a : known_axes)
    if (d.between(0, 2) == 0) l.offsets.push({d.between(1, 15), a});
  if (d.between(0, 3) == 0) d.make_swizzled(l);
  axe::detail::order_offsets(l);
  return l;
}

/// Makes a random shape of the layout's size with one to three dimensions.
constexpr axe::shape random_shape(random_source& d, axe::layout const& l) {
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
