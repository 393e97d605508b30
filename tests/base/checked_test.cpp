// Tests 64-bit arithmetic at its limits: results that fit are computed, and an overflow is reported
// without changing the operand.
#include <axe/base/checked.hpp>

namespace {

using axe::integer;
using namespace axe::detail;

constexpr bool adds(integer a, integer b, integer sum) { return add(a, b) && a == sum; }
constexpr bool add_refuses(integer a, integer b) {
  integer const before = a;
  return !add(a, b) && a == before;
}
constexpr bool multiplies(integer a, integer b, integer product) {
  return multiply(a, b) && a == product;
}
constexpr bool multiply_refuses(integer a, integer b) {
  integer c = a;
  integer d = b;
  return !multiply(c, b) && c == a && !multiply(d, a) && d == b;
}

static_assert(adds(2, 3, 5) && adds(largest, 0, largest) && adds(largest - 1, 1, largest) &&
              adds(smallest, 0, smallest));
static_assert(adds(smallest + 1, -1, smallest) && adds(largest, smallest, -1) &&
              adds(smallest, largest, -1) && adds(0, smallest, smallest));
static_assert(add_refuses(largest, 1) && add_refuses(1, largest) && add_refuses(smallest, -1) &&
              add_refuses(-1, smallest));
static_assert(add_refuses(largest, largest) && add_refuses(smallest, smallest));

static_assert(multiplies(6, 7, 42) && multiplies(-6, 7, -42) && multiplies(6, -7, -42) &&
              multiplies(-6, -7, 42));
static_assert(multiplies(0, smallest, 0) && multiplies(smallest, 0, 0) &&
              multiplies(smallest, 1, smallest) && multiplies(1, smallest, smallest));
static_assert(multiplies(largest, -1, -largest) && multiplies(-1, largest, -largest) &&
              multiplies(largest, 1, largest));
static_assert(multiplies(4294967296, -2147483648, smallest) &&
              multiplies(-4294967296, 2147483648, smallest));
static_assert(multiplies(3037000499, 3037000499, 9223372030926249001) &&
              multiplies(-3037000499, -3037000499, 9223372030926249001));
static_assert(multiply_refuses(smallest, -1) && multiply_refuses(4294967296, 2147483648) &&
              multiply_refuses(-4294967296, -2147483648));
static_assert(multiply_refuses(4294967296, -2147483649) && multiply_refuses(largest, 2) &&
              multiply_refuses(smallest, 2));
static_assert(multiply_refuses(largest, largest) && multiply_refuses(smallest, smallest) &&
              multiply_refuses(3037000500, 3037000500));

constexpr bool add_product_is(integer a, integer b, integer c, integer result) {
  return add_product(a, b, c) && a == result;
}
static_assert(add_product_is(1, 6, -7, -41) && add_product_is(largest, 1, -1, largest - 1));
constexpr bool add_product_refuses(integer a, integer b, integer c) {
  integer const before = a;
  return !add_product(a, b, c) && a == before;
}
static_assert(add_product_refuses(1, largest, 1) && add_product_refuses(0, largest, 2) &&
              add_product_refuses(-1, largest, 2));

// Division that rounds down or up, as the digits of negative places need it. The divisor is
// positive.
static_assert(floor_divide(7, 2) == 3 && floor_divide(-7, 2) == -4 && floor_divide(-8, 2) == -4 &&
              floor_divide(-1, 5) == -1 && floor_divide(0, 5) == 0);
static_assert(ceil_divide(7, 2) == 4 && ceil_divide(-7, 2) == -3 && ceil_divide(8, 2) == 4 &&
              ceil_divide(1, 5) == 1 && ceil_divide(-1, 5) == 0);
static_assert(greatest_common_divisor(12, 18) == 6 && greatest_common_divisor(-12, 18) == 6 &&
              greatest_common_divisor(0, 5) == 5);
static_assert(greatest_common_divisor(5, 0) == 5 && greatest_common_divisor(512, -64) == 64 &&
              greatest_common_divisor(7, 48) == 1);
static_assert(magnitude(-3) == 3 && magnitude(3) == 3 && smaller(-1, 2) == -1 &&
              larger(-1, 2) == 2);

}  // namespace
