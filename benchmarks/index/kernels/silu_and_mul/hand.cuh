// out = silu(gate) * up. A row of the input has the columns of `gate`, then those of `up`. Each
// thread computes four floats.
// Source: vLLM, csrc/activation_kernels.cu (act_and_mul_kernel).
#pragma once

#include <cstdint>

extern "C" __global__ void __launch_bounds__(256)
    hand_silu_and_mul(float const* in, float* out, unsigned columns) {
  unsigned const column = blockIdx.x * 1024 + threadIdx.x * 4;
  if (column >= columns) return;
  float const* const gate = in + std::uint64_t{blockIdx.y} * (columns * 2) + column;
  float4 const g = *reinterpret_cast<float4 const*>(gate);
  float4 const u = *reinterpret_cast<float4 const*>(gate + columns);
  auto const silu = [](float x) { return x / (1 + __expf(-x)); };
  *reinterpret_cast<float4*>(out + std::uint64_t{blockIdx.y} * columns + column) =
      make_float4(silu(g.x) * u.x, silu(g.y) * u.y, silu(g.z) * u.z, silu(g.w) * u.w);
}
