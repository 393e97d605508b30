// im2col of an NHWC tensor of halves for a 3 x 3 filter: row p of the output (pixels, 9, C) has the
// channels of pixel p and of its neighbours, or zeros outside the image. A block has 32 pixels and
// 64 channels. Source: Caffe, src/caffe/util/im2col.cu.
#pragma once

#include <cuda_fp16.h>

#include <cstdint>

namespace im2col_by_hand {
/// x / d for x below 2^31: (2 * x * m >> 32) >> s, with m and s computed from d on the host.
struct divisor {
  unsigned m, s;
  __device__ __forceinline__ unsigned operator()(unsigned x) const {
    return __umulhi(2 * x, m) >> s;
  }
};
}  // namespace im2col_by_hand

extern "C" __global__ void __launch_bounds__(256)
    hand_im2col(__half const* in, __half* out, unsigned pixels, unsigned height, unsigned width,
                unsigned channels, im2col_by_hand::divisor by_width,
                im2col_by_hand::divisor by_height) {
  unsigned const pixel = blockIdx.x * 32 + (threadIdx.x >> 3);
  unsigned const channel = blockIdx.y * 64 + (threadIdx.x & 7) * 8;
  if (pixel >= pixels) return;
  unsigned const line = by_width(pixel), w = pixel - line * width;
  unsigned const h = line - by_height(line) * height;
  std::uint64_t const one = channels * 2u, row = std::uint64_t{width} * (channels * 2u);
  char const* const from = reinterpret_cast<char const*>(in + channel) + pixel * one;
  char* to = reinterpret_cast<char*>(out + channel) + std::uint64_t{pixel} * (channels * 18u);
  bool const up = h > 0, down = h + 1 < height, left = w > 0, right = w + 1 < width;
#pragma unroll
  for (int r = 0; r < 3; ++r) {
    char const* const at = r == 0 ? from - row : r == 2 ? from + row : from;
#pragma unroll
    for (int s = 0; s < 3; ++s) {
      bool const in_bounds = (r == 0   ? up
                              : r == 2 ? down
                                       : true) &&
                             (s == 0   ? left
                              : s == 2 ? right
                                       : true);
      uint4 v = {};
      if (in_bounds)
        v = *reinterpret_cast<uint4 const*>(s == 0 ? at - one : s == 2 ? at + one : at);
      *reinterpret_cast<uint4*>(to) = v;
      to += one;
    }
  }
}
