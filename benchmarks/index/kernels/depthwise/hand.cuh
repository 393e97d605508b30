// A depthwise convolution of 3 x 3 taps with padding 1: NHWC floats, four channels a thread, weights
// in (9, C). After PyTorch, aten/src/ATen/native/cuda/DepthwiseConv2d.cu.
#pragma once

#include <cstdint>

extern "C" __global__ void __launch_bounds__(128)
    hand_depthwise(float const* in, float const* weights, float* out, unsigned height,
                   unsigned width, unsigned channels) {
  unsigned const channel = threadIdx.x * 4, x = blockIdx.x, y = blockIdx.y;
  if (channel >= channels) return;
  std::uint64_t const row = std::uint64_t{width} * channels;
  std::uint64_t const at = y * row + std::uint64_t{x} * channels + channel;
  float const* p = in + at - row - channels;
  float const* w = weights + channel;
  float4 sum = {};
#pragma unroll
  for (unsigned r = 0; r < 3; ++r) {
    bool const inside = r == 0 ? y > 0 : r == 2 ? y + 1 < height : true;
#pragma unroll
    for (unsigned s = 0; s < 3; ++s) {
      if (inside && (s == 0 ? x > 0 : s == 2 ? x + 1 < width : true)) {
        float4 const v = *reinterpret_cast<float4 const*>(p + s * channels);
        float4 const k = *reinterpret_cast<float4 const*>(w);
        sum =
            make_float4(sum.x + v.x * k.x, sum.y + v.y * k.y, sum.z + v.z * k.z, sum.w + v.w * k.w);
      }
      w += channels;
    }
    p += row;
  }
  *reinterpret_cast<float4*>(out + at) = sum;
}
