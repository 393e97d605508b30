// Converts signed bytes with a scale for each row to floats: the inverse of the quantisation in
// TensorRT-LLM's kernels/quantization.cuh.
#pragma once

#include "../tensors.cuh"

extern "C" __global__ void __launch_bounds__(128)
    axe_int8_rows(kernels::rows_of<signed char const> in, kernels::list_of<float const> scales,
                  kernels::rows_of<float> out) {
  using namespace axe::literals;
  using by_sixteen = axe::carrier<"S[(128,16):(1@tid,1@reg)]"_axe>;
  auto const [row, column] = axe::block<2>();
  auto const v = axe::load<by_sixteen>(axe::tile<1, 2048>(in, row, column), axe::cta<128>);
  float const scale = scales(row);
  axe::fragment<float, by_sixteen, axe::extents<1, 2048>> x;
  axe::cast(v, x);
  axe::elementwise([&](float a) { return a * scale; }, x, x);
  // Rows of `in` are multiples of 16 elements, so rows of `out` are multiples of 64 bytes.
  axe::tensor<float, axe::row_major<2>, axe::aligned<64>> const to(out.data, axe::extent<0>(in),
                                                                   axe::extent<1>(in));
  axe::copy(x, axe::tile<1, 2048>(to, row, column), axe::cta<128>);
}
