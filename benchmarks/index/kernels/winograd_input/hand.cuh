// The input transform of the Winograd convolution F(2x2, 3x3): B^T d B of patches of 4 x 4, 2
// apart, padded by zeros. in: (planes, height, width), out: (16, planes, down, across). Source:
// Lavin and Gray, 2016.
#pragma once

#include "../instructions.cuh"

extern "C" __global__ void __launch_bounds__(128)
    hand_winograd_input(float const* in, float* out, unsigned height, unsigned width,
                        unsigned in_plane, unsigned across, unsigned out_plane,
                        std::uint64_t out_step) {
  using namespace by_hand;
  unsigned const j = blockIdx.x * 128 + threadIdx.x, i = blockIdx.y, plane = blockIdx.z;
  if (j >= across) return;
  int const y = 2 * i - 1, x = 2 * j - 1;
  float const* p = in + (std::uint64_t{plane} * in_plane +
                         static_cast<std::int64_t>(y) * static_cast<int>(width) + x);
  asm("" : "+l"(p));  // otherwise nvcc computes the address of each line from `in`
  float d[4][4];
#pragma unroll
  for (int r = 0; r < 4; ++r) {
    float const* const line = plus_bytes(p, std::uint64_t{width} * (4 * r));
    bool const inside = static_cast<unsigned>(y + r) < height;
#pragma unroll
    for (int c = 0; c < 4; ++c) {
      d[r][c] = 0;
      if (inside && static_cast<unsigned>(x + c) < width) d[r][c] = line[c];
    }
  }
  float t[4][4];
#pragma unroll
  for (int c = 0; c < 4; ++c) {
    t[0][c] = d[0][c] - d[2][c];
    t[1][c] = d[1][c] + d[2][c];
    t[2][c] = d[2][c] - d[1][c];
    t[3][c] = d[1][c] - d[3][c];
  }
  float* const q = out + (std::uint64_t{plane} * out_plane + i * across + j);
#pragma unroll
  for (int r = 0; r < 4; ++r) {
    q[out_step * (4 * r)] = t[r][0] - t[r][2];
    q[out_step * (4 * r + 1)] = t[r][1] + t[r][2];
    q[out_step * (4 * r + 2)] = t[r][2] - t[r][1];
    q[out_step * (4 * r + 3)] = t[r][1] - t[r][3];
  }
}
