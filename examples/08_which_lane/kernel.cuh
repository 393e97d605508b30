// Which lane holds which element of a fragment? Each warp multiplies a 16x16 tile of A by the unit
// matrix on the tensor cores, 16x8 at a time. Every lane then stores the values of its registers
// and its own lane and register numbers. The layouts of the atom say where each element is stored.
#pragma once

#include <axe/atoms/mma_atom.hpp>
#include <axe/axe.hpp>
#include <axe/cuda/fragment.hpp>
#include <axe/cuda/mma/mma.hpp>
#include <axe/cuda/thread.hpp>
#include <axe/cuda/view.hpp>

#include <cuda_bf16.h>

using axe::global_view;

using axe::given;

using bf16 = __nv_bfloat16;
inline constexpr axe::integer most = 1 << 24;
using matrix = axe::pitched<given(0).below(most), given(1).below(most), given(2).below(most)>;

using atom = axe::mma_atom<16, 8, 16, 16>;
using a_lanes = axe::carrier<atom::a>;
using b_lanes = axe::carrier<atom::b>;
using c_lanes = axe::carrier<atom::accumulator>;
using a_fragment = axe::fragment<bf16, a_lanes, axe::extents<16, 16>>;
using b_fragment = axe::fragment<bf16, b_lanes, axe::extents<16, 8>>;
using c_fragment = axe::fragment<float, c_lanes, axe::extents<16, 8>>;

/// One warp per block. unit is 16x16. value(i,j): the element; holder(i,j): 4 * lane + register.
__global__ void which_lane(global_view<bf16 const, matrix> A, global_view<bf16 const, matrix> unit,
                           global_view<float, matrix> value, global_view<unsigned, matrix> holder) {
  unsigned const lane = threadIdx.x;
  a_fragment a{};
  auto const from = A.tile<16, 16>(axe::block_y(), axe::block_x()).mine<a_lanes>(lane);
  axe::for_each_register<a.size>([&](auto r) {
    if (from.inside(r)) a[r] = from.load(r);
  });
  axe::for_each_register<2>([&](auto half) {
    b_fragment b;
    auto const columns = unit.tile<16, 8>(axe::constant<0>{}, half).template mine<b_lanes>(lane);
    axe::for_each_register<b.size>([&](auto r) { b[r] = columns.load(r); });
    c_fragment c{};
    axe::mma(c, a, b);
    auto const column = axe::constant<2>{} * axe::block_x() + half;
    auto const values = value.tile<16, 8>(axe::block_y(), column).template mine<c_lanes>(lane);
    auto const holders = holder.tile<16, 8>(axe::block_y(), column).template mine<c_lanes>(lane);
    axe::for_each_register<c.size>([&](auto r) {
      if (!values.inside(r)) return;
      values.store(r, c[r]);
      holders.store(r, 4 * lane + decltype(r)::value);
    });
  });
}
