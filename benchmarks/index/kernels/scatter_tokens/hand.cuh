// Copies rows of halves to the rows that a table names, 16 bytes per thread; rows whose entry is
// below 0 are dropped. Source: vLLM, csrc/moe/permute_unpermute_kernels.
#pragma once

#include "../instructions.cuh"

extern "C" __global__ void __launch_bounds__(128)
    hand_scatter_tokens(__half const* in, int const* table, __half* out, unsigned columns) {
  using namespace by_hand;
  unsigned const t = threadIdx.x, row = blockIdx.y * 16 + (t >> 3);
  unsigned const column = blockIdx.x * 64 + (t & 7) * 8, pitch = columns * 2;
  int const to = table[row];
  if (to < 0) return;
  *reinterpret_cast<uint4*>(
      plus_bytes(out + column, std::uint64_t{static_cast<unsigned>(to)} * pitch)) =
      *reinterpret_cast<uint4 const*>(plus_bytes(in + column, std::uint64_t{row} * pitch));
}
