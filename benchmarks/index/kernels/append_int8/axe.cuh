// Quantises new keys to int8 and stores them in the slots of a cache, like LMDeploy's
// src/turbomind/kernels/attention/kv_cache_utils_v2.cu.
#pragma once

#include "../tensors.cuh"

#include <cuda_fp16.h>

extern "C" __global__ void __launch_bounds__(128)
    axe_append_int8(kernels::rows_of<__half const, 3, 128> keys, kernels::list_of<int const> slots,
                    kernels::rows_of<signed char, 3, 128> cache,
                    axe::tensor<float, axe::row_major<3, 1>> scales) {
  using namespace axe::literals;
  using by_fours = axe::carrier<"S[(32,4):(1@lane,1@reg)]"_axe>;
  using head_shape = axe::extents<1, 1, 128>;
  auto const head = axe::constant<4>{} * axe::block_x() + axe::warp_id<128>();
  if (head >= axe::extent<1>(keys)) return;
  int const slot = slots(axe::block_y());
  if (slot < 0) return;
  auto const held =
      axe::load<by_fours>(axe::tile<1, 1, 128>(keys, axe::block_y(), head, 0), axe::warp);
  axe::fragment<float, by_fours, head_shape> v, size;
  axe::cast(held, v);
  axe::elementwise([](float x) { return fabsf(x); }, size, v);
  axe::reduced<decltype(size), 2> most;
  axe::reduce<2>(axe::maximum{}, size, most, axe::warp);
  most[0] = fmaxf(most[0], 1e-6f);
  float const by = __fdividef(127, most[0]);
  axe::elementwise([=](float x) { return rintf(x * by); }, v, v);
  axe::fragment<signed char, by_fours, head_shape> rounded;
  axe::cast(v, rounded);
  axe::copy(rounded, axe::tile<1, 1, 128>(cache, slot, head, 0), axe::warp);
  most[0] *= 1.0f / 127;
  axe::copy(most, axe::tile<1, 1, 1>(scales, slot, head, 0), axe::warp);
}
