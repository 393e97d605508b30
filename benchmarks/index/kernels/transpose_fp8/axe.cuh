// Transposes a matrix of fp8 elements and its scales, one for each block of 128 x 128, like
// transpose.cu of Transformer Engine.
#pragma once

#include "../tensors.cuh"

#include <axe/cuda/permute.hpp>

namespace kernels::transpose_fp8 {

/// Each thread has 4 x 16 elements, which its registers hold row by row or column by column.
using by_rows = axe::carrier<"S[(2,16,4,4,2,16):(128@tid,2@tid,16@reg,32@tid,1@tid,1@reg)]"_axe>;
using by_columns = axe::carrier<"S[(2,16,4,4,2,16):(128@tid,2@tid,1@reg,32@tid,1@tid,4@reg)]"_axe>;
using by_vectors = axe::carrier<"S[(4,32,8,16):(16@reg,8@tid,1@tid,1@reg)]"_axe>;
using padded = axe::carrier<"S[(128,128):(132,1)]"_axe>;
template <class T> using matrix = axe::tensor<T, axe::row_major<2>, axe::aligned<128>>;
template <class T> using scales_of = axe::tensor<T, axe::row_major<2>>;

}  // namespace kernels::transpose_fp8

extern "C" __global__ void __launch_bounds__(256)
    axe_transpose_fp8(kernels::transpose_fp8::matrix<unsigned char const> in,
                      kernels::transpose_fp8::scales_of<float const> scales,
                      kernels::transpose_fp8::matrix<unsigned char> out,
                      kernels::transpose_fp8::scales_of<float> out_scales) {
  using namespace kernels::transpose_fp8;
  __shared__ axe::shared_tile<unsigned char, padded> staged;
  auto const [row, column] = axe::block<2>();
  auto const loaded =
      axe::load<by_rows>(axe::exact_grid(axe::tile<128, 128>(in, row, column)), axe::cta<256>);
  if (axe::thread_id<256>() == 0) out_scales(column, row) = scales(row, column);
  axe::fragment<unsigned char, by_columns, axe::extents<128, 128>> turned;
  axe::convert(loaded, turned, axe::cta<256>);
  axe::copy(turned, axe::transposed(staged), axe::cta<256>);
  axe::sync(axe::cta<256>);
  axe::copy(axe::load<by_vectors>(staged, axe::cta<256>),
            axe::exact_grid(axe::tile<128, 128>(out, column, row)), axe::cta<256>);
}
