// Compile-time facts about sizes, pointers, partitions, limits, tensors and scopes.
#include <axe/construct/literal.hpp>
#include <axe/cuda/fragment.hpp>
#include <axe/cuda/scope.hpp>
#include <axe/cuda/tensor_tile.hpp>
#include <axe/cuda/thread.hpp>

namespace {

using namespace axe;
using namespace axe::literals;
using namespace axe::detail;

// Declared bounds and multiples of sizes, and the check of sizes against them.
static_assert(dynamic(1).below(100).largest() == 99 &&
              dynamic(1).largest() == (integer{1} << 32) - 1 && leaf{8}.largest() == 8);
static_assert(dynamic(0).multiple_of(8).divisor() == 8 && leaf{24}.divisor() == 24 &&
              dynamic(0).divisor() == 1);
using matrix =
    dynamic_matrix<dynamic(0), dynamic(1).below(1 << 16), dynamic(2).multiple_of(6).below(1 << 20)>;
using twice =
    dynamic_layout<dimension<digit<dynamic(0).multiple_of(4), dynamic(1).below(100)>>,
                   dimension<digit<dynamic(0).multiple_of(6).below(50), dynamic(1).below(90)>>>;
constexpr rule rule_of(refusal const& why) { return why.which; }
static_assert(rule_of(matrix::why(1, 1, 6)) == rule::none &&
              rule_of(matrix::why(1, 65535, 6)) == rule::none);
static_assert(rule_of(matrix::why(0, 1, 6)) == rule::dynamic_extent_below &&
              rule_of(matrix::why(1, 1, -6)) == rule::dynamic_stride_below);
static_assert(rule_of(matrix::why(1, 1, 0)) ==
              rule::none);  // with stride 0 all rows share elements
static_assert(rule_of(matrix::why(1, 65536, 6)) == rule::dynamic_extent_is_not_below);
static_assert(rule_of(matrix::why(integer{1} << 32, 1, 6)) == rule::size_beyond_coordinates);
static_assert(rule_of(matrix::why(1, 1, 8)) == rule::dynamic_stride_is_not_a_multiple);
static_assert(twice::facts_of(0).multiple == 12 && twice::facts_of(0).bound == 50 &&
              twice::facts_of(1).bound == 90);
constexpr matrix sizes(100, 50, 66);
static_assert(sizes.extent<0>() == 100 && sizes.extent<1>() == 50 && sizes.number<2>() == 66);
static_assert(to_layout(sizes) == "S[(100,50):(66,1)]"_axe && shape_of(sizes) == shape{100, 50});
using blocked = dynamic_layout<dimension<digit<dynamic(0), dynamic(1)>, digit<32, 1>>,
                               dimension<digit<dynamic(2), 32>>>;
constexpr blocked five(5, 1568, 49);
static_assert(five.extent<0>() == 160 && shape_of(five) == shape{160, 49});
static_assert(to_layout(five) == "S[(5,32,49):(1568,1,32)]"_axe);

// Coordinates have 32 bits, so a dimension has at most 2^32 elements whatever bound is declared. A
// tensor must span fewer than 2^57 elements.
using beyond = dynamic_layout<dimension<digit<dynamic(0).below(integer{1} << 40), 1>>>;
using in_rows = dynamic_layout<dimension<digit<dynamic(0), dynamic(2)>, digit<dynamic(1), 1>>>;
static_assert(beyond::facts_of(0).bound == integer{1} << 32 &&
              beyond::table.largest_extent(0) == (integer{1} << 32) - 1);
static_assert(rule_of(beyond::why((integer{1} << 32) + 5)) == rule::size_beyond_coordinates);
static_assert(rule_of(in_rows::why(65536, 65536, 65536)) == rule::none &&
              rule_of(in_rows::why(65536, 65537, 65537)) == rule::dimension_beyond_coordinates);
static_assert(rule_of(in_rows::why(2, 5, (integer{1} << 57) - 5)) == rule::none &&
              rule_of(in_rows::why(2, 5, (integer{1} << 57) - 4)) == rule::sizes_leave_memory &&
              rule_of(in_rows::why(3, 5, integer{1} << 62)) == rule::sizes_leave_memory);
using by_sixteens = dynamic_layout<dimension<digit<dynamic(0), 16 * dynamic(1)>>>;
static_assert(rule_of(by_sixteens::why(2, integer{1} << 52)) == rule::none &&
              rule_of(by_sixteens::why(2, integer{1} << 60)) == rule::sizes_leave_memory);
static_assert(rule_of(static_sizes<dimension<digit<integer{1} << 32, 1>>>::why()) == rule::none &&
              rule_of(static_sizes<dimension<digit<(integer{1} << 32) + 1, 1>>>::why()) ==
                  rule::dimension_beyond_coordinates &&
              rule_of(static_sizes<dimension<digit<0, 1>>>::why()) ==
                  rule::digit_extent_below_one &&
              rule_of(static_sizes<dimension<digit<dynamic(0), 1>, digit<7, dynamic(1)>>>::why()) ==
                  rule::none);
static_assert(dynamic(0).at_most(largest) == dynamic(0));
// The last tile of 96 in 2^32 elements ends 32 elements beyond 2^32, where coordinates wrap around.
// A wrapped coordinate is replaced by one that is always out of bounds.
using tiles = decltype(as_sum(constant<96>{} * any(0)));
template <integer Threads> using threads_of_tile = decltype(as_sum(below<Threads>(0)));
static_assert(may_wrap_along<0, beyond, tiles, threads_of_tile<96>> &&
              may_wrap_along<0, beyond, tiles, threads_of_tile<65>> &&
              !may_wrap_along<0, beyond, tiles, threads_of_tile<64>>);
static_assert(
    !may_wrap_along<0, beyond, decltype(as_sum(constant<128>{} * any(0))), threads_of_tile<128>> &&
    !may_wrap_along<0, dynamic_layout<dimension<digit<dynamic(0).below(1u << 31), 1>>>, tiles,
                    threads_of_tile<96>>);
static_assert(saturated_coordinate<0, beyond, true>(~0u, 5) == ~0u &&
              saturated_coordinate<0, beyond, true>(4, 5) == (integer{1} << 32) - 1 &&
              saturated_coordinate<0, in_rows, true>(4, 5) == integer{1} << 32 &&
              saturated_coordinate<0, beyond, false>(4, 5) == 4);

// Constants of bound pointers: an immediate in bytes for static strides and a step for dynamic
// ones. The width of a stride depends on its bound.
constexpr auto sum_of(auto const& c) { return as_sum(c); }
using row_part = decltype(sum_of(below<64>(0)));
using column_part = decltype(sum_of(constant<2>{} * below<16>(0)));
template <class Bound, int Slot, integer... Constants>
constexpr constant_part constants =
    Bound::template plan<Slot>::constants(constant_list<Bound::rank>{{Constants...}}.at);
using to_float = bound_pointer<float, matrix, row_part, column_part>;
static_assert(constants<to_float, 2, 8, 25>.immediate == 8 &&
              constants<to_float, -1, 8, 25>.immediate == 100);
static_assert(!constants<to_float, -1, 8, 25>.again && constants<to_float, 2>.immediate == 0);
using to_block = bound_pointer<float, blocked, decltype(sum_of(any(0))), column_part>;
static_assert(constants<to_block, 1, 8, 0>.again &&
              constants<to_block, -1, 0, 3>.immediate == 4 * 32 * 3);
using to_whole_block =
    bound_pointer<float, blocked, decltype(sum_of(constant<32>{} * below<4>(0) + below<32>(0))),
                  column_part>;
static_assert(!constants<to_whole_block, 1, 64, 0>.again &&
              constants<to_whole_block, 1, 64, 0>.immediate == 2);
static_assert(to_float::plan<-1>::value.sum_fits_in_32_bits() &&
              to_float::plan<-1>::value.registers.count == 1);
// Coordinates are multiples of 4, so the sum is computed in units of 4 elements. It reaches 7 *
// 2^30, which exceeds 32 bits. Rounding 7 / 4 down to 1 would hide this.
using sevens = stride_plan<-1, 1, dynamic_layout<dimension<digit<dynamic(0), 7>>>,
                           decltype(sum_of(constant<4>{} * any(0)))>;
static_assert(!sevens::value.sum_fits_in_32_bits() && sevens::value.scales[0] == 2 &&
              sevens::value.largest_sum == 7 * ((integer{1} << 32) - 2) / 4);
// Bounds and strides may have products beyond 64 bits, as in 8 batches of 50000 x 50000, or in two
// nested digits of up to 2^32 values.
using batches = dynamic_layout<dimension<digit<dynamic(0), 2'500'000'000>>,
                               dimension<digit<50'000, 50'000>>, dimension<digit<50'000, 1>>>;
using of_batches = bound_pointer<float, batches, decltype(sum_of(any(0))), decltype(sum_of(any(0))),
                                 decltype(sum_of(any(0)))>;
static_assert(constants<of_batches, -1, 7, 49'999, 49'999>.immediate ==
              (7 * 2'500'000'000 + 2'499'999'999) * 4);
using far_digits =
    dynamic_layout<dimension<digit<dynamic(0), integer{1} << 40>, digit<integer{1} << 32, 1>>>;
using of_far_digits = stride_plan<-1, 8, far_digits, decltype(sum_of(any(0)))>;
static_assert(!of_far_digits::value.why && !of_far_digits::value.sum_fits_in_32_bits() &&
              of_far_digits::value.runs[0].extent == integer{1} << 32);
// A dynamic stride without a declared bound may be 2^32 or more, and needs 64 bits.
static_assert(
    !is_narrow<dynamic_layout<dimension<digit<2, dynamic(0)>>>, 0> &&
    is_narrow<dynamic_layout<dimension<digit<2, dynamic(0).below(integer{1} << 32)>>>, 0>);
template <int Log>
using of_log = dynamic_matrix<dynamic(0), dynamic(1), dynamic(2).below(integer{1} << Log)>;
static_assert(sizeof(byte_stride_type<float, of_log<30>, 2>) == 4 &&
              sizeof(byte_stride_type<float, of_log<31>, 2>) == 8 &&
              sizeof(byte_stride_type<float, of_log<62>, 2>) == 8);
static_assert(sizeof(byte_stride_type<char, of_log<32>, 2>) == 4 && sizeof(of_log<32>) == 12 &&
              sizeof(of_log<33>) == 16);
static_assert(dynamic_strides<float, matrix, indices<0, 1, 2>>(sizes).bytes<2>() == 264 &&
              dynamic_strides<float, matrix, indices<0, 1, 2>>(sizes).elements<2>() == 66);

// Static strides may have a common power of two of any size. Batches of 2^33 bytes are an example.
static_assert(sizeof(block<char, 33>) == stl::uint64_t{1} << 33);
// A sum of 32 bits may leave out a stride of 2^33 if its digit has only one value.
using standing = dynamic_layout<dimension<digit<1, integer{1} << 33>, digit<2, 0>>,
                                dimension<digit<dynamic(0).below(1000), dynamic(1).below(1000)>>>;
constexpr standing one_of_three(100, 3);
static_assert(add_elements<float, standing, -1>(
                  7u, dynamic_strides<float, standing>(one_of_three),
                  make_sums(as_sum(on<axis::tid, 32>(9).digit<8, 4>()), as_sum(any(3)))) == 7);

// Thread tiles: the coordinates of threads and registers in fragments and other partitions.
using atom = carrier<
    "S[(8,2,4,2):(4@lane,2@reg,1@lane,1@reg)]"_axe>;  // row 2*(t/4) + r/2, column 2*(t%4) + r%2
using atom_of = partition<atom, extents<16, 8>>;
static_assert(atom_of::threads == 32 && atom_of::registers == 4 && atom_of::rank == 2);
static_assert(atom_of::step<2, 0> == 1 && atom_of::step<3, 1> == 1 && atom_of::step<1, 0> == 0);
static_assert(atom_of::coordinate_of<0>(13)() == 6 && atom_of::coordinate_of<1>(13)() == 2);
using late = partition<carrier<"S[(8,4,2):(4@lane,1@lane,1@reg)] + R[2:1@warp] + 4@warp"_axe>,
                       extents<8, 8>>;
static_assert(late::value.first_thread == 128 && late::threads == 64);
static_assert(late::coordinate_of<0>(128 + 37)() == 1 && late::coordinate_of<1>(128 + 37)() == 2);
using odd = partition<carrier<"S[(7,15):(15@tid,1@tid)] + 4@tid"_axe>, extents<7, 15>>;
static_assert(odd::coordinate_of<0>(4 + 37)() == 2 && odd::coordinate_of<1>(4 + 37)() == 7);
using second_half = partition<carrier<"S[(2,4):(4@tid,1@tid)] + 4@tid"_axe>, extents<2, 4>>;
static_assert(second_half::coordinate_of<0>(4 + 1)() == 0 &&
              second_half::coordinate_of<0>(4 + 6)() == 1);
/// An address of tile t / 64 and column t - 32. The two numbers are digits of different registers,
/// t and t - 32.
constexpr bool counts_apart() {
  using columns = partition<carrier<"S[96:1@tid] + 32@tid"_axe>, extents<96>>;
  for (unsigned t = 32; t < 128; ++t)
    if (bind_address<carrier<"S[(2,100):(1000,1)]"_axe>, extents<2, 100>, 1>(
            on<axis::tid, 128>(t).digit<64, 2>(), columns::coordinate_of<0>(t))
            .at<>() != t / 64 * 1000 + (t - 32))
      return false;
  return true;
}
static_assert(counts_apart());
constexpr rule partition_rule(layout const& l, shape const& s) {
  return partition_from(l, s).why.which;
}
static_assert(partition_rule("S[(4,8):(6@lane,1@lane)]"_axe, {4, 8}) ==
              rule::partition_digits_overlap);
static_assert(partition_rule("S[(2,24):(1@warp,1@lane)]"_axe, {2, 24}) == rule::partition_has_gaps);
static_assert(partition_rule("S[(4,8):(8@lane,-1@lane)] + 7@lane"_axe, {4, 8}) ==
              rule::partition_runs_down);
static_assert(partition_rule("S[(4,8):(1@m,1@lane)]"_axe, {4, 8}) ==
              rule::partition_on_another_axis);

/// Keeps the coordinates that `thread_tile` passes on. `at` adds the constants of a register.
struct collect {
  template <class... Sums> AXE_FN constexpr auto operator()(Sums const&... sums) const {
    return found<Sums...>{{integer{sums()}...}};
  }
  template <class... Sums> struct found {
    integer start[sizeof...(Sums)];
    template <integer First, integer Second> AXE_FN constexpr integer at() const {
      return (start[0] + First) * 100 + start[1] + Second;
    }
    template <int D> AXE_FN constexpr unsigned coordinate() const {
      return static_cast<unsigned>(start[D]);
    }
  };
};
static_assert(thread_tile<atom, extents<16, 8>>(13, collect{}).at<0>() == 602);
static_assert(thread_tile<atom, extents<16, 8>>(13, collect{}).at<3>() == 703);
static_assert(thread_tile<atom, extents<16, 8>>(13, collect{}).size == 4);
static_assert(thread_tile<atom, extents<16, 8>>(13, collect{}).coordinate<3, 0>() == 7 &&
              thread_tile<atom, extents<16, 8>>(13, collect{}).coordinate<3, 1>() == 3 &&
              thread_tile<atom, extents<16, 8>>(13, collect{}).coordinate<2, 1>() == 2);
struct count_up {
  int* sum;
  template <auto R> AXE_FN constexpr void operator()(constant<R>) const {
    *sum = *sum * 10 + R + 1;
  }
};
constexpr int visited() {
  int sum = 0;
  for_each_register<4>(count_up{&sum});
  return sum;
}
static_assert(visited() == 1234);

// Limits of partial tiles: every register of some threads, in tensors of many sizes.
using by_rows = carrier<"S[(4,2,8):(1@reg,8@tid,1@tid)]"_axe>;  // row t/8 + 2*r, column t%8
using by_squares = carrier<"S[(4,2,2,4):(4@tid,2@reg,1@reg,1@tid)]"_axe>;
/// With a large Bound the difference of an extent and a coordinate does not fit in a signed int.
template <class P, int R, integer Bound>
constexpr bool in_bounds_of(unsigned rows, unsigned columns, unsigned row, unsigned column) {
  using bounded = dynamic_matrix<dynamic(0).at_most(Bound), dynamic(1).at_most(Bound), dynamic(2)>;
  unsigned const coordinates[]{row, column};
  return thread_tile_limits<partition<P, extents<8, 8>>, indices<0, 1>, typename bounded::plain>(
             bounded(rows, columns, 8), coordinates)
      .template in_bounds<R>();
}
template <class P, int R>
constexpr bool in_bounds_either_way(unsigned rows, unsigned columns, unsigned row,
                                    unsigned column) {
  bool const wide = in_bounds_of<P, R, 0xffff'ffff>(rows, columns, row, column);
  // If small extents are declared, the answer is the same.
  return wide == in_bounds_of<P, R, (1 << 30)>(rows, columns, row, column)
             ? wide
             : throw "two kinds of limits differ";
}
template <class P, int R> constexpr bool limits_hold() {
  using owning = partition<P, extents<8, 8>>;
  for (unsigned t : {0u, 5u, 10u, 15u})
    for (unsigned rows : {1u, 4u, 6u, 8u})
      for (unsigned columns : {1u, 3u, 4u, 9u}) {
        unsigned const row = owning::template coordinate_of<0>(t)();
        unsigned const column = owning::template coordinate_of<1>(t)();
        bool const expected = row + owning::template step<R, 0> < rows &&
                              column + owning::template step<R, 1> < columns;
        if (in_bounds_either_way<P, R>(rows, columns, row, column) != expected) return false;
      }
  return true;
}
static_assert(limits_hold<by_rows, 0>() && limits_hold<by_rows, 3>());
static_assert(limits_hold<by_squares, 0>() && limits_hold<by_squares, 1>() &&
              limits_hold<by_squares, 2>());
static_assert(limits_hold<by_squares, 3>());
// Registers are 2^31 elements apart. A step of 2^31 is out of bounds for every extent up to 2^30,
// and a step of 2^32 for every extent.
template <int R, integer Bound> constexpr bool far_in_bounds() {
  using far = partition<carrier<"S[(4,2147483648):(1@reg,0)]"_axe>, extents<8589934592>>;
  using bounded = dynamic_layout<dimension<digit<dynamic(0).at_most(Bound), 1>>>;
  unsigned const coordinates[]{0};
  return thread_tile_limits<far, indices<0>, typename bounded::plain>(bounded(Bound), coordinates)
      .template in_bounds<R>();
}
static_assert(far_in_bounds<0, (1 << 30)>() && !far_in_bounds<1, (1 << 30)>() &&
              !far_in_bounds<2, (1 << 30)>());
static_assert(far_in_bounds<0, 0xffff'ffff>() && far_in_bounds<1, 0xffff'ffff>() &&
              !far_in_bounds<2, 0xffff'ffff>());
using one_each = carrier<"S[(8,8):(8@tid,1@tid)]"_axe>;
static_assert(in_bounds_either_way<one_each, 0>(3, 3, 2, 2) &&
              !in_bounds_either_way<one_each, 0>(3, 3, 3, 2) &&
              !in_bounds_either_way<one_each, 0>(3, 3, 2, 3));
// Extents of more than 31 bits: the last of 2^32 - 1 rows, a row with more than 2^31 rows below it,
// and coordinates out of bounds that would be negative as an int.
constexpr integer below_2_31 = 0x7fff'ffff;
static_assert(in_bounds_of<by_rows, 3, 0xffff'ffff>(0xffff'ffff, 8, 0xffff'fff8, 0) &&
              !in_bounds_of<by_rows, 3, 0xffff'ffff>(0xffff'ffff, 8, 0xffff'fff9, 0) &&
              in_bounds_of<by_rows, 3, 0xffff'ffff>(0xffff'ffff, 8, 0, 0) &&
              !in_bounds_of<by_rows, 0, below_2_31>(below_2_31, 8, 0x8000'0000, 0) &&
              !in_bounds_of<by_rows, 0, below_2_31>(5, 8, 0xffff'fff0, 0) &&
              in_bounds_of<by_rows, 0, below_2_31>(below_2_31, 8, below_2_31 - 1, 0) &&
              !in_bounds_of<by_rows, 3, below_2_31>(below_2_31, 8, below_2_31 - 1, 0));
static_assert(
    is_wide<0, dynamic_matrix<dynamic(0), dynamic(1), dynamic(2)>> &&
    is_wide<0, dynamic_matrix<dynamic(0).at_most(narrow_extent + 1), dynamic(1), dynamic(2)>> &&
    !is_wide<0, dynamic_matrix<dynamic(0).at_most(narrow_extent), dynamic(1), dynamic(2)>>);
// The largest extent for which differences fit an int: the last row, the first row out of bounds,
// and coordinates of a tile out of bounds.
static_assert(in_bounds_of<by_rows, 0, narrow_extent>(narrow_extent, 8, narrow_extent - 1, 0) &&
              !in_bounds_of<by_rows, 3, narrow_extent>(narrow_extent, 8, narrow_extent - 1, 0) &&
              !in_bounds_of<by_rows, 0, narrow_extent>(narrow_extent, 8, narrow_extent, 0) &&
              !in_bounds_of<by_rows, 3, narrow_extent>(narrow_extent, 8, 0x7fff'ffff, 0) &&
              !in_bounds_of<by_rows, 3, narrow_extent>(5, 8, 0x7fff'ffff, 0));

// Tensors, and tiles of tensors.
using plain_matrix = dynamic_matrix<dynamic(0), dynamic(1), dynamic(2)>;
constexpr tensor<float, plain_matrix> hundred_rows{nullptr, plain_matrix(100, 100, 100)};
constexpr auto second = axe::tile<32, 16>(hundred_rows, below<4>(2), constant<3>{});
static_assert(sum_number<0>(second.origins)() == 64 && sum_number<1>(second.origins)() == 48);
struct three_in_bounds {
  using partition_type = partition<carrier<"S[4:1@reg]"_axe>, extents<4>>;
  static constexpr int size = 4;
  int values[4] = {5, 6, 7, 8};
  template <int R> AXE_FN constexpr int const* at() const { return &values[R]; }
  template <int R> AXE_FN constexpr bool in_bounds() const { return R < 3; }
};
constexpr tile_of_thread<int const, three_in_bounds> of_three{};
static_assert(of_three.load(constant<2>{}) == 7 && of_three[constant<3>{}] == 8 &&
              of_three.size == 4);
static_assert(of_three.in_bounds(constant<2>{}) && !of_three.in_bounds(constant<3>{}));
// Fragments: tiles in registers.
constexpr int filled() {
  fragment<int, atom, extents<16, 8>> c{};
  c.fill(7);
  c[constant<2>{}] = 1;
  c[constant<3>{}] = 2;
  return c[constant<0>{}] * 1000 + c[constant<1>{}] * 100 + c[constant<2>{}] * 10 +
         c[constant<3>{}];
}
static_assert(filled() == 7712 && fragment<int, atom, extents<16, 8>>::size == 4);
static_assert(sizeof(fragment<int, atom, extents<16, 8>>) == 16);
// More registers than clang folds.
using many_registers = fragment<int, carrier<"S[(2,515):(1@lane,1@reg)]"_axe>, extents<2, 515>>;
constexpr bool fills_each_of_many() {
  many_registers c{};
  c.fill(3);
  int sum = 0;
  for_each_register<many_registers::size>([&](auto r) { sum += r.value * c[r]; });
  return sum == 3 * 515 * 514 / 2;
}
static_assert(fills_each_of_many());
// Fragments have no ==, and a concept that asks for it is false. So a program may define it.
template <class X>
concept has_equality = requires(X const& x) { x == x; };
static_assert(!has_equality<fragment<int, atom, extents<16, 8>>>);
template <class L, class S>
constexpr bool operator==(fragment<short, L, S> const& a, fragment<short, L, S> const& b) {
  return a.registers[0] == b.registers[0];
}
static_assert(fragment<short, atom, extents<16, 8>>{} == fragment<short, atom, extents<16, 8>>{});
// A program's own operators match better than those that reject arithmetic.
template <class T, class L, class S> constexpr int operator-(fragment<T, L, S> const&) { return 1; }
template <class T, class L, class S> constexpr int operator*(fragment<T, L, S> const&, T) {
  return 2;
}
template <class T, class L, class S> constexpr int operator*=(fragment<T, L, S> const&, T) {
  return 3;
}
template <class T, class L, class S> constexpr bool operator==(fragment<T, L, S> const&, T) {
  return true;
}
constexpr fragment<int, atom, extents<16, 8>> some{};
static_assert(-some == 1 && some * 5 == 2 && (some *= 5) == 3 && some == 5);

// Scopes: which threads execute a call.
using consumers = thread_scope<carrier<"S[(4,32):(1@warp,1@lane)] + 4@warp"_axe>>;
static_assert(consumers::size == 128 && consumers::first == 128);
static_assert(consumers::holds(128) && consumers::holds(255) && !consumers::holds(127) &&
              !consumers::holds(256));
// The members of a scope must count upwards, but here member 1 of the second layout is thread 32
// (warp 1).
static_assert(counts_upwards(partition_from("S[(4,32):(1@warp,1@lane)] + 4@warp"_axe, 128)) &&
              !counts_upwards(partition_from("S[(32,4):(1@lane,1@warp)]"_axe, 128)));
using last_ctas = thread_scope<carrier<"S[2:1@cluster_cta_x] + 2@cluster_cta_x"_axe>>;
static_assert(last_ctas::holds(3) && !last_ctas::holds(1) && last_ctas::first == 2);

}  // namespace
