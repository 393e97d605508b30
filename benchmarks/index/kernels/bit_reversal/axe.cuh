// Stores a line of 4096 complex numbers in bit-reversed order, as the last pass of a radix-2
// Fourier transform (Cooley and Tukey, 1965).
#pragma once

#include "../tensors.cuh"

extern "C" __global__ void __launch_bounds__(256)
    axe_bit_reversal(axe::tensor<float2 const, axe::row_major<2, 4096>> in,
                     axe::tensor<float2, axe::row_major<2, 4096>> out) {
  using namespace axe::literals;
  using straight = axe::carrier<"S[(16,256):(1@reg,1@tid)]"_axe>;
  using reversed = axe::carrier<
      "S[(2,2,2,2,2,2,2,2,2,2,2,2):"
      "(1@tid,2@tid,4@tid,8@tid,16@tid,32@tid,64@tid,128@tid,1@reg,2@reg,4@reg,8@reg)]"_axe>;
  auto const x = axe::load<straight>(axe::exact_grid(axe::tile<1, 4096>(in, axe::block_x(), 0)),
                                     axe::cta<256>);
  axe::fragment<float2, reversed, axe::extents<1, 4096>> y;
  for (int r = 0; r < 16; ++r) y[r] = x[r];
  axe::copy(y, axe::exact_grid(axe::tile<1, 4096>(out, axe::block_x(), 0)), axe::cta<256>);
}
