// Which lane holds which element of a fragment? Each warp multiplies a 16x16 tile of A by the
// identity matrix on the tensor cores, 16x8 at a time. Every lane then stores the values of its
// registers, and its lane and register numbers, at the elements that it holds according to the
// accumulator's layout.
#pragma once

#include <axe/atoms/mma_atom.hpp>
#include <axe/axe.hpp>
#include <axe/cuda/fragment.hpp>
#include <axe/cuda/launch.hpp>
#include <axe/cuda/local_partition.hpp>
#include <axe/cuda/mma/mma.hpp>
#include <axe/cuda/thread.hpp>

#include <cuda_bf16.h>

using bf16 = __nv_bfloat16;
template <class T> using matrix = axe::tensor<T, axe::row_major<2>>;

using atom = axe::mma_atom<16, 8, 16, 16>;
using a_lanes = axe::carrier<atom::a>;
using b_lanes = axe::carrier<atom::b>;
using c_lanes = axe::carrier<atom::accumulator>;
using a_fragment = axe::fragment<bf16, a_lanes, axe::extents<16, 16>>;
using b_fragment = axe::fragment<bf16, b_lanes, axe::extents<16, 8>>;
using c_fragment = axe::fragment<float, c_lanes, axe::extents<16, 8>>;

/// Each block has one warp. `identity` is 16x16. value(i,j) becomes element (i,j) of A, and
/// holder(i,j) becomes 4 * lane + register.
__global__ void which_lane(matrix<bf16 const> A, matrix<bf16 const> identity, matrix<float> value,
                           matrix<unsigned> holder) {
  auto const [row, block] = axe::block<2>();
  unsigned const lane = axe::thread_id();
  a_fragment a{};
  auto const from = axe::local_partition<a_lanes>(axe::tile<16, 16>(A, row, block), lane);
  axe::for_each_register<a.size>([&](auto r) {
    if (from.in_bounds(r)) a[r] = from.load(r);
  });
  axe::for_each_register<2>([&](auto half) {
    b_fragment b;
    auto const columns = axe::local_partition<b_lanes>(axe::tile<16, 8>(identity, 0, half), lane);
    axe::for_each_register<b.size>([&](auto r) { b[r] = columns.load(r); });
    c_fragment c{};
    axe::mma(c, a, b);
    auto const column = axe::constant<2>{} * axe::block_x() + half;
    auto const values = axe::local_partition<c_lanes>(axe::tile<16, 8>(value, row, column), lane);
    auto const holders = axe::local_partition<c_lanes>(axe::tile<16, 8>(holder, row, column), lane);
    axe::for_each_register<c.size>([&](auto r) {
      if (!values.in_bounds(r)) return;
      values.store(r, c[r]);
      holders.store(r, 4 * lane + decltype(r)::value);
    });
  });
}
