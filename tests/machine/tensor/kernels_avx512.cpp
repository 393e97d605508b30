// Implements kernels.hpp with AVX-512. A vector has sixteen lanes: four rows of a fragment.
#include <immintrin.h>

#include <cstddef>
#include <cstring>

#include "tensor/kernels.hpp"

namespace machine::tensor {
namespace {

#include "tensor/kernels_octet.inl"

struct lanes {
  using type = __m512;
  static constexpr int count = 16;
  static constexpr int blocks_together = 2;
  static constexpr int columns_together = 2;
  static type zero() { return _mm512_setzero_ps(); }
  static type load(float const* from) { return _mm512_loadu_ps(from); }
  static type load(std::uint32_t const* from) {
    return _mm512_castsi512_ps(_mm512_loadu_si512(from));
  }
  static void store(std::uint32_t* to, type value) {
    _mm512_storeu_si512(to, _mm512_castps_si512(value));
  }
  static type repeat(float value) { return _mm512_set1_ps(value); }
  static type repeat4(float const* from) { return _mm512_broadcast_f32x4(_mm_loadu_ps(from)); }
  static type fused(type a, type b, type c) { return _mm512_fmadd_ps(a, b, c); }
  static type canonical(type value) {
    type const nan = _mm512_castsi512_ps(_mm512_set1_epi32(0x7fffffff));
    return _mm512_mask_mov_ps(value, _mm512_cmp_ps_mask(value, value, _CMP_UNORD_Q), nan);
  }
};

#include "tensor/kernels.inl"

}  // namespace

extern kernel_set const avx512_kernels;
kernel_set const avx512_kernels{"avx512",       tile_product, tile_product_f64, warpgroup_product,
                                column_product, decode_words, narrow_pair,      widen_pair,
                                decode_b,       decode_a};

}  // namespace machine::tensor
