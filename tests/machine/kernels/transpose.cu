// Transposes tiles of 32x32 in shared memory. Rows and columns need not be multiples of 32.
extern "C" __global__ void transpose(float* out, float const* in, int rows, int columns) {
  __shared__ float tile[32][33];
  int const x = static_cast<int>(blockIdx.x * 32 + threadIdx.x);
  int const y = static_cast<int>(blockIdx.y * 32 + threadIdx.y);
  for (int j = 0; j < 32; j += 8)
    if (x < columns && y + j < rows) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * columns + x];
  __syncthreads();
  int const tx = static_cast<int>(blockIdx.y * 32 + threadIdx.x);
  int const ty = static_cast<int>(blockIdx.x * 32 + threadIdx.y);
  for (int j = 0; j < 32; j += 8)
    if (tx < rows && ty + j < columns) out[(ty + j) * rows + tx] = tile[threadIdx.x][threadIdx.y + j];
}

// The size of the shared memory is known only at launch.
extern "C" __global__ void reverse(int* out, int const* in) {
  extern __shared__ int staged[];
  unsigned const i = threadIdx.x;
  staged[i] = in[blockIdx.x * blockDim.x + i];
  __syncthreads();
  out[blockIdx.x * blockDim.x + i] = staged[blockDim.x - 1 - i];
}
