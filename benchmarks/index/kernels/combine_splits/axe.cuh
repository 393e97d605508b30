// Adds the weighted partial outputs of the splits of a row, like combine_attn_seqk_parallel
// of FlashAttention 2 (csrc/flash_attn/src/flash_fwd_kernel.h).
#pragma once

#include "../tensors.cuh"

namespace combine_splits {
using namespace axe::literals;
using by_lanes = axe::carrier<"S[(32,4):(1@lane,1@reg)]"_axe>;
}  // namespace combine_splits

/// `partial` and `sums` have all rows of the first split, then those of the next. `sums` and `sum`
/// are logarithms: a split has the weight exp2(sums - sum).
extern "C" __global__ void __launch_bounds__(128)
    axe_combine_splits(kernels::rows_of<float const> partial, kernels::list_of<float const> sums,
                       kernels::list_of<float const> sum, kernels::rows_of<float> out,
                       unsigned splits) {
  using combine_splits::by_lanes;
  auto const row = axe::constant<4>{} * axe::block_x() + axe::warp_id<128>();
  unsigned const rows = axe::extent<0>(out);
  if (row >= rows) return;
  float const all = sum(row);
  axe::fragment<float, by_lanes, axe::extents<1, 128>> c{};
#pragma unroll 1
  for (unsigned s = 0; s < splits; ++s) {
    float const weight = exp2f(sums(s * rows + row) - all);
    auto const v = axe::load<by_lanes>(axe::tile<1, 128>(partial, s * rows + row, 0), axe::warp);
    axe::elementwise([&](float x, float y) { return x + weight * y; }, c, c, v);
  }
  axe::copy(c, axe::tile<1, 128>(out, row, 0), axe::warp);
}
