// Scales the rows of an accumulator by exp2(old - new maximum), with CuTe. hand.cuh gives the
// shapes.
#pragma once

#include "../cute.cuh"

extern "C" __global__ void __launch_bounds__(128)
    cute_softmax_rescale(float* out, float const* before, float const* now, unsigned pitch) {
  using namespace by_cute;
  auto const tile = local_tile(matrix(out, 64 * gridDim.x, _64{}, pitch), Shape<_64, _64>{},
                               make_coord(blockIdx.x, 0));
  auto const thread_tile = warps_product{}.get_slice(threadIdx.x);
  auto o = thread_tile.partition_C(tile);  // shape ((2, 2), 1, 8); mode 0: column and row
  auto const at = thread_tile.partition_C(make_identity_tensor(Shape<_64, _64>{}));
  CUTE_UNROLL
  for (int h = 0; h < 2; ++h) {
    int const row = blockIdx.x * 64 + get<0>(at(make_coord(0, h), 0, 0));
    float const scale = exp2f(before[row] - now[row]);
    CUTE_UNROLL
    for (int j = 0; j < 8; ++j) {
      o(make_coord(0, h), 0, j) *= scale;
      o(make_coord(1, h), 0, j) *= scale;
    }
  }
}
