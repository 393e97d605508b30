// Tests tile, tile_to and direct_sum: facts, their definition as sums of sets, and the law that a
// tile is the direct sum of the scaled outer layout and the inner one.
#include "algebra/meaning.hpp"
#include "support/catch.hpp"

using namespace axe;
using namespace axe::axes;
using namespace axe_test;
using namespace axe::literals;

namespace {

struct operand {
  layout l;
  shape s;
};

constexpr bool tiles(operand const& a, operand const& b, char const* expected) {
  return to_text(tile(a.l, a.s, b.l, b.s)) == expected && tile_means(a.l, a.s, b.l, b.s) == nullptr;
}
constexpr bool adds(operand const& a, operand const& b, char const* expected) {
  return to_text(direct_sum(a.l, a.s, b.l, b.s)) == expected &&
         sum_means(a.l, a.s, b.l, b.s) == nullptr;
}
constexpr refusal tile_refusal(operand const& a, operand const& b) {
  return try_tile(a.l, a.s, b.l, b.s).why;
}
constexpr refusal sum_refusal(operand const& a, operand const& b) {
  return try_direct_sum(a.l, a.s, b.l, b.s).why;
}

// The layouts that `tiles` and `adds` compare place by place are small, because clang limits a
// constant expression to 2^20 steps. The run-time tests below use blocks of 8 x 8 and 32 x 4.
static_assert(to_text(tile("S[(2,3):(3,1)]"_axe, {2, 3}, "S[(8,8):(8,1)]"_axe, {8, 8})) ==
                  "S[(2,8,3,8):(192,8,64,1)]",
              "a 16x24 matrix of 8x8 blocks");
static_assert(to_text(tile("S[(2,2):(2@warp,1@warp)]"_axe, {2, 2}, "S[(8,8):(8,1)]"_axe, {8, 8})) ==
                  "S[(2,8,2,8):(2@warp,8,1@warp,1)]",
              "an axis that B does not name has span 1");
static_assert(tiles({"S[3:1]"_axe, 3}, {"S[4:-2]"_axe, 4}, "S[(3,4):(7,-2)]"),
              "the span of a negative stride is positive");
static_assert(tiles({"S[3:1]"_axe, 3}, {"S[4:0]"_axe, 4}, "S[(3,4):(1,0)]"));
static_assert(tiles({"S[2:1] + R[2:2] + 1"_axe, 2}, {"S[2:1] + R[2:2] + 5"_axe, 2},
                    "S[(2,2):(4,1)] + R[2:2] + R[2:8] + 9"),
              "sigma is 4: it also scales the outer replicas and the outer offset");
static_assert(tiles({"S[4:1] + R[2:1@warp]"_axe, {4, 1}},
                    {"S[(2,3):(3,1)] + R[3:2@warp]"_axe, {2, 3}},
                    "S[24:1] + R[3:2@warp] + R[2:5@warp]"));
static_assert(tiles({"S[4:1]"_axe, {4, 1}}, {"S[8:1]"_axe, {1, 8}}, "S[32:1]"),
              "dimensions of extent 1 add no digit");
static_assert(tiles({"S[6:2@lane]"_axe, {2, 3, 1}}, {"S[5:1]"_axe, {1, 1, 5}},
                    "S[(6,5):(2@lane,1)]"),
              "neighbouring digits of one operand fuse");
static_assert(tiles({"S[(2,3):(100,1)]"_axe, {3, 2}}, {"S[]"_axe, {1, 1}}, "S[(2,3):(100,1)]"),
              "tiling by one element is the identity, whatever the shape");

static_assert(adds({"S[(2,2):(8,2)]"_axe, {2, 2}}, {"S[(2,2):(4,1)]"_axe, {2, 2}}, "S[16:1]"));
static_assert(adds({"S[2:3] + R[2:1] + 1"_axe, 2}, {"S[3:1] + R[3:6] - 4"_axe, 3},
                   "S[6:1] + R[2:1] + R[3:6] - 3"),
              "nothing is scaled");
static_assert(adds({"S[2:6] + 1@lane"_axe, 2}, {"S[3:2@lane] - 1@lane"_axe, 3},
                   "S[(2,3):(6,2@lane)]"));
static_assert(adds({"S[4:1] + R[2:4]"_axe, 4}, {"S[] + R[2:8]"_axe, 1}, "S[4:1] + R[4:4]"),
              "the replicas merge");

static_assert(tile_refusal({"S[4:1]"_axe, 4}, {"S[(2,2):(2,1)]"_axe, {2, 2}}) ==
              refusal{rule::shapes_have_other_ranks, {1, 2}});
static_assert(tile_refusal({"S[4:1]"_axe, 5}, {"S[2:1]"_axe, 2}).which ==
                  rule::shape_does_not_fit &&
              tile_refusal({"S[4:1]"_axe, 4}, {"S[2:1]"_axe, 3}) ==
                  of_operand(1, {rule::shape_does_not_fit, {3, 2}}) &&
              tile_refusal({"S[4:1]"_axe, 4}, {"S[2:1]"_axe, 0}) ==
                  of_operand(1, {rule::shape_extent_below_one, {0, 0}}) &&
              sum_refusal({"S[4:1]"_axe, 4}, {"S[2:1]"_axe, {4294967296, 4294967296}}) ==
                  of_operand(1, {rule::shape_overflows}) &&
              sum_refusal({"S[4:1]"_axe, 4}, {S({4}, {4611686018427387904}), 4}) ==
                  of_operand(1, {rule::places_overflow, {}, {axis::m}}) &&
              sum_refusal({"S[] + R[6917529027641081856:1]"_axe, 1},
                          {"S[] + R[6917529027641081856:-1]"_axe, 1}) ==
                  refusal{rule::result_places_overflow, {}, {axis::m}});
static_assert(no_layout_exists(tile_refusal({"S[(2,3):(100,1)]"_axe, {3, 2}},
                                            {"S[4:1]"_axe, {2, 2}})));
static_assert(sum_refusal({"S[4294967296:1]"_axe, 4294967296}, {"S[4294967296:1]"_axe, 4294967296})
                  .which == rule::result_size_overflows);
constexpr refusal result_reaches_too_far{rule::result_places_overflow, {}, {axis::m}};
static_assert(tile_refusal({"S[2:4611686018427387904]"_axe, 2}, {"S[4:1]"_axe, 4}) ==
                      result_reaches_too_far &&
                  tile_refusal({"S[2:4611686018427387903]"_axe, 2}, {"S[2:1]"_axe, 2}) ==
                      result_reaches_too_far &&
                  sum_refusal({"S[2:9223372036854775806]"_axe, 2}, {"S[2:1]"_axe, 2}) ==
                      result_reaches_too_far,
              "the places of each operand fit 64 bits, those of the result do not");

// If the inner layout is swizzled, adding an outer step must commute with the swizzle.
static_assert(tiles({"S[4:1]"_axe, 4}, {"swizzle(1,1,1) o S[(2,4):(4,1)]"_axe, 8},
                    "swizzle(M=1,B=1,S=1) o S[32:1]"),
              "the outer step, 8, is the period of the swizzle");
static_assert(
    adds({"S[3:16]"_axe, 3}, {"swizzle(3,1,3) o S[16:1]"_axe, 16}, "S[48:1]") &&
        adds({"S[3:16]"_axe, 3}, {"swizzle(3,1,3) o S[16:1] + 64"_axe, 16},
             "swizzle(M=3,B=1,S=3) o S[48:1] + 64"),
    "steps of 16 are smaller than the period 128, but never change bit 6, which the swizzle reads");
static_assert(sum_refusal({"S[2:6]"_axe, 2}, {"swizzle(1,1,1) o S[(2,4):(4,1)]"_axe, 8}).which ==
              rule::swizzle_does_not_commute);
static_assert(tiles({"swizzle(3,3,3) o S[8:1]"_axe, 8}, {"S[2:1]"_axe, 2}, "S[16:1]"),
              "a swizzle of the outer layout that moves nothing is ignored");
static_assert(tiles({"swizzle(0,1,1) o S[4:1]"_axe, 4}, {"S[4:1]"_axe, 4},
                    "swizzle(M=2,B=1,S=1) o S[16:1]") &&
                  tiles({"swizzle(0,1,1) o S[4:1]"_axe, 4}, {"S[1:0]"_axe, 1},
                        "swizzle(M=0,B=1,S=1) o S[4:1]") &&
                  tile_refusal({"swizzle(0,1,1) o S[4:1]"_axe, 4}, {"S[3:1]"_axe, 3}).which ==
                      rule::no_layout_steps,
              "scaled by 4, swizzle(0,1,1) is swizzle(2,1,1); scaled by 3, it is not a swizzle");
static_assert(tiles({"swizzle(0,2,1) o S[8:1]"_axe, 8}, {"S[2:1]"_axe, 2},
                    "swizzle(M=1,B=2,S=1) o S[16:1]"),
              "a swizzle that is not its own inverse");
static_assert(!try_direct_sum("S[3:1]"_axe, 3, "swizzle(1,1,1) o S[4:2]"_axe, 4) &&
                  !try_direct_sum("S[(2,2):(1,1)]"_axe, 4, "swizzle(1,1,1) o S[4:2]"_axe, 4),
              "an outer step of 2 carries into bits that the swizzle reads");
static_assert(adds({"S[2:1]"_axe, 2}, {"swizzle(0,2,3) o S[2:8]"_axe, 2}, "S[(2,2):(1,9)]") &&
                  adds({"S[2:16]"_axe, 2}, {"swizzle(0,2,3) o S[2:8]"_axe, 2},
                       "swizzle(M=0,B=2,S=3) o S[(2,2):(18,8)]"),
              "the swizzle changes or reads the bit of the outer step");
static_assert(adds({"S[2:2]"_axe, 2}, {"swizzle(0,1,1) o S[2:10] + R[2:1]"_axe, 2},
                   "swizzle(M=0,B=1,S=1) o S[(2,2):(2,10)] + R[2:1]"),
              "the swizzle exchanges the two replicas");
static_assert(adds({"S[2:2]"_axe, 2}, {"swizzle(0,1,1) o S[] + R[2:3]"_axe, 1}, "S[2:2] + R[2:2]"),
              "the swizzle moves the replica at 3 to 2; no swizzle remains");
static_assert(tiles({"S[4:1@lane]"_axe, 4}, {"swizzle(0,1,1) o S[2:2]"_axe, 2},
                    "S[(4,2):(1@lane,3)]"),
              "the swizzled places, 0 and 3, form a layout without a swizzle");
static_assert(tile_refusal({"S[2:1@warp]"_axe, 2}, {"swizzle(3,3,3) o S[(64,64):(64,1)]"_axe, 4096})
                  .which == rule::swizzled_inner_on_memory_only);

static_assert(to_text(tile_to("S[(2,2):(2,1)]"_axe, {2, 2}, {4, 6})) == "S[(2,2,3,2):(12,2,4,1)]" &&
              to_text(tile_to("S[(8,8):(8,1)]"_axe, {8, 8}, {8, 8})) == "S[64:1]");
static_assert(try_tile_to("S[(2,2):(2,1)]"_axe, {2, 2}, {4, 7}).why ==
                  refusal{rule::extent_does_not_divide, {1, 2, 7}} &&
              try_tile_to("S[4:1]"_axe, 2, 6).why == refusal{rule::shape_does_not_fit, {2, 4}} &&
              try_tile_to("S[4:1]"_axe, 4, 0).why ==
                  of_operand(1, {rule::shape_extent_below_one, {0, 0}}) &&
              try_tile_to("swizzle(0,1,-2) o S[2:1] + R[2:6]"_axe, 2, 6).why ==
                  refusal{rule::repetition_does_not_commute, {1, 0, 7, 7, 3}} &&
              try_tile_to("S[(2,2):(2,1)]"_axe, {2, 2}, 16).why ==
                  refusal{rule::shapes_have_other_ranks, {2, 1}});

constexpr operand samples_of_operands[] = {
    {"S[(2,3):(3,1)]"_axe, {2, 3}},
    {"S[6:-1] + R[2:9] + 5"_axe, {3, 2}},
    {"S[(3,2):(1@lane,2)] + R[2:5@lane] - 1@lane"_axe, {3, 2}},
    {"S[(2,2,2):(8,1@warp,1)]"_axe, {2, 4}},
    {"S[4:0] + R[3:1@warp] + 2@warp"_axe, {1, 4}},
};

}  // namespace

TEST_CASE("F.3, the scaled sum law: tile(A, B) = direct_sum(sigma*A, B), sigma = span(B)") {
  for (operand const& a : samples_of_operands)
    for (operand const& b : samples_of_operands) {
      CAPTURE(to_text(a.l).c_str(), to_text(b.l).c_str());
      outcome<layout> const t = try_tile(a.l, a.s, b.l, b.s);
      outcome<layout> const s = try_direct_sum(scaled_by_span(a.l, b.l), a.s, b.l, b.s);
      REQUIRE((t && s));
      CHECK(*t == *s);
      CHECK(tile_means(a.l, a.s, b.l, b.s) == nullptr);
    }
}

TEST_CASE("tiles of real blocks have the defined meaning") {
  CHECK(tile_means(at_run_time("S[(2,3):(3,1)]"_axe), {2, 3}, "S[(8,8):(8,1)]"_axe, {8, 8}) ==
        nullptr);
  CHECK(tile_means(at_run_time("S[(2,2):(2@warp,1@warp)] + R[2:4@warp]"_axe), {2, 2},
                   "S[(8,8):(8,1)] + R[3:64]"_axe, {8, 8}) == nullptr);
  CHECK(sum_means(at_run_time("S[(4,2):(8@TCol,4@TCol)]"_axe), {4, 2},
                  "S[(32,4):(1@TLane,1@TCol)] + R[4:32@TLane]"_axe, {32, 4}) == nullptr);
}

TEST_CASE("swizzled replicas that no layout has are rejected within the step limit") {
  CHECK(try_tile("swizzle(1,1,2) o S[] + R[2:1] + R[3:1] - 7"_axe, {1, 1, 1},
                 "S[6:0] + R[2:1] + R[2:16] + R[3:1]"_axe, {1, 6, 1}, step_limit(50'000))
            .why == refusal{rule::no_layout_behind_a_swizzle});
}

TEST_CASE("injective operands give an injective tile") {
  for (operand const& a : samples_of_operands)
    for (operand const& b : samples_of_operands)
      if (is_injective(a.l) && is_injective(b.l)) CHECK(is_injective(tile(a.l, a.s, b.l, b.s)));
}
