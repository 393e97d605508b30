// PTX for sm_100a: the device is a B200, and its tensor memory keeps what is stored there.
#include <cstdio>

__global__ void through_tensor_memory(int* out, int value) {
  __shared__ unsigned place;
  unsigned const shared = static_cast<unsigned>(__cvta_generic_to_shared(&place));
  asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 32;" ::"r"(shared)
               : "memory");
  __syncwarp();
  unsigned const at = place;
  int loaded = 0;
  asm volatile("tcgen05.st.sync.aligned.32x32b.x1.b32 [%0], {%1};" ::"r"(at),
               "r"(value + threadIdx.x));
  asm volatile("tcgen05.wait::st.sync.aligned;" ::: "memory");
  asm volatile("tcgen05.ld.sync.aligned.32x32b.x1.b32 {%0}, [%1];" : "=r"(loaded) : "r"(at));
  asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory");
  asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, 32;" ::"r"(at));
  out[threadIdx.x] = loaded;
}

int main() {
  cudaDeviceProp device{};
  cudaGetDeviceProperties(&device, 0);
  int major = 0, minor = 0, *out = nullptr, last = 0;
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
  cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0);
  cudaMalloc(&out, 32 * sizeof(int));
  through_tensor_memory<<<1, 32>>>(out, 1203);
  cudaMemcpy(&last, out + 31, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d.%d %d.%d %d %d\n", device.major, device.minor, major, minor,
              device.multiProcessorCount, last);
}
