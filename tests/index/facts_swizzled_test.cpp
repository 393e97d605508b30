// Compile-time facts about addresses of swizzled tiles: all lanes or threads are compared with
// digits written out by hand.
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
              swizzling::of_sum);                                 // both parts contain an 8
static_assert(decltype(own_constant)::constants<0, 16>().again);  // 8 + 8 carries into 16

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
// change bits of the sum, so that the address is computed again.
constexpr auto bound_from(unsigned row, unsigned t) {
  auto const lane = on<axis::lane, 32>(t);
  return bind_address<tall, extents<192, 64>, 2>(below<160>(row) + lane.bits<0, 4>(),
                                                 constant<8>{} * lane.bits<4, 1>());
}
using from_row = decltype(bound_from(0, 0));
static_assert(from_row::plan::value.mode == swizzling::of_sum);
static_assert(!from_row::constants<16, 48>().again && from_row::constants<16, 48>().xored == 96 &&
              from_row::constants<16, 48>().immediate == 2048);
static_assert(from_row::constants<1, 0>().again && from_row::constants<0, 8>().again);
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
      static_assert(decltype(at)::plan::value.mode == swizzling::of_sum);
      if (at.template at<2, 1>() != 4 * place(r + 3 * q + 2, 21) ||
          at.from(512u).template at<0, 0>() != 512 + 4 * place(r + 3 * q, 20))
        return false;
    }
  return true;
}
static_assert(literal_holds<carrier<"swizzle(2,2,-3) o S[(32,32):(32,1)]"_axe>>(moved_up));
static_assert(literal_holds<carrier<"swizzle(0,5,5) o S[(32,32):(32,1)]"_axe>>(moved_down));

// The plan of a tile for ldmatrix: a constant takes one XOR and one immediate, or the address is
// computed again.
using rows_of_lanes = decltype(bind_address<swizzled, tile, 2>(
    on<axis::lane, 32>(0).bits<0, 4>(), constant<8>{} * on<axis::lane, 32>(0).bits<4, 1>()));
static_assert(rows_of_lanes::plan::value.mode == swizzling::per_register &&
              !rows_of_lanes::constants<16, 32>().again);
static_assert(rows_of_lanes::constants<16, 32>().xored == 64 &&
              rows_of_lanes::constants<16, 32>().immediate == 2048);
static_assert(rows_of_lanes::constants<0, 8>().again && rows_of_lanes::constants<1, 0>().again);
static_assert(rows_of_lanes::plan::value.least_address == 0 &&
              rows_of_lanes::plan::value.largest_address == 8191);

// Every evaluation that a register supports gives the same addresses as the chosen one.
template <class Plan, evaluation Form> struct forced {
  AXE_FN static constexpr address_plan make() {
    address_plan plan = Plan::value;
    for (planned_register& r : plan.registers)
      if (r.computable[static_cast<int>(Form)]) r.form = Form;
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
  return add_registers<plan, decltype(bound::sum)>(make_sums(as_sum(row), as_sum(column))) ==
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

}  // namespace
