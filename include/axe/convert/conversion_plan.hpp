// SPDX-License-Identifier: MIT
// A conversion plan: a straight-line program on 32-bit words, the same for every lane.
//
//     select     a in the lanes of `lanes`, else b
//     shuffle    word a of the lane that a lane map names (shfl.sync)
//     permute    4 bytes of a and b (prmt), by selector `first` if `by` is 0, else by value `by`
//     selector   `first` in the lanes of `lanes`, else value b, or `second` if b is 0
//
// Values are numbered: the source words `inputs` come first, then the result of each step.
#pragma once

#include <axe/layout/layout.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {
using register_word = stl::uint32_t;
inline constexpr int warp_lanes = 32;
}  // namespace detail

/// `warps`: through shared memory.
enum class conversion_kind : unsigned char { nothing, registers, lanes, warps };

enum class conversion_op : unsigned char { select, shuffle, permute, selector };

struct conversion_step {
  conversion_op op = conversion_op::select;
  int a = 0, b = 0;
  int by = 0;
  int map = 0;  // index in conversion_plan::maps
  detail::register_word lanes = 0;
  detail::register_word first = 0, second = 0;

  constexpr bool operator==(conversion_step const&) const = default;
};

/// A step in two integers. A compiler stores each integer of a constant on its own.
struct packed_step {
  using number = detail::stl::uint64_t;

  number what = 0;  // op 2 bits, a 12, b 12, by 12, map 7
  number bits = 0;  // lanes 32 bits, first 16, second 16

  constexpr packed_step() = default;
  AXE_FN constexpr explicit packed_step(conversion_step const& s)
      : what(static_cast<number>(s.op) | static_cast<number>(s.a) << 2 |
             static_cast<number>(s.b) << 14 | static_cast<number>(s.by) << 26 |
             static_cast<number>(s.map) << 38),
        bits(number{s.lanes} | number{s.first} << 32 | number{s.second} << 48) {}

  AXE_FN constexpr conversion_op op() const { return static_cast<conversion_op>(what & 3); }
  AXE_FN constexpr operator conversion_step() const {
    auto const value = [&](int from) { return static_cast<int>(what >> from & 0xfff); };
    return {op(),
            value(2),
            value(14),
            value(26),
            static_cast<int>(what >> 38),
            static_cast<detail::register_word>(bits),
            static_cast<detail::register_word>(bits >> 32 & 0xffff),
            static_cast<detail::register_word>(bits >> 48)};
  }

  constexpr bool operator==(packed_step const&) const = default;
};
using step_list = list<packed_step, 2048>;

namespace detail {
AXE_FN constexpr int count_steps(step_list const& steps, conversion_op op) {
  int n = 0;
  for (packed_step const& s : steps) n += s.op() == op;
  return n;
}
}  // namespace detail

/// Bit l of planes[b] is bit b of the lane that lane l reads.
struct lane_map {
  detail::register_word planes[5]{};

  /// Tries an affine map first. `from` has 1 + the lane to read; 0: any lane.
  AXE_FN static constexpr lane_map of(int const* from) {
    int first = 0;
    while (first < detail::warp_lanes - 1 && from[first] == 0) ++first;
    int const start = from[first] - 1;
    int column[5] = {1, 2, 4, 8, 16};  // a butterfly
    for (int b = 0; b < 5; ++b)
      if (int const other = from[first ^ (1 << b)]; other > 0) column[b] = (other - 1) ^ start;
    auto const affine = [&](int l) {
      int lane = start;
      for (int b = 0; b < 5; ++b)
        if (((l ^ first) >> b & 1) != 0) lane ^= column[b];
      return lane;
    };
    bool fits = true;
    for (int l = 0; l < detail::warp_lanes; ++l)
      fits = fits && (from[l] == 0 || from[l] - 1 == affine(l));
    lane_map map;
    for (int l = 0; l < detail::warp_lanes; ++l) {
      int const lane = fits ? affine(l) : from[l] == 0 ? l : from[l] - 1;
      for (int b = 0; b < 5; ++b)
        map.planes[b] |= static_cast<detail::register_word>(lane >> b & 1) << l;
    }
    return map;
  }

  AXE_FN constexpr int operator()(int lane) const {
    int from = 0;
    for (int b = 0; b < 5; ++b) from |= static_cast<int>(planes[b] >> lane & 1) << b;
    return from;
  }
  /// The mask if each lane l reads l ^ mask, else -1.
  AXE_FN constexpr int butterfly() const {
    int const mask = (*this)(0);
    for (int l = 1; l < detail::warp_lanes; ++l)
      if (((*this)(l) ^ l) != mask) return -1;
    return mask;
  }
  AXE_FN constexpr bool affine() const {
    for (int l = 1; l < detail::warp_lanes; ++l) {
      int const low = l & -l;
      if ((*this)(l) != ((*this)(l ^ low) ^ (*this)(low) ^ (*this)(0))) return false;
    }
    return true;
  }

  AXE_FN friend constexpr bool operator==(lane_map const& a, lane_map const& b) {
    return detail::equal_entries(a.planes, b.planes);
  }
};

struct conversion_output {
  int word = 0;  // of the target
  int value = 0;

  constexpr bool operator==(conversion_output const&) const = default;
};

/// Word offsets of one repeat of the steps.
struct conversion_repeat {
  int source = 0;
  int target = 0;

  constexpr bool operator==(conversion_repeat const&) const = default;
};

/// Element x is at place(x) in shared memory, in elements.
struct shared_step {
  layout place;
  int store_bits = 0, load_bits = 0;  // of one access
  // The most wavefronts of a phase; 1: no bank conflicts.
  integer store_conflict = 0, load_conflict = 0;
  integer bytes = 0;

  constexpr bool operator==(shared_step const&) const = default;
};

struct conversion_plan {
  static constexpr int most_words = 128;  // of one repeat
  static constexpr int most_repeats = 128;

  conversion_kind kind = conversion_kind::nothing;
  int width = 32;        // bits of an element
  int source_words = 0;  // 32-bit registers of a lane
  int target_words = 0;
  int shuffle_bound = 0;  // no plan has fewer shuffles
  step_list steps;
  list<lane_map, most_words> maps;
  list<int, most_words> inputs;  // numbers of source words
  list<conversion_output, most_words> outputs;
  list<conversion_repeat, most_repeats> repeats;
  shared_step shared;

  /// Counts of all repeats together. Selectors count once, because all repeats share them.
  AXE_FN constexpr int shuffles() const {
    return detail::count_steps(steps, conversion_op::shuffle) * repeats.size();
  }
  AXE_FN constexpr int selects() const {
    return detail::count_steps(steps, conversion_op::select) * repeats.size();
  }
  AXE_FN constexpr int permutes() const {
    return detail::count_steps(steps, conversion_op::permute) * repeats.size();
  }
  AXE_FN constexpr int selectors() const {
    return detail::count_steps(steps, conversion_op::selector);
  }

  constexpr bool operator==(conversion_plan const&) const = default;
};

}  // namespace AXE_NAMESPACE
}  // namespace axe
