// Copies the rows of halves that a table names, 16 bytes per thread; entries below 0 are padding
// and stay as they are. After vLLM, csrc/moe/permute_unpermute_kernels.
#pragma once

#include "../instructions.cuh"

extern "C" __global__ void __launch_bounds__(128)
    hand_gather_tokens(__half const* in, int const* table, __half* out, unsigned columns) {
  using namespace by_hand;
  unsigned const t = threadIdx.x, row = blockIdx.y * 16 + (t >> 3);
  unsigned const column = blockIdx.x * 64 + (t & 7) * 8, pitch = columns * 2;
  int const from = table[row];
  if (from < 0) return;
  *reinterpret_cast<uint4*>(beyond(out + column, std::uint64_t{row} * pitch)) =
      *reinterpret_cast<uint4 const*>(
          beyond(in + column, std::uint64_t{static_cast<unsigned>(from)} * pitch));
}
