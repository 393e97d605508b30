// Facts about bank conflicts of transposes in real kernels, and about the layouts that the searches
// find for these transposes.
#include <axe/algebra/compose.hpp>
#include <axe/construct/literal.hpp>
#include <axe/synthesis/conflict_free_layout.hpp>
#include <axe/synthesis/conflict_free_pitch.hpp>
#include <axe/synthesis/conflict_free_swizzle.hpp>

using namespace axe;
using namespace axe::literals;

namespace {

// 16-bit elements moved by TMA, ldmatrix and stmatrix: the 128-byte swizzle removes all conflicts.
constexpr auto halves = "S[(64,64):(64,1)]"_axe;
static_assert(conflicts(compose(swizzle_128B<16>, halves), ldmatrix_rows<16>) == 1);
static_assert(conflict_free_swizzle(halves, ldmatrix_rows<16>, rows_of_128_bits<16>) ==
              found_swizzle{swizzle_128B<16>, 1, 4});

// A tile has rows of 128 bytes. Each thread transposes a block of v x v elements in registers, and
// v elements have 16 bytes. Accesses to rows have no conflicts with any swizzle of the hardware.
// Accesses to columns have up to 8-way conflicts.
constexpr auto words = "S[(32,32):(32,1)]"_axe;
constexpr auto bytes = "S[(128,128):(128,1)]"_axe;
static_assert(conflicts(words, row_blocks<32>) == 1 && conflicts(halves, row_blocks<16>) == 1 &&
              conflicts(bytes, row_blocks<8>) == 1);
static_assert(conflicts(compose(swizzle_32B<32>, words), row_blocks<32>) == 1 &&
              conflicts(compose(swizzle_64B<32>, words), row_blocks<32>) == 1 &&
              conflicts(compose(swizzle_128B<32>, words), row_blocks<32>) == 1);
static_assert(conflicts(compose(swizzle_128B<16>, halves), row_blocks<16>) == 1 &&
              conflicts(compose(swizzle_128B<8>, bytes), row_blocks<8>) == 1);
static_assert(conflicts(compose(swizzle_128B<32>, words), column_blocks<32>) == 4);
static_assert(conflicts(compose(swizzle_128B<16>, halves), column_blocks<16>) == 8);
static_assert(conflicts(compose(swizzle_128B<8>, bytes), column_blocks<8>) == 8);
static_assert(conflicts(words, column_blocks<32>) == 8 &&
              conflicts(halves, column_blocks<16>) == 8 && conflicts(bytes, column_blocks<8>) == 8);
// The search finds swizzle(log2 v, 3, 3 + log2 v), with which both accesses have no conflicts.
static_assert(conflict_free_swizzle(words, row_blocks<32>, column_blocks<32>).swizzle ==
              swizzle{2, 3, 5});
static_assert(conflict_free_swizzle(halves, row_blocks<16>, column_blocks<16>).swizzle ==
              swizzle{3, 3, 6});
static_assert(conflict_free_swizzle(bytes, row_blocks<8>, column_blocks<8>).swizzle ==
              swizzle{4, 3, 7});

// A tensor map permutes the rows: row v*a + j of the tile is row 8j + a of shared memory. Then the
// hardware's 128-byte swizzle removes all conflicts.
constexpr auto permuted_words = "S[(8,4,32):(32,256,1)]"_axe;
constexpr auto permuted_halves = "S[(8,8,64):(64,512,1)]"_axe;
constexpr auto permuted_bytes = "S[(8,16,128):(128,1024,1)]"_axe;
static_assert(conflicts(compose(swizzle_128B<32>, permuted_words), {32, 32}, column_blocks<32>) ==
                  1 &&
              conflicts(compose(swizzle_128B<32>, permuted_words), {32, 32}, row_blocks<32>) == 1);
static_assert(conflicts(compose(swizzle_128B<16>, permuted_halves), {64, 64}, column_blocks<16>) ==
                  1 &&
              conflicts(compose(swizzle_128B<16>, permuted_halves), {64, 64}, row_blocks<16>) == 1);
static_assert(conflicts(compose(swizzle_128B<8>, permuted_bytes), {128, 128}, column_blocks<8>) ==
                  1 &&
              conflicts(compose(swizzle_128B<8>, permuted_bytes), {128, 128}, row_blocks<8>) == 1);
static_assert(conflict_free_swizzle(permuted_words, {32, 32}, row_blocks<32>, column_blocks<32>)
                  .swizzle == swizzle_128B<32>);

// Lanes read a column of a 32 x 32 tile of words. The conflicts are 32-way without a swizzle and
// 4-way with the 128-byte swizzle. CuTe's Swizzle<5,2,5> on byte addresses has no conflicts, and
// neither has a pitch of 33.
static_assert(conflicts(words, columns_of_elements<32>) == 32);
static_assert(conflicts(compose(swizzle_128B<32>, words), columns_of_elements<32>) == 4);
static_assert(conflicts(compose(swizzle{0, 5, 5}, words), columns_of_elements<32>) == 1 &&
              conflicts("S[(32,32):(33,1)]"_axe, columns_of_elements<32>) == 1);
static_assert(conflict_free_swizzle(words, rows_of_elements<32>, columns_of_elements<32>).swizzle ==
              swizzle{0, 5, 5});
static_assert(conflict_free_pitch({32, 32}, rows_of_elements<32>, columns_of_elements<32>).pitch ==
              33);

// All rows are at the same addresses, so that four lanes read each of the eight words.
static_assert(conflict_free_swizzle("S[(4,32):(0,1)]"_axe, columns_of_elements<32>) ==
              found_swizzle{{}, 1, 1});
// The two halves of a row are 65 elements apart. Only a swizzle with S < 0 puts them in one word.
static_assert(conflict_free_swizzle("S[(2,2):(2,65)]"_axe, rows_of_32_bits<16>).swizzle ==
              swizzle{0, 1, -6});

// conflict_free_layout returns the swizzled layout, for values and carriers. It keeps the digits as
// they are written.
static_assert(conflict_free_layout(halves, {64, 64}, row_blocks<16>, column_blocks<16>) ==
              "swizzle(3,3,6) o S[(64,64):(64,1)]"_axe);
static_assert(layout(conflict_free_layout(carry<halves>(), extents<64, 64>{},
                                          constant<row_blocks<16>>{},
                                          constant<column_blocks<16>>{})) ==
              "swizzle(3,3,6) o S[(64,64):(64,1)]"_axe);
static_assert(conflict_free_layout(halves, row_blocks<16>, column_blocks<16>) ==
              "swizzle(3,3,6) o S[(64,64):(64,1)]"_axe);
static_assert(
    try_conflict_free_layout(words, {32, 32}, columns_of_elements<32>, rows_of_128_bits<32>).why ==
    refusal{rule::no_conflict_free_swizzle, {4, 2, 3, 3}});

// The pitch that ldmatrix needs is an odd number of 16-byte chunks.
constexpr auto padded = conflict_free_pitch({64, 64}, ldmatrix_rows<16>, rows_of_128_bits<16>);
static_assert(padded && padded.pitch == 72 && padded.padded == "S[(64,64):(72,1)]"_axe &&
              padded.tried == 9);
static_assert(conflict_free_pitch({2, 24, 40}, ldmatrix_rows<16>, rows_of_128_bits<16>).padded ==
                  "S[(2,24,40):(960,40,1)]"_axe,
              "40 halves are five chunks already");

// No swizzle and no pitch is free of conflicts. The result has the best one and the number tried.
constexpr auto no_swizzle =
    conflict_free_swizzle(words, columns_of_elements<32>, rows_of_128_bits<32>);
static_assert(!no_swizzle && no_swizzle.conflicts == 4 && no_swizzle.swizzle == swizzle_128B<32> &&
              no_swizzle.tried == 331);
constexpr auto no_pitch =
    conflict_free_pitch({32, 32}, columns_of_elements<32>, rows_of_128_bits<32>);
static_assert(!no_pitch && no_pitch.conflicts == 4 && no_pitch.pitch == 36 && no_pitch.tried == 33);

// A tile of 24 x 40 words, read in vectors of 16 bytes. A row has ten vectors, so that each row
// begins 8 banks after the row above.
static_assert(conflicts("S[(24,40):(40,1)]"_axe, columns_of_128_bits<32>) == 2);
static_assert(conflict_free_swizzle("S[(24,40):(40,1)]"_axe, columns_of_128_bits<32>,
                                    rows_of_128_bits<32>) == found_swizzle{swizzle_32B<32>, 1, 2});

constexpr refusal why_not(layout const& l, access_list const& all) {
  return try_conflict_free_swizzle(l, {64, 64}, all).why;
}
constexpr access_pattern by_matrices = access_on(ldmatrix_rows<16>, {64, 64});
constexpr access_pattern by_rows = access_on(rows_of_128_bits<16>, {64, 64});
static_assert(why_not(compose(swizzle_128B<16>, halves), {by_matrices}).which ==
              rule::already_swizzled);
static_assert(why_not("S[(64,64):(64,1)] - 8"_axe, {by_matrices}) ==
              refusal{rule::least_place_is_negative, {-8}, {axis::m}});
static_assert(why_not("S[(64,64):(1,64)]"_axe, {by_rows}) ==
              refusal{rule::access_not_contiguous, {8, 0}});
static_assert(why_not(halves, {by_rows, access_on(rows_of_128_bits<8>, {64, 64})}) ==
              refusal{rule::accesses_of_two_widths, {8, 16}});
static_assert(why_not(halves, {}).which == rule::no_access);
static_assert(why_not("S[4096:1@lane]"_axe, {by_rows}).which == rule::access_on_memory_only);
static_assert(detail::list_accesses({4, 9}, rows_of_128_bits<16>).why ==
              refusal{rule::access_columns, {8, 9}});

// The access has 2^22 phases. The step limit of 1,000 ends the search before it has counted them.
static_assert(try_conflict_free_swizzle("S[67108864:15474] + R[6:55294987131]"_axe, 67108864,
                                        access_list{access_on(columns_of_elements<32>, 67108864)},
                                        step_limit(1000))
                  .why.which == rule::undecided);

}  // namespace
