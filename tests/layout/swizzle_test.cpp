// Tests swizzles: values computed by hand, the hardware's modes, and which swizzles are valid.
// tests/oracle has the formula bit by bit.
#include "oracle/oracle.hpp"

#include <axe/layout/swizzle.hpp>

namespace {

using axe::integer;
using axe::swizzle;

static_assert(swizzle{3, 3, 3}(64) == 72 && swizzle{3, 3, 3}(72) == 64 &&
              swizzle{3, 3, 3}(63) == 63);
static_assert(swizzle{3, 3, 3}(511) == (511 ^ 56) && swizzle{3, 3, 3}(512) == 512);
static_assert(swizzle{0, 2, -2}(1) == 5 && swizzle{0, 2, -2}(4) == 4,
              "S < 0: bit 0 is XORed into bit 2");
static_assert(swizzle{0, 2, 1}(6) == 5 && swizzle{0, 2, 1}(5) == 7,
              "|S| < B: this swizzle is not its own inverse");
static_assert(swizzle{0, 1, 1}(-1) == -2 && swizzle{3, 3, 3}(-8) == -64,
              "negative addresses are in two's complement");

static_assert(swizzle{}.none() && swizzle{}.valid() && swizzle{}(-77) == -77 &&
              swizzle{}.inverse(-77) == -77);
static_assert(!swizzle{0, 1, 1}.none() && swizzle{3, 3, 3}.period() == 512 &&
              swizzle{0, 2, -2}.period() == 16);
static_assert(swizzle{0, 1, 1}.valid() && swizzle{0, 1, -1}.valid() && swizzle{0, 3, 1}.valid());
static_assert(!swizzle{0, 1, 0}.valid() && !swizzle{-1, 1, 1}.valid() &&
              !swizzle{0, -1, 1}.valid());
static_assert(!swizzle{1, 0, 0}.valid() && !swizzle{0, 0, 1}.valid(),
              "the identity has one valid spelling");
static_assert(swizzle{16, 16, 16}.valid() && swizzle{16, 16, -16}.valid() &&
              !swizzle{16, 16, 17}.valid() && !swizzle{16, 16, -17}.valid());
static_assert(!swizzle{0, 2147483647, 2147483647}.valid() && !swizzle{0, 1, -2147483647}.valid());

// A swizzle of 16-byte chunks for 16-bit elements: a chunk has 8 elements.
static_assert(axe::swizzle_32B<16> == swizzle{3, 1, 3} &&
              axe::swizzle_64B<16> == swizzle{3, 2, 3} &&
              axe::swizzle_128B<16> == swizzle{3, 3, 3});
static_assert(axe::swizzle_128B<8> == swizzle{4, 3, 3} &&
              axe::swizzle_128B<4> == swizzle{5, 3, 3} &&
              axe::swizzle_128B<32> == swizzle{2, 3, 3});
static_assert(axe::swizzle_128B<64> == swizzle{1, 3, 3} &&
              axe::swizzle_128B<128> == swizzle{0, 3, 3});

/// Compares a swizzle with the oracle and its inverse with the swizzle, on two periods above 0 and
/// two below.
constexpr bool agrees_with_oracle(int M, int B, int S) {
  swizzle const f{M, B, S};
  for (integer a = -2 * f.period(); a < 2 * f.period(); ++a)
    if (f(a) != oracle::swizzled({M, B, S}, a) || f.inverse(f(a)) != a || f(f.inverse(a)) != a)
      return false;
  return true;
}
constexpr bool all_agree_with_oracle(int S) {
  for (int M = 0; M <= 1; ++M)
    for (int B = 1; B <= 4; ++B)
      if (!agrees_with_oracle(M, B, S)) return false;
  return true;
}
static_assert(all_agree_with_oracle(1) && all_agree_with_oracle(2) && all_agree_with_oracle(3));
static_assert(all_agree_with_oracle(-1) && all_agree_with_oracle(-2) && all_agree_with_oracle(-3));

}  // namespace
