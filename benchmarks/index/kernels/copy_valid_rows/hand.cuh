// Copies the rows of a batch up to each sequence's length; the others become 0. A block copies
// sixteen rows of 64 halves. Source: FlashAttention 2, csrc/flash_attn/src/utils.h (copy with
// Clear_OOB_MN).
#pragma once

#include "../instructions.cuh"

extern "C" __global__ void __launch_bounds__(128)
    hand_copy_valid_rows(__half const* in, unsigned const* lengths, __half* out, unsigned columns,
                         unsigned rows) {
  using namespace by_hand;
  unsigned const t = threadIdx.x, row = blockIdx.y * 16 + (t >> 3);
  unsigned const column = blockIdx.x * 64 + (t & 7) * 8, pitch = columns * 2;
  std::uint64_t const at = std::uint64_t{blockIdx.z * rows + row} * pitch;
  uint4 v = {};
  if (row < lengths[blockIdx.z]) v = *reinterpret_cast<uint4 const*>(plus_bytes(in + column, at));
  *reinterpret_cast<uint4*>(plus_bytes(out + column, at)) = v;
}
