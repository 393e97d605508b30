// An oracle for copies, from places and the PTX ISA, without headers of the library.
//
//     task t{from, to, holders, …}
//     allows_vectors(t, 8)       true if vectors of 8 elements divide the tile: each is contiguous
//                                and aligned on both sides, and one thread has all its elements
//
// A table has the set of places of each element: on m, registers and threads (oracle/oracle.hpp).
#pragma once

#include "oracle/oracle.hpp"

#include <map>
#include <set>

namespace copy_oracle {

using oracle::map_table;
using oracle::number;
using oracle::place;
using oracle::place_set;

enum class memory { global, shared, registers };
enum class kind { vector, cp_async, ldmatrix, stmatrix, bulk };

/// PTX ISA: "ld", "st", "cp.async", "cp.async.bulk", "ldmatrix", "stmatrix".
inline bool exists(kind k, number bytes, memory from, memory to, int sm) {
  using enum memory;
  bool const load = from == global && to == shared, store = from == shared && to == global;
  bool const power = bytes > 0 && bytes <= 16 && (bytes & (bytes - 1)) == 0;
  switch (k) {
    case kind::vector: return power;
    case kind::cp_async: return power && bytes >= 4 && load;
    case kind::ldmatrix: return from == shared && to == registers;
    case kind::stmatrix: return from == registers && to == shared && sm >= 90;
    case kind::bulk: return bytes > 0 && bytes % 16 == 0 && sm >= 90 && (load || store);
  }
  return false;
}

struct task {
  map_table from, to, holders;  // of an element; holders: empty, or the threads and registers
  memory from_memory{}, to_memory{};
  number bits = 8;
  number from_base = 16, to_base = 16;  // bytes
  std::vector<number> tile, edges;      // edges: empty, or 0 or n for each dimension
  bool zero = false;

  number size() const { return static_cast<number>(from.size()); }
};

inline bool is_injective(map_table const& all) {
  std::set<place> seen;
  std::size_t count = 0;
  for (place_set const& places : all) {
    seen.insert(places.begin(), places.end());
    count += places.size();
  }
  return count == seen.size();
}

inline place_set shifted(place_set places, int axis, number by) {
  for (place& p : places) p[static_cast<std::size_t>(axis)] += by;
  return places;
}
/// Joins `n` neighbouring elements. False if they are not neighbours in one byte or register.
inline bool join(map_table& all, int axis, number n) {
  map_table out;
  for (std::size_t x = 0; x < all.size(); ++x) {
    number const e = static_cast<number>(x) % n;
    if (e != 0 && all[x] != shifted(all[x - static_cast<std::size_t>(e)], axis, e)) return false;
    if (e != 0) continue;
    out.push_back(all[x]);
    for (place& p : out.back()) {
      if (p[static_cast<std::size_t>(axis)] % n != 0) return false;
      p[static_cast<std::size_t>(axis)] /= n;
    }
  }
  bool const whole = all.size() % static_cast<std::size_t>(n) == 0;
  all = out;
  return whole;
}
/// Makes bytes the elements of the task, if its elements have less. False if that is not possible.
inline bool in_bytes(task& t) {
  if (t.bits >= 8) return true;
  number const n = 8 / t.bits;
  if (!join(t.from, t.from_memory == memory::registers ? 1 : 0, n) ||
      !join(t.to, t.to_memory == memory::registers ? 1 : 0, n) || !join(t.holders, 1, n))
    return false;
  t.bits = 8;
  if (t.tile.back() % n != 0) {
    t.tile = {t.size()};
    return t.edges.empty();
  }
  t.tile.back() /= n;
  if (t.edges.empty()) return true;
  bool const whole = t.edges.back() % n == 0;
  t.edges.back() /= n;
  return whole;
}
inline bool has_consecutive_threads(task const& t, number scope) {
  std::set<number> threads;
  for (place_set const& places : t.holders)
    for (place const& p : places) threads.insert(p[2]);
  if (threads.empty()) return true;
  auto const count = static_cast<number>(threads.size());
  return count <= scope && *threads.rbegin() - *threads.begin() + 1 == count;
}

inline bool aligned(place_set const& places, number bits, number base, number bytes) {
  for (place const& p : places)
    if ((p[0] * bits / 8) % bytes != 0) return false;
  return base > 0 && base % bytes == 0;
}

/// The distance of the registers of elements 0 and `step`, or 0 without registers.
inline number registers_apart(task const& t, number step) {
  if (t.holders.empty()) return 0;
  return t.holders[static_cast<std::size_t>(step)].front()[1] - t.holders[0].front()[1];
}

/// True if the `count` elements x, x + step, … are one access of a thread.
inline bool is_vector(task const& t, number x, number step, number count) {
  auto const first = static_cast<std::size_t>(x);
  number const bytes = count * t.bits / 8;
  if (t.from_memory != memory::registers && !aligned(t.from[first], t.bits, t.from_base, bytes))
    return false;
  if (t.to_memory != memory::registers && !aligned(t.to[first], t.bits, t.to_base, bytes))
    return false;
  for (number v = 1; v < count; ++v) {
    auto const here = static_cast<std::size_t>(x + v * step);
    if (t.from_memory != memory::registers && t.from[here] != shifted(t.from[first], 0, v))
      return false;
    if (t.to_memory != memory::registers && t.to[here] != shifted(t.to[first], 0, v)) return false;
    if (!t.holders.empty() &&
        t.holders[here] != shifted(t.holders[first], 1, v * registers_apart(t, step)))
      return false;
  }
  return true;
}

/// True if the digit of `extent` elements that are `step` apart lies in one dimension, and if the
/// tensor ends only between accesses of `count`, or an access may be cut.
inline bool fits_dimensions(task const& t, number step, number extent, number count, bool may_cut) {
  if (extent % count != 0 && (!may_cut || !t.holders.empty())) return false;
  if (t.size() % (step * extent) != 0) return false;
  if (t.edges.empty()) return true;
  number below = 1;
  for (std::size_t d = t.tile.size(); d-- > 0; below *= t.tile[d]) {
    if (step % below != 0 || (below * t.tile[d]) % (step * extent) != 0) continue;
    return may_cut || t.zero || t.edges[d] % (step / below * count) == 0;
  }
  return false;
}

/// True if the tile can be copied by accesses of `count` elements along one digit.
inline bool allows_vectors(task const& t, number count, bool may_cut) {
  if (count == 1) {
    for (number x = 0; x < t.size(); ++x)
      if (!is_vector(t, x, 1, 1)) return false;
    return true;
  }
  bool const in_registers = t.from_memory == memory::registers || t.to_memory == memory::registers;
  for (number step = 1; step * count <= t.size(); ++step) {
    if (!is_vector(t, 0, step, count)) continue;
    // Several elements share a register.
    if (in_registers && t.bits < 32 && registers_apart(t, step) != 1) continue;
    for (number extent = count; step * extent <= t.size(); ++extent) {
      if (!fits_dimensions(t, step, extent, count, may_cut)) continue;
      bool all = true;
      for (number x = 0; x < t.size() && all; ++x)
        if (number const c = x / step % extent; c % count == 0)
          all =
              is_vector(t, x, step, std::min(count, extent - c)) || (extent - c < count && may_cut);
      if (all) return true;
    }
  }
  return false;
}

/// True if bulk copies can copy the tile: runs of 16 bytes divide it.
inline bool allows_bulk(task const& t) {
  number const count = 128 / t.bits;
  std::map<place, number> element;  // at a place of the target
  for (number x = 0; x < t.size(); ++x)
    for (place const& p : t.to[static_cast<std::size_t>(x)]) element[p] = x;
  for (auto const& [p, x] : element) {
    if (p[0] * t.bits % 128 != 0) continue;
    place_set const& from = t.from[static_cast<std::size_t>(x)];
    if (!aligned(from, t.bits, t.from_base, 16) || t.to_base % 16 != 0) return false;
    for (number v = 1; v < count; ++v) {
      auto const next = element.find({p[0] + v, 0, 0});
      if (next == element.end() || next->second < x ||
          t.from[static_cast<std::size_t>(next->second)] != shifted(from, 0, v))
        return false;
    }
  }
  for (auto const& [p, x] : element)
    if (element.count({p[0] - (p[0] % count + count) % count, 0, 0}) == 0) return false;
  return true;
}

/// True if the registers of a warp are matrices of 8 rows of 16 bytes. Adjacent rows of a plain
/// matrix do not count: they are adjacent words of adjacent lanes.
inline bool allows_matrices(task const& t, bool load, bool transposed, int matrices) {
  if (t.bits < 8 || t.bits > 32 || (transposed && t.bits != 16)) return false;
  number const word = 32 / t.bits;
  map_table const& memory = load ? t.from : t.to;
  std::map<std::pair<number, number>, number> held;  // thread, register -> element
  number warps = 0, registers = 0;
  std::set<number> threads;
  for (number x = 0; x < t.size(); ++x) {
    if (memory[static_cast<std::size_t>(x)].size() != 1) return false;
    for (place const& p : t.holders[static_cast<std::size_t>(x)]) {
      held[{p[2], p[1]}] = x;
      threads.insert(p[2]);
      registers = std::max(registers, p[1] + 1);
      warps = std::max(warps, p[2] / 32 + 1);
    }
  }
  number words = 0;
  for (number w = *threads.begin() / 32; w < warps; ++w)
    for (number q = 0; q * word < registers; ++q) {
      number rows = 0, last = -1;
      for (number row = 0; row < 8; ++row) {
        std::vector<number> at;
        for (number column = 0; column < 128 / t.bits; ++column) {
          number const lane = transposed ? 4 * column + row / 2 : 4 * row + column / word;
          number const e = transposed ? row % 2 : column % word;
          auto const found = held.find({32 * w + lane, q * word + e});
          if (found != held.end())
            at.push_back(memory[static_cast<std::size_t>(found->second)][0][0]);
        }
        if (at.empty()) continue;
        if (static_cast<number>(at.size()) != 128 / t.bits || at[0] * t.bits % 128 != 0)
          return false;
        for (std::size_t v = 1; v < at.size(); ++v)
          if (at[v] != at[0] + static_cast<number>(v)) return false;
        if (!transposed && rows > 0 && at[0] == last + 1) return false;
        last = at.back();
        ++rows;
      }
      if (rows != 0 && rows != 8) return false;
      if (w == *threads.begin() / 32) words += rows / 8;
    }
  number const base = load ? t.from_base : t.to_base;
  return words % matrices == 0 && base % 16 == 0;
}

}  // namespace copy_oracle
