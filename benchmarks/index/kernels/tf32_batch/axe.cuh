// C = A B for a batch of 16 x 16 float matrices, a warp for each, in tf32 on
// tensor cores, like MAGMA's batched products of small matrices.
#pragma once

#include "../tensors.cuh"

#include <axe/algebra/direct_sum.hpp>
#include <axe/atoms/mma_atom.hpp>
#include <axe/cuda/mma/mma.hpp>

#include <mma.h>

namespace tf32_batch {
using namespace axe::literals;
using axe::direct_sum;
using atom = axe::mma_atom<16, 8, 8, 32>;
using a_lanes = axe::carrier<direct_sum("S[(1,2):(0,4@reg)]"_axe, {1, 2}, atom::a, {16, 8})>;
using b_lanes = axe::carrier<direct_sum("S[(2,2):(4@reg,2@reg)]"_axe, {2, 2}, atom::b, {8, 8})>;
using c_lanes =
    axe::carrier<direct_sum("S[(1,2):(0,4@reg)]"_axe, {1, 2}, atom::accumulator, {16, 8})>;
}  // namespace tf32_batch

extern "C" __global__ void __launch_bounds__(128)
    axe_tf32_batch(kernels::rows_of<float const, 3, 16, 16> a,
                   kernels::rows_of<float const, 3, 16, 16> b,
                   kernels::rows_of<float, 3, 16, 16> c) {
  using namespace tf32_batch;
  auto const matrix = axe::constant<4>{} * axe::block_x() + axe::warp_id<128>();
  if (matrix >= axe::extent<0>(c)) return;
  // Views of one matrix of the batch.
  axe::tensor<float const, axe::row_major<2, 16, 16>> const A(&a(matrix, 0, 0)),
      B(&b(matrix, 0, 0));
  axe::tensor<float, axe::row_major<2, 16, 16>, axe::aligned<16>> const C(&c(matrix, 0, 0));
  auto left = axe::load<a_lanes>(axe::tile<16, 16>(A, 0, 0), axe::warp);
  auto right = axe::load<b_lanes>(axe::tile<16, 16>(B, 0, 0), axe::warp);
  auto const rounded = [](float v) { return nvcuda::wmma::__float_to_tf32(v); };
  axe::elementwise(rounded, left, left);
  axe::elementwise(rounded, right, right);
  axe::fragment<float, c_lanes, axe::extents<16, 16>> sums;
  sums.fill(0);
  axe::mma(sums, left, right);
  axe::copy(sums, axe::tile<16, 16>(C, 0, 0), axe::warp);
}
