// y = a * x + y, one element per thread, with a partial last block.
extern "C" __global__ void saxpy(float* y, float const* x, float a, int n) {
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) y[i] = a * x[i] + y[i];
}

// The same without the test of n. The machine must report the accesses past the end by their line.
extern "C" __global__ void saxpy_without_guard(float* y, float const* x, float a) {
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  y[i] = a * x[i] + y[i];
}
