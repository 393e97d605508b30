// Transposes a matrix of scales through padded shared memory, like DeepGEMM's transpose_fp32
// (smxx_layout.cuh).
#pragma once

#include "../tensors.cuh"

extern "C" __global__ void __launch_bounds__(256)
    axe_transpose_scales(axe::tensor<float const, axe::row_major<2>> in,
                         axe::tensor<float, axe::row_major<2>> out) {
  using namespace axe::literals;
  __shared__ axe::shared_tile<float, axe::carrier<"S[(64,32):(33,1)]"_axe>> staged;
  auto const [row, column] = axe::block<2>();
  axe::copy(axe::tile<64, 32>(in, row, column), staged, axe::cta<256>);
  axe::sync(axe::cta<256>);
  axe::copy(axe::transposed(staged), axe::tile<32, 64>(out, column, row), axe::cta<256>);
}
