// A CUDA program that does not refer to the machine. With `-cudart shared` and PTX it runs on the
// stand-in for libcudart. Its last kernel prints a line and writes past the end: the machine must
// print the line and report the write, and later calls must fail.
#include <cstdio>
#include <vector>

__constant__ float scale;
__device__ int counter;

__global__ void multiply(float* y, float const* x, int n) {
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) {
    y[i] = scale * x[i];
    atomicAdd(&counter, 1);
  }
  if (i == 0) printf("hello from %d\n", n);
}

__global__ void overrun(float* y, int n) {
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i == n) printf("writes element %d\n", i);
  y[i] = 1.0f;
}

int main() {
  int const n = 1000;
  cudaDeviceProp properties;
  if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess || properties.major != 9) return 1;
  float *x = nullptr, *y = nullptr;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  std::vector<float> host(n, 3.0f);
  cudaMemcpy(x, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  float const factor = 2.5f;
  cudaMemcpyToSymbol(scale, &factor, sizeof(factor));
  multiply<<<4, 256>>>(y, x, n);
  if (cudaDeviceSynchronize() != cudaSuccess) return 2;
  cudaMemcpy(host.data(), y, n * sizeof(float), cudaMemcpyDeviceToHost);
  int count = 0;
  cudaMemcpyFromSymbol(&count, counter, sizeof(count));
  for (float const each : host)
    if (each != 7.5f) return 3;
  if (count != n) return 4;
  overrun<<<5, 256>>>(y, n);
  if (cudaDeviceSynchronize() != cudaErrorLaunchFailure) return 5;
  std::puts("passed");
  return 0;
}
