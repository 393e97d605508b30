// Stores the nine taps of each NHWC pixel as a row of a matrix, like Caffe's
// src/caffe/util/im2col.cu.
#pragma once

#include "../tensors.cuh"

#include <cuda_fp16.h>

namespace im2col {
/// x / d for x below 2^31: the high word of 2 x * m, shifted by s.
struct divisor {
  unsigned m, s;
  __device__ __forceinline__ unsigned operator()(unsigned x) const {
    return __umulhi(2 * x, m) >> s;
  }
};
}  // namespace im2col

/// `in` has the shape (N, H, W, C), and `out` has (pixels, 9, C).
extern "C" __global__ void __launch_bounds__(256)
    axe_im2col(kernels::rows_of<__half const, 4> in, kernels::rows_of<__half, 3, 9, 0> out,
               im2col::divisor by_width, im2col::divisor by_height) {
  auto const t = axe::thread_id<256>();
  auto const pixel = axe::constant<32>{} * axe::block_x() + t.digit<8, 32>();
  auto const channel = axe::constant<64>{} * axe::block_y() + axe::constant<8>{} * t.digit<1, 8>();
  if (pixel >= axe::extent<0>(out)) return;
  unsigned const height = axe::extent<1>(in), width = axe::extent<2>(in);
  unsigned const line = by_width(pixel), w = pixel - line * width;
  unsigned const n = by_height(line), h = line - n * height;
  auto const from =
      axe::bind_pointer(static_cast<__half const*>(in.data), in.sizes, n, h, w, channel);
  auto const to = axe::bind_pointer(static_cast<__half*>(out.data), out.sizes, pixel, 0, channel);
  axe::for_each_register<9>([&](auto tap) {
    constexpr int r = tap.value / 3 - 1, s = tap.value % 3 - 1;
    axe::vector_of<__half, 8> v{};
    if (h + unsigned(r) < height && w + unsigned(s) < width)
      v = axe::load_vector<8>(from.at<0, r, s, 0>());
    axe::store_vector(to.at<0, tap.value, 0>(), v);
  });
}
