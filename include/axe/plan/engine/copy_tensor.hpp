// SPDX-License-Identifier: MIT
// plan_by_map(request, tensor): plans the copy of a tile by the map of its tensor.
//
//     copy_request r{{}, global, 128B-swizzled tile, shared, (128,64), 16, …};
//     plan_by_map(r, tma_tensor_of(G, (4096,4096)))        one box {64, 128}
#pragma once

#include <axe/plan/engine/copy_candidates.hpp>
#include <axe/plan/plan_tma.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

AXE_LAZY_FN constexpr element_type unsigned_type_of(int bits) {
  using enum element_type;
  constexpr element_type with_bits[] = {b1, element_type::count, u4, u8, u16, u32, u64, b128};
  return with_bits[exact_log2(bits)];
}

/// Makes a dimension dynamic if the tensor may end inside it.
AXE_LAZY_FN constexpr outcome<tma_tensor> tensor_of_tile(layout const& global,
                                                         copy_request const& r) {
  outcome<tma_tensor> made = try_tma_tensor_of(global, r.tile);
  if (made.why) return made;
  tma_tensor& t = made.value;
  int slowest = 0;
  for (int d = 0; d < t.rank(); ++d) {
    integer const edge = d < r.options.edges.count ? r.options.edges[d] : 0;
    integer inner = 1;
    for (int k = 1; k < t.blocks[d]; ++k) inner *= t.digits.at[slowest + k].extent.value();
    if (edge % inner != 0) return refusal{rule::copy_accesses_cut, {inner, edge}};
    if (edge != 0) t.digits.at[slowest].extent = tma_number(dynamic(d).multiple_of(edge / inner));
    slowest += t.blocks[d];
  }
  return made;
}

struct tensor_planner : copy_planner {
  AXE_LAZY_FN constexpr copy_plan use_boxes(tma_plan const& boxes) {
    instruction = copy_instruction::tma;
    modes.clear();
    bits = request->bits;
    tile *= packed;
    packed = 1;
    from_by_element = to_by_element = false;
    bytes = boxes.box_bytes;
    values = bytes * 8 / bits;
    issues = boxes.issues;
    from = request->from;
    to = request->to;
    tensor = boxes;
    return *this;
  }

  AXE_LAZY_FN constexpr outcome<copy_plan> plan_from(tma_tensor const& given) {
    copy_request const& r = *request;
    if (refusal const bad = check_tensor_copy(r)) return bad;
    copy_options const& o = r.options;
    bool const load = r.copies(memory_space::global, memory_space::shared);
    layout const& global = load ? r.from : r.to;
    layout const& shared = load ? r.to : r.from;
    integer const global_alignment = load ? o.from_alignment : o.to_alignment;
    integer const shared_alignment = load ? o.to_alignment : o.from_alignment;
    bool const without_tensor = given.rank() == 0;
    if (without_tensor && global_alignment % 16 != 0)
      return refusal{rule::copy_base_not_aligned, {16, global_alignment}};
    element_type const type = o.type == element_type::count ? unsigned_type_of(r.bits) : o.type;
    if (type == element_type::count || bits_of(type) != r.bits)
      return refusal{rule::element_width, {r.bits}};
    outcome<tma_tensor> const mapped = without_tensor ? tensor_of_tile(global, r) : given;
    if (mapped.why) return of_operand(load ? 0 : 1, mapped.why);
    tma_options options = o.tensor;
    options.target = target;
    tma_kind kind = load ? tma_kind::load : tma_kind::store;
    if (o.tensor.reduction != tma_reduction::none) kind = tma_kind::reduce;
    outcome<tma_plan> const planned = try_plan_tma(kind, type, *mapped, r.tile, shared, options);
    if (planned.why) return of_operand(load ? 1 : 0, planned.why);
    // A kernel cannot check the map, so the rows of a store must be known multiples of 16 bytes.
    tma_number const row = planned->dimensions.at[0].extent;
    integer const unit = bits_of(planned->unit) / 8;
    if (!load && row.divisor() * unit % 16 != 0)
      return of_operand(1, {rule::tma_extent, {row.divisor(), 16 / unit}});
    if (shared_alignment % planned->alignment() != 0)
      return refusal{rule::copy_shared_base, {planned->alignment(), shared_alignment}};
    return use_boxes(*planned);
  }
};

}  // namespace detail

/// Needs no layout of the tile in global memory, and tries no other instruction.
AXE_LAZY_FN constexpr outcome<copy_plan> plan_by_map(copy_request const& r,
                                                     tma_tensor const& tensor) {
  detail::copy_planner p;
  p.read_options(r);
  if (!has_hint(copy_instruction::tma, p.cache, p.from_space, p.to_space))
    return refusal{rule::copy_no_hint};
  return detail::tensor_planner{p}.plan_from(tensor);
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
