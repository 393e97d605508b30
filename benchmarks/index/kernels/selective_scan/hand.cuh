// One step of a selective scan: each of 16 states of a channel becomes h e^(dt A) + dt x B, and the
// output is their sum weighted by C, plus D x. Channels are a multiple of 32. A thread has four
// states. Source: Mamba, mamba_ssm/ops/triton/selective_state_update.py.
#pragma once

#include <cstdint>

extern "C" __global__ void __launch_bounds__(128)
    hand_selective_scan(float* h, float const* A, float const* x, float const* dt, float const* B,
                        float const* C, float const* D, float* y, unsigned channels) {
  unsigned const t = threadIdx.x, channel = blockIdx.x * 32 + (t >> 2), first = (t & 3) * 4;
  unsigned const batch = blockIdx.y, at = batch * channels + channel;
  float4* const state = reinterpret_cast<float4*>(h + (std::uint64_t{at} * 16 + first));
  float4 const a = *reinterpret_cast<float4 const*>(A + (channel * 16 + first));
  float4 const b = *reinterpret_cast<float4 const*>(B + (batch * 16 + first));
  float4 const c = *reinterpret_cast<float4 const*>(C + (batch * 16 + first));
  float4 v = *state;
  float const in = x[at], step = dt[at], moved = step * in;
  v.x = v.x * __expf(step * a.x) + moved * b.x;
  v.y = v.y * __expf(step * a.y) + moved * b.y;
  v.z = v.z * __expf(step * a.z) + moved * b.z;
  v.w = v.w * __expf(step * a.w) + moved * b.w;
  *state = v;
  float sum = v.x * c.x;
  sum += v.y * c.y;
  sum += v.z * c.z;
  sum += v.w * c.w;
  sum += __shfl_xor_sync(~0u, sum, 1);
  sum += __shfl_xor_sync(~0u, sum, 2);
  if ((t & 3) == 0) y[at] = sum + D[channel] * in;
}
