// The softmax of rows that do not fit in shared memory, like PyTorch's
// aten/src/ATen/native/cuda/SoftMax.cu. A block reads its row twice.
#pragma once

#include "../tensors.cuh"

#include <cuda_fp16.h>

namespace long_softmax {
using namespace axe::literals;
using by_eights = axe::carrier<"S[8:1@reg]"_axe>;
using by_threads = axe::carrier<"S[512:1@tid]"_axe>;
}  // namespace long_softmax

extern "C" __global__ void __launch_bounds__(512)
    axe_long_softmax(kernels::rows_of<__half const> in, kernels::rows_of<__half> out) {
  using namespace long_softmax;
  constexpr float log2e = 1.44269504f;
  kernels::rows_of<__half> const to(out.data, in.sizes);
  auto const row = axe::block_x();
  axe::fragment<__half, by_eights, axe::extents<1, 8>> held;
  axe::fragment<float, by_eights, axe::extents<1, 8>> v;
  // The maximum, and the sum relative to 2^maximum.
  axe::fragment<float2, by_threads, axe::extents<1, 512>> sum;
  __shared__ axe::reduce_scratch<decltype(sum), 1> scratch;
  sum[0] = {-3e38f, 0};
#pragma unroll 1
  for (unsigned i = threadIdx.x; i < axe::tiles<1, 8>(in); i += 512) {
    axe::copy(axe::tile<1, 8>(in, row, i), held, axe::thread);
    axe::cast(held, v);
    axe::elementwise([](float x) { return x * log2e; }, v, v);
    float most = sum[0].x;
    axe::for_each_register<v.size>([&](auto r) { most = fmaxf(most, v[r]); });
    sum[0] = {most, sum[0].y * exp2f(sum[0].x - most)};
    axe::for_each_register<v.size>([&](auto r) { sum[0].y += exp2f(v[r] - most); });
  }
  axe::reduced<decltype(sum), 1> total;
  auto const add = [](float2 a, float2 b) {
    float const most = fmaxf(a.x, b.x);
    return float2{most, a.y * exp2f(a.x - most) + b.y * exp2f(b.x - most)};
  };
  axe::reduce<1>(add, sum, total, scratch, axe::cta<512>);
  float const most = total[0].x, by = __fdividef(1, total[0].y);
#pragma unroll 1
  for (unsigned i = threadIdx.x; i < axe::tiles<1, 8>(in); i += 512) {
    axe::copy(axe::tile<1, 8>(in, row, i), held, axe::thread);
    axe::cast(held, v);
    axe::elementwise([=](float x) { return exp2f(x * log2e - most) * by; }, v, v);
    axe::cast(v, held);
    axe::copy(held, axe::tile<1, 8>(to, row, i), axe::thread);
  }
}
