// Types of the kernel. A byte of A or B has two elements of type e2m1, a pair. 16 elements of K of
// a row share a scale of type UE4M3. The scales of 128 rows and 64 elements of K are a block of 512
// bytes. A stage has 256 elements of K, so it has four blocks for each 128 rows.
#pragma once

#include <axe/atoms.hpp>
#include <axe/axe.hpp>
#include <axe/cuda.hpp>
#include <axe/cuda/cast.hpp>
#include <axe/cuda/mma/block_scaled.hpp>

#include <cuda_bf16.h>
#include <cuda_fp8.h>

#ifdef __CUDACC_RTC__
#include <cuda_fp4.h>
#else
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"  // CUDA's header has unused parameters
#include <cuda_fp4.h>
#pragma GCC diagnostic pop
#endif

using namespace axe::literals;
using pair = __nv_fp4x2_e2m1;
using scale = __nv_fp8_e4m3;
using bf16 = __nv_bfloat16;

/// A (M,K/2) and B (N,K/2), counted in pairs.
using elements = axe::tensor<pair const, axe::row_major<2>, axe::aligned<16>>;
/// The four blocks of 128 rows and 256 elements of K are 16 rows of 128 scales.
using scales = axe::tensor<scale const, axe::row_major<2>, axe::aligned<16>>;
/// C (M,N).
using product = axe::tensor<bf16, axe::row_major<2>, axe::aligned<16>>;

template <int Rows> struct pairs_source {
  static constexpr axe::layout value =
      axe::mma_shared_layout(8, axe::swizzle_mode::bytes_128, {Rows, 128});
};
template <int Rows> struct pairs : pairs_source<Rows> {
  using buffer = axe::shared_tile<pair, pairs, axe::extents<Rows, 128>>;
};

/// The scales of `Rows` rows and 256 elements of K in shared memory.
template <int Rows> struct blocks_source {
  static constexpr axe::layout value = axe::scale_factor_blocks(Rows, 16);
};
/// The same scales in tensor memory.
template <int Rows> struct scales_source {
  static constexpr axe::layout value = axe::scale_factors_in_tensor_memory(Rows, 16);
};
template <int Rows>
using scale_buffer = axe::shared_tile<scale, blocks_source<Rows>, axe::extents<Rows, 16>>;
/// The scales of 128 rows and 256 elements of K in the order of global memory, as TMA copies them.
using scale_rows = axe::shared_tile<scale, axe::carrier<"S[(16,128):(128,1)]"_axe>>;

struct stage {
  pairs<128>::buffer a;
  pairs<256>::buffer b;
  scale_buffer<128> scales_a;
  scale_buffer<256> scales_b;
};
struct sums : axe::carrier<"S[(128,256):(1@TLane,1@TCol)]"_axe> {};
using row_per_thread = axe::carrier<"S[(4,32,32):(1@wid_in_wg,1@lane,1@reg)]"_axe>;
