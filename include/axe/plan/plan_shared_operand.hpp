// plan_shared_operand: how wgmma or tcgen05.mma reads a tile in shared memory, from its layout.
//
//     plan_shared_operand("swizzle(3,3,3) o S[(128,64):(64,1)]"_axe, {128, 64}, 16, 64)
//         bytes_128, K-major, stride 1024, 2 blocks of 64 rows by 4 steps of 16 along K
//
// The tile is (M, K) or (N, K). The layout without its swizzle is grouped by the iters of each mode
// (atoms/shared_operand.hpp); the free strides are LBO and SBO. Cost: O(iters).
// Source: PTX ISA, "Shared Memory Matrix Layout". Definition: docs/plans.md, "Matrix products".
#pragma once

#include <axe/algebra/equivalent.hpp>
#include <axe/algebra/group.hpp>
#include <axe/atoms/matrix_descriptor.hpp>
#include <axe/atoms/shared_operand.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

struct shared_operand_plan {
  swizzle_mode mode = swizzle_mode::none;
  operand_major direction = operand_major::k;
  integer leading = 16;  // bytes; 16 where one instruction does not step by it
  integer stride = 16;   // bytes
  integer rows = 0;      // of one instruction
  integer k = 0;         // of one instruction
  integer blocks = 0;    // of rows in the tile
  integer k_steps = 0;
  layout starts{};         // (blocks, k_steps) to bytes from the tile's begin
  integer alignment = 16;  // of the tile, bytes

  /// The bytes from the start of the tile to block i, step j of K.
  AXE_FN constexpr integer start(integer i, integer j) const {
    integer sum = starts.offset(axis::m), rest = i * k_steps + j;
    for (int d = starts.shards.size() - 1; d >= 0; --d) {
      sum += rest % starts.shards[d].extent * starts.shards[d].stride;
      rest /= starts.shards[d].extent;
    }
    return sum;
  }
  /// The descriptor of block i, step j of K, for a tile at this shared address.
  AXE_FN constexpr matrix_descriptor descriptor(integer address, integer i, integer j) const {
    return {address + start(i, j), leading, stride, 0, mode};
  }

  AXE_FN friend constexpr bool operator==(shared_operand_plan const&,
                                          shared_operand_plan const&) = default;
};

namespace detail {

/// The single stride of a block of iters; 0 for an empty block, false if there are several.
AXE_LAZY_FN constexpr bool one_step(layout const& grouped, int block, integer& step) {
  int first = 0;
  for (int b = 0; b < block; ++b) first += grouped.blocks[b];
  step = grouped.blocks[block] == 1 ? grouped.shards[first].stride : 0;
  return grouped.blocks[block] <= 1;
}

/// True if the hardware's swizzle of 2^b chunks gives the same addresses as the swizzle of l. A
/// tile with few addresses may match several.
AXE_LAZY_FN constexpr bool acts_as(layout const& l, int chunk, int b) {
  if (l.swizzle.none() || b == 0) return l.swizzle.none() && b == 0;
  if (l.swizzle == axe::swizzle{chunk, b, 3}) return true;
  layout as = l;
  as.swizzle = {chunk, b, 3};
  outcome<bool> const same = try_equivalent(as, l);
  return same && *same;
}

/// Free strides in elements; or no_step.
inline constexpr integer no_step = integer{1} << 62;
struct operand_steps {
  integer leading = no_step, stride = no_step;
};

/// A stride that the mode fixes.
AXE_LAZY_FN constexpr refusal demand_step(layout const& grouped, int block, integer extent,
                                          integer wanted) {
  integer step = 0;
  if (!one_step(grouped, block, step)) return {rule::operand_steps_vary, {extent}};
  return step == wanted ? refusal{} : refusal{rule::operand_line_step, {step, wanted}};
}
/// A stride that a field of the descriptor holds.
AXE_LAZY_FN constexpr refusal take_step(layout const& grouped, int block, integer extent,
                                        integer& taken) {
  if (!one_step(grouped, block, taken)) return {rule::operand_steps_vary, {extent}};
  if (extent == 1) taken = no_step;
  return {};
}

AXE_FN constexpr refusal first_of(refusal const& a, refusal const& b, refusal const& c,
                                  refusal const& d) {
  return a ? a : b ? b : c ? c : d;
}

/// K-major: rows by 8; K by 16 bytes, or within the swizzle's width `wide`.
AXE_LAZY_FN constexpr refusal steps_by_k(layout const& grouped, integer rows, integer chunk,
                                         bool swizzled, integer wide, operand_steps& out) {
  integer across = 0;
  refusal const bad =
      first_of(demand_step(grouped, 5, chunk, 1), demand_step(grouped, 2, 8, wide),
               take_step(grouped, 1, rows / 8, out.stride), take_step(grouped, 4, 2, across));
  if (bad) return bad;
  if (!swizzled)
    out.leading = across;
  else if (across != chunk)
    return {rule::operand_steps_vary, {2 * chunk}};
  return {};
}

/// MN-major: rows by the width, K by 8.
AXE_LAZY_FN constexpr refusal steps_by_rows(layout const& grouped, integer rows, integer width,
                                            integer k, bool swizzled, integer wide,
                                            operand_steps& out) {
  integer by_rows = no_step, by_k = no_step;
  refusal const bad =
      first_of(demand_step(grouped, 2, width, 1), demand_step(grouped, 5, 8, wide),
               take_step(grouped, 1, rows / width, by_rows), take_step(grouped, 4, k / 8, by_k));
  if (bad) return bad;
  out = swizzled ? operand_steps{by_rows, by_k} : operand_steps{by_k, by_rows};
  return {};
}

/// The iters of blocks and of steps of K, dimensions 0 and 3 of six, in bytes.
AXE_LAZY_FN constexpr refusal starts_of(layout const& grouped, integer bits, layout& starts) {
  for (int b = 0, first = 0; b < 6; first += grouped.blocks[b++]) {
    if (b != 0 && b != 3) continue;
    starts.blocks.push(grouped.blocks[b]);
    for (int d = first; d < first + grouped.blocks[b]; ++d) {
      iter const digit = grouped.shards[d];
      starts.shards.push({digit.extent, digit.stride * bits / 8, digit.on});
      if (digit.stride * bits / 8 % 16 != 0)
        return {rule::descriptor_start, {digit.stride * bits / 8}};
    }
  }
  integer const begin = grouped.offset(axis::m) * bits / 8;
  if (begin % 16 != 0) return {rule::descriptor_start, {begin}};
  if (begin != 0) starts.offsets.push({begin, axis::m});
  return {};
}

/// A stride in bytes; 16 without a stride.
AXE_FN constexpr refusal step_in_bytes(integer step, integer bits, integer& bytes) {
  bytes = step == no_step ? 16 : step * bits / 8;
  return fits_a_descriptor(bytes) ? refusal{} : refusal{rule::wgmma_descriptor_bytes, {bytes}};
}

/// The stride of a dimension; 0 if it has one element.
AXE_LAZY_FN constexpr integer innermost_step(layout const& grouped, int block) {
  int last = -1;
  for (int b = 0; b <= block; ++b) last += grouped.blocks[b];
  return grouped.blocks[block] == 0 ? 0 : grouped.shards[last].stride;
}

/// Derives the descriptor for the swizzle of 2^b chunks, or without one for b = 0.
AXE_LAZY_FN constexpr refusal derive_operand(layout const& plain, extent_list const& extents,
                                             integer bits, int b, shared_operand_plan& plan) {
  integer const repeat = b == 0 ? 0 : integer{16} << b;
  outcome<layout> grouped = try_group(plain, {extents[0], extents[1]});
  if (!grouped) return grouped.why;
  integer const by_rows = innermost_step(*grouped, 0), by_k = innermost_step(*grouped, 1);
  if (by_k != 1 && by_rows != 1) return {rule::operand_not_adjacent, {by_rows, by_k}};
  plan = {.mode = static_cast<swizzle_mode>(repeat),
          .direction = by_k == 1 ? operand_major::k : operand_major::mn,
          .rows = plan.rows,
          .k = plan.k,
          .blocks = plan.blocks,
          .k_steps = plan.k_steps,
          .alignment = repeat == 0 ? 16 : repeat * 8};
  operand_steps steps;
  integer const in_chunk = 128 / bits, wide = repeat == 0 ? in_chunk : repeat * 8 / bits;
  integer const width = plan.rows < wide ? plan.rows : wide;
  if (by_k == 1) {
    grouped = try_group(plain, {plan.blocks, plan.rows / 8, 8, plan.k_steps, 2, in_chunk});
  } else {
    if (bits != 16) return {rule::wgmma_mn_major_width, {bits}};
    if (plan.rows % width != 0 || wide % width != 0) return {rule::wgmma_group, {plan.rows, wide}};
    grouped =
        try_group(plain, {plan.blocks, plan.rows / width, width, plan.k_steps, plan.k / 8, 8});
  }
  if (!grouped) return grouped.why;
  refusal bad = by_k == 1
                    ? steps_by_k(*grouped, plan.rows, in_chunk, repeat != 0, wide, steps)
                    : steps_by_rows(*grouped, plan.rows, width, plan.k, repeat != 0, wide, steps);
  if (!bad) bad = step_in_bytes(steps.leading, bits, plan.leading);
  if (!bad) bad = step_in_bytes(steps.stride, bits, plan.stride);
  return !bad ? starts_of(*grouped, bits, plan.starts) : bad;
}

}  // namespace detail

/// `tile` maps s = (rows, K) to addresses on m, in elements of `bits` bits. One instruction takes
/// `rows` rows and 256 bits of K. The tile must begin at a multiple of `alignment`.
AXE_LAZY_FN constexpr outcome<shared_operand_plan> try_plan_shared_operand(layout const& tile,
                                                                           shape const& s,
                                                                           integer bits,
                                                                           integer rows) {
  if (bits != 8 && bits != 16 && bits != 32) return refusal{rule::wgmma_element_width, {bits}};
  detail::extent_list extents;
  integer size = 1;
  if (refusal const bad = detail::dimensions_of(s, extents, size)) return bad;
  if (extents.size() != 2) return refusal{rule::mma_tile_rank, {extents.size()}};
  outcome<layout> const canonical = try_canonicalize(tile);
  if (!canonical) return canonical.why;
  if (refusal const bad = detail::check_no_replicas(*canonical)) return bad;
  for (axis a : axes_of(*canonical))
    if (a != axis::m && a != axis::null) return refusal{rule::operand_is_not_in_memory, {}, {a}};
  shared_operand_plan plan;
  plan.rows = rows;
  plan.k = 256 / bits;
  if (rows < 8 || rows % 8 != 0 || extents[0] % rows != 0)
    return refusal{rule::mma_does_not_divide, {extents[0], rows}};
  if (extents[1] % plan.k != 0) return refusal{rule::mma_does_not_divide, {extents[1], plan.k}};
  plan.blocks = extents[0] / rows;
  plan.k_steps = extents[1] / plan.k;
  layout plain = *canonical;
  plain.swizzle = {};
  int const chunk = detail::chunk_bits(static_cast<int>(bits));
  refusal why;
  // Its own width first, because the user sees that refusal.
  for (int k = 0, own = canonical->swizzle.B; k <= 4; ++k) {
    int const b = k == 0 ? own : k - 1;
    if ((k > 0 && b == own) || b > 3 || !detail::acts_as(*canonical, chunk, b)) continue;
    shared_operand_plan made = plan;
    refusal const bad = detail::derive_operand(plain, extents, bits, b, made);
    if (!bad) return made;
    if (!why) why = bad;
  }
  if (why) return why;
  return refusal{rule::operand_swizzle,
                 {canonical->swizzle.M, canonical->swizzle.B, canonical->swizzle.S, bits, chunk}};
}

AXE_LAZY_FN constexpr shared_operand_plan plan_shared_operand(layout const& tile, shape const& s,
                                                              integer bits, integer rows) {
  outcome<shared_operand_plan> const result = try_plan_shared_operand(tile, s, bits, rows);
  if (!result) detail::stop_on(result.why, "plan_shared_operand", {&tile, nullptr, &s});
  return *result;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
