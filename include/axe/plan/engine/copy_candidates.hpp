// SPDX-License-Identifier: MIT
// plan_first_accepted(request, plan_tensor): the plan of the first instruction that fits.
//
//     plan_first_accepted(r, no_map<>{})         without tensor copies, for elements of whole bytes
//     plan_first_accepted(r, by_map{tensor})     with tensor copies
#pragma once

#include <axe/plan/engine/copy_bulk.hpp>
#include <axe/plan/engine/copy_matrices.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

AXE_LAZY_FN constexpr bool needs_tensor_copy(copy_request const& r) {
  if (r.options.tensor.ctas != 0 || r.options.tensor.reduction != tma_reduction::none) return true;
  return any_on(r.to.replicas, axis::cluster_cta_x);
}

AXE_LAZY_FN constexpr refusal check_tensor_copy(copy_request const& r) {
  using enum memory_space;
  bool const load = r.copies(global, shared);
  bool const store = r.copies(shared, global);
  bool const forced = r.options.force == copy_instruction::tma;
  bool const reduces = r.options.tensor.reduction != tma_reduction::none;
  if (!(load || store) || r.options.partitioned || (load && reduces))
    return {rule::copy_not_between_these};
  if (!has_tma(r.target)) return {rule::needs_sm_90};
  if (!forced && !r.options.asynchronous) return {rule::copy_or_copy_async};
  if (!forced && (!r.options.mapped || (load && !r.options.bulk))) return {rule::copy_needs_map};
  if (load && r.options.outside == copy_outside::skip && has_edge(r.options.edges))
    return {rule::copy_fills_outside};
  return {};
}

/// Rejects tensor copies. A kernel that uses it does not compile the search of try_pack. With
/// `VectorsAlone` it does not compile the planners of bulk and matrix copies either.
template <bool VectorsAlone = false> struct no_map {
  static constexpr bool packs = false, vectors_alone = VectorsAlone;
  AXE_FN constexpr outcome<copy_plan> operator()(copy_planner const& p) const {
    refusal const why = check_tensor_copy(*p.request);
    return why ? why : refusal{rule::copy_needs_map};
  }
};

AXE_LAZY_FN constexpr list<copy_instruction, 16> copy_candidates(copy_request const& r,
                                                                 copy_planner const& p) {
  using enum copy_instruction;
  using enum memory_space;
  if (r.options.force != any) return {r.options.force};
  if (needs_tensor_copy(r)) return {tma};
  list<copy_instruction, 16> all;
  if (r.copies(global, shared) || r.copies(shared, global)) all.push(tma);
  auto const add = [&](copy_instruction first, copy_instruction last) {
    for (int k = static_cast<int>(first); k <= static_cast<int>(last); ++k) {
      copy_instruction const i = static_cast<copy_instruction>(k);
      if (8 * bytes_of(i) >= p.bits) all.push(i);
    }
  };
  if (r.options.asynchronous) {
    // A bulk copy needs one thread for many bytes, cp.async one for each 16 bytes.
    bool const bulk_first = r.scope == 1;
    if (bulk_first && r.options.bulk) all.push(bulk);
    add(cp_async_16, cp_async_4);
    if (!bulk_first && r.options.bulk) all.push(bulk);
    return all;
  }
  if (r.copies(shared, registers)) add(ldmatrix_x4, ldmatrix_trans_x1);
  if (r.copies(registers, shared)) add(stmatrix_x4, stmatrix_trans_x1);
  add(vector_16, vector_1);
  return all;
}

template <class PlanTensor>
AXE_FN constexpr outcome<copy_plan> plan_candidate(copy_planner const& p,
                                                   PlanTensor const& plan_tensor,
                                                   copy_instruction i) {
  copy_request const& r = *p.request;
  if (!has_hint(i, r.options.cache, r.from_space, r.to_space)) return refusal{rule::copy_no_hint};
  if (i == copy_instruction::tma) return plan_tensor(p);
  if (needs_tensor_copy(r)) return refusal{rule::copy_not_between_these};
  if constexpr (!PlanTensor::vectors_alone) {
    if (i == copy_instruction::bulk) return bulk_planner(p).plan();
    if (is_matrix(i)) return matrix_planner(p).plan_by(i);
  }
  return vector_planner(p).plan_by(i);
}

template <class PlanTensor>
AXE_FN constexpr outcome<copy_plan> plan_first_accepted(copy_request const& r,
                                                        PlanTensor const& plan_tensor) {
  copy_request in_cta = r;
  if (needs_tensor_copy(r)) in_cta.to = in_one_cta(r.to);
  outcome<copy_planner> planner = plan_modes<PlanTensor::packs>(in_cta);
  if (planner.why) return planner.why;
  planner.value.request = &r;
  candidate_list<copy_instruction> candidates;
  outcome<copy_plan> chosen = refusal{rule::copy_not_between_these};
  for (copy_instruction const i : copy_candidates(r, *planner)) {
    chosen = plan_candidate(*planner, plan_tensor, i);
    candidates.push({i, chosen.why});
    if (!chosen.why) break;
  }
  chosen.value.candidates = candidates;
  return chosen;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
