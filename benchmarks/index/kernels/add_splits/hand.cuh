// Adds the 64 x 64 accumulator of a split of K to the result with atomics. On sm_90 one atomic adds
// two elements. Source: CUTLASS,
// include/cutlass/epilogue/threadblock/default_thread_map_tensor_op.h and red.global.add.
#pragma once

#include "../instructions.cuh"

extern "C" __global__ void __launch_bounds__(128)
    hand_add_splits(float const* partial, float* out, unsigned columns) {
  using namespace by_hand;
  unsigned const t = threadIdx.x, lane = t & 31;
  unsigned const row = blockIdx.y * 64 + (t >> 5) * 16 + (lane >> 2);
  unsigned const column = blockIdx.x * 64 + (t & 3) * 2;
  std::uint64_t const at = std::uint64_t{row} * (columns * 4),
                      below = std::uint64_t{columns * 4} * 8;
  float const* const from = plus_bytes(partial + column, at);
  float* const to = plus_bytes(out + column, at);
  each<2>([&](auto h) {
    each<8>([&](auto j) {
      float2 const v = *reinterpret_cast<float2 const*>(plus_bytes(from, below * h) + 8 * j);
      float* const sum = plus_bytes(to, below * h) + 8 * j;
#if __CUDA_ARCH__ >= 900
      atomicAdd(reinterpret_cast<float2*>(sum), v);
#else
      atomicAdd(sum, v.x);
      atomicAdd(sum + 1, v.y);
#endif
    });
  });
}
