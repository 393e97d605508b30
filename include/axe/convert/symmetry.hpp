// Symmetries of a conversion: lanes that can change places, and elements with them, so that nothing
// changes. A route may then be laid for one element of an orbit, and moved to the others.
//
//     S[(32,32):(1@lane,1@reg)] to S[(32,32):(1@reg,1@lane)]     lane l to l + 1 mod 32: 31 trees instead of 992
//
// Tried are the shifts of a digit of the lane: extent e, stride s, blocks of e * s lanes, what is
// left over stays; and half shifts of two digits at once (a butterfly of two bits). A permutation
// of lanes is a symmetry when every element has a partner whose holders and readers are its own,
// moved. Symmetries are combined into a group, of which only the identity leaves a lane that lacks
// something where it is: a lane that stays could read nobody who moves.
// Definition: docs/algebra.md, D21.
#pragma once

#include <axe/convert/route.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

struct lane_permutation {
  signed char to[warp_lanes];

  /// A shift of one digit of the lane by `by`.
  AXE_FN static constexpr lane_permutation shift(int extent, int stride, int by) {
    lane_permutation p{};
    int const block = extent * stride, moving = warp_lanes / block * block;
    for (int l = 0; l < warp_lanes; ++l) {
      int const digit = l / stride % extent;
      p.to[l] =
          static_cast<signed char>(l < moving ? l + ((digit + by) % extent - digit) * stride : l);
    }
    return p;
  }
  /// First this, then the other.
  AXE_FN constexpr lane_permutation then(lane_permutation const& other) const {
    lane_permutation p{};
    for (int l = 0; l < warp_lanes; ++l) p.to[l] = other.to[to[l]];
    return p;
  }
  AXE_FN constexpr register_word operator()(register_word lanes) const {
    register_word moved = 0;
    for (; lanes != 0; lanes &= lanes - 1) moved |= register_word{1} << to[lowest(lanes)];
    return moved;
  }
  /// Lanes that stay where they are.
  AXE_FN constexpr register_word fixed() const {
    register_word lanes = 0;
    for (int l = 0; l < warp_lanes; ++l) lanes |= static_cast<register_word>(to[l] == l) << l;
    return lanes;
  }

  AXE_FN friend constexpr bool operator==(lane_permutation const&,
                                          lane_permutation const&) = default;
};

/// Which symmetries are combined: none, those of large extents first, of small extents first, or
/// some that are drawn.
enum class symmetry_order : signed char { none, large_first, small_first, drawn };

struct lane_symmetry {
  static constexpr int most_elements = 2048;
  static constexpr int table_size = 4096;

  using permutations = list<lane_permutation, warp_lanes>;

  permutations group;       // the identity first
  permutations generators;  // of the group
  int size = 1;

  short member[most_elements]{};    // 1 + the next element of the orbit
  signed char by[most_elements]{};  // what moves the first of the orbit here

  register_word holders[most_elements]{}, readers[most_elements]{};  // by element
  register_word lacking_lanes = 0;
  short class_at[table_size]{};          // 1 + the first element of a class
  short next_in_class[most_elements]{};  // 1 + element
  short number_in_class[most_elements]{};

  AXE_FN constexpr int move(int g, int lane) const { return group[g].to[lane]; }

  /// The place of a class in the table, or that of nothing where it has none.
  AXE_FN constexpr int find(register_word held, register_word wanted) const {
    stl::uint32_t at = (held * 2654435761u ^ (wanted + 0x9e3779b9u) * 2246822519u) >> 7;
    for (;; ++at) {
      at %= static_cast<stl::uint32_t>(table_size);
      int const e = class_at[at] - 1;
      if (e < 0 || (holders[e] == held && readers[e] == wanted)) return static_cast<int>(at);
    }
  }

  /// Where a permutation moves element e, -1 where it has no partner.
  AXE_FN constexpr int image(lane_permutation const& p, int e) const {
    int const at = find(p(holders[e]), p(readers[e]));
    int partner = class_at[at] - 1;
    for (int n = number_in_class[e]; n > 0 && partner >= 0; --n)
      partner = next_in_class[partner] - 1;
    return partner;
  }

  AXE_FN constexpr bool is_symmetry(lane_permutation const& p, short const* elements,
                                    int count) const {
    if ((p.fixed() & lacking_lanes) != 0) return false;
    for (int i = 0; i < count; ++i)
      if (image(p, elements[i]) < 0) return false;
    return true;
  }

  AXE_FN static constexpr bool has(permutations const& all, lane_permutation const& p) {
    for (lane_permutation const& one : all)
      if (one == p) return true;
    return false;
  }

  /// Takes a symmetry into the group, if that stays small and moves all lanes that lack something.
  AXE_FN constexpr void combine(lane_permutation const& p) {
    if (has(group, p)) return;
    permutations by_these = generators;
    if (!by_these.push(p)) return;
    permutations all;
    all.push(lane_permutation::shift(1, 1, 0));
    for (int i = 0; i < all.size(); ++i)
      for (lane_permutation const& g : by_these)
        if (lane_permutation const next = all[i].then(g); !has(all, next))
          if ((next.fixed() & lacking_lanes) != 0 || !all.push(next)) return;
    group = all;
    generators = by_these;
    size = group.size();
  }

  /// Orbits of the elements, the first of each left in `elements`; how many.
  AXE_FN constexpr int divide(symmetry_order order, int seed, short* elements, int count) {
    group.push(lane_permutation::shift(1, 1, 0));
    if (order != symmetry_order::none) find_group(order, seed, elements, count);
    bool taken[most_elements]{};
    int orbits = 0;
    for (int i = 0; i < count; ++i) {
      int const e = elements[i];
      if (taken[e]) continue;
      taken[e] = true;
      member[e] = by[e] = 0;
      for (int g = 1; g < size; ++g) {
        int const other = image(group[g], e);
        if (taken[other]) continue;
        taken[other] = true;
        by[other] = static_cast<signed char>(g);
        member[other] = member[e];
        member[e] = static_cast<short>(other + 1);
      }
      elements[orbits++] = static_cast<short>(e);
    }
    return orbits;
  }

  AXE_FN constexpr void find_group(symmetry_order order, int seed, short const* elements,
                                   int count) {
    for (int i = 0; i < count; ++i) {
      int const e = elements[i], at = find(holders[e], readers[e]);
      lacking_lanes |= readers[e];
      // Behind the others of its class.
      short* link = &class_at[at];
      for (; *link != 0; link = &next_in_class[*link - 1]) ++number_in_class[e];
      *link = static_cast<short>(e + 1);
    }
    list<lane_permutation, 128> found;
    auto const look_at = [&](lane_permutation const& p) {
      if (is_symmetry(p, elements, count)) found.push(p);
    };
    for (int i = 2; i <= warp_lanes; ++i) {
      int const extent = order == symmetry_order::large_first ? warp_lanes + 2 - i : i;
      for (int stride = 1; stride * extent <= warp_lanes; ++stride)
        look_at(lane_permutation::shift(extent, stride, 1));
    }
    // In a constant expression so many more cost more than they are worth.
    for (int low = 2; low <= warp_lanes && !__builtin_is_constant_evaluated(); low += 2)
      for (int stride = 1; stride * low <= warp_lanes; ++stride) {
        lane_permutation const half = lane_permutation::shift(low, stride, low / 2);
        for (int high = 2; high <= warp_lanes; high += 2)
          for (int above = stride * low; above * high <= warp_lanes; ++above)
            look_at(half.then(lane_permutation::shift(high, above, high / 2)));
      }
    if (order != symmetry_order::drawn) {
      for (lane_permutation const& p : found) combine(p);
      return;
    }
    stl::uint32_t drawn = 2463534242u + static_cast<stl::uint32_t>(seed) * 2654435761u;
    for (int tries = 4; tries > 0 && !found.empty(); --tries) {
      drawn = drawn * 1664525u + 1013904223u;
      combine(found[static_cast<int>((drawn >> 16) % static_cast<stl::uint32_t>(found.size()))]);
      if (size > 1 && (drawn >> 8 & 1) != 0) break;
    }
  }
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
