// The shortest program with a kernel. It runs if there is a GPU.
#include <axe/config.hpp>

#include <cstdio>

template <int Version> __global__ void empty_kernel() {}

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::puts("skipped: compiled and linked, not launched: no GPU");
    return 77;
  }
  empty_kernel<AXE_VERSION><<<1, 32>>>();
  cudaError_t const outcome = cudaDeviceSynchronize();
  std::printf("empty_kernel: %s\n", cudaGetErrorString(outcome));
  return outcome == cudaSuccess ? 0 : 1;
}
