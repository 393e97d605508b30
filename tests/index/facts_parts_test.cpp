// Compile-time facts about parts of coordinates: digits, bits, constants, multiples, and sums.
#include <axe/construct/literal.hpp>
#include <axe/index/bind_address.hpp>

#include <cstddef>
#include <type_traits>

namespace {

using namespace axe;
using namespace axe::literals;
using namespace axe::detail;

// Parts of coordinates: digits and bits of a thread number, constants, and sums of these.
constexpr auto t100 = on<axis::tid, 256>(100);
static_assert(t100.digit<4, 8>()() == 1 && t100.digit<32, 8>()() == 3 && t100.bits<2, 3>()() == 1);
static_assert(on<axis::tid, 105>(104).digit<5, 7>()() == 6 &&
              on<axis::tid, 105>(40).digit<5, 7>()() == 1 &&
              on<axis::tid, 105>(35).digit<5, 4>()() == 3 &&
              on<axis::tid, 105>(92).digit<4, 8>()() == 7);
static_assert((constant<32>{} * t100.bits<2, 3>())() == 32);
// A digit of a digit is a digit of the same register.
static_assert(on<axis::tid, 256>(183).bits<2, 4>().bits<1, 2>()() == 183 / 8 % 4 &&
              on<axis::tid, 256>(183).digit<32, 8>().bits<2, 5>()() == 183 / 128 &&
              on<axis::tid, 105>(92).digit<5, 21>().digit<7, 3>()() == 92 / 35);
static_assert(
    std::is_same_v<decltype(t100.bits<2, 4>().bits<1, 2>()), decltype(t100.bits<3, 2>())>);
static_assert((constant<2>{} * (constant<8>{} * t100.bits<2, 3>()))() == 16);
static_assert((constant<4>{} * (below<9>(5) + constant<3>{}))() == 32);
static_assert((constant<4>{} * constant<3>{} + constant<1>{}).value == 13 &&
              (constant<1>{} - constant<3>{}).value == -2 &&
              (constant<65536>{} * constant<65536>{}).value == integer{1} << 32);
static_assert((below<9>(5) + constant<3>{} + (any(7) + constant<20>{}))() == 35);
static_assert(as_sum(constant<6>{})() == 6 && as_sum(11u)() == 11);

// A constant carries out of a digit of extent 8 if its sum with the largest value of the digit
// reaches 8: for values up to 6, 1 does not carry and 2 does.
constexpr iter eight_by_four[]{{8, 1, axis::m}, {4, 100, axis::m}};
constexpr run_digits eights{eight_by_four, 2, 32};
constexpr part_list seven_values{{0, 0, 7, 1, 1, 0}};
constexpr part_list fours{
    {0, 0, 3, 12, 1, 0}};  // values 0, 12 and 24, with remainders 0, 4, 0 by 8
static_assert(!remainders_of(eights, seven_values).may_carry(1) &&
              remainders_of(eights, seven_values).may_carry(2));
static_assert(!remainders_of(eights, fours).may_carry(3) &&
              remainders_of(eights, fours).may_carry(4));
static_assert(largest_remainder(12, 3, 8) == 4 && largest_remainder(16, 9, 8) == 0 &&
              largest_remainder(1, 5, 8) == 4);
static_assert(largest_remainder(6, 9, 8) == 6);
static_assert(address_at(eights, 19) == 2 * 100 + 3 && address_at(eights, 40) == 500);

// `any` takes integers of at most 32 bits. Constants may have any integer type.
enum class some_number : int {};
enum a_number : int {};
template <class T> constexpr bool any_takes = number_below<0>::takes<T>;
static_assert(any_takes<unsigned> && any_takes<int> && any_takes<short> &&
              any_takes<unsigned char> && any_takes<bool> && any_takes<a_number> &&
              any_takes<std::integral_constant<int, 5>>);
static_assert(!any_takes<long long> && !any_takes<unsigned long long> && !any_takes<float> &&
              !any_takes<double> && !any_takes<some_number> && !any_takes<int*> &&
              !any_takes<std::integral_constant<long long, 5>>);
// `below` also takes wider integers if the bound fits 32 bits. Floating-point numbers are rejected.
static_assert(number_below<8>::takes<long long> &&
              number_below<integer{1} << 32>::takes<std::size_t> &&
              !number_below<(integer{1} << 32) + 1>::takes<std::size_t> &&
              !number_below<0>::takes<long> && !number_below<8>::takes<double> &&
              number_below<0>::takes<int>);
static_assert(below<8>(7ull)() == 7 && below<integer{1} << 32>((1ll << 32) - 1)() == 0xffff'ffff &&
              on<axis::tid, 8>(std::size_t{7})() == 7 && any(-1)() == 0xffff'ffff);
// With a number of 64 bits, the result is a number of 64 bits.
static_assert(any(7u) * (1ull << 40) == 7ull << 40 && (1ll << 40) + any(7) == (1ll << 40) + 7 &&
              any(3) - (1ll << 40) == 3 - (1ll << 40) && sizeof(any(3) * 5) == 4);
static_assert(as_sum(constant<5ull>{})() == 5 && as_sum(short{5})() == 5);
static_assert(is_natural<0> && is_natural<0x7fff'ffff'ffff'ffffull> && !is_natural<~0ull> &&
              !is_natural<-1>);

// Constants and multiples are accepted if the largest value of the sum fits in 64 bits. A sum that
// is larger by 1 is rejected (tests/compile_fail).
constexpr auto many_times = constant<largest / 4>() * (constant<4>() * below<2>(1u) + below<2>(1u));
static_assert(decltype(many_times)::largest_step == largest / 4 * 4 && many_times.known == 0);
static_assert(decltype(below<2>(1u) + constant<4>() * below<2>(1u) + constant<2>())::largest_step ==
              4);
static_assert((constant<1>() + (constant<largest - 1>() + below<2>(1u))).known == largest);
static_assert(decltype(constant<largest>() * below<2>(1u))::largest_step == largest);

}  // namespace
