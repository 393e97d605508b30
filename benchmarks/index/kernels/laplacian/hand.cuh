// A stencil of seven points on a box with run-time pitches: out = c0 * in + c1 * (six neighbours).
// A block walks 8 x 32 columns along z with three values in registers. Source: the stencil of
// Micikevicius, "3D finite difference computation on GPUs using CUDA" (2009).
#pragma once

#include <cstdint>

extern "C" __global__ void __launch_bounds__(256)
    hand_laplacian(float const* in, float* out, unsigned nz, unsigned ny, unsigned nx, float c0,
                   float c1) {
  unsigned const x = blockIdx.x * 32 + (threadIdx.x & 31) + 1;
  unsigned const y = blockIdx.y * 8 + (threadIdx.x >> 5) + 1;
  if (x + 1 >= nx || y + 1 >= ny) return;
  std::uint64_t const plane = std::uint64_t{ny} * nx, at = std::uint64_t{y} * nx + x;
  float const* p = in + at;
  float* q = out + at;
  float below = *p;
  p += plane;
  float here = *p;
#pragma unroll 1
  for (unsigned z = 1; z + 1 < nz; ++z) {
    q += plane;
    float const above = p[plane];
    float const around = below + above + p[-1] + p[1] + *(p - nx) + p[nx];
    *q = c0 * here + c1 * around;
    below = here;
    here = above;
    p += plane;
  }
}
