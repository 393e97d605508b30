// Compile-time facts about the vectors in which a thread tile is loaded and stored.
#include <axe/construct/literal.hpp>
#include <axe/cuda/fragment.hpp>
#include <axe/cuda/local_partition.hpp>

#include <utility>

namespace {

using namespace axe;
using namespace axe::literals;
using namespace axe::detail;

using tile = extents<32, 32>;
using by_fours = carrier<
    "S[(4,8,8,4):(4@reg,8@tid,1@tid,1@reg)]"_axe>;  // rows t/8 + 8*(r/4), columns 4*(t%8) + r%4
using apart = carrier<"S[(32,4,8):(1@tid,1@reg,4@reg)]"_axe>;  // columns 8*(r%4) + r/4 of row t

template <leaf Columns, leaf Pitch> using rows_of = dynamic_matrix<dynamic(0), Columns, Pitch>;
template <class Sizes, integer Alignment, class P, class T, class... Origins>
using thread_tile_at = decltype(axe::local_partition<P>(
    axe::tile<32, 32>(std::declval<tensor<T, Sizes, axe::aligned<Alignment>>>(), Origins{}...),
    0u));
using block = index_part<unnamed, 0>;
template <leaf Columns, leaf Pitch, integer Alignment = 16, class P = by_fours, class T = float>
using thread_tile_of = thread_tile_at<rows_of<Columns, Pitch>, Alignment, P, T, block, block>;
template <class ThreadTile, int W> constexpr refusal why = ThreadTile::proof::template plan<W>.why;
template <class ThreadTile, int W>
constexpr refusal edge = ThreadTile::proof::template plan<W>.edge;
template <class ThreadTile, int W, bool Edge>
constexpr auto said = ThreadTile::proof::template reason<W, Edge>::text();

using any_row = thread_tile_of<dynamic(1), dynamic(2)>;
using even_rows = thread_tile_of<dynamic(1), dynamic(2).multiple_of(2)>;
using whole = thread_tile_of<dynamic(1).multiple_of(4), dynamic(2).multiple_of(4)>;
static_assert(any_row::vector_width == 1 && even_rows::vector_width == 2 &&
              whole::vector_width == 4);
static_assert(why<any_row, 4> == refusal{rule::vector_needs_a_multiple, {16, 2, 4, 1}});
static_assert(why<even_rows, 4> == refusal{rule::vector_needs_a_multiple, {16, 2, 4, 2}});
static_assert(
    said<even_rows, 4, false> ==
    "vectors: vectors of 16 bytes need dynamic(2), a stride, to be a multiple of 4, but it "
    "is declared as a multiple of 2; declare it with .multiple_of(4)");
static_assert(why<thread_tile_of<dynamic(1), dynamic(2).multiple_of(4), 8>, 4> ==
              refusal{rule::vector_needs_an_aligned_pointer, {16, 8}});
static_assert(thread_tile_of<dynamic(1), dynamic(2).multiple_of(4), 0>::vector_width == 1);
static_assert(why<whole, 8>.which == rule::vector_bytes &&
              why<whole, 3>.which == rule::vector_bytes);
static_assert(why<thread_tile_of<dynamic(1), 34>, 4> == refusal{rule::vector_unaligned, {16, 8}});
using at_column_0 =
    thread_tile_at<rows_of<dynamic(1), 36>, 16, by_fours, float, block, constant<0>>;
static_assert(why<at_column_0, 4>.which == rule::none);

// If a sum of coordinates has more parts or registers than a plan holds, it is added up before the
// address is computed. No vectors are proved for such a sum.
template <int Fours> constexpr auto fours_and_ones() {
  auto const four = constant<4>{} * below<2>(0);
  auto const one = below<2>(0);
  if constexpr (Fours == 0)
    return as_sum(one + one + one);
  else
    return four + fours_and_ones<Fours - 1>();
}
using of_parts = dynamic_layout<dimension<digit<dynamic(0), 1>>>;
template <class Sum>
using proof_from =
    vector_proof<tensor_question<partition<carrier<"S[(4,4):(1@tid,1@reg)]"_axe>, extents<16>>, 16,
                                 float, of_parts, Sum>>;
static_assert(widest_of<proof_from<decltype(as_sum(constant<4>{} * below<2>(0)))>> == 4 &&
              widest_of<proof_from<decltype(fours_and_ones<13>())>> == 1 &&
              widest_of<proof_from<decltype(fours_and_ones<16>())>> == 1 &&
              widest_of<proof_from<decltype(fours_and_ones<32>())>> == 1);
static_assert(proof_from<decltype(fours_and_ones<16>())>::plan<4>.why ==
                  refusal{rule::too_many_parts, {19}} &&
              proof_from<decltype(fours_and_ones<32>())>::plan<4>.why ==
                  refusal{rule::too_many_parts, {35}});

// A vector may be cut by the edge of a tensor unless extents, declared multiples and tile origins
// exclude it.
static_assert(edge<whole, 4>.which == rule::none);
static_assert(edge<thread_tile_of<dynamic(1).multiple_of(2), 36>, 4> ==
              refusal{rule::vector_needs_a_whole_extent, {4, 1, 4, 2}});
static_assert(edge<thread_tile_of<30, 36>, 4> ==
              refusal{rule::vector_leaves_a_known_extent, {4, 1, 30, 4}});
static_assert(edge<thread_tile_of<60, 60>, 4>.which == rule::none);
static_assert(edge<thread_tile_of<dynamic(1).multiple_of(2), 36>, 2>.which == rule::none);

// The registers of a vector need not have consecutive numbers.
using mixed =
    thread_tile_of<dynamic(1).multiple_of(8), dynamic(2).multiple_of(8), 16, apart, short>;
static_assert(mixed::vector_width == 8);
using by_eights = vector_thread_tile<short, mixed, mixed::proof, 8>;
static_assert(by_eights::size == 4 && by_eights::register_of<0> == 0 &&
              by_eights::register_of<0, 1> == 4 && by_eights::register_of<3, 7> == 31);
// Two partitions with 32 registers for each thread, 4 of a row side by side, in different orders.
using forwards = thread_tile_of<dynamic(1), 32, 16, carrier<"S[(32,8,4):(1@tid,4@reg,1@reg)]"_axe>>;
using sideways = thread_tile_of<dynamic(1), 32, 16, carrier<"S[(32,8,4):(1@tid,1@reg,8@reg)]"_axe>>;
static_assert(forwards::vector_width == 4 && sideways::vector_width == 4 &&
              !one_partition<forwards::partition_type, sideways::partition_type>);
// Thread 40 owns element 40 in one of these partitions and element 8 in the other.
template <class P, class Q>
constexpr bool hold_alike_of = one_partition<partition<P, extents<64>>, partition<Q, extents<64>>>;
static_assert(hold_alike_of<carrier<"S[(2,32):(32@tid,1@tid)]"_axe>, carrier<"S[64:1@tid]"_axe>> &&
              !hold_alike_of<carrier<"S[64:1@tid]"_axe>, carrier<"S[64:1@tid] + 32@tid"_axe>>);
// Threads 64 to 127 hold replicas in one of these partitions and nothing in the other.
static_assert(!hold_alike_of<carrier<"S[64:1@tid]"_axe>, carrier<"S[64:1@tid] + R[2:64@tid]"_axe>>);
// One partition for two tensors: its vectors run along rows in one and along columns in the other.
using columns_first =
    dynamic_layout<dimension<digit<dynamic(0), 1>>, dimension<digit<dynamic(1), 32>>>;
using squares = carrier<"S[(8,4,8,4):(8@tid,4@reg,1@tid,1@reg)]"_axe>;
using down = thread_tile_at<columns_first, 16, squares, float, block, block>;
using across = thread_tile_of<dynamic(1), 32, 16, squares>;
static_assert(down::vector_width == 4 && across::vector_width == 4 &&
              !equal_entries(down::proof::plan<4>.registers, across::proof::plan<4>.registers));

// A fragment can be loaded from a thread tile if it has each element in the same register, however
// its layout is written.
template <class Fragment>
constexpr bool loads =
    one_partition<mixed::proof::partition_type, typename Fragment::partition_type>;
static_assert(
    loads<fragment<short, apart, tile>> &&
    loads<fragment<short, carrier<"S[(4,8,4,4,2):(8@tid,1@tid,1@reg,8@reg,4@reg)]"_axe>, tile>>);
static_assert(
    !loads<fragment<short, carrier<"S[(32,8,4):(1@tid,4@reg,1@reg)]"_axe>, tile>> &&
    !loads<fragment<short, carrier<"S[(8,4,4,8):(1@tid,8@tid,1@reg,4@reg)]"_axe>, tile>> &&
    !loads<fragment<short, apart, extents<1024>>>);
// Dimensions of extent 1 make no difference. A register with several elements differs from a
// register with one.
template <class S, class T>
constexpr bool alike =
    hold_alike(partition_from(apart::value, S::value), partition_from(apart::value, T::value));
static_assert(alike<extents<1, 32, 32>, tile> && alike<extents<32, 1, 32>, extents<32, 32, 1>> &&
              !alike<extents<1024>, tile>);
template <class P, class S> constexpr partition_data held = partition_from(P::value, S::value);
using of_rows = carrier<"S[(8,4):(1@reg,0)]"_axe>;
using of_columns = carrier<"S[(4,8):(0,1@reg)]"_axe>;
using one_each = carrier<"S[8:1@reg]"_axe>;
using of_pages = carrier<"S[(2,8,3):(0,1@reg,0)]"_axe>;
using of_thirds = carrier<"S[(3,8,2):(0,1@reg,0)]"_axe>;
static_assert(hold_alike(held<of_rows, extents<8, 4>>, held<of_rows, extents<8, 4>>) &&
              !hold_alike(held<of_rows, extents<8, 4>>, held<of_columns, extents<4, 8>>) &&
              !hold_alike(held<of_rows, extents<8, 4>>, held<of_columns, extents<32>>) &&
              !hold_alike(held<of_pages, extents<2, 8, 3>>, held<of_thirds, extents<3, 8, 2>>) &&
              !hold_alike(held<of_columns, extents<32>>, held<one_each, extents<8>>));

// A swizzle with S > 0 reads address bits from 2^(M + S) on, and one with S < 0 from 2^M on.
static_assert(swizzle_acts({4, 3, 3}, 128) && !swizzle_acts({4, 3, 3}, 127) &&
              swizzle_acts({4, 3, -3}, 16) && !swizzle_acts({4, 3, -3}, 15) &&
              !swizzle_acts({}, 1 << 20));

// load_vector and store_vector keep the order of the elements.
constexpr short eight[]{1, 2, 3, 4, 5, 6, 7, 8};
static_assert(load_vector<8>(&eight[0])[constant<5>{}] == 6 && load_vector<8>(&eight[0])[5] == 6 &&
              load_vector<2>(&eight[2])[constant<1>{}] == 4);
static_assert(sizeof(vector_of<short, 8>) == 16 && alignof(vector_of<short, 8>) == 16 &&
              alignof(vector_of<int, 1>) == 4);
constexpr int stored() {
  int to[4]{};
  store_vector(&to[0], vector_of<int, 4>{{1, 2, 3, 4}});
  return to[0] * 1000 + to[1] * 100 + to[2] * 10 + to[3];
}
static_assert(stored() == 1234);

/// A thread tile of 8 floats in one row, of which the first n are in bounds.
struct row_of_eight {
  static constexpr int size = 8;
  using proof = thread_tile_of<dynamic(1), 32, 16,
                               carrier<"S[(32,4,2,4):(4@tid,1@tid,4@reg,1@reg)]"_axe>>::proof;
  float const* data;
  int n;
  template <auto R> constexpr bool in_bounds(constant<R>) const { return R < n; }
  template <auto R> constexpr float load(constant<R>) const { return data[R]; }
  template <int W, auto R> constexpr auto load_wide(constant<R>) const {
    return load_vector<W>(data + R);
  }
};
constexpr float row[]{1, 2, 3, 4, 5, 6, 7, 8};
// If the edge cuts a vector, the leading elements in bounds are visited one by one. The result has
// a digit for each visit: 8 for vector 1 as a whole, and 1 to 4 for its elements 4 to 7.
constexpr int visited(int n) {
  vector_thread_tile<float, row_of_eight, row_of_eight::proof, 4> const wide{{&row[0], n}};
  int seen = 0;
  wide.visit_in_bounds(
      constant<1>{}, [&](auto) { seen = seen * 10 + 8; },
      [&](auto r) { seen = seen * 10 + decltype(r)::value - 3; });
  return seen;
}
static_assert(visited(8) == 8 && visited(7) == 123 && visited(6) == 12 && visited(5) == 1 &&
              visited(4) == 0);
static_assert(row_of_eight::proof::furthest<4>(0) == 3 && row_of_eight::proof::furthest<4>(1) == 3);

/// A thread tile of two contiguous rows of three. The second of its three pairs ends one row and
/// begins the next, so neither element of the pair is the furthest in both dimensions.
struct two_rows_of_three {
  static constexpr int size = 6;
  using threes = carrier<"S[(8,2,3):(1@tid,3@reg,1@reg)]"_axe>;
  using proof = decltype(axe::local_partition<threes>(
      axe::tile<16, 3>(std::declval<tensor<float, rows_of<3, 3>, axe::aligned<16>>>(), block{},
                       constant<0>{}),
      0u))::proof;
  int rows, columns;
  template <auto R> constexpr bool in_bounds(constant<R>) const {
    return R / 3 < rows && R % 3 < columns;
  }
};
using pairs = vector_thread_tile<float, two_rows_of_three, two_rows_of_three::proof, 2>;
static_assert(two_rows_of_three::proof::furthest<2>(0) == 1 &&
              two_rows_of_three::proof::furthest<2>(1) == -1 &&
              two_rows_of_three::proof::furthest<2>(2) == 1);
constexpr int pair_visited(int rows, int columns) {
  pairs const wide{{rows, columns}};
  int seen = 0;
  wide.visit_in_bounds(
      constant<1>{}, [&](auto) { seen = seen * 10 + 8; },
      [&](auto r) { seen = seen * 10 + decltype(r)::value; });
  return seen;
}
static_assert(pairs::size == 3 && pairs::register_of<1> == 2 && pairs::register_of<1, 1> == 3 &&
              !pairs::whole_at_edges);
static_assert(pair_visited(2, 3) == 8 && pair_visited(1, 3) == 2 && pair_visited(2, 2) == 3 &&
              pair_visited(1, 2) == 0);

}  // namespace
