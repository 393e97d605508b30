// Compile-time facts about divisors, offsets and dimensions of several digits with dynamic extents.
#include <axe/algebra/equivalent.hpp>
#include <axe/construct/literal.hpp>
#include <axe/cuda/local_partition.hpp>
#include <axe/index/tensor_of.hpp>

#include <type_traits>
#include <utility>

namespace {

using namespace axe;
using namespace axe::literals;
using namespace axe::detail;

// Quotients by run-time divisors, around multiples of the divisor at both ends of the range.
constexpr bool divides() {
  for (unsigned d : {1u, 2u, 3u, 7u, 48u, 641u, 65535u, 65537u, 0x7fffffffu, 0x80000000u,
                     0x80000001u, 0xffffffffu}) {
    prepared_divisor<true> const low(d <= 0x80000000u ? d : 1);
    prepared_divisor<false> const all(d);
    for (unsigned k = 0; k < 8; ++k) {
      unsigned const x = k * d - 1;
      if (all.quotient(x) != x / d || all.quotient(~x) != ~x / d) return false;
      unsigned const y = x & 0x7fffffffu;
      if (low.quotient(y) != y / low.number ||
          low.quotient(0x7fffffffu - y) != (0x7fffffffu - y) / low.number)
        return false;
    }
  }
  return true;
}
static_assert(divides());

// The public type `divisor` splits a number into coordinates.
template <integer Below> constexpr bool decomposes() {
  for (unsigned d : {1u, 2u, 7u, 48u, 65537u, 0x7fffffffu, 0x80000000u, 0x80000001u, 0xffffffffu})
    for (unsigned x : {0u, 1u, 6u, 7u, 335u, 65537u, 0x7ffffffeu, 0x7fffffffu}) {
      divisor<Below> const by(d);
      if (by.divide(x).quotient != x / d || by.divide(x).remainder != x % d || by.number() != d)
        return false;
    }
  auto const [n, h, w] = coordinates((3 * 5 + 4) * 7 + 6, divisor<Below>(5), divisor<Below>(7));
  auto const last = coordinates(2 * 210 + 3 * 42 + 5 * 7 + 1, divisor<Below>(5), divisor<Below>(6),
                                divisor<Below>(7));
  auto const five = coordinates((2 * 210 + 3 * 42 + 5 * 7 + 1) * 9 + 8, divisor<Below>(5),
                                divisor<Below>(6), divisor<Below>(7), divisor<Below>(9));
  return n == 3 && h == 4 && w == 6 && last.i == 2 && last.j == 3 && last.k == 5 && last.l == 1 &&
         five.i == 2 && five.j == 3 && five.k == 5 && five.l == 1 && five.m == 8 &&
         coordinates(29, divisor<Below>(10)).i == 2 && divisor<Below>{}.quotient(9) == 9;
}
static_assert(decomposes<integer{1} << 31>() && decomposes<integer{1} << 32>());
static_assert(divisor<integer{1} << 32>(3).quotient(0xffffffffu) == 0x55555555u);
static_assert(100 / divisor<>(7) == 14 && 100 % divisor<>(7) == 2);
constexpr int divided_in_place(int x, divisor<> const& d) {
  int rest = x;
  rest %= d;
  return (x /= d) * 10 + rest;
}
static_assert(divided_in_place(100, divisor<>(7)) == 142);
template <class X>
concept divides_in_place = requires(X x, divisor<> d) { x /= d, x %= d; };
static_assert(divides_in_place<unsigned> && divides_in_place<short>);
static_assert(!divides_in_place<index_part<unnamed, 64, 1, 8>>);
static_assert((constant<3>{} * below<9>(5u) + constant<1>{}) % divisor<>(7) == 2);
static_assert(ceil_log2(1) == 0 && ceil_log2(2) == 1 && ceil_log2(3) == 2 && ceil_log2(4) == 2);

// Images stored as NCHW and viewed as NHWC: 5 images, 49 pixels and 12 channels.
using images =
    dynamic_layout<dimension<digit<dynamic(0), dynamic(1)>>,
                   dimension<digit<dynamic(2), 1>, digit<dynamic(3).multiple_of(4), dynamic(2)>>>;
constexpr images five(5, 1000, 49, 12);
static_assert(images::splits == 1 && five.extent<1>() == 588 && five.divisor<0>().number == 12);
static_assert(to_layout(five) == "S[(5,49,12):(1000,1,49)]"_axe && shape_of(five) == shape{5, 588});
static_assert(images::why(5, 1000, 49, 13) ==
              refusal{rule::dynamic_extent_is_not_a_multiple, {3, 13, 4, 1}});
static_assert(
    std::is_same_v<lowered_t<images>,
                   dynamic_layout_from<leaf{}, dimension<digit<dynamic(0), dynamic(1)>>,
                                       dimension<digit<dynamic(3).multiple_of(4), dynamic(2)>>,
                                       dimension<digit<dynamic(2), 1>>>>);
// Static digits are merged with the dynamic digit above them, so that two divisions remain: by 6 *
// dynamic(1) and by 6 * dynamic(2).
using mixed = dynamic_layout<dimension<digit<4, 1>, digit<dynamic(1), 1>, digit<6, 1>,
                                       digit<dynamic(2), 1>, digit<3, 1>, digit<2, 1>>,
                             dimension<digit<dynamic(0), 9>>>;
constexpr mixed numbers(3, 5, 7);
static_assert(mixed::splits == 2 && numbers.divisor<0>().number == 42 &&
              numbers.divisor<1>().number == 30);
static_assert(lowered_t<mixed>::rank == 4 && numbers.extent<0>() == 4 * 5 * 6 * 7 * 6);

// If the declared bounds keep a coordinate below 2^31, its quotient takes three instructions.
using small = dynamic_layout<
    dimension<digit<dynamic(0).below(1 << 16), 1>, digit<dynamic(1).below(1 << 15), 1>>>;
using larger = dynamic_layout<
    dimension<digit<dynamic(0).below(1 << 16), 1>, digit<dynamic(1).at_most(1 << 16), 1>>>;
static_assert(
    std::is_same_v<std::remove_cvref_t<decltype(small().divisor<0>())>, prepared_divisor<true>>);
static_assert(
    std::is_same_v<std::remove_cvref_t<decltype(larger().divisor<0>())>, prepared_divisor<false>>);
static_assert(dynamic(0).at_most(8).largest() == 8 && dynamic(0).at_most(8).bound == 9);
static_assert(product_or_largest(integer{1} << 40, integer{1} << 40) == largest &&
              product_or_largest(6, 7) == 42);

// The grain of a coordinate is the greatest common divisor of the coordinate and the declared
// multiple of its fastest digit. Adding a constant below the grain does not change the quotient.
// Here the channels are a multiple of 4.
template <class Part>
constexpr integer grain = grain_of_split<images, 1, decltype(as_sum(std::declval<Part>()))>();
static_assert(grain<decltype(constant<4>{} * any(0))> == 4 && grain<decltype(any(0))> == 1);
static_assert(grain<decltype(constant<8>{} * any(0))> == 4 &&
              grain<decltype(constant<6>{} * any(0))> == 2);
static_assert(grain<decltype(constant<4>{} * any(0) + constant<2>{})> == 2);
static_assert(grain_of_split<images, 0, coordinate_sum<0>>() == 0);

// Addresses and bounds tests count a coordinate in steps, if it is a multiple of a constant.
constexpr auto chunk =
    constant<8>{} * on<axis::tid, 256>(213).bits<0, 3>() + constant<64>{} * any(3);
constexpr auto chunk_and_half = chunk + constant<4>{};
static_assert(step_size<std::remove_const_t<decltype(chunk)>> == 8 && steps_of(chunk) == 5 + 24 &&
              number_by_steps(chunk) == chunk());
static_assert(step_size<std::remove_const_t<decltype(chunk_and_half)>> == 4 &&
              steps_of(chunk_and_half) == 2 * 29 + 1 && number_by_steps(chunk_and_half) == 236);
static_assert(step_size<decltype(as_sum(constant<48>{} * any(0)))> == 16 &&
              step_size<decltype(as_sum(any(0)))> == 1 &&
              number_by_steps(coordinate_sum<0>{}) == 0);

// Layouts with a dynamic offset.
using moved = dynamic_layout_from<dynamic(1).multiple_of(8), dimension<digit<dynamic(0), 1>>>;
static_assert(to_layout(moved(7, 16)) == "S[7:1] + 16"_axe && moved::facts_of(1).multiple == 8 &&
              moved::slots == 2);
static_assert(moved::why(7, 12).which == rule::size_is_not_a_multiple &&
              moved::why(7, 0).which == rule::none);
static_assert(moved::why(7, -8).which == rule::size_below);
// The distance to the last element includes the offset.
static_assert(moved::why(7, (integer{1} << 57) - 8).which == rule::none &&
              moved::why(9, (integer{1} << 57) - 8) ==
                  refusal{rule::sizes_leave_memory, {integer{1} << 57}});
static_assert(dynamic_layout_from<4 * dynamic(0), dimension<digit<8, 1>>>::why(integer{1} << 61)
                  .which == rule::sizes_leave_memory);

// to_layout needs an iter for each digit, and a layout has at most 24.
constexpr digit_data empty_digits[25]{};
static_assert(size_table{empty_digits, 24, {}}.why(nullptr).which == rule::digit_extent_below_one);
static_assert(size_table{empty_digits, 25, {}}.why(nullptr) ==
              refusal{rule::too_many_shards, {25}});
static_assert(alignment_with_offset<moved>(128, 2) == 16 &&
              alignment_with_offset<images>(128, 2) == 128);
static_assert(alignment_with_offset<dynamic_layout_from<6, dimension<digit<dynamic(0), 1>>>>(16,
                                                                                             4) ==
              8);

// tensor_of makes a dynamic_layout with static extents and strides from a layout and a shape.
static_assert(std::is_same_v<tensor_of<carrier<"S[(64,32,4):(128,4,1)]"_axe>, extents<64, 128>>,
                             dynamic_layout_from<leaf{}, axe::dimension<axe::digit<64, 128>>,
                                                 axe::dimension<axe::digit<128, 1>>>>);
using channels = tensor_of<carrier<"S[(3,49,7):(343,1,49)] + 5"_axe>, extents<3, 1, 343>>;
static_assert(channels::rank == 3 && channels::slots == 0 && channels::offset == leaf{5});
static_assert(equivalent(to_layout(channels{}), "S[(3,49,7):(343,1,49)] + 5"_axe));
static_assert(shape_of(channels{}) == shape{3, 1, 343});
constexpr rule rule_of(layout const& l, shape const& s) {
  return try_tensor_layout(l, s).why.which;
}
static_assert(rule_of("swizzle(3,3,3) o S[512:1]"_axe, {8, 64}) == rule::tensor_is_swizzled);
static_assert(rule_of("S[8:1] + R[2:8]"_axe, 8) == rule::address_of_replicas);
static_assert(rule_of("S[8:1@lane]"_axe, 8) == rule::address_on_another_axis);
static_assert(rule_of("S[12:1]"_axe, {3, 5}) == rule::shape_does_not_fit);

}  // namespace
