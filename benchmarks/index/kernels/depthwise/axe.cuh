// Convolves each channel with its 3 x 3 taps, like PyTorch's
// aten/src/ATen/native/cuda/DepthwiseConv2d.cu.
#pragma once

#include "../tensors.cuh"

#include <axe/index/bind_offset.hpp>

/// `in` and `out` have the shape (H, W, C), and `weights` has (9, C).
extern "C" __global__ void __launch_bounds__(128)
    axe_depthwise(kernels::rows_of<float const, 3> in, kernels::rows_of<float const> weights,
                  kernels::rows_of<float, 3> out) {
  auto const channel = axe::constant<4>{} * axe::thread_id<128>();
  auto const [y, x] = axe::block<2>();
  if (channel >= axe::extent<2>(in)) return;
  auto const at = axe::bind_offset<float>(in.sizes, y, x, channel);
  auto const from = at.from(static_cast<float const*>(in.data));
  auto const to = at.from(static_cast<float*>(out.data));
  auto const by =
      axe::bind_pointer(static_cast<float const*>(weights.data), weights.sizes, 0, channel);
  axe::vector_of<float, 4> sum{};
  axe::for_each_register<9>([&, y = y, x = x](auto tap) {
    constexpr int r = tap.value / 3 - 1, s = tap.value % 3 - 1;
    if (y + r >= axe::extent<0>(in) || x + s >= axe::extent<1>(in)) return;
    auto const v = axe::load_vector<4>(from.at<r, s, 0>()),
               w = axe::load_vector<4>(by.at<tap.value, 0>());
    for (int k = 0; k < 4; ++k) sum.elements[k] += v.elements[k] * w.elements[k];
  });
  axe::store_vector(to.at<>(), sum);
}
