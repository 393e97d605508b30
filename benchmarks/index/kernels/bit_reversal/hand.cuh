// Stores a line of 4096 complex numbers in bit-reversed order. Source: the last pass of a radix-2
// Fourier transform; Cooley and Tukey (1965).
#pragma once

#include <cstdint>

extern "C" __global__ void __launch_bounds__(256) hand_bit_reversal(float2 const* in, float2* out) {
  float2 const* const from = in + (blockIdx.x * 4096 + threadIdx.x);
  // Bits 0 to 7 of the index are the thread's number, bits 8 to 11 the register's.
  float2* const to = out + (blockIdx.x * 4096 + (__brev(threadIdx.x) >> 20));
#pragma unroll
  for (unsigned i = 0; i < 16; ++i)
    to[(i & 1) * 8 + (i & 2) * 2 + (i >> 1 & 2) + (i >> 3)] = from[256 * i];
}
