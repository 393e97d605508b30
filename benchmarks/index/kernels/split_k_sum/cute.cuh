// Sums the partial products of split-K, with CuTe. hand.cuh gives the shapes.
#pragma once

#include "../cute.cuh"

extern "C" __global__ void __launch_bounds__(128)
    cute_split_k_sum(float const* partial, float* out, unsigned splits, unsigned rows,
                     unsigned columns) {
  using namespace by_cute;
  if (blockIdx.y * 4 + threadIdx.x / 32 >= rows) return;
  if (blockIdx.x * 128 + threadIdx.x % 32 * 4 >= columns) return;
  auto const copy = by_vectors<float, 4, 128>().get_slice(threadIdx.x);
  auto const number = make_coord(blockIdx.y, blockIdx.x);
  auto const tile = [&](auto* p) {
    return local_tile(matrix(p, rows, static_cast<int>(columns), columns), Shape<_4, _128>{},
                      number);
  };
  auto to = copy.partition_D(tile(out));
  auto sum = make_fragment_like(to);
  clear(sum);
#pragma unroll 1
  for (unsigned s = 0; s < splits; ++s) {
    auto v = make_fragment_like(sum);
    cute::copy(by_vectors<float, 4, 128>(),
               copy.partition_S(tile(partial + s * (std::int64_t{rows} * columns))), v);
    CUTE_UNROLL
    for (int i = 0; i < size(sum); ++i) sum(i) += v(i);
  }
  cute::copy(by_vectors<float, 4, 128>(), sum, to);
}
