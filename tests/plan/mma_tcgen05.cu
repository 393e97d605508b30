// tcgen05 from its plan, assembled for sm_100a and not run.
#include <axe/atoms.hpp>
#include <axe/axe.hpp>
#include <axe/cuda/fence.hpp>
#include <axe/cuda/mma/tcgen05.hpp>

#include <cuda_bf16.h>

using namespace axe::literals;

struct stage_a : axe::carrier<"swizzle(3,3,3) o S[(128,64):(64,1)]"_axe> {};
struct stage_b : axe::carrier<"swizzle(3,3,3) o S[(64,256):(1,64)]"_axe> {};
struct sums : axe::carrier<"S[(128,256):(1@TLane,1@TCol)]"_axe> {};

extern "C" __global__ void __launch_bounds__(128) product(float* out, __nv_bfloat16 const* in) {
  extern __shared__ __align__(1024) unsigned char memory[];
  __shared__ axe::mbarrier_storage<1> barrier;
  __shared__ unsigned where;
  auto* const a =
      reinterpret_cast<axe::shared_tile<__nv_bfloat16, stage_a, axe::extents<128, 64>>*>(memory);
  auto* const b =
      reinterpret_cast<axe::shared_tile<__nv_bfloat16, stage_b, axe::extents<64, 256>>*>(a + 1);
  for (unsigned k = threadIdx.x; k < (128 + 256) * 64; k += 128)
    reinterpret_cast<__nv_bfloat16*>(memory)[k] = in[k];
  if (threadIdx.x < 32) axe::tcgen05_allocate<256>(axe::shared_address(&where));
  if (threadIdx.x == 0) {
    barrier[0].init(1);
    axe::fence_mbarrier_init();
  }
  axe::fence_proxy_async();
  axe::tcgen05_fence_before();
  __syncthreads();
  axe::tcgen05_fence_after();
  axe::tensor_memory_tile<float, sums, axe::extents<128, 256>> const c{where};
  if (threadIdx.x == 0) {
    axe::mma(c, *a, *b, false);
    axe::tcgen05_commit(barrier[0]);
  }
  barrier[0].wait(0);
  axe::tcgen05_fence_after();
  for (unsigned column = 0; column < 256; column += 32) {
    unsigned words[32];
    axe::tcgen05_load(words, c.address + (threadIdx.x / 32 << 21) + column);
    axe::tcgen05_wait_loads();
    for (unsigned n = 0; n < 32; ++n)
      out[threadIdx.x * 256 + column + n] = __uint_as_float(words[n]);
  }
  axe::tcgen05_fence_before();
  __syncthreads();
  if (threadIdx.x < 32) axe::tcgen05_free<256>(c.address);
}
