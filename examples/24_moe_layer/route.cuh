// Routing: finds the experts with the highest scores for each token, their weights (a softmax of
// these scores), and the list of tokens of each expert. Each token has a warp, which also clears
// the token's output. Scores must be above -1e30.
#pragma once

#include "product.cuh"

__global__ void __launch_bounds__(256) route(layer moe) {
  using by_lanes = axe::carrier<"S[(1,32,4):(1@reg,1@lane,1@reg)]"_axe>;
  using row = axe::extents<1, most_experts>;
  unsigned const token = 8 * axe::block_x() + axe::warp_id(), lane = axe::lane_id();
  if (token >= axe::extent<0>(moe.out)) return;
  axe::fragment<float, by_lanes, row> zero, score;
  axe::fragment<unsigned, by_lanes, row> expert, candidate;
  axe::reduced<decltype(score), 1> best;
  axe::reduced<decltype(expert), 1> chosen;
  zero.fill(0);
  for (unsigned k = 0; k < axe::tiles<1, 128>(moe.out); ++k)
    axe::copy(zero, axe::tile<1, 128>(moe.out, token, k), axe::warp);
  score.fill(-1e30f);
  axe::copy(axe::tile<1, most_experts>(moe.scores, token, 0), score, axe::warp);
  axe::for_each(expert, axe::warp, [](unsigned& e, unsigned, unsigned column) { e = column; });
  // Lane n < top keeps the expert of choice n and its weight, not yet divided by the sum.
  float largest = 0, sum = 0, weight = 0;
  unsigned kept = 0;
  for (unsigned n = 0; n < top; ++n) {
    axe::reduce<1>(axe::maximum{}, score, best, axe::warp);
    axe::elementwise([](float s, unsigned e, float b) { return s == b ? e : most_experts; },
                     candidate, score, expert, best);
    axe::reduce<1>(axe::minimum{}, candidate, chosen, axe::warp);
    axe::elementwise([](float s, unsigned e, unsigned c) { return e == c ? -1e30f : s; }, score,
                     score, expert, chosen);
    if (n == 0) largest = best[0];
    float const w = __expf(best[0] - largest);
    sum += w;
    if (lane == n) kept = chosen[0], weight = w;
  }
  if (lane >= top) return;
  moe.weights[top * token + lane] = weight / sum;
  moe.chosen_by(kept, atomicAdd(moe.counts + kept, 1u)) = top * token + lane;
}
