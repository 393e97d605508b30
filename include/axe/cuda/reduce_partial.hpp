// SPDX-License-Identifier: MIT
// A reduction in two steps: fold registers in a loop, then combine the lanes once.
//
//     reduced<decltype(x), 1> sum;  sum.fill(0);                         x: (16,64), sum: (16,1)
//     accumulate_registers<1>(plus{}, x, sum);                           in a loop
//     combine_lanes<decltype(x), 1>(plus{}, sum, warp);                  after the loop
//
// Definition: docs/plans.md, "Elementwise and reductions".
#pragma once

#include <axe/cuda/reduce.hpp>

#ifdef __CUDACC__

namespace axe {
inline namespace AXE_NAMESPACE {

/// Folds this thread's registers along Dims into `to`.
template <int... Dims, class From, class To,
          class Result = decltype(detail::result_of_fragments<To, From, Dims...>())::type>
__device__ __forceinline__ Result accumulate_registers(auto const& op, From const& from, To& to) {
  return detail::execute_reduce<Result, true, Dims...>(op, from, to, 0, detail::no_scope{});
}

/// `parts` must come from accumulate_registers<Dims...> on fragments of type From. The default
/// argument lets errors of online_softmax name the user's line.
template <class From, int... Dims, class Op, class Scope,
          bool = detail::execution_check_of<
              detail::reduction<detail::stl::remove_const_t<From>, Dims...>, void, Scope>::passed>
__device__ __forceinline__ void combine_lanes(Op const& op, reduced<From, Dims...>& parts,
                                              Scope scope) {
  using run = detail::reduce_execution<detail::stl::remove_const_t<From>, Dims...>;
  run::template fold_lanes<0>(op, parts.registers,
                              detail::number_among<run::plan.first_thread>(scope), scope);
}

}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
