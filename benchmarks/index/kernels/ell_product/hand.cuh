// y = A x with A in ELLPACK form. Column numbers and values have the shape (width, rows), and
// neighbouring rows are adjacent. Each thread computes one row. Source: cuSPARSE's and CUSP's ELL
// format; Bell and Garland, "Implementing sparse matrix-vector multiplication on
// throughput-oriented processors" (2009).
#pragma once

#include <cstdint>

extern "C" __global__ void __launch_bounds__(128)
    hand_ell_product(unsigned const* columns, float const* values, float const* x, float* y,
                     unsigned width, unsigned rows, unsigned pitch) {
  unsigned const row = blockIdx.x * 128 + threadIdx.x;
  if (row >= rows) return;
  unsigned const* c = columns + row;
  float const* v = values + row;
  float sum = 0;
#pragma unroll 1
  for (int k = -static_cast<int>(width); k != 0; ++k) {
    sum += *v * x[*c];
    c += pitch;
    v += pitch;
#if __CUDA_ARCH__ >= 1000
    asm("" : "+l"(v));  // otherwise the optimiser adds the same offset to both pointers
#endif
  }
  y[row] = sum;
}
