// SPDX-License-Identifier: MIT
// Builds the selects and byte permutes that give lanes their words.
//
//     lanes want words 3 3 2 2 3 3 2 2 …             select(lane & 2 ? 2 : 3)
//     odd lanes want other bytes of the same words   permute(a, b, selector(lane & 1 ? … : …))
#pragma once

#include <axe/convert/conversion_plan.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// The wanted bytes, by lane: 1 + 4 * value + byte, or 0 for any.
struct word_bytes {
  int from[warp_lanes][4];
};

/// Lanes l for which l & bits has odd parity.
AXE_LAZY_FN constexpr register_word odd_lanes(int bits) {
  constexpr register_word with_bit[] = {0xaaaaaaaa, 0xcccccccc, 0xf0f0f0f0, 0xff00ff00, 0xffff0000};
  register_word odd = 0;
  for (int b = 0; b < 5; ++b)
    if ((bits >> b & 1) != 0) odd ^= with_bit[b];
  return odd;
}
/// The i-th mask for odd_lanes, single bits first: 1 2 4 8 16 3 5 6 …
AXE_LAZY_FN constexpr int parity_mask(int i) {
  return i < 5 ? 1 << i : i - 2 + (i > 5) + (i > 8) + (i > 15);
}

struct lane_set {
  register_word lanes = 0;
  bool flipped = false;
};

/// A set with all lanes `in` and none of `out`; if `flipped`, the reverse. Prefers sets of
/// odd_lanes. Never contains lane 0.
AXE_LAZY_FN constexpr lane_set separate(register_word in, register_word out) {
  for (int i = 0; i < 31; ++i) {
    register_word const odd = odd_lanes(parity_mask(i));
    if ((in & ~odd) == 0 && (out & odd) == 0) return {odd, false};
    if ((out & ~odd) == 0 && (in & odd) == 0) return {odd, true};
  }
  return (in & 1) != 0 ? lane_set{out, true} : lane_set{in, false};
}

struct wanted_value {
  int value = 0;
  register_word lanes = 0;
};

struct word_sources {
  int first[warp_lanes]{}, second[warp_lanes]{};  // 1 + value; 0: any value
  bool is_whole = true;                           // at most one value per lane, bytes in place
  bool is_pair = true;                            // at most two values per lane
  int low = 0, high = 0;                          // 1 + value

  AXE_FN constexpr explicit word_sources(word_bytes const& want) {
    for (int l = 0; l < warp_lanes; ++l)
      for (int i = 0; i < 4; ++i) {
        int const f = want.from[l][i] - 1;
        if (f < 0) continue;
        int const v = f / 4 + 1;
        int &one = first[l], &two = second[l];
        is_whole = is_whole && f % 4 == i && (one == 0 || one == v);
        if (low == 0 || v < low) low = v;
        if (v > high) high = v;
        if (v == one || v == two) continue;
        is_pair = is_pair && two == 0;
        (one == 0 ? one : two) = v;
      }
  }
  /// If two values suffice for all lanes, gives both to each lane. Else sorts the two of each lane.
  AXE_FN constexpr void order() {
    bool are_two = true;
    for (int l = 0; l < warp_lanes; ++l)
      for (int const v : {first[l], second[l]})
        are_two = are_two && (v == 0 || v == low || v == high);
    for (int l = 0; l < warp_lanes; ++l) {
      int const one = first[l], two = second[l];
      if (are_two) {
        first[l] = low;
        second[l] = high;
      } else if (two != 0 && two < one) {
        first[l] = two;
        second[l] = one;
      }
    }
  }
};

/// Lanes share a selector if they agree in nibbles that both need.
struct selector_classes {
  register_word selector[warp_lanes]{}, needed[warp_lanes]{}, lanes[warp_lanes]{};
  int count = 0;

  AXE_FN constexpr void add(int lane, register_word nibbles, register_word mask) {
    if (mask == 0) return;
    int at = 0;
    while (at < count && ((selector[at] ^ nibbles) & mask & needed[at]) != 0) ++at;
    if (at == count) ++count;
    selector[at] |= nibbles;
    needed[at] |= mask;
    lanes[at] |= register_word{1} << lane;
  }
};

struct program {
  step_list steps;
  list<lane_map, conversion_plan::most_words> maps;
  int inputs = 0;
  bool overflowed = false;
  // A hash table. Entries are 1 + a step, or 0.
  static constexpr int chains = 61;
  int last_of[chains]{}, previous[step_list::capacity]{};

  /// Equal steps share a value.
  AXE_FN constexpr int add(conversion_step const& s) {
    packed_step const step(s);
    int& last = last_of[(step.what ^ step.bits) % chains];
    for (int i = last; i > 0; i = previous[i - 1])
      if (steps[i - 1] == step) return inputs + i - 1;
    if (steps.push(step)) {
      previous[steps.count - 1] = last;
      last = steps.count;
    } else {
      overflowed = true;
    }
    return inputs + steps.count - 1;
  }

  AXE_FN constexpr int select(register_word lanes_of_a, register_word lanes_of_b, int a, int b) {
    lane_set const set = separate(lanes_of_a, lanes_of_b);
    return add({.a = set.flipped ? b : a, .b = set.flipped ? a : b, .lanes = set.lanes});
  }

  /// The mask whose odd lanes divide the values most evenly. 0: each mask divides a value's lanes.
  AXE_FN static constexpr int dividing_parity(wanted_value const* values, int n) {
    int best = 0, most = n;
    for (int p = 0; p < 31 && 2 * most > n; ++p) {
      register_word const odd = odd_lanes(parity_mask(p));
      int inside = 0, outside = 0;
      for (int i = 0; i < n; ++i) {
        inside += (values[i].lanes & odd) != 0;
        outside += (values[i].lanes & ~odd) != 0;
      }
      int const larger_half = inside < outside ? outside : inside;
      if (inside + outside == n && larger_half < most) {
        most = larger_half;
        best = parity_mask(p);
      }
    }
    return best;
  }

  /// The value that is value want[l] - 1 in lane l; -1 if all entries are 0, which means any value.
  AXE_FN constexpr int choose(int const* want) {
    wanted_value values[warp_lanes];
    int n = 0;
    for (int l = 0; l < warp_lanes; ++l) {
      if (want[l] == 0) continue;
      int i = 0;
      while (i < n && values[i].value != want[l] - 1) ++i;
      if (i == n) values[n++] = {want[l] - 1, 0};
      values[i].lanes |= register_word{1} << l;
    }
    return n == 0 ? -1 : choose(values, n);
  }
  /// Precondition: n > 0. Reorders `values`.
  AXE_FN constexpr int choose(wanted_value* values, int n) {
    if (n == 1) return values[0].value;
    if (n == 2) return select(values[0].lanes, values[1].lanes, values[0].value, values[1].value);
    int const divider = dividing_parity(values, n);
    register_word const inside = divider != 0 ? odd_lanes(divider) : values[n - 1].lanes;
    register_word all = 0;
    wanted_value outside[warp_lanes];
    int in = 0, out = 0;
    for (int i = 0; i < n; ++i) {
      all |= values[i].lanes;
      ((values[i].lanes & inside) != 0 ? values[in++] : outside[out++]) = values[i];
    }
    int const a = choose(values, in);
    int const b = choose(outside, out);
    return select(inside, all & ~inside, a, b);
  }

  AXE_FN constexpr int shuffle(int value, int const* from) {
    lane_map const map = lane_map::of(from);
    int at = 0;
    while (at < maps.size() && !(maps[at] == map)) ++at;
    if (at == maps.size() && !maps.push(map)) {
      overflowed = true;
      return value;
    }
    return add({.op = conversion_op::shuffle, .a = value, .map = at});
  }

  AXE_FN constexpr int build(word_bytes const& want) {
    word_sources of(want);
    if (of.is_whole) return choose(of.first);
    return of.is_pair ? build_from_two(want, of) : build_from_four(want, of);
  }

  AXE_FN constexpr int build_from_two(word_bytes const& want, word_sources& of) {
    of.order();
    int const a = choose(of.first), b = choose(of.second);
    return permute(want, of.first, a, b < 0 ? a : b);
  }

  AXE_FN static constexpr bool wants_one_byte_of_each(word_bytes const& want) {
    for (int i = 0; i < 4; ++i) {
      int const f = want.from[0][i];
      for (auto const& l : want.from)
        if (f == 0 || (l[i] != 0 && l[i] != f)) return false;
      for (int k = 0; k < i; ++k)
        if ((f - 1) / 4 == (want.from[0][k] - 1) / 4) return false;
    }
    return true;
  }

  AXE_FN constexpr int build_from_four(word_bytes const& want, word_sources const& of) {
    word_bytes some{}, rest = want;
    if (wants_one_byte_of_each(want)) {
      // `pair` interleaves halves of two values. Two words of a transposition use the same pair.
      for (int h = 0; h < 4; h += 2) {
        for (int i = 0; i < 4; ++i)
          for (auto& l : some.from) l[i] = 1 + i / 2 + ((want.from[0][h + i % 2] - 1) & ~1);
        int const pair = build(some);
        for (int i = h; i < h + 2; ++i)
          for (auto& l : rest.from) l[i] = 1 + 4 * pair + (want.from[0][i] - 1) % 2 * 2 + i % 2;
      }
      return build(rest);
    }
    for (int l = 0; l < warp_lanes; ++l)
      for (int i = 0; i < 4; ++i) {
        int const f = want.from[l][i];
        int const v = (f - 1) / 4 + 1;
        if (f != 0 && (v == of.first[l] || v == of.second[l])) some.from[l][i] = f;
      }
    int const combined = build(some);
    for (int l = 0; l < warp_lanes; ++l)
      for (int i = 0; i < 4; ++i)
        if (some.from[l][i] != 0) rest.from[l][i] = 1 + 4 * combined + i;
    return build(rest);
  }

  /// In lane l, `a` equals value first[l] - 1.
  AXE_FN constexpr int permute(word_bytes const& want, int const* first, int a, int b) {
    selector_classes of;
    for (int l = 0; l < warp_lanes; ++l) {
      register_word nibbles = 0, mask = 0;
      for (int i = 0; i < 4; ++i) {
        int const f = want.from[l][i] - 1;
        if (f < 0) continue;
        bool const from_first = f / 4 + 1 == first[l];
        nibbles |= static_cast<register_word>((from_first ? 0 : 4) + f % 4) << (4 * i);
        mask |= register_word{15} << (4 * i);
      }
      of.add(l, nibbles, mask);
    }
    register_word(&selector)[warp_lanes] = of.selector;
    for (int i = 0; i < of.count; ++i) selector[i] |= 0x3210u & ~of.needed[i];
    if (of.count == 1) {
      if (selector[0] == 0x3210) return a;
      if (selector[0] == 0x7654) return b;
      return add({.op = conversion_op::permute, .a = a, .b = b, .first = selector[0]});
    }
    lane_set const set = separate(of.lanes[1], of.lanes[0]);
    int by = add({.op = conversion_op::selector,
                  .lanes = set.lanes,
                  .first = selector[!set.flipped],
                  .second = selector[set.flipped]});
    for (int i = 2; i < of.count; ++i)
      by =
          add({.op = conversion_op::selector, .b = by, .lanes = of.lanes[i], .first = selector[i]});
    return add({.op = conversion_op::permute, .a = a, .b = b, .by = by});
  }
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
