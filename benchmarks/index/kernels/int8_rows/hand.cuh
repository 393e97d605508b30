// Converts signed bytes with a scale for each row to floats, sixteen bytes for each thread. This is
// the inverse of TensorRT-LLM's cpp/tensorrt_llm/kernels/quantization.cuh (a scale for each row).
#pragma once

#include "../instructions.cuh"

extern "C" __global__ void __launch_bounds__(128)
    hand_int8_rows(signed char const* in, float const* scales, float* out, unsigned columns) {
  using namespace by_hand;
  unsigned const column = blockIdx.x * 2048 + threadIdx.x * 16;
  if (column >= columns) return;
  float const scale = scales[blockIdx.y];
  std::uint64_t const at = std::uint64_t{blockIdx.y} * columns + column;
  uint4 const v = *reinterpret_cast<uint4 const*>(in + at);
  unsigned const w[4] = {v.x, v.y, v.z, v.w};
  float4* const to = reinterpret_cast<float4*>(out + at);
#pragma unroll
  for (int k = 0; k < 4; ++k)
    to[k] = make_float4(byte_of<0>(w[k]) * scale, byte_of<1>(w[k]) * scale,
                        byte_of<2>(w[k]) * scale, byte_of<3>(w[k]) * scale);
}
