// Gathers rows of a cache of int8 with a scale for each slot and head, to halves, like flattenKV in
// LMDeploy's src/turbomind/kernels/attention/kv_cache_utils_v2.cu.
#pragma once

#include "../tensors.cuh"

#include <cuda_fp16.h>

extern "C" __global__ void __launch_bounds__(128)
    axe_gather_int8(kernels::rows_of<signed char const, 3, 128> cache,
                    axe::tensor<float const, axe::row_major<3, 1>> scales,
                    kernels::list_of<unsigned const> slots, kernels::rows_of<__half, 3, 128> out) {
  using namespace axe::literals;
  using by_sixteens = axe::carrier<"S[(16,8,16):(8@tid,1@tid,1@reg)]"_axe>;
  using by_heads = axe::carrier<"S[16:8@tid] + R[8:1@tid]"_axe>;
  auto const [token, heads] = axe::block<2>();
  // The tensors have equally many heads, so this is the only bounds test.
  if (axe::constant<16>{} * heads + axe::thread_id<128>().bits<3, 4>() >= axe::extent<1>(cache))
    return;
  unsigned const slot = slots(token);
  auto const held = axe::load<by_sixteens>(
      axe::exact_grid(axe::tile<1, 16, 128>(cache, slot, heads, 0)), axe::cta<128>);
  auto const by = axe::load<by_heads>(axe::exact_grid(axe::tile<1, 16, 1>(scales, slot, heads, 0)),
                                      axe::cta<128>);
  axe::fragment<float, by_sixteens, axe::extents<1, 16, 128>> v;
  axe::cast(held, v);
  axe::elementwise(axe::times{}, v, v, by);
  axe::fragment<__half, by_sixteens, axe::extents<1, 16, 128>> scaled;
  axe::cast(v, scaled);
  axe::copy(scaled, axe::exact_grid(axe::tile<1, 16, 128>(out, token, heads, 0)), axe::cta<128>);
}
