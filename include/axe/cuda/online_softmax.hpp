// SPDX-License-Identifier: MIT
// online_softmax: the softmax of rows whose scores come block by block (Dao, "FlashAttention-2").
//
//     online_softmax<decltype(s)> softmax(scale);
//     auto const factor = softmax.weigh(s, warpgroup);              for each block
//     elementwise(times{}, o, o, factor);                           then o += s * values
//     elementwise(times{}, o, o, softmax.finish(warpgroup));
//
// A weight is 2^(scale * (score - largest score so far)). Each row must lie in one warp.
#pragma once

#include <axe/cuda/reduce.hpp>

#ifdef __CUDACC__

namespace axe {
inline namespace AXE_NAMESPACE {

/// A block is a fragment of type Scores, or an array of fragments with the same rows.
template <class Scores> struct online_softmax {
  static_assert(
      requires {
        requires detail::is_fragment<Scores>;
        requires detail::stl::is_same_v<typename Scores::value_type, float>;
      }, "online_softmax takes the type of a float fragment: online_softmax<decltype(s)>");
  using rows = reduced<Scores, 1>;
  /// The score of a masked element. All scores below -2^100 have weight 0.
  AXE_FN static constexpr float masked() { return -3.40282347e38f; }

  float scale;
  rows largest;  // score so far; at first -2^100
  rows sum;      // of this lane's weights so far; after finish() the log-sum-exp

  /// The scale must be above 0. For weights e^(score / c) it is log2(e) / c.
  __device__ __forceinline__ explicit online_softmax(float scale_) : scale(scale_) {
    if constexpr (detail::is_fragment<Scores>) {
      largest.fill(-0x1p100f);
      sum.fill(0);
    }
  }
  template <class... Given>
    requires(sizeof...(Given) != 1)
  __device__ online_softmax(Given const&...) {
    static_assert(detail::never<Given...>,
                  "online_softmax takes its scale: online_softmax<decltype(s)> softmax(scale)");
  }

  /// Replaces scores by weights. Returns the factor for the sums of earlier blocks. All lanes call
  /// weigh and finish.
  template <class Block, class Scope = detail::no_scope>
    requires(detail::stl::is_same_v<Block, Scores> ||
             detail::stl::is_same_v<Block, Scores[sizeof(Block) / sizeof(Scores)]>)
  __device__ __forceinline__ rows weigh(Block& block, Scope scope = {}) {
    auto& parts = reinterpret_cast<Scores(&)[sizeof(Block) / sizeof(Scores)]>(block);
    rows new_largest = largest, factor;
    for (Scores const& part : parts) accumulate_registers<1>(maximum{}, part, new_largest);
    if constexpr (detail::scope_check<Scope>::passed)
      combine_lanes<Scores, 1>(maximum{}, new_largest, scope);
    // Results below 2^-126 are 0.
    auto const weight = [by = scale](float score, float highest) {
      float result;
      asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(fmaf(score, by, -(highest * by))));
      return result;
    };
    elementwise(weight, factor, largest, new_largest);
    elementwise(times{}, sum, sum, factor);
    for (Scores& part : parts) {
      elementwise(weight, part, part, new_largest);
      accumulate_registers<1>(plus{}, part, sum);
    }
    largest = new_largest;
    return factor;
  }

  /// Returns 1 / (sum of weights), or 0 if all scores of a row are masked. `sum` becomes ln(sum of
  /// 2^(scale * score)), or -inf.
  template <class Scope = detail::no_scope>
  __device__ __forceinline__ rows finish(Scope scope = {}) {
    rows inverse;
    if constexpr (detail::scope_check<Scope>::passed) combine_lanes<Scores, 1>(plus{}, sum, scope);
    elementwise([](float weights) { return weights > 0 ? 1 / weights : 0; }, inverse, sum);
    auto const logarithm = [by = scale](float weights, float highest) {
      return 0.693147181f * (highest * by + __log2f(weights));  // ln 2
    };
    elementwise(logarithm, sum, sum, largest);
    return inverse;
  }
};

}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
