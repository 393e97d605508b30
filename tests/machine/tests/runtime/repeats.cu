// Each launch of `add` adds 1, so that the printed numbers show how many of 5 equal launches ran.
// AXE_MACHINE_REPEATS limits them. One kernel reads shared memory that no thread has written.
#include <cstdio>
#include <vector>

__global__ void add(int* y) { y[threadIdx.x] += 1; }

__global__ void read(int* y) {
  __shared__ int nobody[32];
  if (y[threadIdx.x] < 0) nobody[threadIdx.x] = 1;
  __syncthreads();
  y[threadIdx.x] += nobody[31 - threadIdx.x];
}

int main() {
  int processors = 0;
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  int* y = nullptr;
  cudaMalloc(&y, 32 * sizeof(int));
  cudaMemset(y, 0, 32 * sizeof(int));
  std::vector<int> host(32);
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 5; ++i) add<<<1, 32>>>(y);
    cudaMemcpy(host.data(), y, 32 * sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("%d ", host[7]);
    add<<<1, 32>>>(y);  // also counts as a repeat, although a copy precedes it
    cudaMemset(y, 0, 32 * sizeof(int));
  }
  read<<<1, 32>>>(y);
  std::printf("%d %s\n", processors, cudaDeviceSynchronize() == cudaSuccess ? "ended" : "failed");
  return 0;
}
