// Compares add, mul, fma, div and sqrt of each type with exact integers, and tests their modifiers.
#include <vector>

#include "exact.hpp"
#include "numerics/approximate.hpp"
#include "numerics/double.hpp"
#include "numerics/narrow.hpp"
#include "numerics/reduce.hpp"
#include "numerics/single.hpp"
#include "support/catch.hpp"

using namespace machine::numerics;
using namespace machine::numerics::test;

namespace {

bool is_finite(double value) { return value - value == 0.0; }

// Returns encodings that are hard to add and multiply: few significant bits, similar or distant
// exponents.
template <format F> std::uint32_t hard_bits(bit_stream& bits) {
  std::uint64_t const word = bits.next();
  std::uint32_t const exponents = (1u << F.exponent_bits) - 1;
  std::uint32_t const middle = static_cast<std::uint32_t>(F.bias());
  std::uint32_t exponent = static_cast<std::uint32_t>(word >> 32) & exponents;
  if ((word & 3) != 0) exponent = middle - 14 + static_cast<std::uint32_t>(word >> 32) % 28;
  std::uint32_t mantissa = static_cast<std::uint32_t>(word >> 8) & ((1u << F.mantissa_bits) - 1);
  if ((word & 4) != 0) mantissa &= static_cast<std::uint32_t>(bits.next());
  if ((word & 8) != 0) mantissa = (1u << F.mantissa_bits) - 1 - (mantissa & 3);
  if ((word & 0x30) == 0) mantissa = 0;
  return (word & 0x40) != 0 ? F.sign_bit() | exponent << F.mantissa_bits | mantissa
                            : exponent << F.mantissa_bits | mantissa;
}

// Returns the rounded sum of finite operands. An exact zero is -0 only for operands of equal signs,
// or in rm (IEEE 754).
template <format F>
std::uint32_t sum_of(exact_f32 const& value, bool first_negative, bool second_negative,
                     rounding mode) {
  if (value.sign() != 0) return rounded<F>([&](double v) { return value.compared_to(v); }, mode);
  bool const negative = first_negative == second_negative ? first_negative : mode == rounding::rm;
  return negative ? F.sign_bit() : 0;
}

template <format F> void check_narrow() {
  bit_stream bits(17);
  for (int i = 0; i < 300000; ++i) {
    auto const a = static_cast<std::uint16_t>(hard_bits<F>(bits));
    auto const b = static_cast<std::uint16_t>(hard_bits<F>(bits));
    auto const c = static_cast<std::uint16_t>(hard_bits<F>(bits));
    double const x = decode<F>(a);
    double const y = decode<F>(b);
    double const z = decode<F>(c);
    if (!is_finite(x) || !is_finite(y) || !is_finite(z)) continue;
    bool const sign = std::signbit(x) != std::signbit(y);
    std::uint32_t const sum =
        sum_of<F>(exact_f32(x) + exact_f32(y), std::signbit(x), std::signbit(y), rounding::rn);
    if (add<F>(a, b) != sum) FAIL("add " << x << " " << y);
    if (sub<F>(a, neg<F>(b)) != sum) FAIL("sub " << x << " " << -y);
    if (mul<F>(a, b) != sum_of<F>(exact_f32::product(x, y), sign, sign, rounding::rn))
      FAIL("mul " << x << " " << y);
    exact_f32 const fused_value = exact_f32::product(x, y) + exact_f32(z);
    std::uint32_t const fused_bits = sum_of<F>(fused_value, sign, std::signbit(z), rounding::rn);
    if (fma<F>(a, b, c) != fused_bits) FAIL("fma " << x << " " << y << " " << z);
    std::uint32_t const positive = (fused_bits & F.sign_bit()) != 0 ? 0 : fused_bits;
    if (fma<F>(a, b, c, {.relu = true}) != positive) FAIL("fma.relu " << x << " " << y << " " << z);
  }
}

// One operand takes all encodings, the other enough of them that every exponent difference occurs.
template <format F> void check_all_encodings() {
  for (std::uint32_t a = 0; a < 0x10000; ++a)
    for (std::uint32_t b :
         {0x0000u, 0x8000u, 0x0001u, 0x03ffu, 0x3c01u, 0xbfffu, 0x5aa5u, 0x7bffu}) {
      double const x = decode<F>(a);
      double const y = decode<F>(b);
      std::uint16_t const sum =
          add<F>(static_cast<std::uint16_t>(a), static_cast<std::uint16_t>(b));
      if (!is_finite(x) || !is_finite(y)) {
        if (decode<F>(sum) == x + y || (x + y != x + y && sum == 0x7fff)) continue;
        FAIL("special sum " << a << " " << b);
      }
      if (sum !=
          sum_of<F>(exact_f32(x) + exact_f32(y), std::signbit(x), std::signbit(y), rounding::rn))
        FAIL("sum " << a << " " << b);
    }
}

std::uint32_t raw(float value) { return std::bit_cast<std::uint32_t>(value); }

}  // namespace

TEST_CASE("arithmetic of f16 and bf16 rounds once") {
  check_narrow<f16>();
  check_narrow<bf16>();
  check_all_encodings<f16>();
  check_all_encodings<bf16>();
}

TEST_CASE("fused sums round once where a second rounding would give a wrong result") {
  // (1 + 2^-7) * 1.5 lies halfway between 0x3fc1 and 0x3fc2. The exact sum with -2^-100 is below
  // the tie, but a double cannot represent it.
  CHECK(fma<bf16>(0x3f81, 0x3fc0, 0x8d80) == 0x3fc1);
  CHECK(encode<bf16>((1.0 + 0x1p-7) * 1.5 - 0x1p-100, rounding::rn) == 0x3fc2);
  // The same with f16: f32 cannot represent the exact sum.
  CHECK(fma<f16>(0x3c01, 0x3e00, 0x8001) == 0x3e01);
  CHECK(float_to_f16((1.0f + 0x1p-10f) * 1.5f - 0x1p-24f) == 0x3e02);
  CHECK(encode<f16>((1.0 + 0x1p-11) + 0x1p-80, rounding::rn) == 0x3c00);
  CHECK(encode<f16>(sum_to_odd(1.0 + 0x1p-11, 0x1p-80), rounding::rn) == 0x3c01);
}

TEST_CASE("narrow arithmetic applies .ftz and .sat, and its NaN results are canonical") {
  CHECK(add<f16>(0x0001, 0x0001) == 0x0002);
  CHECK(add<f16>(0x0001, 0x0001, {.ftz = true}) == 0);
  CHECK(mul<f16>(0x8400, 0x3800, {.ftz = true}) == 0x8000);
  CHECK(add<f16>(0x3c00, 0x3c00, {.sat = true}) == 0x3c00);
  CHECK(sub<f16>(0, 0x3c00, {.sat = true}) == 0);
  CHECK(add<f16>(0x7c00, 0xfc00, {.sat = true}) == 0);
  CHECK(add<f16>(0x7c00, 0xfc00) == 0x7fff);
  CHECK(fma<bf16>(0x7f80, 0, 0) == 0x7fff);
  CHECK(neg<f16>(0x7e01) == 0xfe01);
  CHECK(abs<bf16>(0x8001, true) == 0);
  CHECK(each_half([](std::uint16_t x, std::uint16_t y) { return add<f16>(x, y); }, 0x3c004000u,
                  0x40003c00u) == 0x42004200u);
}

TEST_CASE("minimum and maximum order -0 below +0, and follow .NaN and .xorsign.abs") {
  std::vector<std::uint16_t> const values = {0,      0x8000, 1,      0x8001, 0x3c00, 0xbc00,
                                             0x4000, 0xc200, 0x7c00, 0xfc00, 0x7e00, 0xfe01};
  for (std::uint16_t a : values)
    for (std::uint16_t b : values) {
      bool const a_nan = f16.is_nan(a), b_nan = f16.is_nan(b);
      // Orders the encodings by value, with -0 below +0.
      auto const rank = [](std::uint16_t v) {
        return (v & 0x8000) != 0 ? -static_cast<int>(v & 0x7fff) - 1 : static_cast<int>(v);
      };
      std::uint16_t const low = rank(a) < rank(b) ? a : b;
      std::uint16_t const high = rank(a) < rank(b) ? b : a;
      bool const any = a_nan || b_nan, both = a_nan && b_nan;
      CHECK(minimum<f16>(a, b) == (both ? 0x7fff : a_nan ? b : b_nan ? a : low));
      CHECK(maximum<f16>(a, b) == (both ? 0x7fff : a_nan ? b : b_nan ? a : high));
      CHECK(minimum<f16>(a, b, {.nan = true}) == (any ? 0x7fff : low));
      CHECK(maximum<f16>(a, b, {.nan = true}) == (any ? 0x7fff : high));
      if (!any) {
        int const sign = (a ^ b) & 0x8000;
        CHECK(maximum<f16>(a, b, {.xorsign_abs = true}) ==
              (sign | std::max(a & 0x7fff, b & 0x7fff)));
        CHECK(minimum<f16>(a, b, {.xorsign_abs = true}) ==
              (sign | std::min(a & 0x7fff, b & 0x7fff)));
      }
    }
  CHECK(raw(minimum(0.0f, -0.0f)) == 0x80000000u);
  CHECK(raw(maximum(std::numeric_limits<float>::quiet_NaN(), 1.0f, {.nan = true})) == 0x7fffffffu);
  CHECK(maximum(std::numeric_limits<double>::quiet_NaN(), 1.0) == 1.0);
}

TEST_CASE("comparisons: ordered ones are false for NaN, unordered ones true") {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(compare(comparison::ne, 1.0, 2.0));
  CHECK_FALSE(compare(comparison::ne, 1.0, nan));
  CHECK(compare(comparison::neu, 1.0, nan));
  CHECK(compare(comparison::equ, nan, nan));
  CHECK_FALSE(compare(comparison::ge, nan, nan));
  CHECK(compare(comparison::geu, nan, 0.0));
  CHECK(compare(comparison::le, 1.0, 1.0));
  CHECK(compare(comparison::num, 1.0, 1.0));
  CHECK(compare(comparison::nan, nan, 1.0));
  CHECK(compare<f16>(comparison::eq, 0x0001, 0x8000, true));
  CHECK_FALSE(compare<f16>(comparison::eq, 0x0001, 0x8000, false));
  for (auto operation :
       {comparison::lt, comparison::gtu, comparison::ltu, comparison::leu, comparison::gt}) {
    bool const less =
        operation == comparison::lt || operation == comparison::ltu || operation == comparison::leu;
    CHECK(compare(operation, 1.0, 2.0) == less);
    CHECK(compare(operation, 2.0, 1.0) != less);
  }
}

TEST_CASE("f32 arithmetic is the exact result, rounded once, in each rounding mode") {
  bit_stream bits(23);
  for (int i = 0; i < 150000; ++i) {
    float const a = std::bit_cast<float>(hard_bits<f32>(bits));
    float const b = std::bit_cast<float>(hard_bits<f32>(bits));
    float const c = std::bit_cast<float>(hard_bits<f32>(bits));
    auto const x = static_cast<double>(a), y = static_cast<double>(b), z = static_cast<double>(c);
    if (!is_finite(x) || !is_finite(y) || !is_finite(z)) continue;
    bool const sign = std::signbit(x) != std::signbit(y);
    for (rounding mode : {rounding::rn, rounding::rz, rounding::rm, rounding::rp}) {
      single_options const how{.mode = mode};
      INFO(a << " " << b << " " << c << " mode " << static_cast<int>(mode));
      if (raw(add(a, b, how)) !=
          sum_of<f32>(exact_f32(x) + exact_f32(y), std::signbit(x), std::signbit(y), mode))
        FAIL("add");
      if (raw(mul(a, b, how)) != sum_of<f32>(exact_f32::product(x, y), sign, sign, mode))
        FAIL("mul");
      exact_f32 const value = exact_f32::product(x, y) + exact_f32(z);
      if (raw(fma(a, b, c, how)) != sum_of<f32>(value, sign, std::signbit(z), mode)) FAIL("fma");
      if (a == 0.0f || b == 0.0f) continue;
      // The sign of a / b - v is that of (a - v * b) / b.
      auto const quotient = [&](double v) {
        int const difference = (exact_f32(x) + -exact_f32::product(v, y)).sign();
        return y > 0 ? difference : -difference;
      };
      if (std::fabs(x / y) < 0x1p129 && raw(div(a, b, how)) != rounded<f32>(quotient, mode))
        FAIL("div");
      auto const root = [&](double v) {
        return v < 0 ? 1 : (exact_f32(std::fabs(x)) + -exact_f32::product(v, v)).sign();
      };
      if (raw(sqrt(std::fabs(a), how)) != rounded<f32>(root, mode)) FAIL("sqrt");
    }
  }
}

TEST_CASE("f32 arithmetic has the special values of IEEE 754, and applies .ftz and .sat") {
  float const infinity = std::numeric_limits<float>::infinity();
  for (rounding mode : {rounding::rn, rounding::rz, rounding::rm, rounding::rp}) {
    single_options const how{.mode = mode};
    CHECK(raw(add(infinity, -infinity, how)) == 0x7fffffffu);
    CHECK(add(infinity, 1.0f, how) == infinity);
    CHECK(raw(mul(infinity, 0.0f, how)) == 0x7fffffffu);
    CHECK(raw(fma(infinity, 1.0f, -infinity, how)) == 0x7fffffffu);
    CHECK(fma(2.0f, 3.0f, -infinity, how) == -infinity);
    CHECK(div(1.0f, -0.0f, how) == -infinity);
    CHECK(div(-1.0f, infinity, how) == 0.0f);
    CHECK(raw(div(0.0f, 0.0f, how)) == 0x7fffffffu);
    CHECK(raw(sqrt(-1.0f, how)) == 0x7fffffffu);
    CHECK(raw(sqrt(-0.0f, how)) == 0x80000000u);
    CHECK(sqrt(infinity, how) == infinity);
    CHECK(rcp(-4.0f, how) == -0.25f);
  }
  float const subnormal = std::bit_cast<float>(0x00000001u);
  CHECK(add(subnormal, subnormal) == std::bit_cast<float>(0x00000002u));
  CHECK(add(subnormal, 0.0f, {.ftz = true}) == 0.0f);
  CHECK(raw(mul(-0x1p-100f, 0x1p-30f, {.ftz = true})) == 0x80000000u);
  CHECK(add(0.75f, 0.75f, {.sat = true}) == 1.0f);
  CHECK(raw(fma(infinity, 0.0f, 1.0f, {.sat = true})) == 0);
  CHECK(raw(add(1.0f, 0x1p-60f, {.mode = rounding::rp})) == 0x3f800001u);
  CHECK(raw(div(2.0f, 3.0f, {.mode = rounding::rz})) == 0x3f2aaaaau);
  CHECK(raw(neg(std::bit_cast<float>(0x7f800001u))) == 0xff800001u);
  CHECK(copysign_of(-1.0f, 3.0f) == -3.0f);
}

TEST_CASE("sums and products of f64 are the exact result, rounded once, in each rounding mode") {
  bit_stream bits(29);
  for (int i = 0; i < 4000; ++i) {
    auto const hard = [&] {
      std::uint64_t const word = bits.next();
      std::uint64_t const exponent =
          (word & 1) != 0 ? (bits.next() >> 53) : 1023 - 40 + bits.next() % 80;
      std::uint64_t mantissa = bits.next() & ((std::uint64_t{1} << 52) - 1);
      if ((word & 2) != 0) mantissa &= bits.next() & bits.next();
      return std::bit_cast<double>((word & 0x8000000000000000u) | (exponent & 0x7ff) << 52 |
                                   mantissa);
    };
    double const x = hard(), y = hard(), z = hard();
    if (!is_finite(x) || !is_finite(y) || !is_finite(z)) continue;
    // The result of rm is at or below the exact value, that of rp at or above, and the next number
    // is on the other side.
    auto const check = [&](exact_f64 const& value, auto operation, char const* name) {
      double const down = operation(rounding::rm), up = operation(rounding::rp),
                   zero = operation(rounding::rz);
      double const near = operation(rounding::rn);
      INFO(name << " " << x << " " << y << " " << z);
      if (!is_finite(down) || !is_finite(up)) return;
      bool const equal = value.compared_to(down) == 0;
      bool const tight = equal ? down == up : std::nextafter(down, INFINITY) == up;
      if (!tight || value.compared_to(down) < 0 || value.compared_to(up) > 0)
        FAIL("not the neighbours");
      if (zero != (value.sign() < 0 ? up : down)) FAIL("rz");
      // The sign of twice the value minus (down + up) says which neighbour is nearer.
      int const side = (value + value + -(exact_f64(down) + exact_f64(up))).sign();
      bool const down_is_even = (std::bit_cast<std::uint64_t>(down) & 1u) == 0;
      if (near != (side < 0 || (side == 0 && down_is_even) ? down : up)) FAIL("rn");
    };
    check(exact_f64(x) + exact_f64(y), [&](rounding mode) { return add(x, y, mode); }, "add");
    check(exact_f64(x) + -exact_f64(y), [&](rounding mode) { return sub(x, y, mode); }, "sub");
    check(exact_f64::product(x, y), [&](rounding mode) { return mul(x, y, mode); }, "mul");
    check(
        exact_f64::product(x, y) + exact_f64(z), [&](rounding mode) { return fma(x, y, z, mode); },
        "fma");
  }
  CHECK(div(1.0, 3.0, rounding::rp) > div(1.0, 3.0, rounding::rm));
  CHECK(sqrt(2.0, rounding::rp) > sqrt(2.0, rounding::rz));
  CHECK(rcp(4.0, rounding::rz) == 0.25);
  CHECK(add(1.0, 0x1p-80, rounding::rp) == 1.0 + 0x1p-52);
  CHECK(add(1.0, 0x1p-80, rounding::rn) == 1.0);
}
