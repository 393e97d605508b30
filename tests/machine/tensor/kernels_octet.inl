// Eight floats of AVX2, which the AVX-512 build uses as well for tiles that are eight wide.
struct octet {
  using type = __m256;
  static type load(float const* from) { return _mm256_loadu_ps(from); }
  static void store(float* to, type value) { _mm256_storeu_ps(to, value); }
  static type repeat(float value) { return _mm256_set1_ps(value); }
  static type fused(type a, type b, type c) { return _mm256_fmadd_ps(a, b, c); }
  static void widen(std::uint16_t const* halves, float* to) {
    store(to, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<__m128i const*>(halves))));
  }
  static void narrow(std::uint32_t const* from, std::uint16_t* halves) {
    __m256 const value = _mm256_castsi256_ps(_mm256_loadu_si256(reinterpret_cast<__m256i const*>(from)));
    __m128i const result = _mm256_cvtps_ph(value, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(halves), result);
  }

  /// Rows of eight floats become columns, in three rounds of exchanges: pairs, quads, halves.
  static void transpose(float const* from, std::ptrdiff_t from_stride, float* to, std::ptrdiff_t to_stride) {
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
};
