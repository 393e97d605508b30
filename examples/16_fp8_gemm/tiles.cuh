// Types of the kernel: tiles of 128 x 128 in shared memory with their scales, and the lanes that
// hold sums and scales.
#pragma once

#include <axe/atoms.hpp>
#include <axe/axe.hpp>
#include <axe/cuda.hpp>
#include <axe/cuda/cast.hpp>
#include <axe/cuda/mma/wgmma.hpp>

#include <cuda_bf16.h>
#include <cuda_fp8.h>

using namespace axe::literals;
using e4m3 = __nv_fp8_e4m3;
using bf16 = __nv_bfloat16;

/// The types of A (M,K) and B (N,K), and of C (M,N).
using elements = axe::tensor<e4m3 const, axe::row_major<2>, axe::aligned<16>>;
using product = axe::tensor<bf16, axe::row_major<2>, axe::aligned<4>>;
/// `scales` has one scale for each row and block of K, with rows adjacent; `block_scales` has one
/// for each block of rows and block of K.
using scales = axe::tensor<float const, axe::column_major<2>, axe::aligned_rows<16>>;
using block_scales = axe::tensor<float const, axe::row_major<2>>;

struct rows_of_128 : axe::carrier<"swizzle(4,3,3) o S[(128,128):(128,1)]"_axe> {};
struct one_column : axe::carrier<"S[(128,1):(1,1)]"_axe> {};
using tile = axe::extents<128, 128>;
using column = axe::extents<128, 1>;
using tile_buffer = axe::shared_tile<e4m3, rows_of_128, tile>;
using scale_buffer = axe::shared_tile<float, one_column, column>;
struct stage {
  tile_buffer a, b;
  scale_buffer scales_a, scales_b;
};

/// A warpgroup has 64 x 128 of C. Each lane holds the scales of the rows and columns of its
/// elements.
using sums = axe::carrier<axe::wgmma_atom<128, 8>::accumulator>;
using row_scales = axe::carrier<"S[(4,2,8):(1@wid_in_wg,1@reg,4@lane)] + R[4:1@lane]"_axe>;
using column_scales =
    axe::carrier<"S[(16,4,2):(2@reg,1@lane,1@reg)] + R[(4,8):(1@wid_in_wg,4@lane)]"_axe>;
