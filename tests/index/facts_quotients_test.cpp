// Compile-time facts about quotients by constants. On the host a quotient is the high word of a
// product.
#include <axe/construct/literal.hpp>
#include <axe/index/bind_address.hpp>

#include <cstddef>
#include <type_traits>

namespace {

using namespace axe;
using namespace axe::literals;
using namespace axe::detail;

constexpr unsigned
first_wrong_of_7() {  // the first number for which the high word is not its quotient by 7
  unsigned u = (1u << 31) / 3 * 2 / 7 * 7 - 1;
  while (high_word(u, 613566757u) == u / 7) u += 7;
  return u;
}
static_assert(reciprocal(7) == 613566757u && reciprocal(48) == 89478486u);
static_assert(quotient<7, 5376>(5375) == 767 && quotient<16, 0>(~0u) == 0x0fff'ffffu);
static_assert(quotient<7, 0>(~0u) == ~0u / 7 && quotient<48, 48>(47) == 0);
static_assert(reciprocal_is_exact(7, 5376) && !reciprocal_is_exact(7, 0));
static_assert(reciprocal_is_exact(7, first_wrong_of_7()));
// The high word can be wrong below the divisor, too.
static_assert(high_word(92818, reciprocal(92820)) == 1 && reciprocal_is_exact(92820, 92818) &&
              !reciprocal_is_exact(92820, 92819));
static_assert(reciprocal_is_exact(7, 1431655766) &&
              !reciprocal_is_exact(7, integer{first_wrong_of_7()} + 1));

// If a division is not exact, shifting out factors of 2 first may make it so: 21952 = 2 * 10976.
template <integer D, integer N> constexpr bool divides_at_multiples() {
  for (integer v = D; v < N; v += D)
    for (integer x : {v - 1, v, v + D / 2})
      if (x < N && quotient<D, N>(static_cast<unsigned>(x)) != x / D) return false;
  return quotient<D, N>(static_cast<unsigned>(N - 1)) == (N - 1) / D && quotient<D, N>(0) == 0;
}
static_assert(!reciprocal_is_exact(21952, 702464) && shift_before_reciprocal(21952, 702464) == 1);
static_assert(divides_at_multiples<21952, 702464>() && divides_at_multiples<21952, 702465>());
static_assert(shift_before_reciprocal(7, 0) == -1 && shift_before_reciprocal(14, 0) == -1 &&
              shift_before_reciprocal(28, 0) == 2);
static_assert(quotient<28, 0>(~0u) == ~0u / 28 &&
              quotient<28, 0>(~0u / 28 * 28 - 1) == ~0u / 28 - 1);
static_assert(shift_before_reciprocal(48, 48) == 0 && quotient<48, 49>(48) == 1);

// A quotient by at least 2^32 is 0 for numbers of 32 bits.
static_assert(quotient<integer{1} << 32, 0>(~0u) == 0 &&
              quotient<integer{1} << 33, integer{1} << 40>(~0u) == 0 &&
              quotient<integer{3} << 32, 0>(~0u) == 0 &&
              any(~0u).digit<integer{1} << 40, 8>()() == 0);
static_assert(
    any(~0u).bits<0, 32>()() == ~0u &&
    bind_address<carrier<"S[(4,8589934592):(17,1)]"_axe>, extents<34359738368>, 4>(any(~0u))
            .at<>() == 4 * (stl::uint64_t{1} << 32) - 4);

// A quotient can be computed from another one by one multiplication. Here the quotient by 21952 is
// the quotient by 7, divided by 3136. The quotient by 7 has fewer values than the coordinate.
constexpr quotient_sum images{{1, 12544}, {7, -87804}, {21952, 75264}};
static_assert(quotient_below(images, 2, 702464) == 1 && quotient_below(images, 1, 702464) == -1);
static_assert(quotient_below(images, 2, 0) == -1 && quotient_below(images, 2, 7 * 4000000) == -1);
static_assert(quotient_below(quotient_sum{{1, 1}, {5, 1}, {21952, 1}}, 2, 702464) ==
              -1);  // 21952 is not a multiple of 5
static_assert(cost_of_division(images, 0, 702464) == 0 && cost_of_division(images, 2, 702464) == 1);
using pixels = carrier<"S[(32,3136,7):(21952,1,3136)]"_axe>;
constexpr bool images_are_found() {
  for (integer v = 0; v < 702464; v += 9973)
    if (bind_address<pixels, extents<702464>, 1>(below<702464>(static_cast<unsigned>(v))).at<0>() !=
        static_cast<unsigned>(v / 21952 * 21952 + v / 7 % 3136 + v % 7 * 3136))
      return false;
  return true;
}
static_assert(images_are_found());

}  // namespace
