// SPDX-License-Identifier: MIT
// plan_copy(request): the instruction, the threads and the registers that copy a tile.
//
//     copy_request r{S[(64,64):(4096,1)], global, S[(64,64):(64,1)], shared, (64,64), 16, …};
//     plan_copy(r)         vector.16, 4 issues: threads 8 across, 16 down
//
// Rejects invalid layouts, sides of different sizes, two elements at one place of the destination,
// registers on both sides, and a forced candidate that is declined. Cost: O(iters) for each
// candidate, and a search for a partition. Definition: docs/plans.md, "Copy".
#pragma once

#include <axe/plan/copy_tensor.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

struct by_map {
  static constexpr bool packs = true;
  tma_tensor const& tensor;
  AXE_LAZY_FN constexpr outcome<copy_plan> operator()(copy_request const& r,
                                                      copy_view const& v) const {
    return plan_tensor(r, v, tensor);
  }
};

}  // namespace detail

/// `tensor` is the tensor in global memory, by default the tile.
AXE_LAZY_FN constexpr outcome<copy_plan> try_plan_copy(copy_request const& r,
                                                       tma_tensor const& tensor = {}) {
  return detail::first_candidate(r, detail::by_map{tensor});
}

AXE_LAZY_FN constexpr copy_plan plan_copy(copy_request const& r, tma_tensor const& tensor = {}) {
  auto const result = try_plan_copy(r, tensor);
  detail::stop_on(result.why, "plan_copy", operands_of(r));
  return result.value;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
