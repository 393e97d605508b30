// The inner loops of the matrix instructions, compiled for AVX-512, AVX2 and any processor. All
// round each fused multiply-add once and add in the order of k, so they give the same bits (the PTX
// ISA leaves both open). Products of operands, which have at most 12 significant bits, are exact.
//
//     tile_product          C[m][8] += A[m][k] * B[k][8]              mma.sync
//     column_product        D[n][m] += A[k][m] * B[n][k]              tcgen05.mma
//     warpgroup_product     D += A * B with D in the registers        wgmma.mma_async
//     decode_...            operands to floats
#pragma once

#include <cstddef>
#include <cstdint>

#include "tensor/element.hpp"

namespace machine::tensor {

/// The registers of a warpgroup: of[warp][register] points to the 32 lanes.
struct warpgroup_registers {
  std::uint32_t* const* of[4];
};

struct kernel_set {
  char const* name;

  /// The arrays are a [m][k], b [k][8] and c [m][8], all dense. NaN results are not made canonical.
  void (*tile_product)(int m, int k, float const* a, float const* b, float* c);
  void (*tile_product_f64)(int m, int k, double const* a, double const* b, double* c);

  /// The arrays are a [k][warp][half][lane], as decode_a writes it, and b [k][n / 8][parity of the
  /// column][thread of the quad].
  void (*warpgroup_product)(int n, int k, float const* a, float const* b, warpgroup_registers d,
                            bool accumulate);

  /// The arrays are a [k][rows] and b [columns][k]. Column n of d begins at d + n * stride. `rows`
  /// is a multiple of 32, `columns` of 4.
  void (*column_product)(int rows, int columns, int k, float const* a, float const* b,
                         std::uint32_t* d, std::ptrdiff_t stride, bool accumulate);

  /// Converts packed elements in `count` words (a multiple of 8) to floats, in order.
  void (*decode_words)(element type, int count, std::uint32_t const* words, float* out);
  /// Converts between pairs of f32 and f16x2; `low` holds the low halves. NaN inputs must be
  /// canonical.
  void (*narrow_pair)(std::uint32_t const* low, std::uint32_t const* high, std::uint32_t* pairs);
  void (*widen_pair)(std::uint32_t const* pairs, std::uint32_t* low, std::uint32_t* high);

  /// Decodes rows of 32 bytes to out[k][row], 8 rows in the order 0 2 4 6 1 3 5 7. `rows` is a
  /// multiple of 8.
  void (*decode_b)(element type, bool negate, int rows, std::uint8_t const* bytes, float* out);
  /// Decodes 64 rows of 32 bytes to the array of A that warpgroup_product reads.
  void (*decode_a)(element type, bool negate, std::uint8_t const* bytes, float* out);
};

/// Returns the fastest set that this processor runs.
kernel_set const& kernels();

/// Returns the set "avx512", "avx2" or "plain", or nullptr if it was not built or cannot run here.
kernel_set const* kernels_named(char const* name);

}  // namespace machine::tensor
