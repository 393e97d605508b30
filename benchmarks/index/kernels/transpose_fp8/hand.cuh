// Transposes a matrix of fp8 elements and its scales, one for each block of 128 x 128, as for the
// gradient of a layer of DeepSeek-V3. Each thread transposes 4 x 16 elements. Rows and columns are
// multiples of 128. Source: Transformer Engine, transformer_engine/common/transpose/transpose.cu.
#pragma once

#include "../instructions.cuh"

extern "C" __global__ void __launch_bounds__(256)
    hand_transpose_fp8(unsigned char const* in, float const* scales, unsigned char* out,
                       float* out_scales, unsigned rows, unsigned columns) {
  __shared__ unsigned s[128 * 33];
  unsigned const t = threadIdx.x, lane = t & 31, warp = t >> 5;
  unsigned const c = (lane & 1) + 2 * (warp & 3), r = (lane >> 1) + 16 * (warp >> 2);
  unsigned const R = blockIdx.y, C = blockIdx.x;
  unsigned char const* from = in + std::uint64_t{128 * R + 4 * r} * columns + 128 * C + 16 * c;
  uint4 v[4];
#pragma unroll
  for (int i = 0; i < 4; ++i)
    v[i] = *reinterpret_cast<uint4 const*>(from + std::uint64_t{columns} * i);
  if (t == 0) out_scales[C * (rows / 128) + R] = scales[R * (columns / 128) + C];
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    unsigned w[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) w[i] = j == 0 ? v[i].x : j == 1 ? v[i].y : j == 2 ? v[i].z : v[i].w;
    unsigned const a = __byte_perm(w[0], w[1], 0x5140), b = __byte_perm(w[2], w[3], 0x5140);
    unsigned const d = __byte_perm(w[0], w[1], 0x7362), e = __byte_perm(w[2], w[3], 0x7362);
    unsigned* to = s + (16 * c + 4 * j) * 33 + r;
    to[0] = __byte_perm(a, b, 0x5410);
    to[33] = __byte_perm(a, b, 0x7632);
    to[66] = __byte_perm(d, e, 0x5410);
    to[99] = __byte_perm(d, e, 0x7632);
  }
  __syncthreads();
  unsigned const k = t & 7, row = t >> 3;
  unsigned char* to = out + std::uint64_t{128 * C + row} * rows + 128 * R + 16 * k;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    unsigned const* p = s + (row + 32 * i) * 33 + 4 * k;
    *reinterpret_cast<uint4*>(to + std::uint64_t{rows} * (32 * i)) =
        make_uint4(p[0], p[1], p[2], p[3]);
  }
}
