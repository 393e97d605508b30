// Multiplies a sparse matrix in ELLPACK form by a vector, a thread for each row (Bell and Garland,
// 2009).
#pragma once

#include "../tensors.cuh"

extern "C" __global__ void __launch_bounds__(128)
    axe_ell_product(axe::tensor<unsigned const, axe::row_major<2>> columns,
                    axe::tensor<float const, axe::row_major<2>> values,
                    kernels::list_of<float const> x, kernels::list_of<float> y) {
  auto const row = axe::constant<128>{} * axe::block_x() + axe::thread_id<128>();
  if (row >= axe::extent<0>(y)) return;
  float sum = 0;
#pragma unroll 1
  for (unsigned k = 0; k < axe::extent<0>(columns); ++k) sum += values(k, row) * x(columns(k, row));
  y(row) = sum;
}
