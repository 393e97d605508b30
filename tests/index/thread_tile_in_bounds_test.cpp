// Tests limits of partial tiles: a register is in bounds if and only if its coordinates are, for
// extents of every size.
#include "support/catch.hpp"
#include "support/far_pointer.hpp"

#include <axe/construct/literal.hpp>
#include <axe/index/thread_tile_in_bounds.hpp>
#include <string>

namespace {

using namespace axe;
using namespace axe::literals;

using by_rows = carrier<"S[(4,8,32):(1@reg,32@tid,1@tid)]"_axe>;
using square = extents<32, 32>;
/// Each thread has four vectors of eight, one below the other. One register represents each vector.
using by_eights = carrier<"S[(4,32,8,8):(8@reg,8@tid,1@tid,1@reg)]"_axe>;
using tall = extents<128, 64>;
/// Each thread has registers along both dimensions.
using both = carrier<"S[(2,8,4,2,16):(2@reg,16@tid,4@reg,1@reg,1@tid)]"_axe>;
using wide = extents<16, 128>;

using small = dynamic_matrix<dynamic(0).below(1 << 24), dynamic(1).below(1 << 24), dynamic(2)>;
using large = dynamic_matrix<dynamic(0), dynamic(1), dynamic(2)>;
std::string sentence_of(refusal const& why) { return sentence(why).c_str(); }
float* const base = axe_test::far_pointer<float>;

template <class P, class S, class Matrix>
void check_limits(integer rows, integer columns, unsigned block_row, unsigned block_column,
                  integer threads) {
  Matrix const a(rows, columns, columns);
  using owning = partition<P, S>;
  constexpr integer tile_rows = S::value.nodes.value(1);
  constexpr integer tile_columns = S::value.nodes.value(2);
  for (integer t = 0; t < threads; ++t) {
    auto const number = static_cast<unsigned>(t);
    auto const registers =
        thread_tile_in_bounds<P, S>(number, base, a, constant<tile_rows>{} * any(block_row),
                                    constant<tile_columns>{} * any(block_column));
    integer const row = tile_rows * block_row + owning::template coordinate_of<0>(number)();
    integer const column =
        tile_columns * block_column + owning::template coordinate_of<1>(number)();
    for_each_register<owning::registers>([&](auto r) {
      constexpr int R = decltype(r)::value;
      bool const expected = row + owning::template step<R, 0> < rows &&
                            column + owning::template step<R, 1> < columns;
      if (registers.template in_bounds<R>() != expected) FAIL("thread " << t << ", register " << R);
      if (expected && !registers.any_in_bounds())
        FAIL("thread " << t << ": any_in_bounds is false, but register " << R << " is in bounds");
    });
  }
}

TEST_CASE("registers are in bounds if and only if their coordinates are, for tiles at every edge") {
  for (integer rows : {1, 31, 32, 33, 100})
    for (integer columns : {1, 32, 45})
      for (unsigned i : {0u, 1u, 3u})
        for (unsigned j : {0u, 1u}) {
          check_limits<by_rows, square, small>(rows, columns, i, j, 256);
          check_limits<by_rows, square, large>(rows, columns, i, j, 256);
          check_limits<both, wide, small>(rows, columns, i, j, 256);
          check_limits<both, wide, large>(rows, columns, i, j, 256);
          check_limits<by_eights, tall, small>(rows, columns, i, j, 256);
        }
}

template <class P, unsigned Whole = 0>
using limits_of = detail::thread_tile_limits<P, detail::indices<0, 1>, small::plain, Whole>;
/// Register 0 of a thread at row 5 and column 8. `Whole` has a bit for each dimension that is
/// declared whole and therefore not tested.
template <class P, unsigned Whole> constexpr bool in_bounds_with(integer rows, integer columns) {
  unsigned const at[]{5, 8};
  return limits_of<P, Whole>(small(rows, columns, columns), at).template in_bounds<0>();
}
template <class P>
constexpr bool only_other_dimensions_are_tested =
    in_bounds_with<P, 1>(5, 16) && !in_bounds_with<P, 1>(5, 8) && in_bounds_with<P, 2>(6, 8) &&
    !in_bounds_with<P, 2>(5, 8) && in_bounds_with<P, 3>(5, 8);
using one_each = partition<carrier<"S[(8,8):(8@tid,1@tid)]"_axe>, extents<8, 8>>;
static_assert(only_other_dimensions_are_tested<partition<by_eights, tall>> &&
              only_other_dimensions_are_tested<one_each>);
template <integer Tensor, integer Origin> constexpr bool ends_between_tiles(integer extent) {
  return detail::ends_in_bounds<dimension<digit<dynamic(0).multiple_of(Tensor), 1>>,
                                decltype(as_sum(constant<Origin>{} * any(0)))>(extent);
}
static_assert(ends_between_tiles<10, 5>(5) && ends_between_tiles<10, 10>(5) &&
              !ends_between_tiles<10, 1>(5) && !ends_between_tiles<10, 4>(4) &&
              !ends_between_tiles<12, 12>(8) && ends_between_tiles<3, 1>(1));
template <leaf Extent, class Origin>
constexpr bool ends_in_512 = detail::ends_in_bounds<dimension<digit<Extent, 1>>, Origin>(512);
template <integer Constant, integer Range>
using origin = coordinate_sum<Constant, index_part<unnamed, Range, 64>>;
static_assert(ends_in_512<576, coordinate_sum<64>> && !ends_in_512<576, coordinate_sum<65>> &&
              ends_in_512<576, origin<0, 2>> && !ends_in_512<576, origin<1, 2>> &&
              !ends_in_512<576, origin<0, 3>> && !ends_in_512<576, origin<0, 0>> &&
              !ends_in_512<dynamic(0), coordinate_sum<64>>);
constexpr bool any_in_bounds(integer rows, integer columns) {
  unsigned const at[]{5, 8};
  return limits_of<partition<by_eights, tall>>(small(rows, columns, columns), at).any_in_bounds();
}
static_assert(any_in_bounds(6, 16) && !any_in_bounds(5, 16) && !any_in_bounds(6, 8));

TEST_CASE(
    "registers are in bounds if and only if their coordinates are, for extents beyond 31 bits") {
  constexpr integer huge = (integer{1} << 32) - 5;
  static_assert(large::table.largest_extent(0) == (integer{1} << 32) - 1 &&
                small::table.largest_extent(0) == (1 << 24) - 1);
  check_limits<by_rows, square, large>(huge, 8, (1u << 27) - 1, 0, 256);  // the last tile
  check_limits<by_rows, square, large>(huge, 8, 0, 0, 256);  // more than 2^31 rows follow
  check_limits<by_rows, square, large>((integer{1} << 31) + 7, 8, 1u << 26, 0, 256);
}

/// Tests the threads of the last two tiles of a line. The extent of a tile is not a power of two,
/// and registers are three elements apart.
template <class P, integer Extent, class Line> void check_last_tiles(Line const& line) {
  using owning = partition<P, extents<Extent>>;
  integer const elements = line.template extent<0>();
  integer const last = (elements - 1) / Extent;
  for (integer block = last - 1; block <= last; ++block)
    for (unsigned t = 0; t < owning::threads; ++t) {
      auto const registers = thread_tile_in_bounds<P, extents<Extent>>(
          t, base, line, constant<Extent>{} * any(static_cast<unsigned>(block)));
      integer const first = Extent * block + owning::template coordinate_of<0>(t)();
      for_each_register<owning::registers>([&](auto r) {
        constexpr int R = decltype(r)::value;
        bool const expected = first + owning::template step<R, 0> < elements;
        if (registers.template in_bounds<R>() != expected)
          FAIL(elements << " elements in tiles of " << Extent << ": thread " << t << ", register "
                        << R);
      });
    }
}
using undeclared = dynamic_layout<dimension<digit<dynamic(0), 1>>>;
using beyond = dynamic_layout<dimension<digit<dynamic(0).below(integer{1} << 40), 1>>>;
using in_rows = dynamic_layout<dimension<digit<dynamic(0), dynamic(2)>, digit<dynamic(1), 1>>>;
using four_billion = dynamic_layout<dimension<digit<integer{1} << 32, 1>>>;

TEST_CASE("registers of a last tile that ends beyond 2^32 are in bounds if their coordinates are") {
  using by_one = carrier<"S[96:1@tid]"_axe>;
  using by_three = carrier<"S[(32,3):(1@tid,1@reg)]"_axe>;
  for (integer elements :
       {(integer{1} << 32) - 6, (integer{1} << 32) - 1, (integer{1} << 32) - 96 * 5 - 1}) {
    check_last_tiles<by_one, 96>(undeclared(elements));
    check_last_tiles<by_three, 96>(undeclared(elements));
    check_last_tiles<by_one, 96>(beyond(elements));
    check_last_tiles<carrier<"S[64:1@tid]"_axe>, 64>(undeclared(elements));
  }
  check_last_tiles<by_one, 96>(
      in_rows(65536, 65536, 65536));  // the last of 2^32 elements is in bounds
  check_last_tiles<by_three, 96>(in_rows(65536, 65536, 65536));
  check_last_tiles<by_one, 96>(in_rows(65535, 65537, 65537));
  check_last_tiles<by_three, 96>(four_billion());
  // No code for coordinates beyond 2^32 is emitted if the extent of a tile divides 2^32, or if the
  // declared bounds prove that all tiles end before 2^32.
  using sum = decltype(partition<by_one, extents<96>>::coordinate_of<0>(0));
  using tiles = decltype(as_sum(constant<96>{} * any(0)));
  using halves = decltype(as_sum(constant<128>{} * any(0)));
  static_assert(
      detail::may_wrap_along<0, undeclared, tiles, sum> &&
      !detail::may_wrap_along<0, undeclared, halves, sum> &&
      !detail::may_wrap_along<0, dynamic_layout<dimension<digit<dynamic(0).below(1u << 31), 1>>>,
                              tiles, sum>);
}

TEST_CASE("coordinates beyond 32 bits are rejected") {
  CHECK(sentence_of(beyond::why((integer{1} << 32) + 5)) ==
        "dynamic(0), an extent of dimension 0, is 4294967301, but an extent must be below 2^32 "
        "because coordinates have 32 bits");
  CHECK(
      sentence_of(in_rows::why(65536, 65537, 65537)) ==
      "dimension 0 has 4295032832 elements, but coordinates have 32 bits; make it two dimensions");
  CHECK(in_rows::why(65536, 65536, 65537).which == rule::none);
  CHECK(sentence_of(in_rows::why(3, 5, integer{1} << 62)) ==
        "the sizes span 9223372036854775807 elements, but they must span fewer than 2^57");
  CHECK(sentence_of(in_rows::why(2, 5, (integer{1} << 57) - 4)) ==
        "the sizes span 144115188075855872 elements, but they must span fewer than 2^57");
  CHECK(in_rows::why(2, 5, (integer{1} << 57) - 5).which == rule::none);
  CHECK_THROWS(beyond(integer{1} << 33));
}

}  // namespace
