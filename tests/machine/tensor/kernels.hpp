// The inner loops of the matrix instructions, compiled once for AVX-512, once for AVX2 and once
// for any processor (kernels.inl in kernels_*.cpp), and chosen at run time. All of them round each
// product and sum once, in the same order, so that a result does not depend on the processor.
//
//     tile_product          C[m][8] += A[m][k] * B[k][8]                 mma.sync
//     column_product        D[n][m] += A[k][m] * B[n][k]                 tcgen05.mma
//     warpgroup_product     D += A * B on accumulators that stay in their registers      wgmma.mma_async
//     decode_a, decode_b    rows of 32 bytes to floats, transposed       operands of wgmma
//     decode_words          registers to floats                          operands of mma.sync
//
// Sums run over k upwards from the accumulator, one fused multiply-add each: the ISA promises at
// least single precision and leaves order and rounding open. All operands have 12 significant bits
// or less.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tensor/element.hpp"

namespace machine::tensor {

/// The accumulators of a warpgroup: of[warp][register] points to the 32 lanes.
struct warpgroup_registers {
  std::uint32_t* const* of[4];
};

struct kernel_set {
  char const* name;

  /// a is [m][k], b is [k][8], c is [m][8], all dense; NaN results are not canonical yet.
  void (*tile_product)(int m, int k, float const* a, float const* b, float* c);
  void (*tile_product_f64)(int m, int k, double const* a, double const* b, double* c);

  /// a is expanded [k][warp][half][lane], b is [k][n / 8][parity of the column][thread of the
  /// quad].
  void (*warpgroup_product)(int n, int k, float const* a, float const* b, warpgroup_registers d,
                            bool accumulate);

  /// a is [k][rows], b is [columns][k]; column n of d begins at d + n * stride. Rows are a multiple
  /// of 32, columns of 4.
  void (*column_product)(int rows, int columns, int k, float const* a, float const* b,
                         std::uint32_t* d, std::ptrdiff_t stride, bool accumulate);

  /// Words (a multiple of 8) of packed elements to floats, in order.
  void (*decode_words)(element type, int count, std::uint32_t const* words, float* out);
  /// Pairs of f32 to f16 and back, element by element: low halves from `low`. NaN must be
  /// canonical.
  void (*narrow_pair)(std::uint32_t const* low, std::uint32_t const* high, std::uint32_t* pairs);
  void (*widen_pair)(std::uint32_t const* pairs, std::uint32_t* low, std::uint32_t* high);

  /// rows of 32 bytes; out[k][row of 8 in the order 0 2 4 6 1 3 5 7], rows a multiple of 8.
  void (*decode_b)(element type, bool negate, int rows, std::uint8_t const* bytes, float* out);
  /// 64 rows of 32 bytes to the expanded form of warpgroup_product.
  void (*decode_a)(element type, bool negate, std::uint8_t const* bytes, float* out);
};

/// The fastest set that this processor runs.
kernel_set const& kernels();

/// The set of that name ("avx512", "avx2", "plain"), or nullptr if it is not built in or cannot run
/// here.
kernel_set const* kernels_named(char const* name);

}  // namespace machine::tensor
