// Copies a matrix of any size with the widest accesses that its rows allow. The host chooses Bytes
// (16, 8, 4 or 2) so that rows are multiples of Bytes. The type `matrix` declares this multiple
// with aligned<Bytes>, and the planner derives the width of accesses from it. Without the
// declaration the planner rejects wide accesses. Accesses past the matrix's end are predicated.
#pragma once

#include <axe/cuda/copy/copy.hpp>
#include <axe/cuda/launch.hpp>
#include <axe/cuda/thread.hpp>

#include <cuda_bf16.h>

using bf16 = __nv_bfloat16;

/// The pointer, the distance between rows and their length are multiples of Bytes.
template <class T, int Bytes> using matrix = axe::tensor<T, axe::row_major<2>, axe::aligned<Bytes>>;

/// A block of 256 threads copies 8 x 1024 elements: 16 KiB, 64 bytes per thread.
template <int Bytes>
__global__ void __launch_bounds__(256)
    vector_copy(matrix<bf16 const, Bytes> in, matrix<bf16, Bytes> out) {
  auto const [row, column] = axe::block<2>();
  auto const from = axe::tile<8, 1024>(in, row, column);
  auto const to = axe::tile<8, 1024>(out, row, column);
  using block = decltype(axe::cta<256>);
  constexpr axe::copy_plan plan = axe::plan_of_copy<decltype(from), decltype(to), block>;
  static_assert(plan.bytes == Bytes && plan.issues == 64 / Bytes && !plan.cut,
                "copy uses accesses of Bytes bytes, as declared");
  // Rows with an odd number of elements allow accesses of 2 bytes only. Without `allows_slow`, copy
  // rejects them.
  axe::copy<axe::copy_how{.allows_slow = Bytes < 4}>(from, to, axe::cta<256>);
}
