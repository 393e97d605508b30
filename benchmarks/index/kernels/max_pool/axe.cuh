// Computes the maximum of each channel over 2 x 2 pixels of an NHWC image, like PyTorch's
// max_pool_forward_nhwc (aten/src/ATen/native/cuda/DilatedMaxPool2d.cu).
#pragma once

#include "../tensors.cuh"

/// `in` has the shape (lines, 2, pixels, 2, C), and `out` has (lines, 1, pixels, 1, C).
extern "C" __global__ void __launch_bounds__(128)
    axe_max_pool(kernels::rows_of<float const, 5, 2, 0, 2, 0> in,
                 kernels::rows_of<float, 5, 1, 0, 1, 0> out) {
  using namespace axe::literals;
  using by_channels = axe::carrier<"S[(2,2,128,4):(8@reg,4@reg,1@tid,1@reg)]"_axe>;
  auto const [line, x] = axe::block<2>();
  auto const v =
      axe::load<by_channels>(axe::tile<1, 2, 1, 2, 512>(in, line, 0, x, 0, 0), axe::cta<128>);
  axe::reduced<decltype(v), 1, 3> most;
  axe::reduce<1, 3>(axe::maximum{}, v, most, axe::cta<128>);
  kernels::rows_of<float, 5, 1, 0, 1, 0> const to(out.data, axe::extent<0>(in), axe::extent<2>(in),
                                                  axe::extent<4>(in));
  axe::copy(most, axe::tile<1, 1, 1, 1, 512>(to, line, 0, x, 0, 0), axe::cta<128>);
}
