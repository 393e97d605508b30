// Compile-time facts about parts of coordinates, address plans and bound addresses. All lanes or
// threads of small tiles are compared with digits written out by hand.
//
// The contribution of a register to an address has three evaluations: quotients, products and
// diagonals (index/evaluation.hpp). `at<C>()` adds the constant C to a coordinate. The plan does
// this by one XOR and one immediate, by swizzling the sum again, or by computing the whole address
// again.
#include <axe/construct/literal.hpp>
#include <axe/index/bind_address.hpp>

#include <cstddef>
#include <type_traits>

namespace {

using namespace axe;
using namespace axe::literals;
using namespace axe::detail;

// Quotients by constants, which are computed as the high word of a product.
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
constexpr dimension_run eights{{{8, 1, axis::m}, {4, 100, axis::m}}, 32};
constexpr part_list seven_values{{0, 0, 7, 1, 1, 0}};
constexpr part_list fours{
    {0, 0, 3, 12, 1, 0}};  // values 0, 12 and 24, with remainders 0, 4, 0 by 8
static_assert(!remainders_of(eights, seven_values).carry(1) &&
              remainders_of(eights, seven_values).carry(2));
static_assert(!remainders_of(eights, fours).carry(3) && remainders_of(eights, fours).carry(4));
static_assert(largest_remainder(12, 3, 8) == 4 && largest_remainder(16, 9, 8) == 0 &&
              largest_remainder(1, 5, 8) == 4);
static_assert(largest_remainder(6, 9, 8) == 6);
static_assert(digits_at(eights, 19) == 2 * 100 + 3 && digits_at(eights, 40) == 500);

// Addresses for every coordinate, in digits of any extent, with constants that carry or do not.
template <integer Constant> constexpr bool padded_holds() {
  using padded = carrier<"S[(7,48):(100,1)]"_axe>;
  for (unsigned x = 0; x + Constant < 336; ++x)
    if (bind_address<padded, extents<336>, 4>(below<336 - Constant>(x)).template at<Constant>() !=
        4 * ((x + Constant) / 48 * 100 + (x + Constant) % 48))
      return false;
  return true;
}
static_assert(padded_holds<0>() && padded_holds<1>() && padded_holds<48>() && padded_holds<49>());

/// The digit may have 2^31 values, more than the dimension has. The coordinate used, 3 * 11, is in
/// bounds.
static_assert(bind_address<carrier<"S[(5,7):(100,1)]"_axe>, extents<35>, 4>(
                  constant<3>{} * any(11).digit<1, integer{1} << 31>())
                  .at<>() == 4 * (4 * 100 + 5));

/// Swizzles that read bits above every address or write bits above bit 32. The parts of the
/// coordinates have disjoint bits in one case and overlap in the other.
template <class L> constexpr bool far_swizzle_holds() {
  constexpr swizzle moved = L::value.swizzle;
  auto const bytes_at = [=](unsigned row, unsigned column) {
    return static_cast<stl::uint64_t>(2 * moved(64 * integer{row} + column));
  };
  for (unsigned row = 0; row < 63; row += 9)
    for (unsigned column = row % 8; column < 63; column += 13) {
      auto const apart = bind_address<L, extents<64, 64>, 2>(below<64>(row), below<64>(column));
      auto const overlapping = bind_address<L, extents<64, 64>, 2>(
          constant<2>{} * below<31>(row / 2) + below<3>(row % 2), below<63>(column));
      if (apart.template at<>() != bytes_at(row, column) ||
          apart.template at<1, 1>() != bytes_at(row + 1, column + 1))
        return false;
      if (overlapping.template at<>() != bytes_at(row, column) ||
          overlapping.template at<0, 1>() != bytes_at(row, column + 1))
        return false;
    }
  return true;
}
static_assert(far_swizzle_holds<carrier<"swizzle(3,3,35) o S[(64,64):(64,1)]"_axe>>() &&
              far_swizzle_holds<carrier<"swizzle(0,5,32) o S[(64,64):(64,1)]"_axe>>());
static_assert(far_swizzle_holds<carrier<"swizzle(28,3,3) o S[(64,64):(64,1)]"_axe>>() &&
              far_swizzle_holds<carrier<"swizzle(40,3,-3) o S[(64,64):(64,1)]"_axe>>());
static_assert(far_swizzle_holds<carrier<"swizzle(3,3,-28) o S[(64,64):(64,1)]"_axe>>() &&
              far_swizzle_holds<carrier<"swizzle(3,3,-40) o S[(64,64):(64,1)]"_axe>>());

/// Computing the span of this layout takes many steps. The plan must fit clang's limit of steps in
/// a constant expression all the same.
using costly_reach =
    carrier<"swizzle(1,4,5) o S[(16,32,16,2,16,2):(-16,16388,1,8194,256,4096)] + 245"_axe>;
static_assert(bind_address<costly_reach, extents<8192, 64>, 16>(any(2375), any(6)).at<>() ==
              16 * swizzle{1, 4,
                           5}(245 - 16 * 4 + 16388 * 20 + 1 * 7 + 8194 * 0 + 256 * 3 + 4096 * 0));

constexpr bool three_digits_hold() {
  using blocks = carrier<"S[(5,7,3):(1000,-100,7)] + 600"_axe>;
  for (unsigned x = 0; x < 105; ++x)
    if (bind_address<blocks, extents<105>, 1>(below<105>(x)).at<0>() !=
        600 + x / 21 * 1000 - x / 3 % 7 * 100 + x % 3 * 7)
      return false;
  return true;
}
static_assert(three_digits_hold());

constexpr bool
steps_hold() {  // 4 * v alternates between the values 0 and 4 of the fast digit, whose extent is 8
  using blocks = carrier<"S[(4,8):(100,1)]"_axe>;
  for (unsigned v = 0; v < 7; ++v)
    if (bind_address<blocks, extents<32>, 1>(constant<4>{} * below<7>(v)).at<0>() !=
        v / 2 * 100 + v % 2 * 4)
      return false;
  return true;
}
static_assert(steps_hold());

template <integer Row, integer Column> constexpr bool blocked_holds() {
  using blocked =
      carrier<"S[(4,6,3,8):(1000,16,300,2)] + 40"_axe>;  // a 24 x 24 tile in blocks of 6 x 8
  for (unsigned t = 0; t < 96; ++t) {
    auto const thread = on<axis::tid, 96>(t);
    auto const at = bind_address<blocked, extents<24, 24>, 2>(
        constant<2>{} * thread.digit<8, 12>() + constant<1>{} * below<1>(0), thread.digit<1, 8>());
    unsigned const row = t / 8 * 2 + Row, column = t % 8 + Column;
    if (at.template at<Row, Column>() !=
        2 * (40 + row / 6 * 1000 + row % 6 * 16 + column / 8 * 300 + column % 8 * 2))
      return false;
  }
  return true;
}
static_assert(blocked_holds<0, 0>() && blocked_holds<1, 8>() && blocked_holds<0, 16>() &&
              blocked_holds<1, 3>());

// Constants under a swizzle: their bits are disjoint from those of the dynamic part or not, and the
// coordinates may contain a constant themselves.
using swizzled = carrier<"swizzle(3,3,3) o S[(64,64):(64,1)]"_axe>;
using tile = extents<64, 64>;
/// The byte address of an element in the 128-byte mode.
AXE_FN constexpr unsigned in_128_bytes(unsigned row, unsigned column) {
  return row * 128 + ((column / 8 ^ row % 8) * 8 + column % 8) * 2;
}
template <integer Row, integer Column, integer Own> constexpr bool swizzled_holds() {
  for (unsigned t = 0; t < 32; ++t) {
    auto const lane = on<axis::lane, 32>(t);
    auto const at = bind_address<swizzled, tile, 2>(
        lane.bits<0, 4>(), constant<8>{} * lane.bits<4, 1>() + constant<Own>{});
    unsigned const expected = in_128_bytes(t % 16 + Row, t / 16 * 8 + Own + Column);
    if (at.template at<Row, Column>() != expected ||
        at.from(4096u).template at<Row, Column>() != 4096 + expected ||
        at.template at<Row, Column>().from(8192u) != 8192 + expected)
      return false;
  }
  return true;
}
static_assert(swizzled_holds<0, 0, 0>() && swizzled_holds<16, 32, 0>() &&
              swizzled_holds<48, 48, 0>());
static_assert(swizzled_holds<0, 3, 0>() && swizzled_holds<16, 5, 16>());
static_assert(swizzled_holds<1, 0, 0>() && swizzled_holds<17, 40, 0>() &&
              swizzled_holds<0, 8, 0>());
static_assert(swizzled_holds<0, 0, 8>() && swizzled_holds<16, 16, 8>() &&
              swizzled_holds<3, 33, 8>());

constexpr auto own_constant = bind_address<swizzled, tile, 2>(
    on<axis::lane, 32>(5).bits<0, 4>(),
    constant<8>{} * on<axis::lane, 32>(5).bits<4, 1>() + constant<8>{});
static_assert(decltype(own_constant)::plan::value.mode ==
              swizzling::literal);                                     // both parts contain an 8
static_assert(decltype(own_constant)::constants<0, 16>().reswizzled);  // 8 + 8 carries into 16

// Stages of 96 rows are 12,288 bytes apart. Multiples of 12,288 share bits, but none below 1,024
// bytes, the period of the swizzle, so the plan adds them after the swizzle. The same holds for the
// steps of warps of 48 rows, where one register holds row, chunk and warp. A constant still takes
// one XOR and one immediate.
using ring = carrier<"swizzle(3,3,3) o S[(3,96,64):(6144,64,1)]"_axe>;
constexpr auto bound_stage(unsigned stage, unsigned t) {
  auto const lane = on<axis::lane, 32>(t);
  return bind_address<ring, extents<3, 96, 64>, 2>(below<3>(stage), lane.bits<0, 4>(),
                                                   constant<8>{} * lane.bits<4, 1>());
}
using staged = decltype(bound_stage(0, 0));
static_assert(staged::plan::value.mode == swizzling::per_register &&
              staged::plan::value.registers.back().plane == beyond);
static_assert(staged::constants<0, 16, 32>().xored == 64 &&
              staged::constants<0, 16, 32>().immediate == 2048);
static_assert(!staged::constants<1, 80, 48>().again && staged::constants<0, 0, 8>().again);
using tall = carrier<"swizzle(3,3,3) o S[(192,64):(64,1)]"_axe>;
constexpr auto bound_warp(unsigned t) {
  auto const thread = on<axis::tid, 128>(t);
  return bind_address<tall, extents<192, 64>, 2>(
      constant<48>{} * thread.bits<5, 2>() + thread.bits<0, 4>(),
      constant<8>{} * thread.bits<4, 1>());
}
constexpr bool overlapping_steps_hold() {
  for (unsigned t = 0; t < 128; ++t) {
    unsigned const column = t / 16 % 2 * 8;
    unsigned const stage = t / 32 % 3;
    if (bound_stage(stage, t % 32).from(5120u).at<0, 80, 48>() !=
            5120 + stage * 12288 + in_128_bytes(t % 16 + 80, column + 48) ||
        bound_stage(stage, t % 32).at<0, 3, 8>() !=
            stage * 12288 + in_128_bytes(t % 16 + 3, column + 8) ||
        bound_warp(t).from(1024u).at<32, 16>() !=
            1024 + in_128_bytes(t / 32 * 48 + t % 16 + 32, column + 16))
      return false;
  }
  return true;
}
static_assert(overlapping_steps_hold());

// A run-time row overlaps the lane's row, so the plan swizzles the sum. Bits 5 and 6 of the address
// in bytes are 0 in the sum, so that adding 48 to the column is one XOR. Row + 1 and column + 8
// change bits of the sum, and the new sum must be swizzled again.
constexpr auto bound_from(unsigned row, unsigned t) {
  auto const lane = on<axis::lane, 32>(t);
  return bind_address<tall, extents<192, 64>, 2>(below<160>(row) + lane.bits<0, 4>(),
                                                 constant<8>{} * lane.bits<4, 1>());
}
using from_row = decltype(bound_from(0, 0));
static_assert(from_row::plan::value.mode == swizzling::literal);
static_assert(!from_row::constants<16, 48>().reswizzled &&
              from_row::constants<16, 48>().xored == 96 &&
              from_row::constants<16, 48>().immediate == 2048);
static_assert(from_row::constants<1, 0>().reswizzled && from_row::constants<0, 8>().reswizzled &&
              !from_row::constants<1, 8>().again);
// The offset of the layout is one row, and adding it to the lane's row may carry.
using one_row_on = carrier<"swizzle(3,3,3) o S[(64,64):(64,1)] + 64"_axe>;
constexpr auto bound_after_one_row(unsigned t) {
  auto const lane = on<axis::lane, 32>(t);
  return bind_address<one_row_on, tile, 2>(lane.bits<0, 4>(), constant<8>{} * lane.bits<4, 1>());
}
static_assert(decltype(bound_after_one_row(0))::constants<48, 32>().xored == 64);
constexpr bool sums_swizzled_once_hold() {
  for (unsigned t = 0; t < 32; ++t) {
    unsigned const column = t / 16 * 8;
    for (unsigned row : {0u, 1u, 7u, 100u, 159u})
      if (bound_from(row, t).from(2048u).at<16, 48>() !=
              2048 + in_128_bytes(row + t % 16 + 16, column + 48) ||
          bound_from(row, t).at<1, 8>() != in_128_bytes(row + t % 16 + 1, column + 8))
        return false;
    if (bound_after_one_row(t).from(1024u).at<48, 32>() !=
        1024 + in_128_bytes(t % 16 + 49, column + 32))
      return false;
  }
  return true;
}
static_assert(sums_swizzled_once_hold());

// A swizzle with S < 0, which moves bits up, and one with S > 0, which moves bits down.
template <class L, class Place> constexpr bool square_holds(Place const& place) {
  for (unsigned row = 0; row < 32; ++row)
    for (unsigned column = 0; column < 32; ++column)
      if (bind_address<L, extents<32, 32>, 4>(below<32>(row), below<32>(column))
              .template at<0, 0>() != 4 * place(row, column))
        return false;
  return true;
}
AXE_FN constexpr unsigned moved_up(unsigned row, unsigned column) {
  unsigned const at = 32 * row + column;
  return at ^ (at & 12) << 3;
}
AXE_FN constexpr unsigned moved_down(unsigned row, unsigned column) {
  return (32 * row + column) ^ row;
}
static_assert(square_holds<carrier<"swizzle(2,2,-3) o S[(32,32):(32,1)]"_axe>>(moved_up));
static_assert(square_holds<carrier<"swizzle(0,5,5) o S[(32,32):(32,1)]"_axe>>(moved_down));

// If parts overlap in one digit, the plan computes the address without the swizzle and then
// swizzles it.
template <class L, class Place> constexpr bool literal_holds(Place const& place) {
  for (unsigned r = 0; r < 20; ++r)
    for (unsigned q = 0; q < 4; ++q) {
      auto const at = bind_address<L, extents<32, 32>, 4>(
          below<20>(r) + constant<3>{} * below<4>(q), constant<4>{} * below<8>(5));
      static_assert(decltype(at)::plan::value.mode == swizzling::literal);
      if (at.template at<2, 1>() != 4 * place(r + 3 * q + 2, 21) ||
          at.from(512u).template at<0, 0>() != 512 + 4 * place(r + 3 * q, 20))
        return false;
    }
  return true;
}
static_assert(literal_holds<carrier<"swizzle(2,2,-3) o S[(32,32):(32,1)]"_axe>>(moved_up));
static_assert(literal_holds<carrier<"swizzle(0,5,5) o S[(32,32):(32,1)]"_axe>>(moved_down));

// Address ranges beyond 32 bits are computed in 64 bits, all others in 32.
using large = carrier<"S[(65536,65536):(65537,1)]"_axe>;
constexpr auto far_away = bind_address<large, extents<65536, 65536>, 4>(
    below<65536>(65000), constant<16>{} * below<4096>(4000));
static_assert(far_away.at<0, 15>() == 4 * (65000ull * 65537 + 64015) &&
              sizeof(far_away.at<0, 15>().base) == 8);
static_assert(far_away.at<500, 16>() == 4 * (65500ull * 65537 + 64016));
using wide_blocks = carrier<"S[(1024,7):(8000000007,3)]"_axe>;
constexpr auto far_digits = bind_address<wide_blocks, extents<7168>, 2>(below<7160>(7159));
static_assert(far_digits.at<0>() == 2 * (7159ull / 7 * 8000000007ull + 7159 % 7 * 3));
static_assert(far_digits.at<8>() == 2 * (7167ull / 7 * 8000000007ull + 7167 % 7 * 3));

// The plan of a tile for ldmatrix: a constant takes one XOR and one immediate, or the address is
// computed again.
using rows_of_lanes = decltype(bind_address<swizzled, tile, 2>(
    on<axis::lane, 32>(0).bits<0, 4>(), constant<8>{} * on<axis::lane, 32>(0).bits<4, 1>()));
static_assert(rows_of_lanes::plan::value.mode == swizzling::per_register &&
              !rows_of_lanes::constants<16, 32>().again);
static_assert(rows_of_lanes::constants<16, 32>().xored == 64 &&
              rows_of_lanes::constants<16, 32>().immediate == 2048);
static_assert(rows_of_lanes::constants<0, 8>().again && rows_of_lanes::constants<1, 0>().again);
static_assert(rows_of_lanes::plan::value.least == 0 && rows_of_lanes::plan::value.largest == 8191);

// Every evaluation that a register supports gives the same addresses as the chosen one.
template <class Plan, evaluation Form> struct forced {
  AXE_FN static constexpr address_plan make() {
    address_plan plan = Plan::value;
    for (planned_register& r : plan.registers)
      if (r.has[static_cast<int>(Form)]) r.form = Form;
    return plan;
  }
  static constexpr address_plan value = make();
  AXE_FN static constexpr bool any() {
    for (planned_register const& r : value.registers)
      if (r.form == Form) return true;
    return false;
  }
};
template <class L, integer Bytes, evaluation Form, class Row, class Column>
constexpr bool forced_holds(Row const& row, Column const& column, integer expected) {
  using bound = decltype(bind_address<L, tile, Bytes>(row, column));
  using plan = forced<typename bound::plan, Form>;
  static_assert(plan::any());
  // The sum of the registers includes neither the coordinates' constants nor the offset.
  return add_registers<plan, typename bound::index>(make_sums(as_sum(row), as_sum(column))) ==
         expected;
}
template <class L, integer Bytes, evaluation Form, class Place>
constexpr bool lanes_hold(Place const& place) {
  for (unsigned t = 0; t < 256; ++t) {
    auto const thread = on<axis::tid, 256>(t);
    if (!forced_holds<L, Bytes, Form>(thread.bits<3, 5>(), constant<8>{} * thread.bits<0, 3>(),
                                      Bytes * integer{place(t / 8, t % 8 * 8)}))
      return false;
  }
  return true;
}
AXE_FN constexpr unsigned plain_place(unsigned row, unsigned column) { return 64 * row + column; }
AXE_FN constexpr unsigned padded_place(unsigned row, unsigned column) { return 72 * row + column; }
AXE_FN constexpr unsigned swizzled_place(unsigned row, unsigned column) {
  return in_128_bytes(row, column) / 2;
}
using plain = carrier<"S[(64,64):(64,1)]"_axe>;
using padded_rows = carrier<"S[(64,64):(72,1)]"_axe>;
static_assert(lanes_hold<plain, 2, evaluation::quotients>(plain_place));
static_assert(lanes_hold<plain, 2, evaluation::products>(plain_place));
static_assert(lanes_hold<plain, 2, evaluation::diagonals>(plain_place));
static_assert(lanes_hold<padded_rows, 4, evaluation::quotients>(padded_place));
static_assert(lanes_hold<padded_rows, 4, evaluation::products>(padded_place));
static_assert(lanes_hold<swizzled, 2, evaluation::products>(swizzled_place));
static_assert(lanes_hold<swizzled, 2, evaluation::diagonals>(swizzled_place));

// Rows of 6 elements in blocks of 8: row 1 begins at element 6, and row 2 at element 12, in the
// second block.
template <class... Parts> constexpr unsigned in_blocks_of_8(Parts... parts) {
  return bind_address<carrier<"S[(3,8):(100,1)]"_axe>, extents<4, 6>, 1>(parts...)
      .template at<0, 0>();
}
static_assert(in_blocks_of_8(below<4>(1), constant<0>{}) == 6 &&
              in_blocks_of_8(below<4>(2), constant<0>{}) == 104 &&
              in_blocks_of_8(below<4>(3), constant<0>{}) == 202);

// A swizzle acts on address bits only if the size of an element is a power of two of bytes, so 12
// bytes are rejected.
constexpr integer no_constants[1]{};
static_assert(plan_address("swizzle(1,1,2) o S[16:1]"_axe, 16, 12, {nullptr, 0, no_constants})
                  .why.which == rule::swizzle_packs_powers_of_two);
static_assert(plan_address("swizzle(1,1,2) o S[16:1]"_axe, 16, 8, {nullptr, 0, no_constants})
                  .why.which == rule::none);
static_assert(plan_address("S[16:1]"_axe, 16, 12, {nullptr, 0, no_constants}).why.which ==
              rule::none);

// A negative stride added to a 64-bit base must be sign-extended. The base is added before or after
// the constant, and one digit runs down while another runs up.
template <class L, int Extent, class Expected> constexpr bool runs_down(Expected const& expected) {
  constexpr unsigned long long base = 1ull << 40;
  for (unsigned x = 0; x + 2 < Extent; ++x) {
    auto const f = bind_address<L, extents<Extent>, 4>(any(x));
    if (static_cast<unsigned long long>(f.from(base).template at<2>()) !=
            base + 4ull * expected(x + 2) ||
        static_cast<unsigned long long>(f.template at<2>().from(base)) !=
            base + 4ull * expected(x + 2) ||
        f.template at<2>() != 4 * expected(x + 2) ||
        static_cast<unsigned>(f.from(4096u).template at<2>()) != 4096 + 4 * expected(x + 2))
      return false;
  }
  return true;
}
AXE_FN constexpr unsigned downwards(unsigned x) { return 63 - x; }
AXE_FN constexpr unsigned down_in_rows(unsigned x) { return 28 + x / 8 - 4 * (x % 8); }
static_assert(runs_down<carrier<"S[64:-1] + 63"_axe>, 64>(downwards));
static_assert(runs_down<carrier<"S[(4,8):(1,-4)] + 28"_axe>, 32>(down_in_rows));
// A signed index of 32 bits reaches -2^31 bytes. One element more needs 64 bits. An unsigned index
// reaches byte 2^32 - 1. One byte more needs 64 bits.
template <class L, integer Extent, integer Bytes = 4>
constexpr int index_bytes =
    sizeof(decltype(bind_address<L, extents<Extent>, Bytes>(any(0)).template at<0>().base));
static_assert(index_bytes<carrier<"S[536870913:-1] + 536870912"_axe>, 536870913> == 4 &&
              index_bytes<carrier<"S[536870914:-1] + 536870913"_axe>, 536870914> == 8 &&
              index_bytes<carrier<"S[1073741824:1]"_axe>, 1073741824> == 4 &&
              index_bytes<carrier<"S[2:4294967295]"_axe>, 2, 1> == 4 &&
              index_bytes<carrier<"S[2:4294967296]"_axe>, 2, 1> == 8);

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
static_assert(as_sum(constant<5ull>{})() == 5 && as_sum(short{5})() == 5);
static_assert(is_natural<0> && is_natural<0x7fff'ffff'ffff'ffffull> && !is_natural<~0ull> &&
              !is_natural<-1>);

// A constant is rejected if no value of the parts is in bounds. The tile has 64 rows and columns,
// and the row is 2 to 5. So row + 62, row - 6 and column + 64 are rejected; row + 61, row - 5 and
// column - 70 may be in bounds.
using in_rows =
    constants_within<dimensions_within<extents<64, 64>>,
                     decltype(as_sum(below<4>(0) + constant<2>{})), decltype(as_sum(any(0)))>;
template <integer Row, integer Column>
constexpr int left_dimension = in_rows::find({{Row, Column}}).dimension;
static_assert(left_dimension<61, 0> == -1 && left_dimension<62, 0> == 0 &&
              left_dimension<0, 63> == -1 && left_dimension<0, 64> == 1 &&
              left_dimension<-5, 0> == -1 && left_dimension<-6, 0> == 0 &&
              left_dimension<0, -70> == -1);

// Sums of parts that carry across digits have 32 bits, so dimensions of more than 2^32 elements are
// rejected.
constexpr part_data carrying[]{{0, 0, 0, 96, 1, 0}, {0, 0, 96, 1, 1, 0}};
static_assert(plan_address("S[(65536,65536):(65537,1)]"_axe, integer{1} << 32, 1,
                           {carrying, 2, no_constants})
                  .why.which == rule::none);
static_assert(plan_address("S[(65536,65537):(65538,1)]"_axe, integer{65536} * 65537, 1,
                           {carrying, 2, no_constants})
                  .why.which == rule::coordinate_sum_has_32_bits);

// For rows of an odd pitch under a swizzle the exact span exceeds the step limit. The bounds, which
// are rounded to whole periods, are enough for the plan.
using odd_rows = carrier<"swizzle(3,3,3) o S[(128,128):(137,1)]"_axe>;
static_assert(reach_of(odd_rows::value, axis::m).why.which == rule::undecided);
static_assert(bounds_of(odd_rows::value)->least == 0 &&
              bounds_of(odd_rows::value)->largest == 35 * 512 - 1);
static_assert(bounds_of("swizzle(3,3,3) o S[(8,8):(64,1)]"_axe)->largest == 511);
constexpr bool odd_rows_are_found() {
  for (unsigned row : {0u, 1u, 77u, 127u})
    for (unsigned chunk : {0u, 3u, 15u})
      if (bind_address<odd_rows, extents<128, 128>, 2>(below<128>(row),
                                                       constant<8>{} * below<16>(chunk))
              .at<0, 5>() != 2 * "swizzle(3,3,3) o S[1:1]"_axe.swizzle(137 * row + 8 * chunk + 5))
        return false;
  return true;
}
static_assert(odd_rows_are_found());

// Constants and multiples are accepted if the largest value of the sum fits in 64 bits. A sum that
// is larger by 1 is rejected (tests/compile_fail).
constexpr auto many_times = constant<largest / 4>() * (constant<4>() * below<2>(1u) + below<2>(1u));
static_assert(decltype(many_times)::greatest == largest / 4 * 4 && many_times.known == 0);
static_assert(decltype(below<2>(1u) + constant<4>() * below<2>(1u) + constant<2>())::greatest == 4);
static_assert((constant<1>() + (constant<largest - 1>() + below<2>(1u))).known == largest);
static_assert(decltype(constant<largest>() * below<2>(1u))::greatest == largest);

}  // namespace
