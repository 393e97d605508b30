// SPDX-License-Identifier: MIT
// reduce_in_cluster<Ctas>(op, f, scratch, scope): reduces the fragments f of all CTAs of a cluster,
// element by element. Every CTA gets the result.
//
//     __shared__ axe::cluster_scratch<decltype(row_sum)> scratch;
//     axe::reduce_in_cluster<4>(axe::plus{}, row_sum, scratch, axe::cta<256>);
//
// All threads of the cluster must call it; it contains two barriers of the cluster. Elements have 4
// or 8 bytes. sm_90 and later. Source: PTX ISA, "mapa", "ld". Definition: docs/plans.md.
#pragma once

#include <axe/cuda/fence.hpp>
#include <axe/cuda/reduce.hpp>

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {
__device__ __forceinline__ unsigned load_of_cta(unsigned address, unsigned rank) {
  unsigned there, word;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(rank));
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(word) : "r"(there) : "memory");
  return word;
}
template <class Fragment> struct cluster_fold {
  static constexpr outcome<reduce_plan> result =
      try_plan_cluster_fold(Fragment::layout_type::value, Fragment::shape_type::value);
  static constexpr reduce_plan plan = result.value;
};
}  // namespace detail

template <class Fragment> struct cluster_scratch {
  using value_type = typename Fragment::value_type;
  alignas(16) unsigned char bytes[detail::cluster_fold<Fragment>::plan.partials *
                                  static_cast<integer>(sizeof(value_type))];
};
/// Computes f = op over the CTAs 0 to Ctas-1.
template <int Ctas, class Op, class Fragment, class Scope>
__device__ __forceinline__ void reduce_in_cluster(Op const& op, Fragment& f,
                                                  cluster_scratch<Fragment>& scratch, Scope scope) {
  AXE_NEEDS_SM_90(Ctas, "reduce_in_cluster");
  using T = typename Fragment::value_type;
  using in_scratch = detail::partial_offsets<detail::cluster_fold<Fragment>, T>;
  constexpr int words = static_cast<int>(sizeof(T)) / 4;
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "partial results of a cluster have 4 or 8 bytes");
  static_assert(Ctas >= 1 && Ctas <= 16, "a cluster has 1 to 16 CTAs");
  unsigned const number =
      detail::number_among<detail::cluster_fold<Fragment>::plan.first_thread>(scope);
  unsigned const base =
      shared_address(scratch.bytes) + in_scratch::template offset<0, true>(number);
  if (in_scratch::template writes_in<Scope>(number))
    for_each_register<Fragment::size>([&](auto r) {
      store_shared<T>(displaced<unsigned, r.value * in_scratch::stride * integer{sizeof(T)}>{base},
                      f[r]);
    });
  cluster_sync<Ctas>();
  for_each_register<Fragment::size>([&](auto r) {
    T sum{};
    for_each_register<Ctas>([&](auto cta) {
      unsigned w[words];
      for_each_register<words>([&](auto k) {
        w[k.value] = detail::load_of_cta(
            base + static_cast<unsigned>(r.value * in_scratch::stride * integer{sizeof(T)} +
                                         4 * k.value),
            static_cast<unsigned>(cta.value));
      });
      T const part = detail::from_bits<T>(w);
      sum = cta.value == 0 ? part : op(sum, part);
    });
    f[r] = sum;
  });
  cluster_sync<Ctas>();  // no CTA may exit while others read its shared memory
}

}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
