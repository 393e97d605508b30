// Tests cvt between floats and integers, packed forms, .ftz and .sat.
#include "numerics/convert.hpp"

#include "exact.hpp"
#include "support/catch.hpp"

using namespace machine::numerics;
using machine::numerics::test::all_modes;
using machine::numerics::test::bit_stream;
using machine::numerics::test::rounded;

namespace {

// Computes the ISA's definition: round to an integer, then take the nearest representable value.
template <class I> I integer_by_definition(double value, rounding mode) {
  double const down = std::floor(value);
  double const fraction = value - down;
  double whole = down;
  switch (mode) {
    case rounding::rm: break;
    case rounding::rp: whole += fraction > 0 ? 1 : 0; break;
    case rounding::rz: whole += fraction > 0 && value < 0 ? 1 : 0; break;
    case rounding::rn:
      whole += fraction > 0.5 || (fraction == 0.5 && std::fmod(down, 2.0) != 0.0) ? 1 : 0;
      break;
    case rounding::rna: whole += fraction > 0.5 || (fraction == 0.5 && value > 0) ? 1 : 0; break;
  }
  long double const limit_low = static_cast<long double>(std::numeric_limits<I>::min());
  long double const limit_high = static_cast<long double>(std::numeric_limits<I>::max());
  if (static_cast<long double>(whole) < limit_low) return std::numeric_limits<I>::min();
  if (static_cast<long double>(whole) > limit_high) return std::numeric_limits<I>::max();
  return static_cast<I>(whole);
}

template <class I> void check_to_integer() {
  bit_stream bits(7);
  for (int i = 0; i < 200000; ++i) {
    std::uint64_t const word = bits.next();
    auto value = static_cast<double>(static_cast<std::int64_t>(bits.next()) >> (word % 64));
    if ((word & 0x100) != 0) value /= static_cast<double>(1 << ((word >> 9) % 8));
    for (rounding mode : all_modes)
      if (float_to_integer<I>(value, mode, true) != integer_by_definition<I>(value, mode))
        FAIL("to integer " << value);
  }
  double const infinity = std::numeric_limits<double>::infinity();
  CHECK(float_to_integer<I>(infinity, rounding::rz, true) == std::numeric_limits<I>::max());
  CHECK(float_to_integer<I>(-infinity, rounding::rz, true) == std::numeric_limits<I>::min());
}

template <format F, class I> void check_from_integer() {
  bit_stream bits(11);
  for (int i = 0; i < 50000; ++i) {
    auto const value = static_cast<I>(static_cast<std::int64_t>(bits.next()) >> (bits.next() % 64));
    if (value == 0) continue;
    auto const source = static_cast<long double>(value);  // 64 bits of significand
    auto const compare = [&](double v) {
      return source < static_cast<long double>(v)   ? -1
             : source > static_cast<long double>(v) ? 1
                                                    : 0;
    };
    for (rounding mode : {rounding::rn, rounding::rz, rounding::rm, rounding::rp})
      if (integer_to_float<F>(value, mode) != rounded<F>(compare, mode))
        FAIL("from integer " << value);
  }
}

}  // namespace

TEST_CASE("float to integer rounds, then clamps") {
  check_to_integer<std::int8_t>();
  check_to_integer<std::uint8_t>();
  check_to_integer<std::int16_t>();
  check_to_integer<std::uint16_t>();
  check_to_integer<std::int32_t>();
  check_to_integer<std::uint32_t>();
  check_to_integer<std::int64_t>();
  check_to_integer<std::uint64_t>();
  CHECK(float_to_integer<std::uint8_t>(300.7, rounding::rz, false) == 255);
  CHECK(float_to_integer<std::uint8_t>(-3.0, rounding::rz, false) == 0);
  CHECK(float_to_integer<std::int32_t>(2.5, rounding::rn, false) == 2);
}

TEST_CASE("NaN becomes 0, or 1 << (width - 1) for f64 sources and 64-bit destinations") {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(float_to_integer<std::int32_t>(nan, rounding::rz, false) == 0);
  CHECK(float_to_integer<std::uint16_t>(nan, rounding::rz, false) == 0);
  CHECK(float_to_integer<std::int32_t>(nan, rounding::rz, true) ==
        std::numeric_limits<std::int32_t>::min());
  CHECK(float_to_integer<std::uint32_t>(nan, rounding::rz, true) == 0x80000000u);
  CHECK(float_to_integer<std::int64_t>(nan, rounding::rz, false) ==
        std::numeric_limits<std::int64_t>::min());
  CHECK(float_to_integer<std::uint64_t>(nan, rounding::rz, false) == 0x8000000000000000u);
}

TEST_CASE("integer to float rounds once") {
  check_from_integer<f16, std::int32_t>();
  check_from_integer<f16, std::uint64_t>();
  check_from_integer<bf16, std::int64_t>();
  check_from_integer<f32, std::int32_t>();
  check_from_integer<f32, std::uint32_t>();
  check_from_integer<f32, std::int64_t>();
  check_from_integer<f32, std::uint64_t>();
  CHECK(integer_to_float<f16>(65519, rounding::rn) == f16.largest());
  CHECK(integer_to_float<f16>(65520, rounding::rn) == f16.infinity());
}

TEST_CASE("integers to f64: rn gives the host's result, other modes one of the two neighbours") {
  bit_stream bits(13);
  for (int i = 0; i < 100000; ++i) {
    auto const value = static_cast<std::int64_t>(bits.next()) >> (bits.next() % 64);
    auto const source = static_cast<long double>(value);
    CHECK(integer_to_f64(value, rounding::rn) == static_cast<double>(value));
    auto const down = static_cast<long double>(integer_to_f64(value, rounding::rm));
    auto const up = static_cast<long double>(integer_to_f64(value, rounding::rp));
    auto const zero = static_cast<long double>(integer_to_f64(value, rounding::rz));
    bool const tight = down == up || std::nextafter(static_cast<double>(down), INFINITY) ==
                                         static_cast<double>(up);
    if (!(down <= source && source <= up && tight && zero == (value < 0 ? up : down)))
      FAIL("to f64 " << value);
  }
  CHECK(integer_to_f64(std::uint64_t(-1), rounding::rp) == 0x1p64);
  CHECK(integer_to_f64(std::uint64_t(-1), rounding::rz) == 0x1.fffffffffffffp63);
}

TEST_CASE("packed pairs: the first operand is the upper element") {
  CHECK(pack2<f16>(1.0, -2.0, rounding::rn) == 0x3c00c000u);
  CHECK(pack2<bf16>(1.0, -2.0, rounding::rn) == 0x3f80c000u);
  CHECK(pack2<e4m3>(448.0, 500.0, rounding::rn, {.satfinite = true}) == 0x7e7eu);
  CHECK(pack2<e5m2>(1.0, -1.0, rounding::rn, {.satfinite = true}) == 0x3cbcu);
  CHECK(pack2<e2m1>(6.0, -0.5, rounding::rn, {.satfinite = true}) == 0x79u);
  CHECK(pack2<e2m3>(7.5, -1.0, rounding::rn, {.satfinite = true}) == 0x1f28u);
  CHECK(unpack<e2m1>(0x79u, 1) == 6.0);
  CHECK(unpack<e2m3>(0x1f28u, 0) == -1.0);
  for (std::uint32_t pair = 0; pair < 0x10000; ++pair) {
    std::uint32_t const wide = convert2<f16, e4m3>(pair, rounding::rn);
    std::uint32_t const nan_high = (pair & 0x7f00u) == 0x7f00u ? 0x7f00u : pair & 0xff00u;
    std::uint32_t const nan_low = (pair & 0x7fu) == 0x7fu ? 0x7fu : pair & 0xffu;
    if (convert2<e4m3, f16>(wide, rounding::rn, {.satfinite = true}) != (nan_high | nan_low))
      FAIL("e4m3x2 " << pair);
  }
}

TEST_CASE("the fast cvt to f16 and bf16 equals the general one") {
  bit_stream bits(19);
  auto const check = [](double value) {
    for (limits how :
         {limits{}, limits{.satfinite = true}, limits{.relu = true}, limits{true, true}}) {
      if (encode_half<f16>(value, how) != encode<f16>(value, rounding::rn, how))
        FAIL("f16 " << value);
      if (encode_half<bf16>(value, how) != encode<bf16>(value, rounding::rn, how))
        FAIL("bf16 " << value);
    }
  };
  for (std::uint32_t high = 0; high < 0x10000; ++high) {
    float const center = std::bit_cast<float>(high << 16 | 0x8000u);  // a tie of bf16
    check(static_cast<double>(center));
    check(static_cast<double>(center) * (1.0 + 0x1p-50));
    check(static_cast<double>(center) * (1.0 - 0x1p-50));
    check(static_cast<double>(std::bit_cast<float>(high << 16 | 0x1000u)) * (1.0 + 0x1p-45));
    check(static_cast<double>(std::bit_cast<float>(high << 16)));
    check(std::bit_cast<double>(bits.next()));
  }
}

TEST_CASE("tf32 keeps the upper nineteen bits") {
  CHECK(float_to_tf32(1.0f, rounding::rna) == 0x3f800000u);
  CHECK(float_to_tf32(std::bit_cast<float>(0x3f801000u), rounding::rna) == 0x3f802000u);
  CHECK(float_to_tf32(std::bit_cast<float>(0x3f801000u), rounding::rn) == 0x3f800000u);
  CHECK(float_to_tf32(std::bit_cast<float>(0x3f803000u), rounding::rn) == 0x3f804000u);
  CHECK(float_to_tf32(std::bit_cast<float>(0x7f7fffffu), rounding::rna) == 0x7f800000u);
  CHECK(float_to_tf32(std::bit_cast<float>(0x7f7fffffu), rounding::rna, {.satfinite = true}) ==
        0x7f7fe000u);
}

TEST_CASE(".ftz turns subnormals into zeros of their sign; .sat clamps to [0, 1]") {
  CHECK(std::bit_cast<std::uint32_t>(flush(std::bit_cast<float>(0x807fffffu))) == 0x80000000u);
  CHECK(flush(0x1p-126f) == 0x1p-126f);
  CHECK(saturate(2.0f) == 1.0f);
  CHECK(saturate(-2.0f) == 0.0f);
  CHECK_FALSE(std::signbit(saturate(-0.0f)));
  CHECK(saturate(std::numeric_limits<float>::quiet_NaN()) == 0.0f);
}
