// Adds x to the residual stream and normalises the sum, like vLLM's
// fused_add_rms_norm_kernel (csrc/layernorm_kernels.cu).
#pragma once

#include "../tensors.cuh"

#include <cuda_bf16.h>

namespace add_rms_norm {
using namespace axe::literals;
using by_eights = axe::carrier<"S[8:1@reg]"_axe>;
using by_threads = axe::carrier<"S[256:1@tid]"_axe>;
template <class T> using vector_of = axe::fragment<T, by_eights, axe::extents<1, 8>>;
}  // namespace add_rms_norm

extern "C" __global__ void __launch_bounds__(256)
    axe_add_rms_norm(kernels::rows_of<__nv_bfloat16> x, kernels::rows_of<__nv_bfloat16> residual,
                     kernels::rows_of<__nv_bfloat16 const> weights, float epsilon) {
  using namespace add_rms_norm;
  kernels::rows_of<__nv_bfloat16> const stream(residual.data, x.sizes);
  auto const row = axe::block_x();
  vector_of<__nv_bfloat16> a, b, w;
  vector_of<float> v, by;
  axe::fragment<float, by_threads, axe::extents<1, 256>> squares;
  __shared__ axe::reduce_scratch<decltype(squares), 1> scratch;
  squares.fill(0);
#pragma unroll 1
  for (unsigned i = threadIdx.x; i < axe::tiles<1, 8>(x); i += 256) {
    axe::copy(axe::tile<1, 8>(x, row, i), a, axe::thread);
    axe::copy(axe::tile<1, 8>(stream, row, i), b, axe::thread);
    axe::elementwise(axe::plus{}, b, b, a);
    axe::copy(b, axe::tile<1, 8>(stream, row, i), axe::thread);
    axe::cast(b, v);
    axe::for_each_register<v.size>([&](auto r) { squares[0] += v[r] * v[r]; });
  }
  axe::reduced<decltype(squares), 1> sum;
  axe::reduce<1>(axe::plus{}, squares, sum, scratch, axe::cta<256>);
  float const scale = rsqrtf(__fdividef(sum[0], static_cast<float>(axe::extent<1>(x))) + epsilon);
#pragma unroll 1
  for (unsigned i = threadIdx.x; i < axe::tiles<1, 8>(x); i += 256) {
    axe::copy(axe::tile<1, 8>(stream, row, i), b, axe::thread);
    axe::copy(axe::tile<1, 8>(weights, 0, i), w, axe::thread);
    axe::cast(b, v);
    axe::cast(w, by);
    axe::elementwise([=](float p, float q) { return p * scale * q; }, v, v, by);
    axe::cast(v, b);
    axe::copy(b, axe::tile<1, 8>(x, row, i), axe::thread);
  }
}
