// Implements kernels.hpp with AVX2 and FMA. A vector has eight lanes: two rows of a fragment.
#include <immintrin.h>

#include <cstddef>
#include <cstring>

#include "tensor/kernels.hpp"

namespace machine::tensor {
namespace {

#include "tensor/kernels_octet.inl"

struct lanes {
  using type = __m256;
  static constexpr int count = 8;
  static constexpr int blocks_together = 2;
  static constexpr int columns_together = 1;
  static type zero() { return _mm256_setzero_ps(); }
  static type load(float const* from) { return _mm256_loadu_ps(from); }
  static type load(std::uint32_t const* from) {
    return _mm256_castsi256_ps(_mm256_loadu_si256(reinterpret_cast<__m256i const*>(from)));
  }
  static void store(std::uint32_t* to, type value) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm256_castps_si256(value));
  }
  static type repeat(float value) { return _mm256_set1_ps(value); }
  static type repeat4(float const* from) {
    return _mm256_broadcast_ps(reinterpret_cast<__m128 const*>(from));
  }
  static type fused(type a, type b, type c) { return _mm256_fmadd_ps(a, b, c); }
  static type canonical(type value) {
    type const nan = _mm256_castsi256_ps(_mm256_set1_epi32(0x7fffffff));
    return _mm256_blendv_ps(value, nan, _mm256_cmp_ps(value, value, _CMP_UNORD_Q));
  }
};

#include "tensor/kernels.inl"

}  // namespace

extern kernel_set const avx2_kernels;
kernel_set const avx2_kernels{"avx2",         tile_product, tile_product_f64, warpgroup_product,
                              column_product, decode_words, narrow_pair,      widen_pair,
                              decode_b,       decode_a};

}  // namespace machine::tensor
