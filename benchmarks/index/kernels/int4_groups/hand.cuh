// Converts weights of 4 bits to floats. A word has eight neighbouring rows of a column, and 128
// rows share a scale and a zero point. A thread converts one word. Source: GPTQ's and AWQ's kernels
// in vLLM, csrc/quantization/gptq/q_gemm.cu.
#pragma once

#include <cstdint>

extern "C" __global__ void __launch_bounds__(128)
    hand_int4_groups(unsigned const* words, float const* scales, float const* zeros, float* out,
                     unsigned columns) {
  unsigned const column = blockIdx.x * 128 + threadIdx.x, word_row = blockIdx.y;
  if (column >= columns) return;
  unsigned const w = words[std::uint64_t{word_row} * columns + column];
  std::uint64_t const group = std::uint64_t{word_row >> 4} * columns + column;
  float const scale = scales[group], zero = zeros[group];
  float* to = out + std::uint64_t{word_row} * 8 * columns + column;
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    *to = (static_cast<float>(w >> 4 * k & 15) - zero) * scale;
    to += columns;
  }
}
