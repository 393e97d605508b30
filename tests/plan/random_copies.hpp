// Makes random requests of copies between all memories: tiles of one to three dimensions, with
// gaps, offsets, negative strides, replicas, swizzles, partitions, partial tiles, cache hints and
// asynchronous copies.
//
//     copy_dice d(7);
//     make_random_copy(d)  S[(4,6):(8,1)] + 8 global to S[(4,6):(6,1)] + R[2:32] shared, 16 bits, …
#pragma once

#include "support/dice.hpp"

#include <axe/map/measures.hpp>
#include <axe/plan/plan_copy.hpp>

#include <algorithm>
#include <vector>

namespace axe_test {

struct random_copy {
  axe::copy_request request;
  std::vector<long long> limits;  // the coordinates in bounds of each dimension; empty: all
  bool matrices = false;          // the registers are a fragment of ldmatrix or stmatrix
};

struct copy_dice : dice<axe::integer> {
  using dice::dice;

  std::vector<axe::integer> factors_of_all(std::vector<axe::integer> const& extents) {
    std::vector<axe::integer> out;
    for (axe::integer e : extents)
      for (axe::integer f : factors(e, 2)) out.push_back(f);
    return out;
  }
  /// The order in which digits get their strides: row-major, or any.
  std::vector<std::size_t> order(std::size_t count) {
    std::vector<std::size_t> out;
    for (std::size_t k = count; k-- > 0;) out.push_back(k);
    if (!one_in(3)) return out;
    for (std::size_t k = count; k > 1; --k)
      std::swap(out[k - 1], out[static_cast<std::size_t>(below(static_cast<axe::integer>(k)))]);
    return out;
  }

  axe::layout memory(std::vector<axe::integer> const& digits, bool source) {
    axe::layout l;
    for (axe::integer e : digits) l.shards.push({e, 0, axe::axis::m});
    axe::integer next = 1, offset = one_in(3) ? between(1, 6) << below(5) : 0;
    for (std::size_t const k : order(digits.size())) {
      axe::iter& i = l.shards[static_cast<int>(k)];
      if (one_in(source ? 20 : 200)) continue;  // all elements along this digit have one place
      i.stride = next;
      next *= i.extent;
      axe::integer const line = axe::integer{1} << below(6);
      if (one_in(3)) next = (next + line - 1) / line * line;
      if (one_in(10)) next += between(1, 3);
      if (!one_in(12)) continue;
      offset += (i.extent - 1) * i.stride;
      i.stride = -i.stride;
    }
    if (one_in(6)) {
      axe::integer const line = axe::integer{1} << below(6);
      l.replicas.push({between(2, 3), (next + line - 1) / line * line, axe::axis::m});
    }
    if (offset != 0) l.offsets.push({offset, axe::axis::m});
    if (one_in(4)) {
      int const bits = static_cast<int>(between(1, 3));
      int const shift = static_cast<int>(between(bits, 4));
      l.swizzle = {static_cast<int>(below(5)), bits, one_in(6) ? -shift : shift};
    }
    return l;
  }

  /// Digits on threads and registers. Threads are on tid, or on lanes and warps.
  axe::layout registers(std::vector<axe::integer> const& digits) {
    axe::layout l;
    bool const lanes = one_in(3);
    for (axe::integer e : digits) l.shards.push({e, 0, axe::axis::reg});
    axe::integer thread = 1, warp = 1, reg = 1;
    for (std::size_t const k : order(digits.size())) {
      axe::iter& i = l.shards[static_cast<int>(k)];
      if (one_in(2) && thread * i.extent <= (lanes ? 32 : 128)) {
        i = {i.extent, thread, lanes ? axe::axis::lane : axe::axis::tid};
        thread *= i.extent;
      } else if (lanes && thread == 32 && one_in(2) && warp * i.extent <= 4) {
        i = {i.extent, warp, axe::axis::warp};
        warp *= i.extent;
      } else {
        i.stride = reg;
        reg *= i.extent;
        if (one_in(8)) reg += between(1, 4);
      }
    }
    if (one_in(5) && 2 * thread <= (lanes ? 32 : 128))
      l.replicas.push({2, thread, lanes ? axe::axis::lane : axe::axis::tid});
    if (one_in(12)) l.replicas.push({2, reg, axe::axis::reg});
    if (one_in(8)) l.offsets.push({between(1, 2), lanes ? axe::axis::warp : axe::axis::reg});
    if (!lanes && one_in(8)) l.offsets.push({32 * between(1, 2), axe::axis::tid});
    axe::detail::order_offsets(l);
    return l;
  }

  /// A fragment of ldmatrix or stmatrix: each row of a matrix is on 4 lanes, one word on each lane.
  /// In the transposed form each column is.
  axe::layout matrices(std::vector<axe::integer>& extents, int bits, bool transposed) {
    axe::integer const word = std::max(1, 32 / bits);
    axe::integer const down = one_of<axe::integer>({1, 2, 3, 4}),
                       across = one_of<axe::integer>({1, 2, 3});
    axe::layout l;
    axe::integer reg = word, warp = 1;
    auto const repeated = [&](axe::integer e) {
      if (one_in(4) && warp * e <= 4) {
        l.shards.push({e, warp, axe::axis::warp});
        warp *= e;
      } else {
        l.shards.push({e, reg, axe::axis::reg});
        reg *= e;
      }
    };
    repeated(down);
    if (transposed) {
      l.shards.push({4, 1, axe::axis::lane});
      l.shards.push({word, 1, axe::axis::reg});
      repeated(across);
      l.shards.push({8, 4, axe::axis::lane});
      extents = {down * 4 * word, across * 8};
    } else {
      l.shards.push({8, 4, axe::axis::lane});
      repeated(across);
      l.shards.push({4, 1, axe::axis::lane});
      l.shards.push({word, 1, axe::axis::reg});
      extents = {down * 8, across * 4 * word};
    }
    if (one_in(4)) l.replicas.push({2, warp, axe::axis::warp});
    if (one_in(6)) l.offsets.push({between(1, 3), axe::axis::warp});
    return l;
  }

  /// The tensor may end inside the tile, after a multiple of each edge.
  void end(random_copy& c) {
    for (int k = 0; k < c.request.tile.rank(); ++k) {
      axe::integer const e = c.request.tile.extent(k);
      axe::integer const edge = one_in(2) ? 0 : std::min(e, axe::integer{1} << below(5));
      c.request.options.edges.push(edge);
      c.limits.push_back(edge == 0 ? e : std::min(e, edge * between(1, 1 + e / edge)));
    }
  }
};

/// Gives the scope at least the threads of the partition.
inline void widen_scope(axe::copy_request& r) {
  using enum axe::memory_space;
  axe::layout const& held = r.from_space == registers ? r.from
                            : r.to_space == registers ? r.to
                                                      : r.options.partition;
  for (axe::axis const a : {axe::axis::tid, axe::axis::lane, axe::axis::warp})
    if (axe::integer const n = axe::span(held, a); n > 1)
      r.scope = std::max(r.scope, a == axe::axis::warp ? 32 * n : n);
}

/// Draws the layouts of a copy. Most sides have the same digits.
struct copy_sides {
  copy_dice& d;
  axe::layout fragment;             // of ldmatrix or stmatrix, else empty
  std::vector<axe::integer> parts;  // whose factors are the digits of a side
  std::vector<axe::integer> common_digits;

  std::vector<axe::integer> digits() {
    return d.one_in(4) ? d.factors_of_all(parts) : common_digits;
  }
  axe::layout side(axe::memory_space space, bool source) {
    if (space != axe::memory_space::registers) return d.memory(digits(), source);
    return fragment.shards.empty() ? d.registers(digits()) : fragment;
  }
};

inline std::vector<axe::integer> random_extents(copy_dice& d) {
  std::vector<axe::integer> extents;
  axe::integer size = 1;
  for (axe::integer k = d.between(1, 3); k > 0; --k) {
    axe::integer const e =
        d.one_of<axe::integer>({1, 2, 3, 4, 5, 6, 7, 8, 8, 12, 16, 16, 24, 32, 64});
    if (size * e > 512) continue;
    extents.push_back(e);
    size *= e;
  }
  if (extents.empty()) extents.push_back(1);
  return extents;
}

/// Draws the width of elements, the tile and, for a copy of matrices, their fragment.
inline copy_sides choose_tile(copy_dice& d, random_copy& c) {
  axe::copy_request& r = c.request;
  r.bits = 1 << d.below(8);
  if (d.one_in(2)) r.bits = d.one_of({8, 16, 32});
  std::vector<axe::integer> extents = random_extents(d);
  copy_sides made{d, {}, extents, {}};
  c.matrices = d.one_in(4);
  if (c.matrices) {
    r.bits = d.one_of({8, 16, 16, 32});
    made.fragment = d.matrices(extents, r.bits, r.bits == 16 && d.one_in(2));
    made.parts.clear();
    for (axe::iter const& i : made.fragment.shards) made.parts.push_back(i.extent);
  }
  for (axe::integer e : extents) r.tile.append(e);
  made.common_digits = d.factors_of_all(made.parts);
  return made;
}

inline void choose_spaces(copy_dice& d, random_copy& c) {
  using enum axe::memory_space;
  axe::copy_request& r = c.request;
  r.from_space = d.one_of({global, global, shared, shared, registers});
  r.to_space = d.one_of({global, shared, shared, registers});
  if (c.matrices) r.from_space = d.one_of({shared, registers});
  if (c.matrices && r.from_space == shared) r.to_space = registers;
  if (r.from_space == registers && r.to_space == registers) r.to_space = shared;
}

inline void choose_options(copy_dice& d, random_copy& c, copy_sides& sides) {
  using enum axe::memory_space;
  axe::copy_request& r = c.request;
  axe::copy_options& o = r.options;
  for (axe::integer* base : {&o.from_alignment, &o.to_alignment})
    *base =
        d.one_in(c.matrices ? 9 : 3) ? d.one_of<axe::integer>({1, 2, 4, 8, 16, 24, 32, 48}) : 16;
  if (d.one_in(4)) o.outside = axe::copy_outside::zero;
  if (!c.matrices && d.one_in(4)) o.cache = static_cast<axe::cache_hint>(d.between(1, 4));
  bool const in_memory = r.from_space != registers && r.to_space != registers;
  o.asynchronous = in_memory && d.one_in(3);
  if (in_memory && d.one_in(3)) {
    o.partitioned = true;
    o.partition = d.registers(sides.digits());
  }
}

inline random_copy make_random_copy(copy_dice& d) {
  random_copy c;
  axe::copy_request& r = c.request;
  copy_sides sides = choose_tile(d, c);
  choose_spaces(d, c);
  r.from = sides.side(r.from_space, true);
  r.to = sides.side(r.to_space, false);
  r.scope = d.one_of<axe::integer>({1, 7, 32, 64, 96, 128, 128, 256, 256});
  r.target = d.one_of({axe::architecture::sm_80, axe::architecture::sm_89, axe::architecture::sm_90,
                       axe::architecture::sm_90a, axe::architecture::sm_100a});
  if (c.matrices && d.one_in(2)) r.target = axe::architecture::sm_90a;
  choose_options(d, c, sides);
  if (d.one_in(3)) d.end(c);
  if (!d.one_in(8)) widen_scope(r);
  return c;
}

}  // namespace axe_test
