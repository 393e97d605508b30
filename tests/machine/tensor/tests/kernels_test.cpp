// Tests that the inner loops for AVX-512, AVX2 and any processor give the same bits and round each
// step once.
#include "tensor/kernels.hpp"

#include <algorithm>
#include <cmath>

#include "kernels_here.hpp"
#include "support.hpp"
#include "support/catch.hpp"

using namespace machine::tensor;
using namespace machine::tensor::test;

TEST_CASE("the loops for each set of vector instructions give the same bits") {
  bit_stream bits(9);
  kernel_set const& plain = *kernels_named("plain");
  std::vector<kernel_set const*> const sets = kernels_here();
  for (kernel_set const* other : sets) {
    if (other == &plain) continue;
    for (int repeat = 0; repeat < 2000; ++repeat) {
      float a[16 * 16], b[16 * 8], c[2][16 * 8];
      bool const close = repeat % 2 == 0;  // similar exponents: the sums round
      auto const any = [&] {
        auto const word = static_cast<std::uint32_t>(bits.next());
        return std::bit_cast<float>((close ? (word & 0x81ffffffu) | 0x3e000000u : word) &
                                    0xfffff000u);
      };
      for (float& value : a) value = any();
      for (float& value : b) value = any();
      for (float& value : c[0]) value = any();
      std::copy(std::begin(c[0]), std::end(c[0]), c[1]);
      plain.tile_product(16, 16, a, b, c[0]);
      other->tile_product(16, 16, a, b, c[1]);
      for (int i = 0; i < 16 * 8; ++i) {
        if (c[0][i] != c[0][i] && c[1][i] != c[1][i]) continue;
        if (std::bit_cast<std::uint32_t>(c[0][i]) != std::bit_cast<std::uint32_t>(c[1][i]))
          FAIL(other->name << " " << c[0][i] << " " << c[1][i]);
      }
    }
  }
  // The product is (1 - 2^-22) times half an ulp of c, so the sum rounds to c. A product rounded to
  // fewer than 22 bits would be half an ulp: a tie, which rounds away from c, because c is odd.
  for (int repeat = 0; repeat < 4000; ++repeat) {
    int const exponent = bits.below(200) - 100;
    float const c =
        std::ldexp(1.0f + static_cast<float>(2 * bits.below(1 << 22) + 1) * 0x1p-23f, exponent);
    float const a = std::ldexp(1.0f + 0x1p-11f, exponent - 24), b = 1.0f - 0x1p-11f;
    float const below = std::fma(a, b, c);
    REQUIRE(below == c);
    for (kernel_set const* set : sets) {
      float left[8] = {a, a, a, a, a, a, a, a}, right[8] = {b, b, b, b, b, b, b, b}, sum[64];
      std::fill(std::begin(sum), std::end(sum), c);
      set->tile_product(8, 1, left, right, sum);
      for (float value : sum)
        if (value != below) FAIL(set->name << " rounds twice: " << value);
    }
  }
}

TEST_CASE("products near overflow and underflow also round once") {
  std::vector<kernel_set const*> const sets = kernels_here();
  bit_stream bits(13);
  for (int repeat = 0; repeat < 20000; ++repeat) {
    bool const tiny = repeat % 2 == 0;
    auto const operand = [&](int exponent) {
      float const significand =
          static_cast<float>(2048 + bits.below(2048)) * (bits.below(2) == 0 ? 0x1p-11f : -0x1p-11f);
      return std::ldexp(significand, exponent);
    };
    float const a = operand((tiny ? -90 : 56) + bits.below(20)),
                b = operand((tiny ? -75 : 56) + bits.below(20));
    float const c = std::ldexp(static_cast<float>(bits.below(1 << 24)),
                               tiny ? -149 - bits.below(12) : 100 + bits.below(5));
    float const want = std::fma(a, b, c);
    for (kernel_set const* set : sets) {
      float left[8], right[8], sum[64];
      std::fill(std::begin(left), std::end(left), a);
      std::fill(std::begin(right), std::end(right), b);
      std::fill(std::begin(sum), std::end(sum), c);
      set->tile_product(8, 1, left, right, sum);
      for (float value : sum)
        if (std::bit_cast<std::uint32_t>(value) != std::bit_cast<std::uint32_t>(want) &&
            value == value)
          FAIL(set->name << " of " << a << " * " << b << " + " << c << " is " << value << ", not "
                         << want);
    }
  }
}
