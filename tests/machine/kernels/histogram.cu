// Atomics on shared and on global memory.
extern "C" __global__ void histogram(unsigned* bins, unsigned char const* values, int n) {
  __shared__ unsigned local[256];
  for (int i = static_cast<int>(threadIdx.x); i < 256; i += static_cast<int>(blockDim.x)) local[i] = 0;
  __syncthreads();
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < n;
       i += static_cast<int>(gridDim.x * blockDim.x))
    atomicAdd(&local[values[i]], 1u);
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < 256; i += static_cast<int>(blockDim.x))
    atomicAdd(&bins[i], local[i]);
}

// Each lane takes a lock in turn. The kernel ends only if the lanes of a warp advance independently
// of each other.
extern "C" __global__ void with_lock(int* lock, int* counter) {
  while (atomicCAS(lock, 0, 1) != 0) {}
  int volatile* const volatile_counter = counter;
  *volatile_counter = *volatile_counter + 1;
  __threadfence();
  atomicExch(lock, 0);
}

// Blocks in a chain: block b waits for block b + 1, which a machine may not have started yet.
extern "C" __global__ void chain(int* flags, int* order) {
  if (threadIdx.x == 0) {
    int const next = static_cast<int>(blockIdx.x) + 1;
    int volatile* const flag = flags;
    if (next < static_cast<int>(gridDim.x))
      while (flag[next] == 0) __nanosleep(20);
    order[blockIdx.x] = atomicAdd(&flags[gridDim.x], 1);
    __threadfence();
    flag[blockIdx.x] = 1;
  }
}
