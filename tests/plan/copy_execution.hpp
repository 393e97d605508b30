// Executes a copy plan in plain loops, every access of every thread, on memories that map places to
// elements. The oracle (tests/oracle) gives the places of the layouts.
//
// The code uses the parts of the plan that device code uses: coordinates of accesses, layouts on
// the modes and register numbers. ldmatrix and stmatrix are executed as the PTX ISA describes them.
#pragma once

#include "oracle/oracle.hpp"

#include <axe/plan/plan_copy.hpp>

#include <map>
#include <set>
#include <string>

namespace axe_test {

/// The oracle's axis of an iter: 0 for m, 1 for registers, 2 for threads. A warp is 32 threads.
inline oracle::digit oracle_digit(axe::iter const& i) {
  bool const warp = i.on == axe::axis::warp;
  int const on = i.on == axe::axis::null  ? oracle::nowhere
                 : i.on == axe::axis::m   ? 0
                 : i.on == axe::axis::reg ? 1
                                          : 2;
  return {i.extent, warp ? 32 * i.stride : i.stride, on};
}
inline oracle::map_table places_of(axe::layout const& l) {
  oracle::layout out;
  for (axe::iter const& i : l.shards) out.d.push_back(oracle_digit(i));
  for (axe::iter const& i : l.replicas) out.r.push_back(oracle_digit(i));
  for (axe::term const& t : l.offsets) {
    oracle::digit const one = oracle_digit({2, t.n, t.on});
    out.o.at(static_cast<std::size_t>(one.on)) += one.stride;
  }
  out.f = {l.swizzle.M, l.swizzle.B, l.swizzle.S};
  return oracle::table(out);
}

/// The last write to a place of the target: the place of the source, and the thread.
struct written_cell {
  oracle::place from{};
  long long thread = 0;
  int writes = 0;
};

struct copy_execution {
  axe::copy_plan const& plan;
  axe::copy_request const& request;
  std::set<oracle::place> source;  // the places that may be read
  std::map<oracle::place, written_cell> target;
  oracle::map_table from, to;  // the places of each side, by coordinate in the modes or by element
  std::string wrong;
  /// The number of coordinates of each dimension that are in bounds. Empty if all are.
  std::vector<long long> limits;

  copy_execution(axe::copy_plan const& p, axe::copy_request const& r)
      : plan(p), request(r), from(places_of(p.from)), to(places_of(p.to)) {}

  void fail(std::string const& what) {
    if (wrong.empty()) wrong = what;
  }
  static bool memory(axe::memory_space s) { return s != axe::memory_space::registers; }

  /// The places of elements of the plan. One element of the plan may be several adjacent elements
  /// of less than a byte.
  oracle::map_table as_planned(axe::layout const& l, bool in_memory) {
    oracle::map_table const all = places_of(l);
    if (plan.packed == 1) return all;
    oracle::map_table out;
    auto const n = static_cast<std::size_t>(plan.packed), axis = std::size_t{in_memory ? 0u : 1u};
    for (std::size_t x = 0; x < all.size(); x += n) {
      oracle::place_set here;
      for (oracle::place p : all[x]) {
        p[axis] /= plan.packed;
        here.push_back(p);
      }
      out.push_back(oracle::sorted(here));
    }
    return out;
  }

  /// The index of a coordinate: its number in the box of the modes, or the number of its element.
  std::size_t number(std::vector<long long> const& c, bool by_element) const {
    long long n = 0;
    for (int k = 0; k < plan.modes.size(); ++k) {
      auto const at = static_cast<std::size_t>(k);
      n = by_element ? n + c[at] * plan.modes[k].step : n * plan.modes[k].extent + c[at];
    }
    return static_cast<std::size_t>(n);
  }
  /// The number of elements of the tile in one element of the plan, along dimension d of the tile.
  long long tile_elements(std::size_t d) const {
    return static_cast<int>(d) + 1 == request.tile.rank() ? plan.packed : 1;
  }
  /// The coordinates in the dimensions of the tile, or none if the request has no edges.
  std::vector<long long> coordinates(std::vector<long long> const& c) const {
    std::vector<long long> at(static_cast<std::size_t>(request.options.edges.size()));
    for (int k = 0; k < plan.modes.size(); ++k)
      if (int const d = plan.modes[k].dimension; d >= 0 && !at.empty())
        at[static_cast<std::size_t>(d)] +=
            plan.modes[k].coordinate_step * c[static_cast<std::size_t>(k)];
    return at;
  }
  bool in_bounds(std::vector<long long> const& c) const {
    for (int k = 0; k < plan.modes.size(); ++k)
      if (c[static_cast<std::size_t>(k)] >= plan.modes[k].extent) return false;
    std::vector<long long> const at = coordinates(c);
    for (std::size_t d = 0; d < limits.size(); ++d)
      if (at[d] >= limits[d] / tile_elements(d)) return false;
    return true;
  }
  /// True if element x of the plan is in bounds.
  bool element_in_bounds(long long x) const {
    for (std::size_t d = limits.size(); d-- > 0;) {
      long long const extent = request.tile.nodes.value(static_cast<int>(d) + 1) / tile_elements(d);
      if (x % extent >= limits[d] / tile_elements(d)) return false;
      x /= extent;
    }
    return true;
  }
  std::vector<long long> begin(long long thread, long long issue) const {
    std::vector<long long> c;
    for (int k = 0; k < plan.modes.size(); ++k) {
      axe::copy_mode const& m = plan.modes[k];
      long long const of_thread = m.threads == 1 ? 0 : thread / m.thread_stride % m.threads;
      c.push_back(of_thread * m.values + plan.issue_step(k, issue));
    }
    return c;
  }
  /// The coordinate of value v of an access. Values count along the modes that have several,
  /// beginning with the least step in the source, or in the destination if the source is registers.
  std::vector<long long> value(std::vector<long long> c, long long v) const {
    std::multimap<long long, int> order;
    for (int k = 0; k < plan.modes.size(); ++k)
      if (plan.modes[k].values > 1)
        order.insert(
            {memory(plan.from_space) ? plan.from.shards[k].stride : plan.to.shards[k].stride, k});
    for (auto const& [step, k] : order) {
      c[static_cast<std::size_t>(k)] += v % plan.modes[k].values;
      v /= plan.modes[k].values;
    }
    return c;
  }
  long long first_thread() const { return plan.access_partition.offset(plan.thread); }

  oracle::place register_place(long long thread, long long r, bool source_side) const {
    axe::layout const& side = source_side ? plan.from : plan.to;
    return {0, r + side.offset(axe::axis::reg), thread + first_thread()};
  }
  void move(long long thread, oracle::place const& to_place, oracle::place const& from_place) {
    if (source.count(from_place) == 0) fail("an access reads a place without an element");
    target[to_place] = {from_place, thread + first_thread(), target[to_place].writes + 1};
  }
  /// The memory begins at an odd multiple of its declared alignment.
  void check_aligned(oracle::place const& p, bool source_side) {
    long long const multiple = plan.instruction == axe::copy_instruction::bulk ? 16 : plan.bytes;
    long long const base =
        source_side ? request.options.from_alignment : request.options.to_alignment;
    if ((base + p[0] * plan.bits / 8) % multiple != 0) fail("an access is not aligned");
  }

  /// True if this thread stores its elements. If several threads hold replicas, only one of them
  /// stores.
  bool stores(long long thread) const {
    for (axe::iter const& r : plan.stores_once)
      if (thread / r.stride % r.extent != 0) return false;
    return true;
  }

  void vectors() {
    for (long long t = 0; t < plan.threads; ++t) {
      for (long long issue = 0; issue < plan.issues && stores(t); ++issue) {
        std::vector<long long> c = begin(t, issue);
        if (!in_bounds(c)) continue;
        oracle::place first[2]{};
        std::vector<long long> const origin = c;
        for (long long v = 0; v < plan.values; ++v) {
          c = value(origin, v);
          if (!in_bounds(c)) {
            if (!plan.cut) fail("an access is cut, but the plan says that none is");
            break;
          }
          oracle::place at[2];
          for (bool const s : {true, false}) {
            axe::memory_space const space = s ? plan.from_space : plan.to_space;
            at[s] = memory(space)
                        ? (s ? from : to)[number(c, s ? plan.from_by_element : plan.to_by_element)]
                              .front()
                        : register_place(t, plan.register_of(issue, v), s);
            if (v == 0) first[s] = at[s];
            if (!memory(space)) continue;
            if (v == 0) check_aligned(at[s], s);
            if (at[s][0] != first[s][0] + v) fail("an access is not contiguous");
          }
          move(t, at[0], at[1]);
        }
      }
    }
  }

  /// Executes ldmatrix or stmatrix. Lane 4i + j holds 32 bits of row i of each matrix q, or,
  /// transposed, two elements of column i.
  void matrices() {
    bool const load = is_ldmatrix(plan.instruction), transposed = is_transposed(plan.instruction);
    int const count = matrices_of(plan.instruction);
    long long const wide = 32 / plan.bits;
    for (long long warp = 0; warp < plan.threads; warp += 32)
      for (long long issue = 0; issue < plan.issues && stores(warp); ++issue)
        for (long long lane = 0; lane < 32; ++lane)
          for (int q = 0; q < count; ++q)
            for (long long i = 0; i < wide; ++i) {
              long long const row = transposed ? 2 * (lane % 4) + i : lane / 4;
              long long const column = transposed ? lane / 4 : lane % 4 * wide + i;
              std::vector<long long> const c = begin(warp + 8 * q + row, issue);
              if (!in_bounds(c)) return fail("the address of a row is out of bounds");
              oracle::place at = (load ? from : to)[number(c, false)].front();
              check_aligned(at, load);
              at[0] += column;
              oracle::place const r =
                  register_place(warp + lane, plan.register_of(issue, q * wide + i), !load);
              move(warp + lane, load ? r : at, load ? at : r);
            }
  }
};

}  // namespace axe_test
