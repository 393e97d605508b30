// Computes log(sum exp(x)) - x[label] of each row, like Apex's
// apex/contrib/csrc/xentropy/xentropy_kernel.cu. A warp computes one row.
#pragma once

#include "../tensors.cuh"

#include <cuda_fp16.h>

extern "C" __global__ void __launch_bounds__(128)
    axe_cross_entropy(kernels::rows_of<__half const> logits,
                      kernels::list_of<unsigned const> labels, kernels::list_of<float> losses) {
  using namespace axe::literals;
  auto const row = axe::constant<4>{} * axe::block_x() + axe::warp_id<128>();
  if (row >= axe::extent<0>(logits)) return;
  unsigned const first = 8 * axe::lane_id();
  __half const* from = &logits(row, first);
  axe::fragment<float, axe::carrier<"S[32:1@lane]"_axe>, axe::extents<1, 32>> largest, sum;
  largest.fill(-3e38f);
  sum.fill(0);
#pragma unroll 1
  for (unsigned column = first; column < axe::extent<1>(logits); column += 256, from += 256) {
    auto const x = axe::load_vector<8>(from);
    float v[8];
    for (int r = 0; r < 8; ++r) v[r] = __half2float(x.elements[r]);
    float seen = largest[0];
    for (int r = 0; r < 8; ++r) seen = fmaxf(seen, v[r]);
    sum[0] *= exp2f((largest[0] - seen) * 1.44269504f);
    for (int r = 0; r < 8; ++r) sum[0] += exp2f((v[r] - seen) * 1.44269504f);
    largest[0] = seen;
  }
  axe::reduced<decltype(largest), 1> all, total;
  axe::reduce<1>(axe::maximum{}, largest, all, axe::warp);
  sum[0] *= exp2f((largest[0] - all[0]) * 1.44269504f);
  axe::reduce<1>(axe::plus{}, sum, total, axe::warp);
  if (axe::lane_id() == 0)
    losses(row) = __logf(total[0]) + all[0] - __half2float(logits(row, labels(row)));
}
