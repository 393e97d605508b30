// Compares approximate functions of all f16 and bf16 and of many f32 with long double: errors are
// within the ISA's bounds. Also tests special values, and reductions.
#include "numerics/approximate.hpp"

#include "exact.hpp"
#include "numerics/narrow.hpp"
#include "numerics/reduce.hpp"
#include "support/catch.hpp"

using namespace machine::numerics;
using machine::numerics::test::bit_stream;

namespace {

template <class Visit> void for_each_float(float low, float high, Visit visit) {
  bit_stream bits(31);
  for (int i = 0; i < 200000; ++i) {
    float const unit = static_cast<float>(bits.next() >> 40) * 0x1p-24f;
    visit(low + (high - low) * unit);
  }
}

long double relative_error(float got, long double want) {
  return want == 0 ? std::fabs(static_cast<long double>(got))
                   : std::fabs((static_cast<long double>(got) - want) / want);
}

template <format F>
void check_narrow_functions(long double exp2_relative, long double tanh_absolute,
                            long double tanh_relative) {
  for (std::uint32_t i = 0; i < 0x10000; ++i) {
    auto const bits = static_cast<std::uint16_t>(i);
    auto const x = static_cast<long double>(decode<F>(bits));
    long double const power = std::exp2(x);
    long double const got = decode<F>(exp2_approx<F>(bits));
    if (x != x) {
      if (exp2_approx<F>(bits) != 0x7fff || tanh_approx<F>(bits) != 0x7fff) FAIL("NaN " << i);
      continue;
    }
    bool const normal = power >= static_cast<long double>(power_of_two(F.smallest_exponent())) &&
                        power <= static_cast<long double>(decode<F>(F.largest()));
    if (normal && std::fabs(got - power) > exp2_relative * power) FAIL("ex2 " << i);
    long double const angle = std::tanh(x);
    long double const error =
        std::fabs(static_cast<long double>(decode<F>(tanh_approx<F>(bits))) - angle);
    if (error > tanh_absolute && error > tanh_relative * std::fabs(angle)) FAIL("tanh " << i);
  }
}

}  // namespace

TEST_CASE("approximate functions of f32 are within the errors of the ISA") {
  float const pi = 3.14159265f;
  for_each_float(-2 * pi, 2 * pi, [](float x) {
    long double const bound = std::exp2(-20.5L);
    if (std::fabs(static_cast<long double>(sin_approx(x)) - std::sin(static_cast<long double>(x))) >
        bound)
      FAIL("sin " << x);
    if (std::fabs(static_cast<long double>(cos_approx(x)) - std::cos(static_cast<long double>(x))) >
        bound)
      FAIL("cos " << x);
  });
  for_each_float(-120.0f, 120.0f, [](float x) {
    if (relative_error(ex2_approx(x), std::exp2(static_cast<long double>(x))) > 0x1p-22L)
      FAIL("ex2 " << x);
    if (relative_error(tanh_approx(x), std::tanh(static_cast<long double>(x))) > 0x1p-11L)
      FAIL("tanh " << x);
    if (relative_error(rcp_approx(x), 1.0L / static_cast<long double>(x)) > 0x1p-23L)
      FAIL("rcp " << x);
    if (relative_error(div_full(x, 7.0f), static_cast<long double>(x) / 7.0L) > 0x1p-22L)
      FAIL("div " << x);
  });
  for_each_float(0x1p-20f, 4096.0f, [](float x) {
    auto const wide = static_cast<long double>(x);
    if (relative_error(sqrt_approx(x), std::sqrt(wide)) > 0x1p-23L) FAIL("sqrt " << x);
    if (relative_error(rsqrt_approx(x), 1.0L / std::sqrt(wide)) > 0x1p-22L) FAIL("rsqrt " << x);
    if (std::fabs(static_cast<long double>(lg2_approx(x)) - std::log2(wide)) >
        0x1p-22L * std::max(1.0L, std::fabs(std::log2(wide))))
      FAIL("lg2 " << x);
  });
}

TEST_CASE("ex2 and tanh of each f16 and bf16 are within the errors of the ISA") {
  check_narrow_functions<f16>(std::exp2(-9.9L), std::exp2(-10.987L), 0);
  check_narrow_functions<bf16>(0x1p-7L, 0, 0x1p-8L);
}

TEST_CASE("approximate functions have the special values of the ISA") {
  float const infinity = std::numeric_limits<float>::infinity();
  auto const raw = [](float value) { return std::bit_cast<std::uint32_t>(value); };
  CHECK(rcp_approx(-0.0f) == -infinity);
  CHECK(raw(rcp_approx(-infinity)) == 0x80000000u);
  CHECK(raw(rsqrt_approx(-1.0f)) == 0x7fffffffu);
  CHECK(rsqrt_approx(-0.0f) == -infinity);
  CHECK(rsqrt_approx(infinity) == 0.0f);
  CHECK(lg2_approx(0.0f) == -infinity);
  CHECK(raw(lg2_approx(-1.0f)) == 0x7fffffffu);
  CHECK(ex2_approx(-infinity) == 0.0f);
  CHECK(ex2_approx(0.0f) == 1.0f);
  CHECK(ex2_approx(-140.0f) == 0x1p-140f);
  CHECK(ex2_approx(-140.0f, true) == 0.0f);
  CHECK(lg2_approx(0x1p-140f) == -140.0f);
  CHECK(lg2_approx(0x1p-140f, true) == -infinity);
  CHECK(raw(sin_approx(infinity)) == 0x7fffffffu);
  CHECK(raw(sin_approx(-0.0f)) == 0x80000000u);
  CHECK(cos_approx(0.0f) == 1.0f);
  CHECK(tanh_approx(infinity) == 1.0f);
  CHECK(div_approx(1.0f, 0x1.8p126f) == 0.0f);
  CHECK(raw(div_approx(infinity, 0x1.8p126f)) == 0x7fffffffu);
  CHECK(div_approx(6.0f, 3.0f) == 2.0f);
  CHECK(div_approx(1.0f, 0.0f) == infinity);
  CHECK(div_full(1.0f, 0x1.8p126f) == 1.0f / 0x1.8p126f);
}

TEST_CASE("the .ftz approximations of f64 read and write the upper word") {
  auto const raw = [](double value) { return std::bit_cast<std::uint64_t>(value); };
  double const infinity = std::numeric_limits<double>::infinity();
  bit_stream bits(37);
  for (int i = 0; i < 100000; ++i) {
    double const x = std::bit_cast<double>((bits.next() & 0x000fffffffffffffu) |
                                           (600 + bits.next() % 800) << 52);
    double const seen = std::bit_cast<double>(raw(x) & 0xffffffff00000000u);
    if ((raw(rcp_approx_f64(x)) & 0xffffffffu) != 0 ||
        (raw(rsqrt_approx_ftz_f64(x)) & 0xffffffffu) != 0)
      FAIL("lower word");
    if (std::fabs(rcp_approx_f64(x) * seen - 1.0) > 0x1p-20) FAIL("rcp " << x);
    if (std::fabs(rsqrt_approx_ftz_f64(x) * std::sqrt(seen) - 1.0) > 0x1p-20) FAIL("rsqrt " << x);
  }
  CHECK(rcp_approx_f64(-infinity) == 0.0);
  CHECK(std::signbit(rcp_approx_f64(-infinity)));
  CHECK(rcp_approx_f64(-0x1p-1074) == -infinity);
  CHECK(rcp_approx_f64(0x1p1023) == 0.0);  // 2^-1023 is subnormal
  CHECK(raw(rcp_approx_f64(std::numeric_limits<double>::quiet_NaN())) == 0x7fffffff00000000u);
  CHECK(rsqrt_approx_ftz_f64(-0.0) == -infinity);
  CHECK(rsqrt_approx_ftz_f64(0x1p-1074) == infinity);
  CHECK(raw(rsqrt_approx_ftz_f64(-1.0)) == 0x7fffffff00000000u);
  CHECK(rsqrt_approx_f64(4.0) == 0.5);
}

TEST_CASE("each reduction is computed as the ISA says, and what the ISA lacks is rejected") {
  using enum reduction;
  CHECK(reduce(add, reduced_type::u32, 0xffffffffu, 2) == 1);
  CHECK(reduce(min, reduced_type::s32, 0xffffffffu, 2) == 0xffffffffu);
  CHECK(reduce(min, reduced_type::u32, 0xffffffffu, 2) == 2);
  CHECK(reduce(max, reduced_type::s64, std::uint64_t(-5), 2) == 2);
  CHECK(reduce(inc, reduced_type::u32, 4, 4) == 0);
  CHECK(reduce(inc, reduced_type::u32, 3, 4) == 4);
  CHECK(reduce(dec, reduced_type::u32, 0, 4) == 4);
  CHECK(reduce(dec, reduced_type::u32, 9, 4) == 4);
  CHECK(reduce(dec, reduced_type::u32, 3, 4) == 2);
  CHECK(reduce(bit_and, reduced_type::b32, 12, 10) == 8);
  CHECK(reduce(bit_or, reduced_type::b64, 12, 10) == 14);
  CHECK(reduce(bit_xor, reduced_type::b32, 12, 10) == 6);
  CHECK(reduce(add, reduced_type::half, 0x3c00, 0x3c00) == 0x4000);
  CHECK(reduce(max, reduced_type::bfloat16, 0xbf80, 0x3f80) == 0x3f80);
  CHECK(reduce(add, reduced_type::single, 0x3f800000u, 0x3f800000u) == 0x40000000u);
  CHECK(reduce(add, reduced_type::single, 0x80000001u, 0x80000000u) == 0x80000000u);
  CHECK(reduce(add, reduced_type::single, 0x00800000u, 0x80800001u) == 0x80000000u);
  CHECK(reduce(add, reduced_type::single, 0x00800000u, 0x80800001u, true) == 0x80000001u);
  CHECK(reduce(add, reduced_type::double_precision, std::bit_cast<std::uint64_t>(1.5),
               std::bit_cast<std::uint64_t>(2.0)) == std::bit_cast<std::uint64_t>(3.5));
  CHECK(refuse_reduction(add, reduced_type::u32) == nullptr);
  CHECK_THAT(refuse_reduction(add, reduced_type::s64), axe_test::contains_text("u64"));
  CHECK_THAT(refuse_reduction(inc, reduced_type::s32), axe_test::contains_text("u32 only"));
  CHECK_THAT(refuse_reduction(bit_xor, reduced_type::half), axe_test::contains_text("not a float"));
  CHECK_THAT(refuse_reduction(min, reduced_type::single), axe_test::contains_text("f16 and bf16"));
  CHECK(size_of(reduced_type::bfloat16) == 2);
}
