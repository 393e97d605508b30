// y = A x with A in ELLPACK form: column numbers and values in (width, rows), rows fastest; a
// thread has a row. After cuSPARSE's and CUSP's ELL format; Bell and Garland, "Implementing sparse
// matrix-vector multiplication on throughput-oriented processors" (2009).
#pragma once

#include "../instructions.cuh"

extern "C" __global__ void __launch_bounds__(128)
    hand_ell_product(unsigned const* columns, float const* values, float const* x, float* y,
                     unsigned width, unsigned rows, unsigned pitch) {
  using by_hand::beyond;
  unsigned const row = blockIdx.x * 128 + threadIdx.x, bytes = pitch * 4;
  if (row >= rows) return;
  unsigned const* c = columns + row;
  float const* v = values + row;
  float sum = 0;
#pragma unroll 1
  for (unsigned left = width; left != 0; --left) {
    sum += *v * x[*c];
    c = beyond(c, bytes);
    v = beyond(v, bytes);
  }
  y[row] = sum;
}
