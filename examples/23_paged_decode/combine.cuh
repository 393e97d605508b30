// Joins the splits of each query: the mean of their results, weighted by their sums of weights.
// decode.cuh writes the logarithms of these sums.
#pragma once

#include "decode.cuh"

/// One warp for each query. A sequence has `queries` queries.
__global__ void __launch_bounds__(256) combine(decoding of, rows<bf16> out, unsigned queries) {
  using by_fours = axe::carrier<"S[(1,32,4):(1@reg,1@lane,1@reg)]"_axe>;
  unsigned const row = 8 * blockIdx.x + threadIdx.x / 32, all = axe::extent<0>(out);
  if (row >= all) return;
  unsigned const splits = (of.keys(row / queries) + 16 * of.each - 1) / (16 * of.each);
  rows<float const> const parts{of.sums, splits * all};
  axe::fragment<float, by_fours, axe::extents<1, 128>> sum, part;
  axe::fragment<bf16, by_fours, axe::extents<1, 128>> rounded;
  sum.fill(0);
  float largest = lowest, weight = 0;
  for (unsigned split = 0; split < splits; ++split) {
    float const log = of.logs[split * all + row], seen = fmaxf(largest, log);
    axe::copy(axe::tile<1, 128>(parts, split * all + row, 0), part, axe::warp);
    float const before = __expf(largest - seen), now = __expf(log - seen);
    axe::elementwise([=](float s, float p) { return s * before + p * now; }, sum, sum, part);
    weight = weight * before + now;
    largest = seen;
  }
  axe::elementwise([=](float s) { return splits > 0 ? s / weight : 0; }, sum, sum);
  axe::cast(sum, rounded);
  axe::copy(rounded, axe::tile<1, 128>(out, row, 0), axe::warp);
}
