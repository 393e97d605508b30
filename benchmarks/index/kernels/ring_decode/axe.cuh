// Attention of one token over a ring buffer of keys and values. Source: mistral-inference,
// src/mistral_inference/cache.py.
#pragma once

#include "../tensors.cuh"

#include <cuda_fp16.h>

namespace ring_decode {
using namespace axe::literals;
using by_fours = axe::carrier<"S[(32,4):(1@lane,1@reg)]"_axe>;
template <class T> using row = axe::fragment<T, by_fours, axe::extents<1, 128>>;
using slot_row = axe::fragment<__half, by_fours, axe::extents<1, 1, 128>>;
}  // namespace ring_decode

extern "C" __global__ void __launch_bounds__(128)
    axe_ring_decode(kernels::rows_of<__half const, 2, 128> q,
                    kernels::rows_of<__half const, 3, 128> keys,
                    kernels::rows_of<__half const, 3, 128> values,
                    kernels::rows_of<float, 2, 128> out, unsigned length, unsigned window) {
  using namespace ring_decode;
  auto const head = axe::constant<4>{} * axe::block_x() + axe::warp_id<128>();
  if (head >= axe::extent<0>(q)) return;
  auto const zero = axe::constant<0>{};
  auto const query = axe::load<by_fours>(axe::tile<1, 128>(q, head, zero), axe::warp);
  slot_row k, v;
  auto const next_k =
      axe::prepare_copy<1>(axe::tile<1, 1, 128>(keys, head, zero, zero), k, axe::warp);
  auto const next_v =
      axe::prepare_copy<1>(axe::tile<1, 1, 128>(values, head, zero, zero), v, axe::warp);
  unsigned const slots = axe::extent<1>(keys);
  unsigned const first = length > window ? length - window : 0;
  unsigned slot = first % slots;
  float most = -INFINITY, total = 0;
  row<float> product, o;
  axe::reduced<row<float>, 1> score;
  o.fill(0);
#pragma unroll 1
  for (unsigned n = length - first; n != 0; --n) {
    next_k(slot);
    next_v(slot);
    axe::for_each_register<4>(
        [&](auto r) { product[r] = __half2float(query[r]) * __half2float(k[r]); });
    axe::reduce<1>(axe::plus{}, product, score, axe::warp);
    float const s = score[0], now = fmaxf(most, s), old = exp2f(most - now), p = exp2f(s - now);
    most = now;
    total = total * old + p;
    axe::for_each_register<4>([&](auto r) { o[r] = o[r] * old + p * __half2float(v[r]); });
    if (++slot == slots) slot = 0;
  }
  float const scale = 1 / total;
  axe::elementwise([=](float x) { return x * scale; }, o, o);
  axe::copy(o, axe::tile<1, 128>(out, head, zero), axe::warp);
}
