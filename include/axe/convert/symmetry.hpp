// Symmetries of a conversion: lanes that can change places, and elements with them, so that nothing changes. A route may then be laid for one element of an orbit,
// and moved to the others.
//
//     S[(32,32):(1@lane,1@reg)] to S[(32,32):(1@reg,1@lane)]     lane l to l + 1 mod 32: 31 trees instead of 992
//
// Tried are the shifts of a digit of the lane: extent e, stride s, blocks of e * s lanes, what is left over stays. A shift is a symmetry when every element has a partner
// whose holders and readers are its own, shifted. Shifts of digits above one another are combined.
// Definition: docs/algebra.md, D21.
#pragma once

#include <axe/convert/route.hpp>

namespace axe::inline AXE_NAMESPACE::detail {

/// A digit of the lane number.
struct lane_digit {
  signed char extent = 1, stride = 1;

  AXE_FN constexpr int shifted(int lane, int by) const {
    int const block = extent * stride;
    if (lane >= warp_lanes / block * block) return lane;
    int const digit = lane / stride % extent;
    return lane + ((digit + by) % extent - digit) * stride;
  }
};

/// Which shifts are combined: none, the largest extents first, or the smallest.
enum class symmetry_order : signed char { none, large_first, small_first };

struct lane_symmetry {
  static constexpr int most_elements = 2048;
  static constexpr int table_size = 4096;

  list<lane_digit, 8> digits;  // combined
  int size = 1;

  short member[most_elements]{};    // 1 + the next element of the orbit
  signed char by[most_elements]{};  // what moves the first of the orbit here

  register_word holders[most_elements]{}, readers[most_elements]{};  // by element
  short class_at[table_size]{};                                      // 1 + the first element of a class
  short next_in_class[most_elements]{};                              // 1 + element
  short number_in_class[most_elements]{};

  /// Lane l under symmetry g.
  AXE_FN constexpr int move(int g, int lane) const {
    for (lane_digit const& d : digits) {
      lane = d.shifted(lane, g % d.extent);
      g /= d.extent;
    }
    return lane;
  }
  AXE_FN constexpr register_word move(int g, register_word lanes) const {
    register_word moved = 0;
    for (; lanes != 0; lanes &= lanes - 1) moved |= register_word{1} << move(g, lowest(lanes));
    return moved;
  }

  /// The place of a class in the table, or that of nothing where it has none.
  AXE_FN constexpr int find(register_word held, register_word wanted) const {
    stl::uint32_t at = (held * 2654435761u ^ (wanted + 0x9e3779b9u) * 2246822519u) >> 7;
    for (;; ++at) {
      at %= static_cast<stl::uint32_t>(table_size);
      int const e = class_at[at] - 1;
      if (e < 0 || (holders[e] == held && readers[e] == wanted)) return static_cast<int>(at);
    }
  }

  /// Element e under symmetry g, -1 where it has no partner.
  AXE_FN constexpr int image(int g, int e) const {
    int const at = find(move(g, holders[e]), move(g, readers[e]));
    int partner = class_at[at] - 1;
    for (int n = number_in_class[e]; n > 0 && partner >= 0; --n) partner = next_in_class[partner] - 1;
    return partner;
  }

  AXE_FN constexpr bool is_symmetry(int g, short const* elements, int count) const {
    for (int i = 0; i < count; ++i)
      if (image(g, elements[i]) < 0) return false;
    return true;
  }

  /// Orbits of the elements, the first of each left in `elements`; how many.
  AXE_FN constexpr int divide(symmetry_order order, short* elements, int count) {
    if (order != symmetry_order::none) find_digits(order, elements, count);
    bool taken[most_elements]{};
    int orbits = 0;
    for (int i = 0; i < count; ++i) {
      int const e = elements[i];
      if (taken[e]) continue;
      taken[e] = true;
      member[e] = by[e] = 0;
      for (int g = 1; g < size; ++g) {
        int const other = image(g, e);
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

  AXE_FN constexpr void find_digits(symmetry_order order, short const* elements, int count) {
    for (int i = 0; i < count; ++i) {
      int const e = elements[i], at = find(holders[e], readers[e]);
      // Behind the others of its class.
      short* link = &class_at[at];
      for (; *link != 0; link = &next_in_class[*link - 1]) ++number_in_class[e];
      *link = static_cast<short>(e + 1);
    }
    list<lane_digit, 8> const none;
    list<lane_digit, 8> found;
    for (int i = 2; i <= warp_lanes; ++i) {
      int const extent = order == symmetry_order::large_first ? warp_lanes + 2 - i : i;
      for (int stride = 1; stride * extent <= warp_lanes; ++stride) {
        bool apart = found.size() < 5;
        for (lane_digit const& d : found)
          apart = apart && (d.stride % (stride * extent) == 0 || stride % (d.stride * d.extent) == 0);
        if (!apart) continue;
        lane_digit const one{static_cast<signed char>(extent), static_cast<signed char>(stride)};
        digits = none;
        digits.push(one);
        if (is_symmetry(1, elements, count)) found.push(one);
      }
    }
    digits = found;
    for (lane_digit const& d : digits) size *= d.extent;
  }
};

}  // namespace axe::inline AXE_NAMESPACE::detail
