// The maximum of each channel over 2 x 2 pixels of an NHWC image of floats, four channels per
// thread. Source: PyTorch, aten/src/ATen/native/cuda/DilatedMaxPool2d.cu (max_pool_forward_nhwc).
#pragma once

#include <cstdint>

extern "C" __global__ void __launch_bounds__(128)
    hand_max_pool(float const* in, float* out, unsigned width, unsigned channels) {
  unsigned const channel = threadIdx.x * 4, x = blockIdx.x, line = blockIdx.y;
  if (channel >= channels) return;
  std::uint64_t const row = std::uint64_t{width} * channels;
  float const* const p = in + line * 2 * row + std::uint64_t{x * 2} * channels + channel;
  auto const larger = [](float4 a, float4 b) {
    return make_float4(fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z), fmaxf(a.w, b.w));
  };
  auto const at = [](float const* q) { return *reinterpret_cast<float4 const*>(q); };
  *reinterpret_cast<float4*>(out + (std::uint64_t{line} * (width / 2) + x) * channels + channel) =
      larger(larger(at(p), at(p + channels)), larger(at(p + row), at(p + row + channels)));
}
