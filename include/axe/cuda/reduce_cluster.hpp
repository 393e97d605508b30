// SPDX-License-Identifier: MIT
// reduce_in_cluster<Ctas>(op, f, scratch, scope): reduces the fragments f of all CTAs of a cluster,
// element by element. Every CTA gets the result.
//
//     __shared__ cluster_scratch<decltype(row_sum)> scratch;
//     reduce_in_cluster<4>(plus{}, row_sum, scratch, cta<256>);
//
// All threads of the cluster must call it. Contains two cluster barriers.
#pragma once

#include <axe/cuda/element.hpp>
#include <axe/cuda/fence.hpp>
#include <axe/cuda/reduce.hpp>

#ifdef __CUDACC__

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {
template <class Fragment> struct cluster_fold {
  static constexpr outcome<reduce_plan> result =
      try_plan_cluster_fold(Fragment::layout_type::value, Fragment::shape_type::value);
  static constexpr reduce_plan plan = result.value;
};
}  // namespace detail

/// Declare it __shared__, at the same address in all CTAs.
template <class Fragment> struct cluster_scratch {
  using value_type = Fragment::value_type;
  alignas(16) unsigned char bytes[detail::cluster_fold<Fragment>::plan.partials *
                                  integer{sizeof(value_type)}];
};
template <int Ctas, class Op, class Fragment, class Scope>
__device__ __forceinline__ void reduce_in_cluster(Op const& op, Fragment& f,
                                                  cluster_scratch<Fragment>& scratch, Scope scope) {
  using namespace detail;
  AXE_NEEDS_SM_90(Ctas, "reduce_in_cluster");
  using T = Fragment::value_type;
  using fold = cluster_fold<Fragment>;
  using in_scratch = reduce_places<fold, T>;
  constexpr bool whole_words = sizeof(T) == 4 || sizeof(T) == 8;
  static_assert(whole_words, "reduce_in_cluster: elements must have 4 or 8 bytes");
  using check = fragment_scope_check<Fragment, Scope>;
  static_cast<void>(check::passed && verdict<typename check::threads>::passes());
  static_assert(Ctas >= 1 && Ctas <= 16, "reduce_in_cluster<Ctas>: Ctas must be 1 to 16");
  unsigned const number = number_among<fold::plan.first_thread>(scope);
  unsigned const base = shared_address(scratch.bytes) + in_scratch::template offset<Scope>(number);
  if (in_scratch::template writes_in<Scope>(number)) in_scratch::store(base, f.registers);
  cluster_sync<Ctas>();
  for_each_register<Ctas>([&](auto cta) {
    unsigned const there = address_in_cta(base, static_cast<unsigned>(cta.value));
    for_each_register<in_scratch::vectors>([&](auto v) {
      constexpr int first = v.value * in_scratch::width;
      if constexpr (whole_words)
        load_shared<typename in_scratch::vector, true>(
            displaced<unsigned, integer{first * sizeof(T)}>{there})
            .template fold_into<(cta.value == 0)>(op, f.registers + first);
    });
  });
  cluster_sync<Ctas>();  // no CTA may exit while others read its shared memory
}

}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
