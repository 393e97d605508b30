// Tests constants from -8 to 8 at every coordinate where the sum is in bounds. Compares the
// addresses with digits written out by hand. CMakeLists.txt builds the file twice, with the plans
// of hosts and with those of devices.
#include "support/catch.hpp"
#include "support/far_pointer.hpp"

#include <axe/construct/literal.hpp>
#include <axe/index/pointer.hpp>
#include <axe/index/row_major.hpp>

namespace {

using namespace axe;
using namespace axe::literals;
using namespace axe::detail;

constexpr stl::uint64_t base = stl::uint64_t{1} << 40;

template <class Case, integer C> constexpr bool adds_constant() {
  for (unsigned v = 0; v < Case::extent; ++v) {
    integer const reached = integer{v} + C;
    if (reached < 0 || reached >= Case::extent) continue;
    auto const at = Case::bind(v);
    stl::uint64_t const expected = Case::address(static_cast<unsigned>(reached));
    if (at.template at<C>() != expected ||
        stl::uint64_t{at.from(base).template at<C>()} != base + expected ||
        stl::uint64_t{at.template at<C>().from(base)} != base + expected)
      return false;
  }
  return true;
}
/// This is not constexpr, because compilers would evaluate every case at compile time.
template <class Case, integer C> bool adds_constant_at_run_time() {
  return adds_constant<Case, C>();
}
/// All constants from -8 to 8, or fewer in a shorter dimension.
template <class Case, int... K> bool adds_all_constants(integers<K...>) {
  constexpr integer farthest = smaller(8, Case::extent - 1);
  return (adds_constant_at_run_time<Case, (K - 8 < -farthest  ? -farthest
                                           : K - 8 > farthest ? farthest
                                                              : K - 8)>() &&
          ...);
}
template <class Case> bool adds_constants() { return adds_all_constants<Case>(integers_to<17>{}); }

// Coordinates across two digits: one part, a number of unknown range, parts whose steps are aligned
// to the digit or not, and a sum that contains a constant.
using digits = carrier<"S[(4,8):(9,1)]"_axe>;
struct in_two_digits {
  static constexpr unsigned extent = 32;
  static constexpr unsigned address(unsigned x) { return 4 * (x / 8 * 9 + x % 8); }
};
struct one_part : in_two_digits {
  static constexpr auto bind(unsigned v) {
    return bind_address<digits, extents<32>, 4>(below<32>(v));
  }
};
struct any_number : in_two_digits {
  static constexpr auto bind(unsigned v) { return bind_address<digits, extents<32>, 4>(any(v)); }
};
struct parts_of_digits : in_two_digits {
  static constexpr auto bind(unsigned v) {
    return bind_address<digits, extents<32>, 4>(constant<8>{} * below<4>(v / 8) + below<8>(v % 8));
  }
};
struct parts_that_carry : in_two_digits {
  static constexpr auto bind(unsigned v) {
    return bind_address<digits, extents<32>, 4>(constant<3>{} * below<11>(v / 3) + below<3>(v % 3));
  }
};
struct fields_of_a_lane : in_two_digits {
  static constexpr auto bind(unsigned v) {
    auto const lane = on<axis::lane, 32>(v);
    return bind_address<digits, extents<32>, 4>(constant<4>{} * lane.bits<2, 3>() +
                                                lane.bits<0, 2>());
  }
};
struct own_constant {
  static constexpr unsigned extent = 28;  // v has 28 values, and the coordinate is v + 4
  static constexpr unsigned address(unsigned x) { return in_two_digits::address(x + 4); }
  static constexpr auto bind(unsigned v) {
    return bind_address<digits, extents<32>, 4>(constant<4>{} * below<7>(v / 4) + below<4>(v % 4) +
                                                constant<4>{});
  }
};
TEST_CASE("negative constants across two digits give the address of the sum") {
  CHECK(adds_constants<one_part>());
  CHECK(adds_constants<any_number>());
  CHECK(adds_constants<parts_of_digits>());
  CHECK(adds_constants<parts_that_carry>());
  CHECK(adds_constants<fields_of_a_lane>());
  CHECK(adds_constants<own_constant>());
}
static_assert(4 + constant<3>{} == 7 && constant<3>{} + 4u == 7 && 2 - constant<3>{} == -1 &&
              constant<3>{} - 2 == 1 && 4 * constant<3>{} == 12);
static_assert("abcd"[constant<3>{}] == 'd' && 7u % constant<4>{} == 3 && constant<3>{} < 4 &&
              constant<3>{} == 3 && constant<integer{1} << 40>{} / 2 == integer{1} << 39);
static_assert(adds_constant<one_part, -3>());
static_assert(adds_constant<parts_of_digits, -1>());
static_assert(adds_constant<own_constant, -5>());

// Moving back by whole digits is an immediate. If a constant borrows from a digit for some values
// only, the address is computed again.
using in_digits = decltype(parts_of_digits::bind(0));
static_assert(!in_digits::constants<-8>().again && in_digits::constants<-8>().immediate == -36);
static_assert(in_digits::constants<-1>().again && in_digits::constants<1>().again);
using in_rows = decltype(bind_address<digits, extents<32>, 4>(constant<8>{} * below<4>(0)));
static_assert(!in_rows::constants<-1>().again && in_rows::constants<-1>().immediate == 4 * (7 - 9));

// Extents that are not powers of two, with a negative stride and an offset, and rows with padding.
struct odd_digits {
  static constexpr unsigned extent = 42;
  static constexpr unsigned address(unsigned x) {
    return 2 * (x / 14 * 560 - x / 2 % 7 * 4 + x % 2 + 24);
  }
  static constexpr auto bind(unsigned v) {
    return bind_address<carrier<"S[(3,7,2):(560,-4,1)] + 24"_axe>, extents<42>, 2>(below<42>(v));
  }
};
struct padded_rows {
  static constexpr unsigned extent = 56;
  static constexpr unsigned address(unsigned x) { return x / 7 * 10 + x % 7; }
  static constexpr auto bind(unsigned v) {
    return bind_address<carrier<"S[(8,7):(10,1)]"_axe>, extents<56>, 1>(
        constant<7>{} * below<8>(v / 7) + below<7>(v % 7));
  }
};
struct one_digit {
  static constexpr unsigned extent = 64;
  static constexpr unsigned address(unsigned x) { return 12 * x; }
  static constexpr auto bind(unsigned v) {
    return bind_address<carrier<"S[64:3]"_axe>, extents<64>, 4>(any(v));
  }
};
TEST_CASE(
    "negative constants in odd digits, rows with padding and one digit give the address of the "
    "sum") {
  CHECK(adds_constants<odd_digits>());
  CHECK(adds_constants<padded_rows>());
  CHECK(adds_constants<one_digit>());
}
static_assert(adds_constant<padded_rows, -8>());

// An address in which the bits of the register are reversed. Device code uses a bit-reversal
// instruction.
struct in_reverse {
  static constexpr unsigned extent = 64;
  static constexpr unsigned address(unsigned x) {
    unsigned at = 0;
    for (unsigned b = 0; b < 6; ++b) at |= (x >> b & 1) << (5 - b);
    return 4 * at;
  }
  static constexpr auto bind(unsigned v) {
    return bind_address<carrier<"S[(2,2,2,2,2,2):(1,2,4,8,16,32)]"_axe>, extents<64>, 4>(
        below<64>(v));
  }
};
TEST_CASE("constants in reversed bits give the address of the sum") {
  CHECK(adds_constants<in_reverse>());
}
static_assert(adds_constant<in_reverse, 0>());
constexpr part_data every_bit{0, 0, 64, 1, 1, 0, 0};
constexpr integer no_constant[]{0};
static_assert(plan_address("S[(2,2,2,2,2,2):(1,2,4,8,16,32)]"_axe, {64}, 4,
                           {&every_bit, 1, no_constant})
                  .registers[0]
                  .reversed);

// Swizzles: of parts with disjoint bits, of parts whose sum must be swizzled as a whole, and with
// S < 0.
struct swizzled {
  static constexpr unsigned extent = 64;
  static constexpr unsigned address(unsigned x) { return 4 * (x ^ (x >> 3 & 7)); }
};
using rows_of_8 = carrier<"swizzle(0,3,3) o S[64:1]"_axe>;
struct bits_apart : swizzled {
  static constexpr auto bind(unsigned v) {
    return bind_address<rows_of_8, extents<64>, 4>(below<64>(v));
  }
};
struct bits_that_meet : swizzled {
  static constexpr auto bind(unsigned v) {
    return bind_address<rows_of_8, extents<64>, 4>(constant<5>{} * below<13>(v / 5) +
                                                   below<5>(v % 5));
  }
};
struct bits_above : swizzled {
  static constexpr unsigned extent = 4;
  static constexpr unsigned address(unsigned x) { return swizzled::address(16 * x); }
  static constexpr auto bind(unsigned v) {
    return bind_address<carrier<"swizzle(0,3,3) o S[4:16]"_axe>, extents<4>, 4>(below<4>(v));
  }
};
struct outer_swizzle {
  static constexpr unsigned extent = 64;
  static constexpr unsigned address(unsigned x) { return 8 * (x ^ ((x & 3) << 3)); }
  static constexpr auto bind(unsigned v) {
    return bind_address<carrier<"swizzle(0,2,-3) o S[64:1]"_axe>, extents<64>, 8>(below<64>(v));
  }
};
TEST_CASE("negative constants under swizzles give the address of the sum") {
  CHECK(adds_constants<bits_apart>());
  CHECK(adds_constants<bits_that_meet>());
  CHECK(adds_constants<bits_above>());
  CHECK(adds_constants<outer_swizzle>());
}
static_assert(adds_constant<bits_apart, -3>() && adds_constant<bits_above, -1>());
static_assert(adds_constant<bits_that_meet, -3>());

// Constants for two dimensions: of a swizzled tile, and of a layout in which they share a digit.
template <class Case, integer R, integer C> constexpr bool adds_pair() {
  for (unsigned v = 0; v < Case::rows * Case::columns; ++v) {
    integer const row = integer{v / Case::columns} + R;
    integer const column = integer{v % Case::columns} + C;
    if (row < 0 || row >= Case::rows || column < 0 || column >= Case::columns) continue;
    stl::uint64_t const expected =
        Case::address(static_cast<unsigned>(row), static_cast<unsigned>(column));
    auto const at = Case::bind(v / Case::columns, v % Case::columns);
    if (at.template at<R, C>() != expected ||
        stl::uint64_t{at.from(base).template at<R, C>()} != base + expected)
      return false;
  }
  return true;
}
template <class Case, integer R, integer C> bool adds_pair_at_run_time() {
  return adds_pair<Case, R, C>();
}
template <class Case, int... K> bool adds_all_pairs(integers<K...>) {
  return (adds_pair_at_run_time<Case, K / 7 - 3, K % 7 - 3>() && ...);
}
template <class Case> bool adds_pairs() { return adds_all_pairs<Case>(integers_to<49>{}); }

struct swizzled_tile {
  static constexpr unsigned rows = 8, columns = 8;
  static constexpr unsigned address(unsigned r, unsigned c) { return 2 * (8 * r + (c ^ r)); }
  static constexpr auto bind(unsigned r, unsigned c) {
    return bind_address<carrier<"swizzle(0,3,3) o S[(8,8):(8,1)]"_axe>, extents<8, 8>, 2>(
        below<8>(r), below<8>(c));
  }
};
struct shared_digits {  // rows of 6 elements on digits (4,15)
  static constexpr unsigned rows = 10, columns = 6;
  static constexpr unsigned address(unsigned r, unsigned c) {
    return (6 * r + c) / 15 * 100 + (6 * r + c) % 15 * 3;
  }
  static constexpr auto bind(unsigned r, unsigned c) {
    return bind_address<carrier<"S[(4,15):(100,3)]"_axe>, extents<10, 6>, 1>(any(r), any(c));
  }
};
TEST_CASE("negative constants of two dimensions give the address of the sums") {
  CHECK(adds_pairs<swizzled_tile>());
  CHECK(adds_pairs<shared_digits>());
}
static_assert(adds_pair<swizzled_tile, -1, 2>());
static_assert(adds_pair<shared_digits, 1, -2>());

// Constants of pointers into tensors with dynamic strides. The dynamic extent is the slowest digit
// or a faster one, or faster digits are static. `place` is the expected distance in elements.
template <integer C, class Bind, class Place>
bool pointer_adds_constant(Bind const& bind, unsigned extent, Place place) {
  short const* const data = axe_test::far_pointer<short const>;
  for (unsigned v = 0; v < extent; ++v) {
    integer const reached = integer{v} + C;
    if (reached < 0 || reached >= extent) continue;
    if (axe_test::elements_from(data, bind(data, v).template at<C>()) !=
        place(static_cast<unsigned>(reached)))
      return false;
  }
  return true;
}
template <class Bind, class Place, int... K>
bool pointer_adds_all(Bind const& bind, unsigned extent, Place place, integers<K...>) {
  return (pointer_adds_constant<K - 8>(bind, extent, place) && ...);
}
template <class Bind, class Place>
bool pointer_adds_constants(Bind const& bind, unsigned extent, Place place) {
  return pointer_adds_all(bind, extent, place, integers_to<17>{});
}
TEST_CASE("negative constants of pointers give the address of the sum") {
  using static_inside = dynamic_layout<dimension<digit<dynamic(0), dynamic(1)>, digit<10, 1>>>;
  auto const tens = [](unsigned x) { return x / 10 * 100 + x % 10; };
  CHECK(pointer_adds_constants(
      [](auto* p, unsigned v) { return bind_pointer(p, static_inside(6, 100), any(v)); }, 60,
      tens));
  CHECK(pointer_adds_constants(
      [](auto* p, unsigned v) {
        return bind_pointer(p, static_inside(6, 100),
                            constant<10>{} * any(v / 10) + below<10>(v % 10));
      },
      60, tens));
  using dynamic_inside =
      dynamic_layout<dimension<digit<dynamic(0), dynamic(1)>, digit<dynamic(2).multiple_of(2), 1>>>;
  CHECK(pointer_adds_constants(
      [](auto* p, unsigned v) { return bind_pointer(p, dynamic_inside(6, 100, 10), any(v)); }, 60,
      tens));
  // Every coordinate is a multiple of 2 here. Coordinate - 1 needs a new division, coordinate + 1
  // does not.
  for (unsigned half = 1; half < 30; ++half) {
    short const data[1]{};
    auto const at = bind_pointer(data, dynamic_inside(6, 100, 10), constant<2>{} * any(half));
    CHECK(at.at<-1>() - at.at<>() == integer{tens(2 * half - 1)} - integer{tens(2 * half)});
    CHECK(at.at<1>() - at.at<>() == integer{tens(2 * half + 1)} - integer{tens(2 * half)});
  }
  using three =
      dynamic_layout<dimension<digit<dynamic(0), dynamic(1)>, digit<dynamic(2), 100>, digit<4, 1>>>;
  CHECK(pointer_adds_constants(
      [](auto* p, unsigned v) { return bind_pointer(p, three(3, 5000, 5), any(v)); }, 60,
      [](unsigned x) { return x / 20 * 5000 + x / 4 % 5 * 100 + x % 4; }));
  using one = dynamic_layout<dimension<digit<dynamic(0), dynamic(1)>>>;
  CHECK(pointer_adds_constants(
      [](auto* p, unsigned v) { return bind_pointer(p, one(60, 7), any(v)); }, 60,
      [](unsigned x) { return 7 * x; }));
}

// Constants that are out of bounds for every value of the parts. Each line tests the last constant
// that may be in bounds, and the next one.
/// Returns Own + More if the coordinate part + Own + More is out of bounds for every value 0 to
/// Largest of the part, else 0. The dimension has 32 elements.
template <integer Largest, integer Own, integer More> constexpr integer sum_out_of_bounds() {
  integer sum = 0;
  part_data const part{0, 0, Largest + 1, 1, 1, 0};
  integer const own = Own;
  return leaves_dimension(sum, {&part, 1, &own}, 0, 32, More) ? sum : 0;
}
static_assert(sum_out_of_bounds<31, 0, -31>() == 0 && sum_out_of_bounds<31, 0, -32>() == -32);
static_assert(sum_out_of_bounds<3, 4, -7>() == 0 && sum_out_of_bounds<3, 4, -8>() == -4);
static_assert(sum_out_of_bounds<3, 4, 27>() == 0 && sum_out_of_bounds<3, 4, 28>() == 32);
static_assert(sum_out_of_bounds<-1, 0, -70>() == 0 &&
              sum_out_of_bounds<-1, 0, 32>() == 32);  // Largest = -1: parts without a bound
static_assert(sum_out_of_bounds<3, 5, largest>() == largest &&
              sum_out_of_bounds<3, 0, smallest>() == smallest);

// The coordinates of a pointer must fit 32 bits, but may exceed the extents, as in partial tiles.
template <integer Own, integer More>
constexpr integer overflowing_dimension =
    coordinate_range<decltype(as_sum(below<8>(0))),
                     coordinate_sum<Own, index_part<unnamed, 4>>>::find({{0, More}})
        .dimension;
static_assert(overflowing_dimension<coordinate_end - 1, 0> == -1 &&
              overflowing_dimension<coordinate_end, 0> == 1);
static_assert(overflowing_dimension<0, -3> == -1 && overflowing_dimension<0, -4> == 1);

// 128-bit constants are accepted if their value fits in 64 bits.
__extension__ using wide = unsigned __int128;
static_assert(is_natural<wide{4}> && !is_natural<(wide{1} << 64) + 4>);
static_assert(any_integer<unsigned long long, 8> && !any_integer<wide, 8>);

// In device code a pointer includes the constants of its coordinates. Pointers to its neighbours
// along rows and columns must still be right: in a matrix with a pitch, with strides of 64 bits,
// and with static inner extents.
template <class Sizes, class Place>
bool finds_neighbours(Sizes const& sizes, Place const& offset_of) {
  static char memory[1 << 16];
  auto* const data = reinterpret_cast<float*>(memory);
  for (unsigned i = 0; i < 5; ++i)
    for (unsigned j = 0; j < 6; ++j) {
      auto const at = bind_pointer(data, sizes, constant<2>{} * any(i) + constant<1>{},
                                   constant<4>{} * any(j) + constant<3>{});
      unsigned const row = 2 * i + 1, column = 4 * j + 3;
      if (at.template at<>() != data + offset_of(row, column) ||
          at.template at<-1, 0>() != data + offset_of(row - 1, column) ||
          at.template at<1, -3>() != data + offset_of(row + 1, column - 3) ||
          at.template at<2, 5>() != data + offset_of(row + 2, column + 5))
        return false;
    }
  return true;
}
TEST_CASE("a pointer begins at the constants of its coordinates") {
  auto const by_pitch = [](unsigned row, unsigned column) { return row * 40 + column; };
  CHECK(finds_neighbours(ordered_sizes<row_major<2>, aligned<0>, 4>(13, 32, 40), by_pitch));
  CHECK(finds_neighbours(ordered_sizes<strided<2>, aligned<0>, 4>(13, 32, 40, 1), by_pitch));
  CHECK(finds_neighbours(ordered_sizes<row_major<2, 40>, aligned<0>, 4>(13), by_pitch));
  CHECK(finds_neighbours(
      dynamic_matrix<dynamic(0).below(100), dynamic(1).below(100), dynamic(2).below(100)>(13, 32,
                                                                                          40),
      by_pitch));
}

}  // namespace
