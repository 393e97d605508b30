// SPDX-License-Identifier: MIT
// plan_tma(kind, type, global, tile, shared): the tensor map and the boxes that copy a tile between
// global and shared memory.
//
//     plan_tma(tma_kind::load, bf16, tma_tensor_of(G, (4096,4096)), (128,64), 128B-swizzled tile)
//         one box {64, 128} of a map {4096, 4096}, swizzle 128B: 16384 bytes, alignment 1024
//
// Sources: the Axe paper, Appendix F; docs/plans.md, "Tensor maps".
#pragma once

#include <axe/algebra/is_injective.hpp>
#include <axe/plan/engine/hardware_swizzle.hpp>
#include <axe/plan/engine/tma_boxes.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

/// Source: PTX ISA, "cp.reduce.async.bulk.tensor".
AXE_LAZY_FN constexpr bool reduces(tma_reduction how, element_type t) {
  using enum tma_reduction;
  using enum element_type;
  bool const words = t == u32 || t == s32 || t == u64 || t == s64;
  bool const halves = t == f16 || t == bf16;
  switch (how) {
    case add: return halves || t == f32 || (words && t != s64);
    case min:
    case max: return words || halves;
    case inc:
    case dec: return t == u32;
    case bit_and:
    case bit_or:
    case bit_xor: return words;
    default: return false;
  }
}

AXE_FN constexpr element_type unit_of(element_type t) {
  return bits_of(t) < 8 ? element_type::u8 : bits_of(t) > 64 ? element_type::u64 : t;
}

struct tma_planner : tma_box_planner {
  AXE_LAZY_FN constexpr refusal check_options() const {
    if (!has_tma(options.target)) return {rule::needs_sm_90};
    if (kind == tma_kind::reduce && !reduces(options.reduction, type))
      return {rule::tma_reduction, {bits_of(type)}};
    return {};
  }

  /// Sets one bit of `ctas` for each CTA that l names. No CTA: 0.
  AXE_LAZY_FN constexpr refusal find_ctas(layout const& l) {
    axis const on = axis::cluster_cta_x;
    layout held;
    for (iter const& r : l.replicas) {
      if (!r.is_on(on)) return {rule::tma_replicas, {}, {r.on}};
      held.shards.push(r);
    }
    for (integer k = product_of_extents(held.shards) - 1; k >= 0; --k) {
      integer const at = l.offset(on) + place_on(held, k, on);
      if (at < 0 || at > 15) return {rule::tma_cta, {at}};
      ctas |= 1u << at;
    }
    if (held.shards.count == 0 && l.offset(on) == 0) ctas = 0;
    return {};
  }

  AXE_LAZY_FN constexpr refusal read_shared(layout const& given, shape const& tile,
                                            layout& grouped) {
    valid_layout operand;
    if (refusal const bad = operand.admit(given)) return bad;
    outcome<layout> const form = canonical(operand);
    if (form.why) return form.why;
    layout const& l = *form;
    if (refusal const bad = find_ctas(l)) return bad;
    layout plain = in_one_cta(l);
    plain.swizzle = {};
    plain.replicas.clear();
    if (refusal const bad = check_addresses(plain)) return bad;
    if (refusal const bad = check_byte_offsets(plain)) return bad;
    if (!l.swizzle.none()) {
      int const chunk = chunk_bits(bits_of(type));
      bool const is_mode = l.swizzle.M == chunk && l.swizzle.S == 3 && l.swizzle.B <= 3;
      int b = is_mode ? l.swizzle.B : 3;
      while (b > 0 && !acts_as_hardware_swizzle(l, chunk, b)) --b;
      if (b == 0) return {rule::tma_swizzle, {l.swizzle.M, l.swizzle.B, l.swizzle.S, chunk}};
      swizzle = static_cast<swizzle_mode>(16 << b);
    }
    outcome<layout> const made = group_of(valid_layout::proved(plain), tile);
    grouped = made.value;
    return made.why;
  }

  AXE_LAZY_FN constexpr refusal check_limits(tma_box_plan const& s) const {
    if (s.dimensions.count > 5) return {rule::tma_rank, {s.dimensions.count}};
    for (int d = 0; d < s.dimensions.count; ++d) {
      tma_dimension const& dim = s.dimensions.at[d];
      if (dim.extent.known() && dim.extent.value() > integer{1} << 31)
        return {rule::tma_extent_limit, {dim.extent.value()}};
      if (d == 0 || !dim.stride.known()) continue;
      integer const bytes = dim.stride.value();
      if (bytes <= 0 || bytes % 16 != 0 || bytes >= integer{1} << 40)
        return {rule::tma_stride, {bytes}};
    }
    for (tma_loop const& l : s.loops)
      if (l.shared_step % 128 != 0) return {rule::tma_shared_start, {l.shared_step}};
    integer const most = shared_bytes(options.target);
    return box_bytes > most ? refusal{rule::tma_too_large, {box_bytes, most}} : refusal{};
  }

  /// Rejects dimensions of stride 0 and, if all strides are static, two elements at one address.
  AXE_LAZY_FN constexpr refusal check_apart() const {
    layout l;
    for (tma_atom const& a : digits.atoms)
      if (a.run < 0) return {rule::tma_overlap};
    for (tma_run const& r : digits.runs) {
      if (!r.stride.known()) return {};
      // Elements out of bounds are not stored.
      integer const most = r.extent.known() ? smaller(r.in_tile, r.extent.value()) : r.in_tile;
      if (most > 1 && !l.shards.push({most, r.stride.value(), axis::m}))
        return {rule::too_many_shards, {l.shards.count + 1}};
    }
    outcome<bool> const apart = try_is_injective(l);
    if (apart.why) return apart.why;
    return *apart ? refusal{} : refusal{rule::tma_overlap};
  }

  AXE_LAZY_FN constexpr refusal read_operands(tma_tensor const& global, shape const& tile,
                                              layout const& given) {
    if (refusal const bad = check_options()) return bad;
    integer const bits = bits_of(type), unit_bits = bits_of(unit);
    extent_list extents;
    if (refusal const bad = dimensions_of(tile, extents)) return bad;
    if (extents.count != global.rank())
      return {rule::tma_tile_rank, {extents.count, global.rank()}};
    layout shared;
    if (refusal const bad = read_shared(given, tile, shared)) return bad;
    ctas |= options.ctas;
    if (integer const too_high = options.ctas >> 16 << 16; too_high != 0)
      return {rule::tma_cta, {ceil_log2(too_high & -too_high)}};
    if (!loads(kind) && ctas != 0) return {rule::tma_one_cta};
    if (kind == tma_kind::multicast && ctas == 0) return {rule::tma_no_replicas};
    for (tma_tensor::digit const& d : global.digits)
      if (d.stride.known() && magnitude(d.stride.value()) > integer{1} << 44)
        return {rule::tma_far, {d.stride.value()}};
    if (refusal const bad = digits.find(global, extents, shared)) return bad;
    if (loads(kind)) {
      outcome<bool> const apart = injective(valid_layout::proved(shared));
      if (apart.why) return apart.why;
      if (!*apart) return {rule::tma_overlap};
    }
    if (kind == tma_kind::store)
      if (refusal const bad = check_apart()) return bad;
    if (kind == tma_kind::load && ctas != 0) kind = tma_kind::multicast;
    if (unit_bits != bits)
      if (refusal const bad =
              digits.recast(larger(bits / unit_bits, 1), larger(unit_bits / bits, 1)))
        return bad;
    integer const from = shared.offset(axis::m) * bits;
    if (global.offset * bits % 128 != 0)
      return {rule::tma_global_start, {global.offset * bits / 8}};
    if (from % 1024 != 0) return {rule::tma_shared_start, {from / 8}};
    global_offset = global.offset * bits / 8;
    shared_offset = from / 8;
    return {};
  }

  /// Tries the whole chain as a box, then fewer atoms. If no box is legal, returns the refusal of
  /// check_row_end, or else that of the smallest box.
  AXE_LAZY_FN constexpr refusal try_boxes() {
    integer const bits = bits_of(unit);
    refusal last, of_end;
    for (int count = chain.count; count > 0; --count) {
      tma_box_plan s;
      last = make_boxes(count, s);
      box_bytes = bits / 8;
      for (int k = 0; k < count; ++k) box_bytes *= chain[k].extent;
      if (!last) last = check_limits(s);
      if (tma_number const row = s.dimensions.at[0].extent; !last && row.known())
        last = of_end = check_row_end(kind, row.value() * bits / 8);
      if (!last && (s.loops.count > 12 || s.moves.count > 12))
        last = {rule::tma_loops, {s.loops.count, s.moves.count}};
      int const used = s.dimensions.count == 0 ? count : s.dimensions.count;
      candidates.push(
          {used > 5 ? tma_instruction::more : static_cast<tma_instruction>(used), last});
      if (last) continue;
      for (tma_dimension const& d : s.dimensions) dimensions.push(d);
      for (tma_move const& m : s.moves) moves.push(m);
      issues = 1;
      for (tma_loop const& l : s.loops) {
        loops.push(l);
        issues *= l.extent;
      }
      sort_by(loops, [](tma_loop const& l) { return -magnitude(l.shared_step); });
      return {};
    }
    return of_end ? of_end : last;
  }

  AXE_LAZY_FN constexpr refusal plan_boxes(tma_cut how) {
    refusal last;
    do {
      last = find_chain(how);
      if (!last) last = try_boxes();
    } while (last.which == rule::tma_rank && digits.join_runs(true));
    return last;
  }

  /// Plans with the swizzle of `shared` unchanged.
  AXE_LAZY_FN constexpr outcome<tma_plan> plan(tma_tensor const& global, shape const& tile,
                                               layout const& shared) {
    if (refusal const bad = read_operands(global, tile, shared)) return bad;
    refusal first;
    constexpr tma_cut cuts[]{tma_cut::anywhere, tma_cut::at_lines, tma_cut::by_dimensions};
    for (tma_cut const how : cuts) {
      refusal const last = plan_boxes(how);
      if (!last) return *this;
      if (how == tma_cut::anywhere) first = last;
      if (first.which != rule::tma_shared_start) break;
    }
    return first;
  }
};

}  // namespace detail

AXE_LAZY_FN constexpr outcome<tma_plan> try_plan_tma(tma_kind kind, element_type type,
                                                     tma_tensor const& global, shape const& tile,
                                                     layout const& shared,
                                                     tma_options const& o = {}) {
  using namespace detail;
  tma_planner const start{{{.kind = kind, .type = type, .unit = unit_of(type), .options = o}}};
  outcome<tma_plan> made = tma_planner(start).plan(global, tile, shared);
  layout other = shared;
  for (int b = 2; b > 0 && made.why.which == rule::tma_row_of_swizzle; --b) {
    other.swizzle = {chunk_bits(bits_of(type)), b, 3};
    // A swizzle of shorter rows replaces this one only if it gives the same places.
    if (!acts_as_hardware_swizzle(shared, other.swizzle.M, b)) continue;
    outcome<tma_plan> const found = tma_planner(start).plan(global, tile, other);
    if (found.why.which != rule::tma_row_of_swizzle) made = found;
  }
  return made;
}

AXE_LAZY_FN constexpr tma_plan plan_tma(tma_kind kind, element_type type, tma_tensor const& global,
                                        shape const& tile, layout const& shared,
                                        tma_options const& o = {}) {
  return detail::stop_on(try_plan_tma(kind, type, global, tile, shared, o), "plan_tma",
                         {&shared, nullptr, &tile});
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
