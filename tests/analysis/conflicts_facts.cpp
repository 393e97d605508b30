// Facts about bank conflicts, wavefronts, sectors and lines of accesses, in constant expressions.
#include <axe/algebra/compose.hpp>
#include <axe/analysis/fragment_access.hpp>
#include <axe/analysis/sectors.hpp>
#include <axe/construct/literal.hpp>
#include <axe/map/places.hpp>

using namespace axe;
using namespace axe::literals;

namespace {

constexpr auto plain = "S[(64,64):(64,1)]"_axe;
constexpr auto swizzled = compose(swizzle_128B<16>, plain);

// The example of docs/guides/bank_conflicts.md: ldmatrix has 8-way conflicts, and the 128-byte
// swizzle removes them.
static_assert(conflicts(plain, ldmatrix_rows<16>) == 8 &&
              conflicts(swizzled, ldmatrix_rows<16>) == 1);
static_assert(conflicts(plain, rows_of_128_bits<16>) == 1 &&
              conflicts(swizzled, rows_of_128_bits<16>) == 1);
static_assert(conflicts(compose(swizzle_64B<16>, plain), ldmatrix_rows<16>) == 2,
              "rows of 128 bytes, a 64-byte swizzle");

// The tile of docs/pictures/half-tile-banks.svg: 8 rows of 64 halves, 128 bytes each.
constexpr auto half_tile = "S[(8,64):(64,1)]"_axe;
static_assert(conflicts(half_tile, columns_of_elements<16>) == 8);
static_assert(conflicts(compose(swizzle_128B<16>, half_tile), columns_of_elements<16>) == 1,
              "the lanes read four columns: two words of each of eight rows, in 16 banks");

/// The bank of the first element of row r, for elements of 16 bits and banks of four bytes.
constexpr integer bank_of_row(layout const& l, integer r) {
  return (*places(l, {8, 64}, {r, 0}).begin())[axis::m] * 2 / 4 % 32;
}
constexpr bool banks_down_the_column(layout const& l, integer step) {
  for (integer r = 0; r < 8; ++r)
    if (bank_of_row(l, r) != step * r) return false;
  return true;
}
static_assert(banks_down_the_column(half_tile, 0), "all eight rows in bank 0");
static_assert(banks_down_the_column(compose(swizzle_128B<16>, half_tile), 4),
              "banks 0, 4, ..., 28");

// A column of 32 words, of 32 half words and of 32 bytes.
static_assert(conflicts("S[(32,32):(32,1)]"_axe, columns_of_elements<32>) == 32);
static_assert(conflicts("S[(32,64):(64,1)]"_axe, columns_of_elements<16>) == 32);
static_assert(conflicts("S[(32,128):(128,1)]"_axe, columns_of_elements<8>) == 32);
static_assert(conflicts("S[(32,32):(33,1)]"_axe, columns_of_elements<32>) == 1,
              "a pitch of 33 words avoids conflicts");
static_assert(conflicts("S[(32,16):(16,1)]"_axe, columns_of_elements<64>) == 16,
              "a phase is half a warp");
static_assert(conflicts("S[(32,8):(8,1)]"_axe, columns_of_elements<128>) == 8,
              "a phase is a quarter of a warp");
static_assert(conflicts("S[(32,256):(256,1)]"_axe, columns_of_32_bits<4>) == 32,
              "eight 4-bit elements");

// Lanes that read one word share a wavefront.
static_assert(conflicts("S[(32,32):(32,0)]"_axe, rows_of_elements<32>) == 1,
              "all lanes read one word");
static_assert(conflicts("S[64:1]"_axe, rows_of_elements<16>) == 1 &&
              conflicts("S[64:1]"_axe, rows_of_elements<8>) == 1);
static_assert(conflicts("S[(2,16):(32,0)]"_axe, rows_of_elements<32>) == 2,
              "two words of one bank");
static_assert(conflicts("S[32:2]"_axe, rows_of_elements<32>) == 2 &&
                  conflicts("S[32:-3]"_axe, rows_of_elements<32>) == 1 &&
                  conflicts("S[32:-32] + 5"_axe, rows_of_elements<32>) == 32,
              "negative addresses have banks too");

// All counts of an access, not only its conflicts.
constexpr shared_traffic of_columns =
    shared_memory("S[(32,32):(32,1)]"_axe, {32, 32}, columns_of_elements<32>);
static_assert(of_columns == shared_traffic{32, 32 * 32, 32, 0, 0, 0});
static_assert(shared_memory("S[(3,32):(32,1)] + 1"_axe, {96},
                            access_pattern{"S[(2,32):(32,1)]"_axe, 32, 1}) ==
              shared_traffic{1, 2, 2, 0, 0, 0});
static_assert(shared_memory("S[(33,17):(18,1)]"_axe, {33, 17}, rows_of_elements<32>).phases == 18,
              "17 full instructions and one with 17 lanes");
static_assert(shared_memory("S[(64,8):(64,1)]"_axe, {64, 8}, rows_of_128_bits<16>) ==
              shared_traffic{8, 64, 8, 0, 0, 0});
static_assert(shared_memory("S[(2,2,8):(512,72,8)]"_axe, {32},
                            access_pattern{"S[32:1]"_axe, 128, 1})
                  .conflicts == 8);
static_assert(shared_memory("S[(64,64):(64,1)]"_axe, {64, 64}, row_blocks<16>).phases == 8 * 2 * 4,
              "a lane reads the eight rows of its block one after the other");

static_assert(access_on(row_blocks<16>, {64, 64}).sweep == 64 &&
              access_on(column_blocks<32>, {8, 64}).sweep == 32);
// Two instructions that start in the same bank can differ in conflicts: here bit 6, which the
// swizzle XORs into bit 0, changes in the middle of every second row.
static_assert(shared_memory("swizzle(0,1,6) o S[(16,32):(32,2)]"_axe, {16, 32},
                            rows_of_elements<32>) == shared_traffic{2, 24, 16, 0, 0, 0});

// Replicas are accessed one after the other.
static_assert(shared_memory("S[32:1] + R[3:100]"_axe, {32}, rows_of_elements<32>) ==
              shared_traffic{1, 3, 3, 0, 0, 0});
static_assert(shared_memory("S[32:1] + R[2:7] + R[2:7]"_axe, {32}, rows_of_elements<32>).phases ==
                  3,
              "the replicas begin at 0, 7 and 14, so there are three phases");

// Access patterns that the user writes. In the first one, lanes read every second row.
static_assert(conflicts("S[(8,32):(32,1)]"_axe, access_pattern{"S[(32,4):(1,64)]"_axe, 32, 1}) ==
                  4 &&
              conflicts("S[(32,8):(8,1)]"_axe, access_pattern{"S[(8,32):(1,8)]"_axe, 32, 1}) == 8);

// Storing the accumulator of mma.m16n8 to rows of 128 bytes, two halves per lane: eight rows share
// the same four banks.
constexpr auto accumulator = "S[(2,8,4,2):(2@reg,4@lane,1@lane,1@reg)]"_axe;
constexpr access_pattern store = fragment_access(accumulator, {16, 8}, {64, 64}, 16, 2);
static_assert(store.lanes == 32 && detail::product_of_extents(store.elements.shards) == 4096);
static_assert(conflicts(plain, store) == 8 && conflicts(swizzled, store) == 1);
static_assert(conflicts("S[(64,64):(72,1)]"_axe, store) == 1, "a pitch of 144 bytes");
// Lanes 8 apart hold replicas of one fragment, so they read the same words.
constexpr auto shared_row = "S[(8,2):(1@lane,1@reg)] + R[4:8@lane]"_axe;
static_assert(conflicts("S[16:1]"_axe, fragment_access(shared_row, {16}, {16}, 32, 2)) == 1);
// The accesses of two warps are separate instructions.
static_assert(shared_memory(plain, {64, 64},
                            fragment_access("S[(2,8,4,2):(1@warp,4@lane,1@lane,1@reg)]"_axe,
                                            {16, 8}, {64, 64}, 16, 2)) ==
              shared_memory(plain, {64, 64}, store));
// Lanes may be written as tid, or as tid_in_wg. Lanes that carry into the next warp are rejected.
static_assert(
    conflicts(plain, fragment_access(to_tid(accumulator), {16, 8}, {64, 64}, 16, 2)) == 8 &&
    shared_memory(plain, {64, 64},
                  fragment_access("S[(2,8,4,2):(32@tid_in_wg,4@tid_in_wg,1@tid_in_wg,1@reg)]"_axe,
                                  {16, 8}, {64, 64}, 16, 2)) ==
        shared_memory(plain, {64, 64}, store) &&
    try_fragment_access("S[48:1@tid]"_axe, {48}, {48}, 32, 1).why.which == rule::part_carries);

// Sectors and lines of global memory.
static_assert(global_memory("S[(128,64):(64,1)]"_axe, {128, 64}, rows_of_128_bits<16>) ==
              global_traffic{32, 32 * 16, 32 * 16, 32 * 4, 32 * 4});
static_assert(global_memory("S[(128,64):(64,1)]"_axe, {128, 64}, columns_of_elements<16>) ==
              global_traffic{256, 256 * 32, 256 * 2, 256 * 32, 256});
static_assert(global_memory("S[32:1] + 4"_axe, {32}, rows_of_elements<32>) ==
                  global_traffic{1, 5, 4, 2, 1},
              "begins in the middle of a sector");
static_assert(global_memory("S[32:0]"_axe, {32}, rows_of_elements<64>) ==
              global_traffic{1, 1, 1, 1, 1});
static_assert(global_memory("S[(65536,65536):(65536,1)]"_axe, {65536, 65536}, rows_of_128_bits<16>)
                      .sectors == integer{65536} * 65536 / 16,
              "8 GB: a repeating part is counted once");

static_assert(try_shared_memory("S[4611686018427387904:0] + R[31:32]"_axe, {4611686018427387904},
                                rows_of_elements<32>)
                      .why.which == rule::none &&
              try_shared_memory("S[4611686018427387904:0] + R[64:32]"_axe, {4611686018427387904},
                                access_pattern{"S[4611686018427387904:1]"_axe, 32, 1, 1})
                      .why.which == rule::access_total_overflows);
constexpr rule why_not(layout const& l, shape const& s, access_form const& f) {
  return try_shared_memory(l, s, f).why.which;
}
static_assert(try_conflicts(plain, access_form{12, 1}).why == refusal{rule::access_width, {1, 12}});
static_assert(try_conflicts(plain, access_form{16, 16}).why ==
              refusal{rule::access_width, {16, 16}});
static_assert(try_conflicts("S[(8,12):(12,1)]"_axe, rows_of_128_bits<16>).why ==
              refusal{rule::access_columns, {8, 12}});
static_assert(try_conflicts("S[(12,64):(64,1)]"_axe, ldmatrix_rows<16>).why ==
              refusal{rule::access_rows, {8, 12}});
static_assert(try_conflicts("S[(12,64):(64,1)]"_axe, row_blocks<16>).why ==
              refusal{rule::access_rows, {8, 12}});
static_assert(try_conflicts("S[(64,64):(65,1)]"_axe, rows_of_128_bits<16>).why ==
              refusal{rule::access_not_aligned, {8, 64, 65}});
static_assert(try_conflicts("S[(64,64):(1,64)]"_axe, rows_of_128_bits<16>).why ==
              refusal{rule::access_not_contiguous, {8, 0}});
static_assert(try_conflicts("swizzle(2,3,3) o S[(64,64):(64,1)]"_axe, rows_of_128_bits<16>).why ==
                  refusal{rule::access_not_aligned, {8, 32, 36}},
              "the swizzle separates the two 8-byte halves of a vector");
static_assert(why_not("S[(4,32):(1@warp,1)]"_axe, {4, 32}, rows_of_elements<32>) ==
              rule::access_on_memory_only);
static_assert(why_not(plain, {64, 65}, rows_of_elements<32>) == rule::shape_does_not_fit);
static_assert(try_conflicts(plain, access_pattern{"S[32:1@lane]"_axe, 32, 1}).why.which ==
                  rule::access_pattern_on_memory_only &&
              try_conflicts(plain, access_pattern{"S[32:1] + R[2:1]"_axe, 32, 1}).why.which ==
                  rule::access_pattern_has_replicas &&
              try_conflicts(plain, access_pattern{"S[32:200]"_axe, 32, 1}).why ==
                  refusal{rule::access_leaves_the_tile, {0, 6200, 4095}} &&
              try_conflicts(plain, access_pattern{"S[33:1]"_axe, 32, 2}).why ==
                  refusal{rule::access_splits_a_vector, {33, 2}} &&
              try_conflicts(plain, access_pattern{"S[33:1]"_axe, 32, 1, 33}).why ==
                  refusal{rule::access_lanes, {33}} &&
              try_conflicts(plain, access_pattern{"S[32:1]"_axe, 32, 1, 32, true}).why ==
                  refusal{rule::access_matrix_row, {32}} &&
              try_conflicts(plain, access_pattern{"S[32:1]"_axe, 32, 1, 32, false, 5}).why ==
                  refusal{rule::access_sweep, {5, 32}});
static_assert(try_fragment_access("S[(2,40):(1@reg,1@lane)]"_axe, {80}, {80}, 32, 1).why ==
                  refusal{rule::access_lanes, {40}} &&
              try_fragment_access("S[8:1@lane] + 4@lane"_axe, {8}, {8}, 32, 1).why ==
                  refusal{rule::access_first_lane, {4}} &&
              try_fragment_access("S[(8,3):(1@lane,1@reg)]"_axe, {24}, {24}, 32, 2).why ==
                  refusal{rule::access_splits_a_vector, {3, 2}} &&
              try_fragment_access(accumulator, {16, 8}, {40, 64}, 16, 2).why.which ==
                  rule::extent_does_not_divide &&
              try_fragment_access("S[8:2@lane]"_axe, {8}, {8}, 32, 1).why.which ==
                  rule::hole_in_the_box);
// Instructions that cross rows repeat after some rows, and the last one may have fewer lanes.
static_assert(global_memory("S[(5000,5000):(5000,1)]"_axe, {5000, 5000}, rows_of_128_bits<16>) ==
              global_traffic{97657, 1562500, 1562500, 390625, 390625});
static_assert(global_memory("S[(8,300):(1001,1)]"_axe, {8, 300}, rows_of_elements<32>) ==
              global_traffic{75, 372, 300, 148, 75});
static_assert(try_shared_memory("S[(641,643):(643,1)]"_axe, {641, 643}, columns_of_elements<32>,
                                step_limit(1000))
                  .why.which == rule::undecided);

}  // namespace
