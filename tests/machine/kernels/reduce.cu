// Sums by shuffles: lanes, then warps through shared memory, then blocks by an atomic.
extern "C" __global__ void sum(float* total, float const* x, int n) {
  __shared__ float partial[32];
  float sum = 0;
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < n;
       i += static_cast<int>(gridDim.x * blockDim.x))
    sum += x[i];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < blockDim.x / 32 ? partial[threadIdx.x] : 0.0f;
    for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
    if (threadIdx.x == 0) atomicAdd(total, sum);
  }
}

// Votes, matches, shuffles and integer reductions of a warp, one word of result each.
extern "C" __global__ void collective(unsigned* out, unsigned const* in) {
  unsigned const lane = threadIdx.x;
  unsigned const x = in[lane];
  out[0 * 32 + lane] = __ballot_sync(0xffffffffu, (x & 1u) != 0);
  out[1 * 32 + lane] = static_cast<unsigned>(__all_sync(0xffffffffu, x < 1000u));
  out[2 * 32 + lane] = static_cast<unsigned>(__any_sync(0xffffffffu, x == in[5]));
  out[3 * 32 + lane] = __match_any_sync(0xffffffffu, x % 5u);
  out[4 * 32 + lane] = __reduce_add_sync(0xffffffffu, x);
  out[5 * 32 + lane] = __reduce_max_sync(0xffffffffu, x);
  out[6 * 32 + lane] = __reduce_xor_sync(0xffffffffu, x);
  out[7 * 32 + lane] = __shfl_sync(0xffffffffu, x, static_cast<int>(lane * 3u % 8u), 8);
  out[8 * 32 + lane] = __shfl_up_sync(0xffffffffu, x, 3, 16);
  int all_equal = 0;
  out[9 * 32 + lane] =
      __match_all_sync(0xffffffffu, x / 1000u, &all_equal) + static_cast<unsigned>(all_equal);
  out[10 * 32 + lane] = static_cast<unsigned>(__syncthreads_count(static_cast<int>(x & 1u)));
  out[11 * 32 + lane] = static_cast<unsigned>(__syncthreads_or(x == in[7]));
}
