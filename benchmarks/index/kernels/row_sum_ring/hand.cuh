// Row sums of a matrix of halves on the tensor cores: a ring of three stages of 64 x 64, filled
// ahead by cp.async, read by ldmatrix under the 128-byte swizzle. This is CUTLASS's main loop with
// one operand (include/cutlass/gemm/threadblock/mma_multistage.h).
#pragma once

#include "../instructions.cuh"

extern "C" __global__ void __launch_bounds__(128)
    hand_row_sum_ring(__half const* in, float* sums, unsigned columns, unsigned pitch) {
  using namespace by_hand;
  __shared__ alignas(1024) __half ring[3 * 4096];
  unsigned const t = threadIdx.x, lane = t & 31, row = t >> 3, chunk = t & 7;
  unsigned const base = shared_address(ring), steps = columns / 64;
  __half const* from = in + std::uint64_t{blockIdx.x * 64 + row} * pitch + chunk * 8;
  unsigned to = base + row * 128 + ((chunk ^ (row & 7)) << 4);
  unsigned const to_end = to + 3 * 8192;
  unsigned left = steps;
  auto const load = [&] {
    if (left != 0) {
      each<4>([&](auto i) { cp_async<i * 2048>(to, from + std::uint64_t{pitch} * (16 * i)); });
      from += 64;
      --left;
    }
    commit();
    to += 8192;
    if (to == to_end) to -= 3 * 8192;
  };
  load();
  load();
  unsigned const own_row = (t >> 5) * 16 + (lane & 15);
  unsigned at = base + own_row * 128 + (((lane >> 4) ^ (own_row & 7)) << 4);
  unsigned const at_end = at + 3 * 8192;
  float c[4] = {};
#pragma unroll 1
  for (unsigned k = 0; k < steps; ++k) {
    wait<1>();
    __syncthreads();
    load();
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      unsigned a[4];
      ldmatrix(a, at ^ (j << 5));
      mma(c, a, 0x3c003c00u, 0x3c003c00u);
    }
    at += 8192;
    if (at == at_end) at -= 3 * 8192;
  }
  if ((lane & 3) == 0) {
    float* const out = sums + blockIdx.x * 64 + (t >> 5) * 16 + (lane >> 2);
    out[0] = c[0];
    out[8] = c[2];
  }
}
