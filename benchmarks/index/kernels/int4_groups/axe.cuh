// Converts weights of 4 bits, with a scale and a zero point for 128 rows, to floats, like vLLM's
// csrc/quantization/gptq/q_gemm.cu.
#pragma once

#include "../tensors.cuh"

/// `words` has the shape (K / 8, columns), `scales` and `zeros` have (K / 128, columns), and `out`
/// has (K / 8, 8, columns).
extern "C" __global__ void __launch_bounds__(128)
    axe_int4_groups(axe::tensor<unsigned const, axe::row_major<2>> words,
                    axe::tensor<float const, axe::row_major<2>> scales,
                    axe::tensor<float const, axe::row_major<2>> zeros,
                    axe::tensor<float, axe::row_major<3, 8, 0>> out) {
  using namespace axe::literals;
  using by_columns = axe::carrier<"S[(8,128):(1@reg,1@tid)]"_axe>;
  auto const [eight, columns] = axe::block<2>();
  auto const column = axe::constant<128>{} * columns + axe::thread_id<128>();
  if (column >= axe::extent<2>(out)) return;
  unsigned const w = words(eight, column);
  axe::tensor<float const, axe::row_major<2>> const same(zeros.data, scales.sizes);
  float const scale = scales(eight / 16, column), zero = same(eight / 16, column);
  axe::fragment<float, by_columns, axe::extents<1, 8, 128>> x;
#pragma unroll
  for (int k = 0; k < 8; ++k) x[k] = (static_cast<float>(w >> 4 * k & 15) - zero) * scale;
  axe::copy(x, axe::tile<1, 8, 128>(out, eight, 0, columns), axe::cta<128>);
}
