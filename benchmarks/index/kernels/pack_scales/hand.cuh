// Packs the exponents of four neighbouring floats of a row into a word, and stores the words with
// rows fastest. Source: DeepGEMM, deep_gemm/include/deep_gemm/impls/smxx_layout.cuh
// (transpose_and_pack_fp32_into_ue8m0).
#pragma once

#include "../instructions.cuh"

extern "C" __global__ void __launch_bounds__(128)
    hand_pack_scales(float const* in, unsigned* out, unsigned rows, unsigned pitch,
                     unsigned out_pitch) {
  using by_hand::plus_bytes;
  unsigned const row = blockIdx.x * 128 + threadIdx.x, four = blockIdx.y;
  if (row >= rows) return;
  uint4 const v =
      reinterpret_cast<uint4 const*>(plus_bytes(in, std::uint64_t{row} * (pitch * 4)))[four];
  *plus_bytes(out + row, std::uint64_t{four} * (out_pitch * 4)) =
      v.x >> 23 | v.y >> 23 << 8 | v.z >> 23 << 16 | v.w >> 23 << 24;
}
