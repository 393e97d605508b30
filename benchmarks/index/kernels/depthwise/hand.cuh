// A depthwise convolution of 3 x 3 taps with padding 1: NHWC floats, four channels per thread,
// weights in (9, C). Source: PyTorch, aten/src/ATen/native/cuda/DepthwiseConv2d.cu.
#pragma once

#include "../instructions.cuh"

extern "C" __global__ void __launch_bounds__(128)
    hand_depthwise(float const* in, float const* weights, float* out, unsigned height,
                   unsigned width, unsigned channels) {
  using namespace by_hand;
  unsigned const channel = threadIdx.x * 4, x = blockIdx.x, y = blockIdx.y;
  if (channel >= channels) return;
  unsigned const pixel_bytes = channels * 4;
  std::uint64_t const row_bytes = std::uint64_t{width} * pixel_bytes;
  std::uint64_t const at = y * row_bytes + std::uint64_t{x} * pixel_bytes;
  float const* const from = plus_bytes(in + channel, at);
  float const* const w = weights + channel;
  bool const up = y > 0, down = y + 1 < height, left = x > 0, right = x + 1 < width;
  float4 sum = {};
  each<9>([&](auto tap) {
    constexpr int r = tap / 3, c = tap % 3;
    if ((r == 0 ? up : r == 2 ? down : true) && (c == 0 ? left : c == 2 ? right : true)) {
      float const* const p = r == 0   ? plus_bytes(from, -row_bytes)
                             : r == 2 ? plus_bytes(from, row_bytes)
                                      : from;
      float4 const v =
          *reinterpret_cast<float4 const*>(c == 0   ? plus_bytes(p, -std::uint64_t{pixel_bytes})
                                           : c == 2 ? plus_bytes(p, pixel_bytes)
                                                    : p);
      float4 const k =
          *reinterpret_cast<float4 const*>(plus_bytes(w, std::uint64_t{pixel_bytes} * tap));
      sum.x += v.x * k.x;
      sum.y += v.y * k.y;
      sum.z += v.z * k.z;
      sum.w += v.w * k.w;
    }
  });
  *reinterpret_cast<float4*>(plus_bytes(out + channel, at)) = sum;
}
