// Combines the splits of each query. For each split, decode.cuh writes a weighted mean of rows of V
// and the logarithm of the sum of the weights. The output is the mean of these means, weighted by
// the sums.
#pragma once

#include "decode.cuh"

/// One warp computes the output of one query. A sequence has `queries` queries.
__global__ void __launch_bounds__(256)
    combine(decoding arguments, rows<bf16> out, unsigned queries) {
  using by_fours = axe::carrier<"S[(1,32,4):(1@reg,1@lane,1@reg)]"_axe>;
  unsigned const row = 8 * axe::block_x() + axe::warp_id(), all = axe::extent<0>(out);
  if (row >= all) return;
  unsigned const keys_per_split = 16 * arguments.pages_per_split;
  unsigned const splits = (arguments.keys(row / queries) + keys_per_split - 1) / keys_per_split;
  rows<float const> const parts{arguments.results, splits * all};
  axe::fragment<float, by_fours, axe::extents<1, 128>> sum, part;
  axe::fragment<bf16, by_fours, axe::extents<1, 128>> rounded;
  sum.fill(0);
  float largest = lowest, weight = 0;
  for (unsigned split = 0; split < splits; ++split) {
    float const log = arguments.logs[split * all + row], new_largest = fmaxf(largest, log);
    axe::copy(axe::tile<1, 128>(parts, split * all + row, 0), part, axe::warp);
    float const rescale = __expf(largest - new_largest), part_weight = __expf(log - new_largest);
    axe::elementwise([=](float s, float p) { return s * rescale + p * part_weight; }, sum, sum,
                     part);
    weight = weight * rescale + part_weight;
    largest = new_largest;
  }
  axe::elementwise([=](float s) { return splits > 0 ? s / weight : 0; }, sum, sum);
  axe::cast(sum, rounded);
  axe::copy(rounded, axe::tile<1, 128>(out, row, 0), axe::warp);
}
