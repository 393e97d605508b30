// Compares decode and encode of each format with the ISA's definition, for all encodings and many
// sources.
#include "numerics/format.hpp"

#include <vector>

#include "exact.hpp"
#include "numerics/halves.hpp"
#include "numerics/scale.hpp"
#include "support/catch.hpp"

using namespace machine::numerics;
using machine::numerics::test::all_modes;
using machine::numerics::test::rounded;

namespace {

// f32 values just below, at and just above the boundaries between two numbers of a narrow format:
// every upper half with some lower halves. For f16 and tf32 the list has two of the eight
// boundaries of an upper half.
std::vector<float> dense_floats() {
  std::vector<float> values;
  for (std::uint32_t high = 0; high < 0x10000; ++high)
    for (std::uint32_t low : {0u, 1u, 0x0fffu, 0x1000u, 0x1001u, 0x2000u, 0x7fffu, 0x8000u, 0x8001u,
                              0xefffu, 0xf000u, 0xf001u, 0xffffu})
      values.push_back(std::bit_cast<float>(high << 16 | low));
  return values;
}

// Compares with (-1)^s * (1.f or 0.f) * 2^(e - bias) in integers. With m mantissa bits,
// value * 2^(bias + m - 1) is an integer.
template <format F> bool decodes_by_definition(std::uint32_t bits) {
  std::uint32_t const mantissa = bits % (1u << F.mantissa_bits);
  std::uint32_t const exponent = (bits >> F.mantissa_bits) % (1u << F.exponent_bits);
  bool const negative = (bits >> (F.width() - 1)) != 0;
  double const value = decode<F>(bits);
  std::uint32_t const ones = (1u << F.exponent_bits) - 1;
  if (F.kind == specials::ieee && exponent == ones)
    return mantissa != 0 ? value != value : std::isinf(value) && std::signbit(value) == negative;
  if (F.kind == specials::one_nan && exponent == ones && mantissa + 1 == (1u << F.mantissa_bits))
    return value != value;
  double const whole = std::ldexp(std::fabs(value), F.bias() + F.mantissa_bits - 1);
  double const expected = exponent == 0
                              ? mantissa
                              : std::ldexp(static_cast<double>(mantissa + (1u << F.mantissa_bits)),
                                           static_cast<int>(exponent) - 1);
  return whole == expected && std::signbit(value) == negative;
}

template <format F> void check_format(char const* name, double largest, double smallest) {
  INFO(name);
  CHECK(decode<F>(F.largest()) == largest);
  CHECK(decode<F>(1) == smallest);
  std::uint32_t const count = 1u << F.width();
  for (std::uint32_t bits = 0; bits < count; ++bits) {
    if (!decodes_by_definition<F>(bits)) FAIL("decode of " << bits);
    std::uint32_t const want = F.is_nan(bits) ? F.canonical_nan() : bits;
    for (rounding mode : all_modes)
      if (encode<F>(decode<F>(bits), mode) != want) FAIL("encode of decode of " << bits);
  }
  for (float value : dense_floats()) {
    if (value != value || std::isinf(value) || value == 0.0f) continue;
    auto const source = static_cast<double>(value);
    auto const compare = [&](double v) { return source < v ? -1 : source > v ? 1 : 0; };
    for (rounding mode : all_modes) {
      std::uint32_t const want = rounded<F>(compare, mode);
      if (encode<F>(source, mode) != want)
        FAIL("encode of " << source << " in mode " << static_cast<int>(mode));
      std::uint32_t finite = want;
      if (F.kind == specials::ieee && (finite & F.all_ones()) == F.infinity()) --finite;
      if (encode<F>(source, mode, {.satfinite = true}) != finite) FAIL("satfinite of " << source);
      std::uint32_t const positive = value < 0.0f ? 0 : want;
      if (encode<F>(source, mode, {.relu = true}) != positive) FAIL("relu of " << source);
    }
  }
}

}  // namespace

TEST_CASE("encodings of each format decode as the ISA says, and values round by definition") {
  check_format<f16>("f16", 65504.0, 0x1p-24);
  check_format<bf16>("bf16", 0x1.fep127, 0x1p-133);
  check_format<tf32>("tf32", 0x1.ffcp127, 0x1p-136);
  check_format<e5m2>("e5m2", 57344.0, 0x1p-16);
  check_format<e4m3>("e4m3", 448.0, 0x1p-9);
  check_format<e3m2>("e3m2", 28.0, 0x1p-4);
  check_format<e2m3>("e2m3", 7.5, 0.125);
  check_format<e2m1>("e2m1", 6.0, 0.5);
}

TEST_CASE("a double source rounds once, even if its last bit is far below the kept ones") {
  for (double tiny : {0x1p-30, 0x1p-40, 0x1p-52}) {
    CHECK(encode<f16>(1.0 + 0x1p-11, rounding::rn) == 0x3c00);
    CHECK(encode<f16>(1.0 + 0x1p-11 + tiny, rounding::rn) == 0x3c01);
    CHECK(encode<f32>(1.0 + 0x1p-24 + tiny, rounding::rn) == 0x3f800001);
    CHECK(encode<f32>(1.0 + tiny, rounding::rp) == 0x3f800001);
  }
  CHECK(encode<f16>(0x1p-25, rounding::rn) == 0);
  CHECK(encode<f16>(0x1.0000000000001p-25, rounding::rn) == 1);
  CHECK(encode<f16>(0x1p-1074, rounding::rp) == 1);
  CHECK(encode<f16>(-0x1p-1074, rounding::rm) == 0x8001);
  CHECK(encode<f32>(0x1p1000, rounding::rz) == f32.largest());
}

TEST_CASE("cvt converts NaN and infinity as the ISA says") {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  double const infinity = std::numeric_limits<double>::infinity();
  CHECK(encode<f16>(nan, rounding::rn) == 0x7fff);
  CHECK(encode<bf16>(-nan, rounding::rn, {.satfinite = true, .relu = true}) == 0x7fff);
  CHECK(encode<f32>(nan, rounding::rn) == 0x7fffffff);
  CHECK(encode<e4m3>(nan, rounding::rn, {.satfinite = true}) == 0x7f);
  CHECK(encode<e5m2>(nan, rounding::rn, {.satfinite = true}) == 0x7f);
  CHECK(encode<e2m1>(nan, rounding::rn, {.satfinite = true}) == 0x7);
  CHECK(encode<e3m2>(-nan, rounding::rn, {.satfinite = true}) == 0x1f);
  CHECK(encode<f16>(-infinity, rounding::rz) == 0xfc00);
  CHECK(encode<f16>(-infinity, rounding::rn, {.satfinite = true}) == 0xfbff);
  CHECK(encode<f16>(-infinity, rounding::rn, {.relu = true}) == 0);
  CHECK(encode<e4m3>(infinity, rounding::rn, {.satfinite = true}) == 0x7e);
  CHECK(encode<f16>(-0.0, rounding::rn) == 0x8000);
  CHECK(encode<f16>(-0.0, rounding::rn, {.relu = true}) == 0);
}

TEST_CASE("the fast encodings of f16 and bf16 equal the general ones") {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    auto const narrow = static_cast<std::uint16_t>(bits);
    double const half = decode<f16>(bits);
    double const brain = decode<bf16>(bits);
    if (half == half ? static_cast<double>(f16_to_float(narrow)) != half ||
                           std::signbit(f16_to_float(narrow)) != std::signbit(half)
                     : f16_to_float(narrow) == f16_to_float(narrow))
      FAIL("f16 " << bits);
    if (brain == brain ? static_cast<double>(bf16_to_float(narrow)) != brain
                       : bf16_to_float(narrow) == bf16_to_float(narrow))
      FAIL("bf16 " << bits);
  }
  for (float value : dense_floats()) {
    if (float_to_f16(value) != encode<f16>(static_cast<double>(value), rounding::rn))
      FAIL("to f16 " << value);
    if (float_to_bf16(value) != encode<bf16>(static_cast<double>(value), rounding::rn))
      FAIL("to bf16 " << value);
  }
}

TEST_CASE("ue8m0 is a power of two without sign") {
  for (int bits = 0; bits < 255; ++bits) {
    auto const scale = static_cast<std::uint8_t>(bits);
    CHECK(decode_scale(scale) == std::ldexp(1.0, bits - 127));
    CHECK(decode<bf16>(scale_to_bf16(scale)) == decode_scale(scale));
  }
  CHECK(decode_scale(255) != decode_scale(255));
  CHECK(scale_to_bf16(255) == 0x7fff);
  for (float value : dense_floats()) {
    float const magnitude = std::fabs(value);
    if (magnitude != magnitude || std::isinf(magnitude)) continue;
    // rz takes the largest power not above the value, rp the smallest not below it. Both saturate.
    int down = 0;
    while (down < 254 && std::ldexp(1.0, down + 1 - 127) <= static_cast<double>(magnitude)) ++down;
    int const up = decode_scale(static_cast<std::uint8_t>(down)) >= static_cast<double>(magnitude)
                       ? down
                       : down + 1;
    if (encode_scale(value, rounding::rz, true) != down) FAIL("rz " << value);
    if (encode_scale(value, rounding::rp, true) != std::min(up, 254)) FAIL("rp " << value);
    if (encode_scale(value, rounding::rp, false) != up) FAIL("rp without satfinite " << value);
  }
  CHECK(encode_scale(std::numeric_limits<float>::infinity(), rounding::rz, true) == 0xfe);
  CHECK(encode_scale(std::numeric_limits<float>::infinity(), rounding::rz, false) == 0xff);
  CHECK(encode_scale(std::numeric_limits<float>::quiet_NaN(), rounding::rz, true) == 0xff);
}
