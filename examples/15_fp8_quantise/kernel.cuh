// Converts rows of bf16 to 8-bit floats with one scale for each 128 adjacent elements, the input of
// an fp8 matrix product such as example 16. Eight lanes hold these 128 elements, 16 each, and find
// the maximum with shuffles. Scales are column-major: the scales of all rows for one block of
// columns are adjacent.
#pragma once

#include <axe/axe.hpp>
#include <axe/cuda.hpp>

#include <cuda_bf16.h>
#include <cuda_fp8.h>

using namespace axe::literals;
using axe::digit, axe::dimension;
using bf16 = __nv_bfloat16;
using e4m3 = __nv_fp8_e4m3;

/// The matrix is (rows, blocks, 128); its dynamic pitch is the distance between rows. The scales
/// are (rows, blocks, 1); their dynamic pitch is the distance between blocks. row_major<2> would
/// lack the dimension of 128 elements that is reduced to one scale.
inline constexpr axe::integer bound = 1 << 24;
using rows = digit<axe::dynamic(0).below(bound), axe::dynamic(2).multiple_of(128).below(bound)>;
using blocks = digit<axe::dynamic(1).below(bound / 128), 128>;
using matrix = axe::dynamic_layout<dimension<rows>, dimension<blocks>, dimension<digit<128, 1>>>;
using row_of_scales = digit<axe::dynamic(0).below(bound), 1>;
using block_of_scales = digit<axe::dynamic(1).below(bound / 128), axe::dynamic(2).below(bound)>;
using columns_of_scales = axe::dynamic_layout<dimension<row_of_scales>, dimension<block_of_scales>,
                                              dimension<digit<1, 1>>>;
template <class T> using blocked = axe::tensor<T, matrix, axe::aligned<16>>;
using scale_columns = axe::tensor<float, columns_of_scales>;

/// 8 rows of 4 blocks for each CTA: one warp for each row, eight lanes for each block.
using tile = axe::extents<8, 4, 128>;
using by_lanes = axe::carrier<"S[(8,4,8,16):(32@tid,8@tid,1@tid,1@reg)]"_axe>;

__global__ void __launch_bounds__(256)
    fp8_quantise(blocked<bf16 const> in, blocked<e4m3> out, scale_columns scales) {
  axe::fragment<bf16, by_lanes, tile> x;
  axe::fragment<float, by_lanes, tile> value, magnitude;
  axe::fragment<e4m3, by_lanes, tile> rounded;
  axe::reduced<decltype(magnitude), 2> largest, scale;
  auto const block = axe::cta<256>;
  auto const [row, column] = axe::block<2>();

  axe::copy<axe::zero_fill>(axe::tile<8, 4, 128>(in, row, column, 0), x, block);
  axe::cast(x, value);
  axe::elementwise([](float v) { return fabsf(v); }, magnitude, value);
  axe::reduce<2>(axe::maximum{}, magnitude, largest, block);
  // The scale of a block of zeros is also positive, because the elements are divided by it.
  axe::elementwise([](float m) { return fmaxf(m, 1e-30f) / 448; }, scale, largest);
  axe::elementwise([](float v, float s) { return v / s; }, value, value, scale);
  axe::cast(value, rounded);
  axe::copy(rounded, axe::tile<8, 4, 128>(out, row, column, 0), block);
  axe::copy(scale, axe::tile<8, 4, 1>(scales, row, column, 0), block);
}
