// Names that several cute.cuh kernels use.
#pragma once

#include <cute/tensor.hpp>

#include <cuda_fp16.h>

namespace by_cute {
using namespace cute;

/// A row-major matrix with a 64-bit pitch, as CuTe's kernels have it.
template <class T, class Columns>
__device__ __forceinline__ auto matrix(T* data, unsigned rows, Columns columns,
                                       std::int64_t pitch) {
  return make_tensor(make_gmem_ptr(data), make_layout(make_shape(static_cast<int>(rows), columns),
                                                      make_stride(pitch, _1{})));
}
/// A copy of 16 bytes per thread, by Rows x (Threads / Rows) threads.
template <class T, int Rows, int Threads> __device__ __forceinline__ auto by_vectors() {
  constexpr int across = Threads / Rows, width = 16 / static_cast<int>(sizeof(T));
  return make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, T>{},
                         Layout<Shape<Int<Rows>, Int<across>>, Stride<Int<across>, _1>>{},
                         Layout<Shape<_1, Int<width>>>{});
}
/// mma.sync by four warps, each on 16 rows.
using warps_product =
    decltype(make_tiled_mma(MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>{}, Layout<Shape<_4, _1, _1>>{}));
}  // namespace by_cute
