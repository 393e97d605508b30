// Tests walks: after every step, a thread tile equals the one of the tile that the walk has
// reached, in its pointers, limits, coordinates and vector width.
#include "support/catch.hpp"
#include "support/far_pointer.hpp"

#include <axe/construct/literal.hpp>
#include <axe/cuda/local_partition.hpp>

namespace {

using namespace axe;
using namespace axe::literals;

float* const base = axe_test::far_pointer<float>;

/// A walk has one pointer for each row of a thread, because rows are a dynamic pitch apart, while
/// columns differ by constants. Threads of by_rows have four rows, those of by_squares have two
/// rows and two columns.
using by_rows = carrier<"S[(4,8,32):(1@reg,32@tid,1@tid)]"_axe>;
using by_squares = carrier<"S[(2,16,2,16):(2@reg,16@tid,1@reg,1@tid)]"_axe>;
using by_fours = carrier<"S[(2,16,8,4):(4@reg,8@tid,1@tid,1@reg)]"_axe>;

template <class P, int Along, int Tiles, class Sized>
void check_walk(Sized const& sizes, unsigned row, unsigned column) {
  tensor<float, Sized, axe::aligned<16>> const tensor{base, sizes};
  using owning = partition<P, extents<32, 32>>;
  for (unsigned t = 0; t < owning::threads; t += 3) {
    auto walk = axe::walk<P, Along>(axe::tile<32, 32>(tensor, row, column), t);
    for (unsigned k = 0; k < Tiles; ++k, walk.next()) {
      auto const expected = axe::local_partition<P>(
          axe::tile<32, 32>(tensor, row + (Along == 0 ? k : 0), column + (Along == 1 ? k : 0)), t);
      static_assert(walk.vector_width == expected.vector_width && walk.size == expected.size);
      bool same = walk.any_in_bounds() == expected.any_in_bounds();
      for_each_register<owning::registers>([&](auto r) {
        same = same && walk.pointer(r) == expected.pointer(r) &&
               walk.in_bounds(r) == expected.in_bounds(r) &&
               walk.template coordinate<0>(r) == expected.template coordinate<0>(r) &&
               walk.template coordinate<1>(r) == expected.template coordinate<1>(r);
      });
      auto const vectors = axe::vectors(walk);
      auto const expected_vectors = axe::vectors(expected);
      for_each_register<decltype(vectors)::size>([&](auto v) {
        if constexpr (decltype(vectors)::whole_at_edges)
          same = same && vectors.in_bounds(v) == expected_vectors.in_bounds(v);
      });
      if (!same) FAIL("thread " << t << ", tile " << k);
    }
  }
}
template <class P, class Sized> void check_both_walks(Sized const& sizes) {
  check_walk<P, 0, 4>(sizes, 1, 2);
  check_walk<P, 1, 5>(sizes, 1, 0);
}

using bounded = dynamic_matrix<dynamic(0).below(1 << 14), dynamic(1).below(1 << 14),
                               dynamic(2).multiple_of(4).below(1 << 15)>;
using undeclared = dynamic_matrix<dynamic(0), dynamic(1), dynamic(2)>;
using known = dynamic_layout<dimension<digit<100, 128>>, dimension<digit<120, 1>>>;
using strided = dynamic_layout<dimension<digit<dynamic(0), dynamic(2)>>,
                               dimension<digit<dynamic(1), dynamic(3)>>>;
/// The rows of a tile may cross the end of a block of 12 rows.
using blocked = dynamic_layout<dimension<digit<dynamic(0), 12 * 512>, digit<12, 512>>,
                               dimension<digit<dynamic(1), 4>>>;
using negative =
    dynamic_layout_from<leaf{128 * 99}, dimension<digit<100, -128>>, dimension<digit<120, 1>>>;

TEST_CASE("after every step a walk equals the thread tile of the tile that it has reached") {
  check_both_walks<by_rows>(bounded(100, 120, 128));
  check_both_walks<by_squares>(bounded(100, 121, 128));
  check_both_walks<by_fours>(bounded(97, 120, 120));
  check_both_walks<by_rows>(undeclared(100, 120, integer{1} << 36));
  check_both_walks<by_squares>(undeclared(65, 33, 33));
  check_both_walks<by_fours>(known());
  check_both_walks<by_squares>(strided(100, 70, 3, 1000));
  check_both_walks<by_rows>(negative());
}

TEST_CASE("a walk along one dimension is right if another dimension has several digits") {
  check_walk<by_rows, 1, 4>(blocked(10, 128), 1, 0);
  check_walk<by_squares, 1, 4>(blocked(10, 100), 0, 0);
  using divided =
      dynamic_layout<dimension<digit<dynamic(0), dynamic(3)>, digit<dynamic(1), dynamic(4)>>,
                     dimension<digit<dynamic(2), 1>>>;
  check_walk<by_rows, 1, 4>(divided(10, 7, 100, 4000, 200), 1, 0);
}

TEST_CASE("a walk near 2^32 does not wrap") {
  constexpr unsigned last = (1u << 27) - 1;
  check_walk<by_rows, 0, 3>(undeclared((integer{1} << 32) - 5, 40, 40), last - 2, 0);
  check_walk<by_squares, 0, 2>(undeclared((integer{1} << 31) + 7, 40, 40), 1u << 26, 1);
}

// exact_grid removes every test, even of a tile that would be partial, and vectors then need no
// declared extents. In a tile of one row, the row is never tested.
TEST_CASE("in an exact grid, and along a tile's single row, elements are not tested") {
  using any_extents = dynamic_matrix<dynamic(0), dynamic(1), dynamic(2).multiple_of(4)>;
  tensor<float, any_extents, axe::aligned<16>> const partial{base, any_extents(40, 50, 64)};
  auto const tested = axe::local_partition<by_fours>(axe::tile<32, 32>(partial, 1u, 1u), 255u);
  auto const exact =
      axe::local_partition<by_fours>(axe::exact_grid(axe::tile<32, 32>(partial, 1u, 1u)), 255u);
  CHECK(!tested.in_bounds(constant<0>{}));
  CHECK(exact.in_bounds(constant<0>{}));
  CHECK(exact.pointer(constant<5>{}) == tested.pointer(constant<5>{}));
  CHECK(!axe::vectors(tested).whole_at_edges);
  CHECK(axe::vectors(exact).whole_at_edges);
  auto walk = axe::walk<by_fours, 0>(axe::exact_grid(axe::tile<32, 32>(partial, 0u, 0u)), 255u);
  walk.next();
  CHECK(walk.in_bounds(constant<7>{}));
  using one_row = carrier<"S[(1,32):(1@reg,1@tid)]"_axe>;
  auto const row = [&](unsigned at, unsigned thread) {
    return axe::local_partition<one_row>(axe::tile<1, 32>(partial, at, 1u), thread)
        .in_bounds(constant<0>{});
  };
  CHECK(row(39, 17));
  CHECK(!row(39, 18));
  CHECK(row(40, 17));  // row 40 does not exist, but a tile of one row is not tested
}

// Accesses do not test a dimension of extent 1 or of whole tiles. A walk along it must still stop.
template <int Along, class Tile> unsigned steps_to_the_end(Tile const& tile) {
  using one_vector = carrier<"S[(1,4):(1@reg,1@reg)] + R[32:1@tid]"_axe>;
  unsigned steps = 0;
  for (auto p = axe::walk<one_vector, Along>(tile, 0u); steps < 99 && p.any_in_bounds(); p.next())
    ++steps;
  return steps;
}
TEST_CASE("a walk along a dimension without bounds tests stops at its end") {
  tensor<float, row_major<2>, axe::aligned<16>> const whole{base, 40, 48};
  CHECK(steps_to_the_end<0>(axe::tile<1, 4>(whole, 0u, 11u)) == 40);
  CHECK(steps_to_the_end<1>(axe::tile<1, 4>(whole, 39u, 5u)) == 7);
  CHECK(steps_to_the_end<1>(axe::exact_grid(axe::tile<1, 4>(whole, 39u, 5u))) == 7);
}

// The number of pointers: one for registers that differ by constants, one for each row that is a
// dynamic stride away, and none if addresses are computed again.
template <class P, class Sized>
constexpr int pointers = decltype(detail::thread_tile_walk<P, extents<32, 32>, 1, 0>(
    0u, base, Sized{}, detail::indices<0, 1>{}, as_sum(any(0u)), as_sum(any(0u))))::pointers;
static_assert(pointers<by_rows, bounded> == 4 && pointers<by_squares, bounded> == 2);
static_assert(pointers<by_fours, bounded> == 2 && pointers<by_fours, known> == 1);
static_assert(pointers<by_squares, strided> == 4 && pointers<by_rows, blocked> == 0);

}  // namespace
