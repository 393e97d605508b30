// plan_copy(request): how a tile is copied: which instruction, how many, which thread takes what,
// which registers.
//
//     copy_request r{S[(64,64):(4096,1)], global, S[(64,64):(64,1)], shared, (64,64), 16, 128 threads, sm_80}
//     plan_copy(r)         vector.16, 4 issues: threads 8 across, 16 down; declined: nothing
//     r.options.force = copy_instruction::cp_async_16;   r.options.asynchronous = true for all that run on by themselves
//
// Candidates are tried in this order, and each keeps the reason why it was declined: a tensor copy
// where the map of its tensor is at hand (mapped), asynchronous ones where they were asked for
// (cp.async of 16, 8, 4 bytes and cp.async.bulk, which comes first for a single thread), ldmatrix
// and stmatrix between registers and shared memory, plain before transposed and wide before narrow,
// then accesses of 16 bytes down to one element. Single elements fit always: what is legal is
// copied. With options.vectors single elements are refused instead, for the reason that declined
// two; with options.cache every candidate has that hint.
// Refused: layouts that are none, sides that are not of the tile's size, two elements at one place
// of the destination, registers on both sides (that is a conversion, axe/convert.hpp), tensor
// memory, a partition that is none; and where one candidate is forced, what declines it. `of`: the
// tensor that a tile in global memory is one of, for its map (plan/tma_tensor.hpp); nothing: the
// tile alone.
// Cost: O(digits) per candidate, and a search over the threads of the scope for a partition that is
// not given.
// Definition: docs/plans.md, "Copy".
#pragma once

#include <axe/plan/copy_tensor.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

/// Tensor copies of the tensor `of`, or of the tile as one of its own.
struct by_map {
  tma_tensor const& of;
  AXE_PLANNER constexpr outcome<copy_plan> operator()(copy_request const& r,
                                                      copy_view const& v) const {
    return plan_tensor(r, v, of);
  }
};

}  // namespace detail

AXE_PLANNER constexpr outcome<copy_plan> try_plan_copy(copy_request const& r,
                                                       tma_tensor const& of = {}) {
  return detail::first_candidate(r, detail::by_map{of});
}

AXE_PLANNER constexpr copy_plan plan_copy(copy_request const& r, tma_tensor const& of = {}) {
  outcome<copy_plan> const result = try_plan_copy(r, of);
  if (!result) detail::stop_on(result.why, "plan_copy", operands_of(r));
  return *result;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
