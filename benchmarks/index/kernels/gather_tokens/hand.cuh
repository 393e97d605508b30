// Row i of the output is row table[i] of the input, copied by 16 bytes per thread. If table[i] is
// below 0, row i is padding and is not written. Source: vLLM, csrc/moe/permute_unpermute_kernels.
#pragma once

#include "../instructions.cuh"

extern "C" __global__ void __launch_bounds__(128)
    hand_gather_tokens(__half const* in, int const* table, __half* out, unsigned columns) {
  using namespace by_hand;
  unsigned const t = threadIdx.x, row = blockIdx.y * 16 + (t >> 3);
  unsigned const column = blockIdx.x * 64 + (t & 7) * 8, pitch = columns * 2;
  int const from = table[row];
  if (from < 0) return;
  *reinterpret_cast<uint4*>(plus_bytes(out + column, std::uint64_t{row} * pitch)) =
      *reinterpret_cast<uint4 const*>(
          plus_bytes(in + column, std::uint64_t{static_cast<unsigned>(from)} * pitch));
}
