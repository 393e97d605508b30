// Sets the scores with column > row to minus infinity, with CuTe.
#pragma once

#include "../cute.cuh"

extern "C" __global__ void __launch_bounds__(128) cute_causal_mask(float* scores, unsigned pitch) {
  using namespace by_cute;
  auto const all = matrix(scores, pitch, static_cast<int>(pitch), pitch);
  auto const tile = make_coord(blockIdx.y, blockIdx.x);
  auto const thread_mma = warps_product{}.get_slice(threadIdx.x);
  auto s = thread_mma.partition_C(local_tile(all, Shape<_64, _64>{}, tile));
  auto const coordinates =
      thread_mma.partition_C(local_tile(make_identity_tensor(shape(all)), Shape<_64, _64>{}, tile));
  CUTE_UNROLL
  for (int i = 0; i < size(s); ++i)
    if (get<1>(coordinates(i)) > get<0>(coordinates(i))) s(i) = -INFINITY;
}
