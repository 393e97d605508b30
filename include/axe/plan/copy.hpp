// plan_copy(request): how a tile is copied: which instruction, how many, which thread takes what, which registers.
//
//     copy_request r{S[(64,64):(4096,1)], global, S[(64,64):(64,1)], shared, (64,64), 16, 128 threads, sm_80}
//     plan_copy(r)         vector.16, 4 issues: threads 8 across, 16 down; declined: nothing
//     r.options.force = copy_instruction::cp_async_16;   r.options.asynchronous = true for all that run on by themselves
//
// Candidates are tried in this order, and each keeps the reason why it was declined: a tensor copy where the map of its tensor is at hand (mapped),
// asynchronous ones where they were asked for (cp.async of 16, 8, 4 bytes and cp.async.bulk, which comes first for a single thread), ldmatrix and
// stmatrix between registers and shared memory, plain before transposed and wide before narrow, then accesses of 16 bytes down to one element. Single
// elements fit always: what is legal is copied. With options.vectors single elements are refused instead, for the reason that declined two; with
// options.cache every candidate has that hint.
// Refused: layouts that are none, sides that are not of the tile's size, two elements at one place of the destination, registers on both sides (that is a
// conversion, axe/convert.hpp), tensor memory, a partition that is none; and where one candidate is forced, what declines it.
// `of`: the tensor that a tile in global memory is one of, for its map (plan/tma_tensor.hpp); nothing: the tile alone.
// Cost: O(digits) per candidate, and a search over the threads of the scope for a partition that is not given.
// Definition: docs/plans.md, "Copy".
#pragma once

#include <axe/plan/copy_bulk.hpp>
#include <axe/plan/copy_matrices.hpp>
#include <axe/plan/copy_tensor.hpp>

namespace axe::inline AXE_NAMESPACE {

namespace detail {

AXE_PLANNER constexpr outcome<copy_plan> plan_candidate(copy_request const& r, copy_view const& v,
                                                        tma_tensor const& of, copy_instruction i) {
  if (!has_hint(i, r.options.cache, r.from_space, r.to_space)) return refusal{rule::copy_no_hint};
  if (i == copy_instruction::tma) return plan_tensor(r, v, of);
  if (for_tensors_alone(r)) return refusal{rule::copy_not_between_these};
  if (i == copy_instruction::bulk) return plan_bulk(r, v);
  if (is_matrix(i)) return plan_matrices(r, v, i);
  return plan_vectors(r, v, i);
}

/// The candidates worth a try, in order.
AXE_PLANNER constexpr list<copy_instruction, 16> copy_candidates(copy_request const& r, copy_view const& v) {
  using enum copy_instruction;
  list<copy_instruction, 16> all;
  if (r.options.force != any) {
    all.push(r.options.force);
    return all;
  }
  bool const by_map = (r.from_space == memory_space::global && r.to_space == memory_space::shared) ||
                      (r.from_space == memory_space::shared && r.to_space == memory_space::global);
  if (by_map || for_tensors_alone(r)) all.push(tma);
  if (for_tensors_alone(r)) return all;
  if (r.options.asynchronous) {
    if (r.scope == 1 && r.options.bulk) all.push(bulk);
    for (copy_instruction const i : {cp_async_16, cp_async_8, cp_async_4})
      if (bytes_of(i) * 8 >= v.bits) all.push(i);
    if (r.scope > 1 && r.options.bulk) all.push(bulk);
    return all;
  }
  if (r.from_space == memory_space::shared && r.to_space == memory_space::registers)
    for (copy_instruction const i :
         {ldmatrix_x4, ldmatrix_x2, ldmatrix_x1, ldmatrix_trans_x4, ldmatrix_trans_x2, ldmatrix_trans_x1})
      all.push(i);
  if (r.from_space == memory_space::registers && r.to_space == memory_space::shared)
    for (copy_instruction const i :
         {stmatrix_x4, stmatrix_x2, stmatrix_x1, stmatrix_trans_x4, stmatrix_trans_x2, stmatrix_trans_x1})
      all.push(i);
  for (copy_instruction const i : {vector_16, vector_8, vector_4, vector_2, vector_1})
    if (bytes_of(i) * 8 >= v.bits && !(r.options.vectors && bytes_of(i) * 8 == v.bits && v.bits < 128))
      all.push(i);
  return all;
}

}  // namespace detail

AXE_PLANNER constexpr outcome<copy_plan> try_plan_copy(copy_request const& r, tma_tensor const& of = {}) {
  outcome<detail::copy_view> const view =
      detail::view_copy(detail::for_tensors_alone(r) ? detail::in_one_cta(r) : r);
  if (!view) return view.why;
  candidate_list<copy_instruction> candidates;
  outcome<copy_plan> chosen = refusal{rule::copy_not_between_these};
  for (copy_instruction const i : detail::copy_candidates(r, *view)) {
    outcome<copy_plan> const one = detail::plan_candidate(r, *view, of, i);
    candidates.push({i, one.why});
    chosen = one;
    if (one) break;
  }
  chosen.value.candidates = candidates;
  chosen.value.cache = r.options.cache;
  return chosen;
}

AXE_PLANNER constexpr copy_plan plan_copy(copy_request const& r, tma_tensor const& of = {}) {
  outcome<copy_plan> const result = try_plan_copy(r, of);
  detail::stop_on(result.why, "plan_copy", {&r.from, &r.to, &r.tile});
  return *result;
}

}  // namespace axe::inline AXE_NAMESPACE
