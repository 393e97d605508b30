// SPDX-License-Identifier: MIT
// plan_copy(request): the instruction, the threads and the registers that copy a tile.
//
//     copy_request r{S[(64,64):(4096,1)], global, S[(64,64):(64,1)], shared, (64,64), 16, …};
//     plan_copy(r)         vector.16, 4 issues: threads 8 across, 16 down
//
// Definition: docs/plans.md, "Copy".
#pragma once

#include <axe/plan/engine/copy_tensor.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

struct by_map {
  static constexpr bool packs = true, vectors_alone = false;
  tma_tensor const& tensor;
  AXE_LAZY_FN constexpr outcome<copy_plan> operator()(copy_planner const& p) const {
    return tensor_planner{p}.plan_from(tensor);
  }
};

}  // namespace detail

/// `tensor` is the tensor in global memory, by default the tile.
AXE_LAZY_FN constexpr outcome<copy_plan> try_plan_copy(copy_request const& r,
                                                       tma_tensor const& tensor = {}) {
  return detail::plan_first_accepted(r, detail::by_map{tensor});
}

AXE_LAZY_FN constexpr copy_plan plan_copy(copy_request const& r, tma_tensor const& tensor = {}) {
  return detail::stop_on(try_plan_copy(r, tensor), "plan_copy", operands_of(r));
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
