// Implements kernels.hpp for any processor, with vector types of g++ and clang. Without an FMA
// instruction, an exact product and an addition give the bits of an FMA.
#include <cstddef>
#include <cstring>

#include "numerics/exactly.hpp"
#include "tensor/kernels.hpp"

namespace machine::tensor {
namespace {

typedef float four_floats __attribute__((vector_size(16)));
typedef std::int32_t four_integers __attribute__((vector_size(16)));

struct lanes {
  using type = four_floats;
  static constexpr int count = 4;
  static constexpr int blocks_together = 2;
  static constexpr int columns_together = 1;

  static type zero() { return type{}; }
  template <class Word> static type load(Word const* from) {
    type result;
    std::memcpy(&result, from, sizeof result);
    return result;
  }
  template <class Word> static void store(Word* to, type value) {
    std::memcpy(to, &value, sizeof value);
  }
  static type repeat(float value) { return type{value, value, value, value}; }
  static type repeat4(float const* from) { return load(from); }

#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
  static type fused(type a, type b, type c) {
    for (int i = 0; i < count; ++i) c[i] = __builtin_fmaf(a[i], b[i], c[i]);
    return c;
  }
#else
  // Operands have at most 12 significant bits, so their product is exact in f32 unless its exponent
  // overflows or underflows. Products near these limits, and NaN, are computed in double.
  static type fused(type a, type b, type c) {
    type const product = a * b;
    constexpr std::int32_t two_to_minus_100 = 27 << 23;
    auto const magnitude = reinterpret_cast<four_integers>(product) & 0x7fffffff;
    four_integers const outside = (magnitude < two_to_minus_100) | (magnitude >= 0x7f800000);
    if (any(outside & (a != 0.0f) & (b != 0.0f))) {
      for (int i = 0; i < count; ++i) c[i] = numerics::fused(a[i], b[i], c[i]);
      return c;
    }
    return product + c;
  }
#endif

  static type canonical(type value) {
    four_integers const is_nan = value != value;
    return reinterpret_cast<type>((reinterpret_cast<four_integers>(value) & ~is_nan) |
                                  (is_nan & 0x7fffffff));
  }

  static bool any(four_integers mask) {
    std::uint64_t words[2];
    std::memcpy(words, &mask, sizeof mask);
    return (words[0] | words[1]) != 0;
  }
};

struct octet {
  struct type {
    four_floats low, high;
  };
  static type load(float const* from) { return {lanes::load(from), lanes::load(from + 4)}; }
  static void store(float* to, type const& value) {
    lanes::store(to, value.low);
    lanes::store(to + 4, value.high);
  }
  static type repeat(float value) { return {lanes::repeat(value), lanes::repeat(value)}; }
  static type fused(type const& a, type const& b, type const& c) {
    return {lanes::fused(a.low, b.low, c.low), lanes::fused(a.high, b.high, c.high)};
  }
  static void widen(std::uint16_t const* halves, float* to) {
    for (int i = 0; i < 8; ++i) to[i] = numerics::f16_to_float(halves[i]);
  }
  static void widen_pairs(std::uint32_t const* pairs, std::uint32_t* low, std::uint32_t* high) {
    for (int i = 0; i < 8; ++i) {
      low[i] = std::bit_cast<std::uint32_t>(
          numerics::f16_to_float(static_cast<std::uint16_t>(pairs[i])));
      high[i] = std::bit_cast<std::uint32_t>(
          numerics::f16_to_float(static_cast<std::uint16_t>(pairs[i] >> 16)));
    }
  }
  static void narrow_pairs(std::uint32_t const* low, std::uint32_t const* high,
                           std::uint32_t* pairs) {
    for (int i = 0; i < 8; ++i) {
      std::uint32_t const upper = numerics::float_to_f16(std::bit_cast<float>(high[i]));
      pairs[i] = upper << 16 | numerics::float_to_f16(std::bit_cast<float>(low[i]));
    }
  }
  static void transpose(float const* from, std::ptrdiff_t from_stride, float* to,
                        std::ptrdiff_t to_stride) {
    for (int i = 0; i < 8; ++i)
      for (int j = 0; j < 8; ++j) to[j * to_stride + i] = from[i * from_stride + j];
  }
};

#include "tensor/kernels.inl"

}  // namespace

extern kernel_set const plain_kernels;
kernel_set const plain_kernels{"plain",        tile_product, tile_product_f64, warpgroup_product,
                               column_product, decode_words, narrow_pair,      widen_pair,
                               decode_b,       decode_a};

}  // namespace machine::tensor
