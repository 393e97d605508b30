// Scale factors of a block-scaled MMA in tensor memory (TIRx, "Tensor Layout"), built by the
// algebra:
//
//     atom          S[(32, sf_per_mma):(1@TLane, 1@TCol)] + R[4:32@TLane]
//                   32 rows, replicated to the four warps of a warpgroup
//     packing       32 / bits factors in each 32-bit cell of TCol
//     outer groups  direct_sum over (M rows, K groups). A factor that several MMAs read has an iter
//                   of stride 0, and the stages of the pipeline have one more iter.
#include "algebra/meaning.hpp"
#include "support/catch.hpp"

using namespace axe;
using namespace axe::axes;
using namespace axe_test;
using namespace axe::literals;

namespace {

/// One atom in factors. TCol counts factors here, and 32-bit cells after `pack`.
constexpr layout atom(integer sf_per_mma) {
  return S({32, sf_per_mma}, {1 * TLane, 1 * TCol}) + R({4}, {32 * TLane});
}

static_assert(to_text(atom(4)) == "S[(32,4):(1@TLane,1@TCol)] + R[4:32@TLane]");
static_assert(places(atom(4), {32, 4}, {5, 3}) ==
              place_set{5 * TLane + 3 * TCol, 37 * TLane + 3 * TCol, 69 * TLane + 3 * TCol,
                        101 * TLane + 3 * TCol});
static_assert(span(atom(4), TLane) == 128 && is_injective(atom(4)),
              "all 128 lanes hold factors, and no place holds two");

// A cell holds four factors of 8 bits (fp8), or two of 16 bits.
static_assert(to_text(pack(atom(4), 4, TCol)) == "S[32:1@TLane] + R[4:32@TLane]" &&
              to_text(pack(atom(4), 2, TCol)) == "S[(32,2):(1@TLane,1@TCol)] + R[4:32@TLane]");
static_assert(unpack(pack(atom(4), 4, TCol), 4, TCol) == canonicalize(atom(4)));
static_assert(try_pack(atom(2), 4, TCol).why.which == rule::not_next_to_each_other,
              "two factors do not fill a cell of four");

/// 128 rows are four groups of 32 rows, 8 factors (2 cells) apart, and the two groups along K are 4
/// factors (1 cell) apart.
constexpr layout outer = S({4, 2}, {8 * TCol, 4 * TCol});
constexpr layout whole = direct_sum(outer, {4, 2}, atom(4), {32, 4});
static_assert(to_text(whole) == "S[(4,32,8):(8@TCol,1@TLane,1@TCol)] + R[4:32@TLane]");
static_assert(sum_means(S({2, 2}, {8 * TCol, 4 * TCol}), {2, 2},
                        S({2, 4}, {1 * TLane, 1 * TCol}) + R({2}, {2 * TLane}), {2, 4}) == nullptr);
static_assert(size(whole) == 128 * 8 && span(whole, TCol) == 32 && is_injective(whole));
static_assert(to_text(pack(whole, 4, TCol)) ==
                  "S[(4,32,2):(2@TCol,1@TLane,1@TCol)] + R[4:32@TLane]",
              "a cell has 32 bits");
static_assert(equivalent(sum_outer(whole, {128, 8}, atom(4), {32, 4}), outer) &&
                  equivalent(sum_inner(whole, {128, 8}, outer, {4, 2}), atom(4)),
              "sum_inner finds the atom, sum_outer the groups");
static_assert(to_text(tile_outer(whole, {128, 8}, atom(4), {32, 4})) == "S[8:1@TCol]",
              "there are 8 atoms, 4 columns apart");

/// Four MMAs along K read the same factor, and the stages of the pipeline are 32 factors apart.
constexpr layout reused = broadcast(whole, {128, 8}, 2, 4);
static_assert(to_text(reused) == "S[(4,32,8,4):(8@TCol,1@TLane,1@TCol,0)] + R[4:32@TLane]");
constexpr layout staged = direct_sum(S({3}, {32 * TCol}), {3, 1, 1}, whole, {1, 128, 8});
static_assert(to_text(staged) == "S[(12,32,8):(8@TCol,1@TLane,1@TCol)] + R[4:32@TLane]",
              "3 stages fuse with 4 groups");
static_assert(equivalent(staged, tile(S({3}, {1 * TCol}), {3, 1, 1}, whole, {1, 128, 8})),
              "the span of the whole is 32, so this sum is a tile");
static_assert(to_text(slice(staged, {3, 128, 8}, {{1, 2}, {32, 64}, {4, 8}})) ==
              "S[(32,4):(1@TLane,1@TCol)] + R[4:32@TLane] + 44@TCol");

// The accumulator lies in tensor memory too: two stages of 112 columns.
constexpr layout accumulator = "S[(2,128,112):(112@TCol,1@TLane,1@TCol)]"_axe;
static_assert(places(accumulator, {2, 128, 112}, {1, 127, 111}) ==
                  place_set{127 * TLane + 223 * TCol} &&
              span(accumulator, TCol) == 224);

}  // namespace

TEST_CASE("every factor is where the MMA of its rows and group reads it") {
  for (integer row = 0; row < 128; ++row)
    for (integer k = 0; k < 8; ++k)
      for (integer warp_of_four = 0; warp_of_four < 4; ++warp_of_four)
        CHECK(places(whole, {128, 8}, {row, k})
                  .contains((row % 32 + 32 * warp_of_four) * TLane + (row / 32 * 8 + k) * TCol));
}
