// Types of both kernels: A, B and C; the scales of MXFP8 in global, shared and tensor memory; and
// the float scales of the other kernel. In MXFP8 the scales of 128 rows and 128 elements of K are a
// block of 512 bytes.
#pragma once

#include <axe/atoms.hpp>
#include <axe/axe.hpp>
#include <axe/cuda.hpp>
#include <axe/cuda/cast.hpp>
#include <axe/cuda/mma/block_scaled.hpp>

#include <cuda_bf16.h>
#include <cuda_fp8.h>

using namespace axe::literals;
using e4m3 = __nv_fp8_e4m3;
using bf16 = __nv_bfloat16;

/// The types of A (M,K) and B (N,K), and of C (M,N). In `scales` a block of 128 x 4 scales is four
/// rows of 128 bytes.
using elements = axe::tensor<e4m3 const, axe::row_major<2>, axe::aligned<16>>;
using scales = axe::tensor<unsigned char const, axe::row_major<2>, axe::aligned<16>>;
using product = axe::tensor<bf16, axe::row_major<2>, axe::aligned<16>>;

template <int Rows> struct rows_of_128_source {
  static constexpr axe::layout value =
      axe::mma_shared_layout(8, axe::swizzle_mode::bytes_128, {Rows, 128});
};
template <int Rows> struct rows_of_128 : rows_of_128_source<Rows> {
  using buffer = axe::shared_tile<e4m3, rows_of_128, axe::extents<Rows, 128>>;
};

/// The scales of `Rows` rows and 128 elements of K in shared memory.
template <int Rows> struct blocks_source {
  static constexpr axe::layout value = axe::scale_factor_blocks(Rows, 4);
};
/// The same scales in tensor memory.
template <int Rows> struct scales_source {
  static constexpr axe::layout value = axe::scale_factors_in_tensor_memory(Rows, 4);
};
template <int Rows>
using scale_buffer = axe::shared_tile<unsigned char, blocks_source<Rows>, axe::extents<Rows, 4>>;
/// The bytes of a block of scales in the order of global memory, as TMA copies them.
using block_bytes = axe::shared_tile<unsigned char, axe::carrier<"S[(4,128):(128,1)]"_axe>>;

struct mx_stage {
  rows_of_128<128>::buffer a;
  rows_of_128<256>::buffer b;
  scale_buffer<128> scales_a;
  scale_buffer<256> scales_b;
  unsigned char unused[512];  // the next stage begins at a multiple of 1024
};

/// Float scales. Those of A are (row, block of K) with adjacent rows, those of B (block of rows,
/// block of K). TMA loads 128 scales of A.
using row_scales = axe::tensor<float const, axe::column_major<2>, axe::aligned_rows<16>>;
using block_scales = axe::tensor<float const, axe::row_major<2>>;
struct one_column : axe::carrier<"S[(128,1):(1,1)]"_axe> {};
using row_scales_buffer = axe::shared_tile<float, one_column, axe::extents<128, 1>>;

struct block_stage {
  rows_of_128<128>::buffer a;
  rows_of_128<256>::buffer b;
  row_scales_buffer scales_a;
  unsigned char unused[512];  // the next stage begins at a multiple of 1024
};

/// Sums of 128 rows in tensor memory, and the fragment of 32 of their columns: a thread has one
/// row.
template <int Columns> struct sums_source {
  static constexpr axe::layout value =
      axe::accumulator_in_tensor_memory(axe::data_path::D, Columns);
};
using row_per_thread = axe::carrier<"S[(4,32,32):(1@wid_in_wg,1@lane,1@reg)]"_axe>;
using scale_of_row = axe::carrier<"S[(4,32):(1@wid_in_wg,1@lane)]"_axe>;
/// Scales of B for 32 blocks of K, one in each lane. Warps 0 to 3 hold the scales of the first 128
/// rows of B, warps 4 to 7 those of the other 128 rows.
using scales_of_halves = axe::carrier<"S[(2,32):(4@warp,1@lane)] + R[4:1@warp]"_axe>;
