// SPDX-License-Identifier: MIT
// Tensor copies: the plan of plan_tma (plan/plan_tma.hpp) as a candidate of a copy.
//
//     S[(64,64):(4096,1)] global -> swizzle(3,3,3) o S[(64,64):(64,1)] shared, 16 bits
//         tma: one box {64, 64}, 8192 bytes, one thread issues it
//
// A load may go to several CTAs (options.tensor.ctas, or replicas on cluster_cta_x). A store may
// reduce (options.tensor.reduction). If the tensor has rank 0, the tile itself is the tensor.
// Source: PTX ISA, "cp.async.bulk.tensor". Definition: docs/plans.md, "Copy".
#pragma once

#include <axe/plan/copy_candidates.hpp>
#include <axe/plan/plan_tma.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

AXE_LAZY_FN constexpr element_type unsigned_of(int bits) {
  using enum element_type;
  for (element_type const t : {b1, u4, u8, u16, u32, u64, b128})
    if (bits_of(t) == bits) return t;
  return count;
}

/// The tile as a tensor, with dynamic extents where the tensor may end.
AXE_LAZY_FN constexpr outcome<tma_tensor> tensor_of_tile(layout const& l, copy_request const& r) {
  outcome<tma_tensor> made = try_tma_tensor_of(l, r.tile);
  if (made.why) return made;
  tma_tensor& t = made.value;
  int slowest = 0;
  for (int d = 0; d < t.rank(); ++d) {
    integer const edge = d < r.options.edges.count ? r.options.edges[d] : 0;
    integer inner = 1;
    for (int k = 1; k < t.blocks[d]; ++k) inner *= t.digits[slowest + k].extent.value();
    if (edge % inner != 0) return refusal{rule::copy_accesses_cut, {inner, edge}};
    if (edge != 0) t.digits[slowest].extent = tma_number(dynamic(d).multiple_of(edge / inner));
    slowest += t.blocks[d];
  }
  return made;
}

AXE_LAZY_FN constexpr outcome<copy_plan> plan_tensor(copy_request const& r, copy_view const& v,
                                                     tma_tensor const& of) {
  if (refusal const bad = decline_tensor(r)) return bad;
  bool const load = r.leads(memory_space::global, memory_space::shared);
  bool const reduces = r.options.tensor.reduction != tma_reduction::none;
  bool const of_tile = of.rank() == 0;
  if (of_tile && (load ? r.options.from_alignment : r.options.to_alignment) % 16 != 0)
    return refusal{rule::copy_base_not_aligned,
                   {16, load ? r.options.from_alignment : r.options.to_alignment}};
  element_type const type =
      r.options.type == element_type::count ? unsigned_of(r.bits) : r.options.type;
  if (type == element_type::count || bits_of(type) != r.bits)
    return refusal{rule::element_width, {r.bits}};
  outcome<tma_tensor> const tensor = of_tile ? tensor_of_tile(load ? r.from : r.to, r) : of;
  if (tensor.why) return of_operand(load ? 0 : 1, tensor.why);
  tma_options options = r.options.tensor;
  options.target = r.target;
  outcome<tma_plan> const planned =
      try_plan_tma(load      ? tma_kind::load
                   : reduces ? tma_kind::reduce
                             : tma_kind::store,
                   type, *tensor, r.tile, load ? r.to : r.from, options);
  if (planned.why) return of_operand(load ? 1 : 0, planned.why);
  integer const base = load ? r.options.to_alignment : r.options.from_alignment;
  if (base % planned->alignment() != 0)
    return refusal{rule::copy_shared_base, {planned->alignment(), base}};
  copy_plan plan = v;
  plan.instruction = copy_instruction::tma;
  plan.modes.clear();
  plan.bits = r.bits;
  plan.tile = v.tile * v.packed;
  plan.packed = 1;
  plan.from_by_element = plan.to_by_element = false;
  plan.bytes = planned->box_bytes;
  plan.values = plan.bytes * 8 / r.bits;
  plan.issues = planned->issues;
  plan.from = r.from;
  plan.to = r.to;
  plan.tensor = *planned;
  return plan;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
