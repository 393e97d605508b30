// Sums the outputs of a token's four experts, with CuTe. hand.cuh gives the shapes.
#pragma once

#include "../cute.cuh"

extern "C" __global__ void __launch_bounds__(128)
    cute_moe_sum(float const* in, float* out, unsigned columns) {
  using namespace by_cute;
  if (blockIdx.x * 512 + threadIdx.x * 4 >= columns) return;
  auto const copy = by_vectors<float, 1, 128>().get_slice(threadIdx.x);
  auto const tile = [&](auto* p, int rows) {
    return local_tile(matrix(p, rows, static_cast<int>(columns), columns), Shape<_1, Int<512>>{},
                      make_coord(_, blockIdx.x));
  };
  auto const from = tile(in + blockIdx.y * 4 * std::int64_t{columns}, 4);
  auto sum = make_fragment_like<float>(copy.partition_S(from(_, _, 0)));
  clear(sum);
  CUTE_UNROLL
  for (int k = 0; k < 4; ++k) {
    auto v = make_fragment_like(sum);
    cute::copy(by_vectors<float, 1, 128>(), copy.partition_S(from(_, _, k)), v);
    CUTE_UNROLL
    for (int i = 0; i < size(sum); ++i) sum(i) += v(i);
  }
  auto to = tile(out + blockIdx.y * std::int64_t{columns}, 1);
  cute::copy(by_vectors<float, 1, 128>(), sum, copy.partition_D(to(_, _, 0)));
}
