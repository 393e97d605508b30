// A matrix of any size is copied with the widest accesses that its rows allow: Bytes is 16, 8, 4 or
// 2, what the host has found to divide a row. The planner proves the width from that statement and
// refuses it without. Tiles reach past the end of the matrix on the right and below: their accesses
// are predicated.
#pragma once

#include <axe/cuda/copy/copy.hpp>
#include <axe/cuda/thread.hpp>

#include <cuda_bf16.h>

using axe::given;

using bf16 = __nv_bfloat16;

/// Rows, columns and the distance between rows, both multiples of Bytes; so is the pointer.
inline constexpr axe::integer most = 1 << 24;
template <int Bytes>
using matrix = axe::pitched<given(0).below(most), given(1).multiple_of(Bytes / 2).below(most),
                            given(2).multiple_of(Bytes / 2).below(most)>;
template <class T, int Bytes> using view = axe::global_view<T, matrix<Bytes>, Bytes>;

template <int Bytes> using input = view<bf16 const, Bytes>;
template <int Bytes> using output = view<bf16, Bytes>;

/// A block copies 8 x 1024 elements: 16 KiB, four 16-byte accesses per thread.
template <int Bytes>
__global__ void __launch_bounds__(256) vector_copy(input<Bytes> in,  //
                                                   output<Bytes> out) {
  auto const from = in.template tile<8, 1024>(axe::block_y(), axe::block_x());
  auto const to = out.template tile<8, 1024>(axe::block_y(), axe::block_x());
  using block = axe::whole_block<256>;
  constexpr axe::copy_plan plan = axe::plan_of_copy<decltype(from), decltype(to), block>;
  static_assert(plan.bytes == Bytes && plan.issues == 64 / Bytes && !plan.cut, "as was stated");
  axe::copy(from, to, axe::every<256>);
}
