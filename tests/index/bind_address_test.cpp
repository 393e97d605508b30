// Tests bind_address, at() and from() on the host, for every thread of a tile. The expected
// addresses come from axe::places, which does not use the address plan.
#include "support/catch.hpp"

#include <axe/construct/literal.hpp>
#include <axe/index/bind_address.hpp>
#include <axe/index/bound_thread_tile.hpp>
#include <axe/map/places.hpp>

namespace {

using namespace axe;
using namespace axe::literals;

template <class L> constexpr integer address(shape const& s, coordinate const& c, integer bytes) {
  return places(L::value, s, c).first()[axis::m] * bytes;
}

using swizzled = carrier<"swizzle(3,3,3) o S[(64,64):(64,1)]"_axe>;

TEST_CASE("the sixteen ldmatrix addresses of a 64x64 tile in the 128-byte mode are right") {
  for (unsigned t = 0; t < 32; ++t) {
    auto const lane = on<axis::lane, 32>(t);
    auto const rows = bind_address<swizzled, extents<64, 64>, 2>(lane.bits<0, 4>(),
                                                                 constant<8>{} * lane.bits<4, 1>());
    using bound = std::remove_const_t<decltype(rows)>;
    for_each_register<4>([&](auto i) {
      for_each_register<4>([&](auto k) {
        constexpr integer row = 16 * decltype(i)::value;
        constexpr integer column = 16 * decltype(k)::value;
        // A step along columns costs one XOR, and a step along rows only an immediate.
        static_assert(!bound::template constants<row, column>().again);
        static_assert(bound::template constants<row, column>().xored == 2 * column);
        static_assert(bound::template constants<row, column>().immediate == 128 * row);
        integer const expected =
            address<swizzled>({64, 64}, {(t & 15) + row, 8 * (t >> 4) + column}, 2);
        CHECK(unsigned{rows.template at<row, column>()} == expected);
        CHECK(unsigned{rows.from(3072u).template at<row, column>()} == 3072 + expected);
      });
    });
  }
}

TEST_CASE("a constant that overlaps dynamic bits or carries makes bind_address compute again") {
  for (unsigned t = 0; t < 32; ++t) {
    auto const lane = on<axis::lane, 32>(t);
    // Row + 1 changes bits that the lane's row may have set too.
    auto const rows = bind_address<swizzled, extents<64, 64>, 2>(lane.bits<0, 4>(),
                                                                 constant<8>{} * lane.bits<4, 1>());
    using bound = std::remove_const_t<decltype(rows)>;
    static_assert(bound::constants<1, 0>().again && bound::constants<0, 8>().again);
    CHECK(unsigned{rows.at<1, 0>()} ==
          address<swizzled>({64, 64}, {(t & 15) + 1, 8 * (t >> 4)}, 2));
    CHECK(unsigned{rows.from(1024u).at<17, 40>()} ==
          1024 + address<swizzled>({64, 64}, {(t & 15) + 17, 8 * (t >> 4) + 40}, 2));
  }
  // A second base adds to the first, also where the address is computed again.
  constexpr auto staged = bind_address<swizzled, extents<64, 64>, 2>(below<16>(3), below<64>(8))
                              .from(1024u)
                              .from(2048u);
  static_assert(unsigned{staged.at<16, 0>()} == 3072 + address<swizzled>({64, 64}, {19, 8}, 2));
  static_assert(unsigned{staged.at<1, 8>()} == 3072 + address<swizzled>({64, 64}, {4, 16}, 2));
  using padded = carrier<"S[(7,48):(100,1)]"_axe>;
  for (unsigned x = 0; x < 330; ++x) {
    auto const at = bind_address<padded, extents<336>, 4>(below<330>(x));
    using bound = std::remove_const_t<decltype(at)>;
    static_assert(bound::constants<5>().again && !bound::constants<0>().again);
    CHECK(unsigned{at.at<5>()} == address<padded>({336}, {x + 5}, 4));
  }
}

TEST_CASE("addresses are right for any extents, and for rows that end inside a digit") {
  using channels = carrier<"S[(3,7,5,4):(560,-4,112,1)] + 24"_axe>;
  for (unsigned t = 0; t < 105; ++t) {
    auto const thread = on<axis::tid, 105>(t);
    auto const at = bind_address<channels, extents<3, 7, 20>, 2>(
        thread.digit<35, 3>(), thread.digit<5, 7>(), constant<4>{} * thread.digit<1, 5>());
    for_each_register<4>([&](auto i) {
      constexpr integer column = decltype(i)::value;
      CHECK(unsigned{at.template at<0, 0, column>()} ==
            address<channels>({3, 7, 20}, {t / 35, t / 5 % 7, 4 * (t % 5) + column}, 2));
    });
  }
  // Rows of 6 elements on digits (4,15): rows end inside the digit of 15.
  using shared = carrier<"S[(4,15):(100,3)]"_axe>;
  for (unsigned row = 0; row < 10; ++row)
    for (unsigned column = 0; column < 6; ++column)
      CHECK(unsigned{bind_address<shared, extents<10, 6>, 1>(below<10>(row), below<6>(column))
                         .at<0, 0>()} == address<shared>({10, 6}, {row, column}, 1));
}

TEST_CASE("addresses are right for other swizzles, and for elements of 12 bytes") {
  using outer = carrier<"swizzle(2,2,-3) o S[(32,32):(32,1)]"_axe>;
  using narrow = carrier<"swizzle(0,3,1) o S[(16,8):(8,1)]"_axe>;
  for (unsigned t = 0; t < 32; ++t) {
    auto const lane = on<axis::lane, 32>(t);
    CHECK(unsigned{bind_address<outer, extents<32, 32>, 4>(lane, constant<8>{}).at<0, 16>()} ==
          address<outer>({32, 32}, {t, 24}, 4));
    CHECK(unsigned{bind_address<narrow, extents<16, 8>, 8>(lane.bits<0, 4>(),
                                                           constant<4>{} * lane.bits<4, 1>())
                       .at<0, 2>()} == address<narrow>({16, 8}, {t & 15, 4 * (t >> 4) + 2}, 8));
  }
  using plain = carrier<"S[(32,9):(9,1)]"_axe>;
  for (unsigned t = 0; t < 32; ++t)
    CHECK(
        unsigned{bind_address<plain, extents<32, 9>, 12>(below<32>(t), constant<2>{}).at<0, 6>()} ==
        address<plain>({32, 9}, {t, 8}, 12));
}

TEST_CASE("an address range beyond 32 bits uses 64") {
  using large = carrier<"S[(65536,65536):(65536,1)]"_axe>;
  auto const at =
      bind_address<large, extents<65536, 65536>, 4>(below<65536>(65535), below<65536>(65535));
  static_assert(sizeof(at.at<0, 0>().base) == 8);
  CHECK(std::uint64_t{at.at<0, 0>()} == (std::uint64_t{1} << 34) - 4);
  using small = carrier<"S[(1024,1024):(1024,1)]"_axe>;
  static_assert(sizeof(bind_address<small, extents<1024, 1024>, 4>(below<1024>(0), below<1024>(0))
                           .at<0, 0>()
                           .base) == 4);
}

TEST_CASE("an address may be bound at compile time") {
  constexpr unsigned at =
      bind_address<swizzled, extents<64, 64>, 2>(
          on<axis::lane, 32>(19).bits<0, 4>(), constant<8>{} * on<axis::lane, 32>(19).bits<4, 1>())
          .at<16, 32>();
  static_assert(at == (16 + 3) * 128 + (((1 + 4) ^ 3) * 16));
}

}  // namespace
