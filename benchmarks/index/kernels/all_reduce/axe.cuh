// Adds halves of eight GPUs, like vLLM's csrc/custom_all_reduce.cuh. Each block waits for the same
// block of the other GPUs.
#pragma once

#include "../tensors.cuh"

#include <cuda_fp16.h>

namespace all_reduce {
using namespace axe::literals;
using by_eights = axe::carrier<"S[8:1@reg]"_axe>;
struct peers {
  __half const* data[8];
  unsigned* flags[8];
};
}  // namespace all_reduce

extern "C" __global__ void __launch_bounds__(256)
    axe_all_reduce(__grid_constant__ all_reduce::peers const peers, kernels::rows_of<__half, 1> out,
                   unsigned rank, unsigned epoch) {
  using namespace all_reduce;
  if (threadIdx.x < 8) {
    using flags_of = axe::tensor<unsigned, axe::row_major<2, 8>>;
    flags_of const to(peers.flags[threadIdx.x], gridDim.x), from(peers.flags[rank], gridDim.x);
    asm volatile("st.release.sys.global.u32 [%0], %1;" ::"l"(&to(axe::block_x(), rank)), "r"(epoch)
                 : "memory");
    unsigned seen;
    do {
      asm volatile("ld.acquire.sys.global.u32 %0, [%1];"
                   : "=r"(seen)
                   : "l"(&from(axe::block_x(), threadIdx.x))
                   : "memory");
    } while (seen < epoch);
  }
  axe::sync(axe::cta<256>);
#pragma unroll 1
  for (unsigned i = blockIdx.x * 256 + threadIdx.x; i < axe::tiles<0, 8>(out);
       i += gridDim.x * 256) {
    axe::fragment<__half, by_eights, axe::extents<8>> held[8];
    axe::for_each_register<8>([&](auto r) {
      kernels::rows_of<__half const, 1> const in(peers.data[r], out.sizes);
      axe::copy(axe::tile<8>(in, i), held[r], axe::thread);
    });
    axe::fragment<float, by_eights, axe::extents<8>> v, sum;
    axe::cast(held[0], sum);
    axe::for_each_register<7>([&](auto r) {
      axe::cast(held[r + 1], v);
      axe::elementwise(axe::plus{}, sum, sum, v);
    });
    axe::cast(sum, held[0]);
    axe::copy(held[0], axe::tile<8>(out, i), axe::thread);
  }
}
