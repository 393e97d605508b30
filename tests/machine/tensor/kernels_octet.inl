// Eight floats of AVX2. The AVX-512 build uses them too, for tiles of width eight.
struct octet {
  using type = __m256;
  static type load(float const* from) { return _mm256_loadu_ps(from); }
  static void store(float* to, type value) { _mm256_storeu_ps(to, value); }
  static type repeat(float value) { return _mm256_set1_ps(value); }
  static type fused(type a, type b, type c) { return _mm256_fmadd_ps(a, b, c); }
  static void widen(std::uint16_t const* halves, float* to) {
    store(to, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<__m128i const*>(halves))));
  }

  /// Converts the lower and upper halves of eight words to floats, and back (rounding to nearest
  /// even).
  static void widen_pairs(std::uint32_t const* pairs, std::uint32_t* low, std::uint32_t* high) {
    __m256i const words = _mm256_loadu_si256(reinterpret_cast<__m256i const*>(pairs));
    store(low, _mm256_cvtph_ps(packed(_mm256_and_si256(words, _mm256_set1_epi32(0xffff)))));
    store(high, _mm256_cvtph_ps(packed(_mm256_srli_epi32(words, 16))));
  }
  static void narrow_pairs(std::uint32_t const* low, std::uint32_t const* high,
                           std::uint32_t* pairs) {
    __m128i const a = narrowed(low);
    __m128i const b = narrowed(high);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(pairs), _mm_unpacklo_epi16(a, b));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(pairs + 4), _mm_unpackhi_epi16(a, b));
  }

  /// Transposes 8 x 8 floats in three rounds of exchanges: pairs, quads, halves.
  static void transpose(float const* from, std::ptrdiff_t from_stride, float* to,
                        std::ptrdiff_t to_stride) {
    __m256 row[8];
    __m256 pair[8];
    for (int i = 0; i < 8; ++i) row[i] = load(from + i * from_stride);
    for (int i = 0; i < 8; i += 2) {
      pair[i] = _mm256_unpacklo_ps(row[i], row[i + 1]);
      pair[i + 1] = _mm256_unpackhi_ps(row[i], row[i + 1]);
    }
    for (int i = 0; i < 8; i += 4) {
      row[i] = _mm256_shuffle_ps(pair[i], pair[i + 2], 0x44);
      row[i + 1] = _mm256_shuffle_ps(pair[i], pair[i + 2], 0xee);
      row[i + 2] = _mm256_shuffle_ps(pair[i + 1], pair[i + 3], 0x44);
      row[i + 3] = _mm256_shuffle_ps(pair[i + 1], pair[i + 3], 0xee);
    }
    for (int i = 0; i < 4; ++i) {
      store(to + i * to_stride, _mm256_permute2f128_ps(row[i], row[i + 4], 0x20));
      store(to + (i + 4) * to_stride, _mm256_permute2f128_ps(row[i], row[i + 4], 0x31));
    }
  }

 private:
  static void store(std::uint32_t* to, type value) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm256_castps_si256(value));
  }
  static __m128i packed(__m256i words) {
    return _mm_packus_epi32(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
  }
  static __m128i narrowed(std::uint32_t const* from) {
    __m256i const bits = _mm256_loadu_si256(reinterpret_cast<__m256i const*>(from));
    return _mm256_cvtps_ph(_mm256_castsi256_ps(bits),
                           _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  }
};
