// The bodies of kernels.hpp. Each kernels_*.cpp defines `lanes` (a vector of floats) and includes
// this file in its own anonymous namespace.
//
// warpgroup_product: in lane 4 g + q, register j of a warp holds row 8 ((j >> 1) & 1) + g, column 8
// (j >> 2) + 2 q + (j & 1). The 32 lanes are 8 rows by 4 columns, so a product is A repeated over q
// times B repeated over g. A pass accumulates several registers j, which share the loaded A and B.

inline void canonical_store(std::uint32_t* to, lanes::type value) {
  lanes::store(to, lanes::canonical(value));
}

template <int Columns>  // groups of 8 columns in one pass
void pass(int k_extent, float const* a, float const* b, std::ptrdiff_t b_stride,
          std::uint32_t* const* d, bool accumulate) {
  constexpr int blocks = 32 / lanes::count;
  constexpr int together = lanes::blocks_together;
  static_assert(blocks % together == 0);
  for (int block = 0; block < blocks; block += together) {
    typename lanes::type sum[Columns][2][2][together];
    for (int c = 0; c < Columns; ++c)
      for (int h = 0; h < 2; ++h)
        for (int e = 0; e < 2; ++e)
          for (int i = 0; i < together; ++i)
            sum[c][h][e][i] = accumulate
                                  ? lanes::load(d[4 * c + 2 * h + e] + (block + i) * lanes::count)
                                  : lanes::zero();
    for (int k = 0; k < k_extent; ++k) {
      float const* a_row = a + static_cast<std::ptrdiff_t>(k) * 256;
      float const* b_row = b + k * b_stride;
      typename lanes::type left[2][together];
      for (int h = 0; h < 2; ++h)
        for (int i = 0; i < together; ++i)
          left[h][i] = lanes::load(a_row + h * 32 + (block + i) * lanes::count);
      for (int c = 0; c < Columns; ++c)
        for (int e = 0; e < 2; ++e) {
          auto const right = lanes::repeat4(b_row + c * 8 + e * 4);
          for (int h = 0; h < 2; ++h)
            for (int i = 0; i < together; ++i)
              sum[c][h][e][i] = lanes::fused(left[h][i], right, sum[c][h][e][i]);
        }
    }
    for (int c = 0; c < Columns; ++c)
      for (int h = 0; h < 2; ++h)
        for (int e = 0; e < 2; ++e)
          for (int i = 0; i < together; ++i)
            canonical_store(d[4 * c + 2 * h + e] + (block + i) * lanes::count, sum[c][h][e][i]);
  }
}

void warpgroup_product(int n, int k, float const* a, float const* b, warpgroup_registers d,
                       bool accumulate) {
  for (int warp = 0; warp < 4; ++warp) {
    int column = 0;
    for (; column + 8 * lanes::columns_together <= n; column += 8 * lanes::columns_together)
      pass<lanes::columns_together>(k, a + warp * 64, b + column, n, d.of[warp] + column / 2,
                                    accumulate);
    for (; column < n; column += 8)
      pass<1>(k, a + warp * 64, b + column, n, d.of[warp] + column / 2, accumulate);
  }
}

void column_product(int rows, int columns, int k_extent, float const* a, float const* b,
                    std::uint32_t* d, std::ptrdiff_t stride, bool accumulate) {
  constexpr int together = lanes::blocks_together, four = 4;
  for (int column = 0; column < columns; column += four)
    for (int row = 0; row < rows; row += together * lanes::count) {
      typename lanes::type sum[four][together];
      std::uint32_t* const to = d + column * stride + row;
      for (int c = 0; c < four; ++c)
        for (int i = 0; i < together; ++i)
          sum[c][i] = accumulate ? lanes::load(to + c * stride + i * lanes::count) : lanes::zero();
      for (int k = 0; k < k_extent; ++k) {
        typename lanes::type left[together];
        for (int i = 0; i < together; ++i)
          left[i] = lanes::load(a + static_cast<std::ptrdiff_t>(k) * rows + row + i * lanes::count);
        for (int c = 0; c < four; ++c) {
          auto const right = lanes::repeat(b[(column + c) * k_extent + k]);
          for (int i = 0; i < together; ++i) sum[c][i] = lanes::fused(left[i], right, sum[c][i]);
        }
      }
      for (int c = 0; c < four; ++c)
        for (int i = 0; i < together; ++i)
          canonical_store(to + c * stride + i * lanes::count, sum[c][i]);
    }
}

void tile_product(int m, int k, float const* a, float const* b, float* c) {
  for (int row = 0; row < m; row += 8) {
    typename octet::type sum[8];
    for (int i = 0; i < 8; ++i) sum[i] = octet::load(c + (row + i) * 8);
    for (int step = 0; step < k; ++step) {
      auto const right = octet::load(b + step * 8);
      for (int i = 0; i < 8; ++i)
        sum[i] = octet::fused(octet::repeat(a[(row + i) * k + step]), right, sum[i]);
    }
    for (int i = 0; i < 8; ++i) octet::store(c + (row + i) * 8, sum[i]);
  }
}

void tile_product_f64(int m, int k, double const* a, double const* b, double* c) {
  for (int row = 0; row < m; ++row)
    for (int step = 0; step < k; ++step)
      for (int column = 0; column < 8; ++column)
        c[row * 8 + column] =
            __builtin_fma(a[row * k + step], b[step * 8 + column], c[row * 8 + column]);
}

// Converts 32 bytes to at most 64 floats. Each case of the switch has its own loop, which
// vectorises.
inline int decode_row(element type, bool negate, std::uint8_t const* bytes, float* out) {
  std::uint32_t const flip = negate ? 0x80000000u : 0u;
  auto const each = [&](int count, auto decode) {
    for (int i = 0; i < count; ++i)
      out[i] = std::bit_cast<float>(std::bit_cast<std::uint32_t>(decode(i)) ^ flip);
    return count;
  };
  alignas(64) std::uint16_t halves[32];
  alignas(64) float wide[32];
  std::uint32_t words[8];
  auto const from_halves = [&](int count) {
    for (int i = 0; i < count; i += 8) octet::widen(halves + i, wide + i);
    return each(count, [&](int i) { return wide[i]; });
  };
  switch (type) {
    case element::f16: std::memcpy(halves, bytes, 32); return from_halves(16);
    case element::e5m2:
      for (int i = 0; i < 32; ++i) halves[i] = static_cast<std::uint16_t>(bytes[i] << 8);
      return from_halves(32);
    case element::bf16:
      std::memcpy(halves, bytes, 32);
      return each(16, [&](int i) { return numerics::bf16_to_float(halves[i]); });
    case element::tf32:
      std::memcpy(words, bytes, 32);
      return each(8, [&](int i) { return std::bit_cast<float>(words[i] & 0xffffe000u); });
    case element::e4m3: return each(32, [&](int i) { return e4m3_to_float(bytes[i]); });
    case element::s8:
      return each(32,
                  [&](int i) { return static_cast<float>(static_cast<std::int8_t>(bytes[i])); });
    case element::u8: return each(32, [&](int i) { return static_cast<float>(bytes[i]); });
    case element::u4:
      return each(64,
                  [&](int i) { return static_cast<float>((bytes[i / 2] >> (4 * (i % 2))) & 15); });
    case element::s4:
      return each(64, [&](int i) {
        return static_cast<float>((((bytes[i / 2] >> (4 * (i % 2))) & 15) ^ 8) - 8);
      });
    default: return 0;
  }
}

void decode_words(element type, int count, std::uint32_t const* words, float* out) {
  std::uint8_t bytes[32];
  for (int word = 0; word < count; word += 8) {
    std::memcpy(bytes, words + word, 32);
    out += decode_row(type, false, bytes, out);
  }
}

void narrow_pair(std::uint32_t const* low, std::uint32_t const* high, std::uint32_t* pairs) {
  for (int i = 0; i < 32; i += 8) octet::narrow_pairs(low + i, high + i, pairs + i);
}

void widen_pair(std::uint32_t const* pairs, std::uint32_t* low, std::uint32_t* high) {
  for (int i = 0; i < 32; i += 8) octet::widen_pairs(pairs + i, low + i, high + i);
}

void decode_b(element type, bool negate, int rows, std::uint8_t const* bytes, float* out) {
  constexpr int order[8] = {0, 2, 4, 6, 1, 3, 5, 7};
  for (int row = 0; row < rows; row += 8) {
    alignas(64) float block[8][64];
    int extent = 0;
    for (int i = 0; i < 8; ++i)
      extent = decode_row(type, negate, bytes + (row + order[i]) * 32, block[i]);
    for (int k = 0; k < extent; k += 8)
      octet::transpose(&block[0][k], 64, out + k * rows + row, rows);
  }
}

void decode_a(element type, bool negate, std::uint8_t const* bytes, float* out) {
  for (int row = 0; row < 64; row += 8) {
    alignas(64) float block[8][32];
    alignas(64) float turned[32][8];
    int extent = 0;
    for (int i = 0; i < 8; ++i) extent = decode_row(type, negate, bytes + (row + i) * 32, block[i]);
    for (int k = 0; k < extent; k += 8) octet::transpose(&block[0][k], 32, turned[k], 8);
    // row = 16 * warp + 8 * half: the 32 lanes of (warp, half) are contiguous.
    for (int k = 0; k < extent; ++k)
      for (int g = 0; g < 8; ++g)
        for (int q = 0; q < 4; ++q) out[k * 256 + row * 4 + g * 4 + q] = turned[k][g];
  }
}
