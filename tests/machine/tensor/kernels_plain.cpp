// kernels.hpp for any processor: a vector is an array. Where the compiler may not use a fused multiply-add
// instruction, numerics::fused gives its bits from double arithmetic.
#include <cstddef>
#include <cstring>

#include "numerics/exactly.hpp"
#include "tensor/kernels.hpp"

namespace machine::tensor {
namespace {

template <int Count> struct vector_of {
  static constexpr int count = Count;
  struct type {
    float value[Count];
  };
  static type zero() { return {}; }
  template <class Word> static type load(Word const* from) {
    type result;
    std::memcpy(result.value, from, sizeof result.value);
    return result;
  }
  template <class Word> static void store(Word* to, type const& value) {
    std::memcpy(to, value.value, sizeof value.value);
  }
  static type repeat(float value) {
    type result;
    for (float& each : result.value) each = value;
    return result;
  }
  static type repeat4(float const* from) {
    type result;
    for (int i = 0; i < Count; ++i) result.value[i] = from[i % 4];
    return result;
  }
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
  static type fused(type const& a, type const& b, type const& c) {
    type result;
    for (int i = 0; i < Count; ++i) result.value[i] = __builtin_fmaf(a.value[i], b.value[i], c.value[i]);
    return result;
  }
#else
  // The sum in double, then f32, is right unless the double is a tie of f32 (its lower 29 bits are 100...0)
  // or lies among the subnormals of f32: then what double dropped may decide, and numerics::fused looks at
  // it.
  static type fused(type const& a, type const& b, type const& c) {
    type result;
    double sum[Count];
    for (int i = 0; i < Count; ++i)
      sum[i] = static_cast<double>(a.value[i]) * static_cast<double>(b.value[i]);
    for (int i = 0; i < Count; ++i) sum[i] += static_cast<double>(c.value[i]);
    for (int i = 0; i < Count; ++i) result.value[i] = static_cast<float>(sum[i]);
    std::uint32_t words[2 * Count];
    std::memcpy(words, sum, sizeof sum);
    bool doubtful = false;
    for (int i = 0; i < Count; ++i) {
      std::uint32_t const low = words[2 * i];
      std::uint32_t const high = words[2 * i + 1] & 0x7fffffffu;
      doubtful |= (low & 0x1fffffffu) == 0x10000000u || (high < 0x38100000u && (high | low) != 0);
    }
    if (doubtful)
      for (int i = 0; i < Count; ++i) result.value[i] = numerics::fused(a.value[i], b.value[i], c.value[i]);
    return result;
  }
#endif
  static type canonical(type value) {
    for (float& each : value.value) each = each != each ? std::bit_cast<float>(0x7fffffffu) : each;
    return value;
  }
};

struct lanes : vector_of<8> {
  static constexpr int blocks_together = 1;
  static constexpr int columns_together = 1;
};

struct octet : vector_of<8> {
  static void widen(std::uint16_t const* halves, float* to) {
    for (int i = 0; i < 8; ++i) to[i] = numerics::f16_to_float(halves[i]);
  }
  static void narrow(std::uint32_t const* from, std::uint16_t* halves) {
    for (int i = 0; i < 8; ++i) halves[i] = numerics::float_to_f16(std::bit_cast<float>(from[i]));
  }
  static void transpose(float const* from, std::ptrdiff_t from_stride, float* to, std::ptrdiff_t to_stride) {
    for (int i = 0; i < 8; ++i)
      for (int j = 0; j < 8; ++j) to[j * to_stride + i] = from[i * from_stride + j];
  }
};

#include "tensor/kernels.inl"

}  // namespace

extern kernel_set const plain_kernels;
kernel_set const plain_kernels{"plain",     tile_product, tile_product_f64, warpgroup_product, decode_words,
                               narrow_pair, widen_pair,   decode_b,         decode_a};

}  // namespace machine::tensor
