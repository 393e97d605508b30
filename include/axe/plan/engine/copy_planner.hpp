// SPDX-License-Identifier: MIT
// copy_planner: cuts a copy into modes. Its derived planners try one instruction each.
//
//     S[(64,64):(64,1)] -> S[(64,64):(72,1)]            modes 64, 64: strides (64,1) and (72,1)
//     S[(4,6):(8,1)] -> S[(3,8):(9,1)]                  no common modes: element by element
#pragma once

#include <axe/algebra/group_many.hpp>
#include <axe/algebra/is_injective.hpp>
#include <axe/algebra/pack.hpp>
#include <axe/analysis/access.hpp>
#include <axe/index/partition_digits.hpp>
#include <axe/plan/copy_request.hpp>
#include <axe/plan/engine/digit_pairs.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {
AXE_FN constexpr bool in_memory(memory_space s) { return s != memory_space::registers; }

template <bool Packs>
AXE_FN constexpr outcome<layout> read_side(layout const& l, memory_space space, int packed) {
  outcome<layout> side = try_canonicalize(l);
  if (side && space == memory_space::tensor) return refusal{rule::copy_spaces};
  axis thread = axis::null;
  if (side && !in_memory(space)) side = on_one_thread_axis(*side, thread);
  if (!side) return side;
  if (refusal const bad = in_memory(space) ? check_on_memory(*side, rule::access_on_memory_only)
                                           : check_lanes(*side))
    return bad;
  if constexpr (Packs)
    if (packed > 1) side = try_pack(*side, packed, in_memory(space) ? axis::m : axis::reg);
  return side;
}

AXE_LAZY_FN constexpr bool group_by_modes(layout const& l, shape const& modes, layout& out,
                                          bool single_iters) {
  layout plain = l;
  plain.replicas.clear();
  outcome<layout> const grouped = group_of(valid_layout::proved(plain), modes);
  if (!grouped) return false;
  out = *grouped;
  out.replicas = l.replicas;
  // A tile of one element has one mode but no digit.
  if (out.shards.empty()) out.shards.push({1, 0, axis::null});
  if (single_iters)
    for (int held : out.blocks)
      if (held > 1) return false;
  out.blocks.clear();
  return true;
}

AXE_FN constexpr bool has_edge(list<integer, capacity::shards> const& edges) {
  for (integer const edge : edges)
    if (edge != 0) return true;
  return false;
}

struct copy_planner : copy_plan {
  copy_request const* request = nullptr;
  layout holders;  // the given partition: modes to threads and registers
  bool from_memory = false, to_memory = false;
  bool partitioned = false;
  bool modes_are_iters = true;  // each mode is one iter of each side
  list<integer, capacity::shards> edges;

  AXE_LAZY_FN constexpr void read_options(copy_request const& r) {
    request = &r;
    from_space = r.from_space, to_space = r.to_space;
    from_memory = in_memory(from_space), to_memory = in_memory(to_space);
    target = r.target;
    scope = r.scope;
    outside = r.options.outside;
    cache = r.options.cache;
    edges = r.options.edges;
    packed = r.bits < 8 ? 8 / r.bits : 1;
    bits = r.bits < 8 ? 8 : r.bits;
  }
  AXE_FN constexpr integer edge_of(copy_mode const& m) const {
    return m.dimension < 0 || edges.count == 0 ? 0 : edges[m.dimension];
  }

  /// Counts elements of less than a byte in bytes. If rows end inside a byte, the tile becomes one
  /// dimension, which must be in bounds.
  AXE_LAZY_FN constexpr refusal pack_tile(extent_list& extents) {
    if (packed == 1) return {};
    tile /= packed;
    if (extents.count == 0 || extents.back() % packed != 0) {
      if (edges.count != 0)
        return {rule::extent_does_not_divide, {extents.count - 1, packed, extents.back()}};
      extents.clear();
      extents.push(tile);
      return {};
    }
    extents.back() /= packed;
    if (edges.count == 0) return {};
    if (edges.back() % packed != 0) return {rule::copy_accesses_cut, {packed, edges.back()}};
    edges.back() /= packed;
    return {};
  }

  template <bool Packs> AXE_FN constexpr refusal read_partition() {
    partitioned = request->options.partitioned || !from_memory || !to_memory;
    if (!partitioned) return {};
    if (!from_memory) {
      holders = from;
    } else if (!to_memory) {
      holders = to;
    } else {
      layout const& given = request->options.partition;
      outcome<layout> const side = read_side<Packs>(given, memory_space::registers, packed);
      if (!side) return of_operand(2, side.why);
      if (refusal const bad = check_size(given, product_of_extents(request->from.shards)))
        return of_operand(2, bad);
      holders = *side;
    }
    for (axis a : axes_of(holders))
      if (a != axis::reg) thread = a;
    return {};
  }

  template <bool Packs> AXE_FN constexpr refusal read_operands(extent_list& extents) {
    copy_request const& r = *request;
    outcome<layout> const source = read_side<Packs>(r.from, from_space, packed);
    if (source.why) return source.why;
    outcome<layout> const destination = read_side<Packs>(r.to, to_space, packed);
    if (!destination) return of_operand(1, destination.why);
    if (refusal const bad = admit_dimensions(r.from, r.tile, extents)) return bad;
    tile = product_of_extents(r.from.shards);
    if (refusal const bad = check_size(r.to, tile)) return of_operand(1, bad);
    // Elements past the end are not stored and may share addresses.
    if (to_space != memory_space::global || !has_edge(edges)) {
      if (refusal bad = check_injective(destination, rule::copy_places_collide)) {
        if (bad.which == rule::copy_places_collide)
          for (int i = 0; i < 2; ++i) bad.numbers[i] *= packed;
        return of_operand(1, bad);
      }
    }
    if (refusal const bad = pack_tile(extents)) return bad;
    from = *source;
    to = *destination;
    if (refusal const bad = read_partition<Packs>()) return bad;
    if (edges.count != 0 && edges.count != extents.count)
      return {rule::copy_edges_of_another_rank, {edges.count, extents.count}};
    return {};
  }

  /// Refines tile, partition and sides to common modes, or else tile and partition only. A side
  /// that does not group by the modes is then addressed by element numbers.
  AXE_LAZY_FN constexpr refusal cut_into_modes(extent_list const& extents) {
    shape common;
    layout const source = from, destination = to, given = holders;
    list<shape, 4> all;
    all.push(edges.count == 0 ? shape(tile) : shape_with(extents));
    if (partitioned) all.push(written_shape(given));
    int const without_sides = all.count;
    if (from_memory) all.push(written_shape(source));
    if (to_memory) all.push(written_shape(destination));
    for (int with_sides = 1; with_sides >= 0; --with_sides) {
      modes_are_iters = with_sides;
      int const count = with_sides ? all.count : without_sides;
      outcome<shape> const refined = common_refinement(source, all.at, count);
      if (refined.why && !modes_are_iters) return refined.why;
      common = refined.value.rank() == 0 ? shape(1) : refined.value;
      from_by_element = !group_by_modes(source, common, from, modes_are_iters);
      to_by_element = !group_by_modes(destination, common, to, modes_are_iters);
      bool const sides_group = !from_by_element && !to_by_element;
      bool const partition_groups = !partitioned || group_by_modes(given, common, holders, true);
      if (with_sides && refined && common.rank() <= most_modes && sides_group && partition_groups)
        break;
      if (!with_sides && !partition_groups) return {rule::copy_no_common_digits};
    }
    if (from_by_element) from = source;
    if (to_by_element) to = destination;
    return add_modes(extents, common);
  }

  AXE_LAZY_FN constexpr refusal add_modes(extent_list const& extents, shape const& common) {
    bool const by_dimension = edges.count != 0;
    integer below = tile;
    int d = -1;
    integer left = 1;  // elements of dimension d without a mode yet
    for (int k = 0; k < common.rank(); ++k) {
      integer const extent = common.nodes.value(k + 1);
      while (by_dimension && left == 1 && d + 1 < extents.count) left = extents[++d];
      copy_mode m;
      m.extent = extent;
      m.step = below /= extent;
      if (by_dimension) {
        m.dimension = left == 1 ? -1 : d;
        m.coordinate_step = left /= extent;
      }
      if (!modes.push(m)) return {rule::copy_too_many_digits, {common.rank(), most_modes}};
    }
    return {};
  }

  /// Adds a mode for each replica of the destination that is not on threads. If modes are
  /// not iters of both sides, elements of further replicas get numbers past the tile.
  AXE_LAZY_FN constexpr refusal add_replicas() {
    auto const replicas = (to_memory ? to : holders).replicas;
    for (iter const& i : holders.replicas)
      if (!i.is_on(axis::reg)) access_partition.replicas.push(i);
    holders.replicas = access_partition.replicas;
    if (to_memory) stores_once = holders.replicas;
    integer number = tile;  // element 0 of the next replica has this number
    for (iter const& i : replicas) {
      if (!to_memory && !i.is_on(axis::reg)) continue;
      copy_mode m;
      m.extent = i.extent;
      if (!modes_are_iters) {
        m.step = number;
        number *= i.extent;
      }
      iter const none{i.extent, 0, axis::null};
      if (!modes.insert(0, m) || !from.shards.insert(0, none) || !to.shards.insert(0, i) ||
          (partitioned && !holders.shards.insert(0, to_memory ? none : i)))
        return {rule::copy_too_many_digits, {modes.count + 1, most_modes}};
    }
    from.replicas.clear();
    to.replicas.clear();
    return {};
  }
};

template <bool Packs> AXE_FN constexpr outcome<copy_planner> plan_modes(copy_request const& r) {
  if (!is_power_of_two(r.bits) || r.bits > 128) return refusal{rule::element_width, {r.bits}};
  if (!in_memory(r.from_space) && !in_memory(r.to_space)) return refusal{rule::copy_spaces};
  if (r.scope < 1) return refusal{rule::scope_too_small, {1, r.scope}};
  for (integer const n : r.options.edges)
    if (n < 0) return refusal{rule::copy_edge_below_zero, {n}};
  copy_planner p;
  p.read_options(r);
  extent_list extents;
  refusal bad = p.read_operands<Packs>(extents);
  if (!bad) bad = p.cut_into_modes(extents);
  if (!bad) bad = p.add_replicas();
  if (bad) return bad;
  return p;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
