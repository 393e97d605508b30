// Converts signed bytes with a scale for each row to floats, sixteen bytes for each thread. This is
// the inverse of TensorRT-LLM's cpp/tensorrt_llm/kernels/quantization.cuh (a scale for each row).
#pragma once

#include <cstdint>

extern "C" __global__ void __launch_bounds__(128)
    hand_int8_rows(signed char const* in, float const* scales, float* out, unsigned columns) {
  unsigned const column = blockIdx.x * 2048 + threadIdx.x * 16;
  if (column >= columns) return;
  float const scale = scales[blockIdx.y];
  std::uint64_t const at = std::uint64_t{blockIdx.y} * columns + column;
  uint4 const v = *reinterpret_cast<uint4 const*>(in + at);
  unsigned const w[4] = {v.x, v.y, v.z, v.w};
  float4* const to = reinterpret_cast<float4*>(out + at);
  auto const byte = [](unsigned word, int k) {
    return static_cast<float>(static_cast<signed char>(word >> 8 * k));
  };
#pragma unroll
  for (int k = 0; k < 4; ++k)
    to[k] = make_float4(byte(w[k], 0) * scale, byte(w[k], 1) * scale, byte(w[k], 2) * scale,
                        byte(w[k], 3) * scale);
}
