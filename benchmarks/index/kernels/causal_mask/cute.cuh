#pragma once

#include "../cute.cuh"

extern "C" __global__ void __launch_bounds__(128) cute_causal_mask(float* scores, unsigned pitch) {
  using namespace by_cute;
  auto const all = matrix(scores, pitch, static_cast<int>(pitch), pitch);
  auto const number = make_coord(blockIdx.y, blockIdx.x);
  auto const mine = warps_product{}.get_slice(threadIdx.x);
  auto s = mine.partition_C(local_tile(all, Shape<_64, _64>{}, number));
  auto const at =
      mine.partition_C(local_tile(make_identity_tensor(shape(all)), Shape<_64, _64>{}, number));
  CUTE_UNROLL
  for (int i = 0; i < size(s); ++i)
    if (get<1>(at(i)) > get<0>(at(i))) s(i) = -INFINITY;
}
