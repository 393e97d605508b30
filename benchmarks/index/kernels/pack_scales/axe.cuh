// Packs the exponents of four neighbouring floats into a word and stores the words transposed, like
// DeepGEMM's transpose_and_pack_fp32_into_ue8m0 (smxx_layout.cuh).
#pragma once

#include "../tensors.cuh"

extern "C" __global__ void __launch_bounds__(128)
    axe_pack_scales(kernels::rows_of<float const> in, kernels::column_of<unsigned> out) {
  using namespace axe::literals;
  using by_rows = axe::carrier<"S[(128,4):(1@tid,1@reg)]"_axe>;
  auto const [four, rows] = axe::block<2>();
  auto const v = axe::load<by_rows>(axe::tile<128, 4>(in, rows, four), axe::cta<128>);
  axe::fragment<unsigned, axe::carrier<"S[128:1@tid]"_axe>, axe::extents<128, 1>> word;
  word.fill(0);
#pragma unroll
  for (int i = 0; i < 4; ++i) word[0] |= __float_as_uint(v[i]) >> 23 << 8 * i;
  kernels::column_of<unsigned> const to(out.data, axe::extent<0>(in), axe::extent<1>(out),
                                        axe::stride<1>(out));
  axe::copy(word, axe::tile<128, 1>(to, rows, four), axe::cta<128>);
}
