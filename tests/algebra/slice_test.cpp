// Tests slice: facts, one example for each case of docs/algebra.md, D10, and refusals with their
// numbers. tests/fuzz/exhaustive.cpp tests every small layout and region.
#include "algebra/meaning.hpp"
#include "support/catch.hpp"

using namespace axe;
using namespace axe_test;
using namespace axe::literals;

namespace {

constexpr bool becomes(layout const& l, shape const& s, region const& r, char const* expected) {
  return to_text(slice(l, s, r)) == expected && slice_means(l, s, r) == nullptr;
}
constexpr refusal slice_refusal(layout const& l, shape const& s, region const& r) {
  return try_slice(l, s, r).why;
}

static_assert(becomes("S[(4,5):(7,1)]"_axe, {4, 5}, {{1, 3}, {2, 5}}, "S[(2,3):(7,1)] + 9"));
static_assert(becomes("S[(4,5):(7,1)]"_axe, {4, 5}, {{0, 4}, {0, 5}}, "S[(4,5):(7,1)]"),
              "the region is the whole shape");
static_assert(slice("S[(2,6):(100,1)]"_axe, {3, 4}, {{0, 2}, {1, 2}}) == "S[2:4] + 1"_axe,
              "one column of dimensions that share a digit");
static_assert(becomes("S[(4,5):(7,1)]"_axe, {4, 5}, {{3, 4}, {4, 5}}, "S[] + 25"),
              "case 1: one element is an offset");
static_assert(becomes("S[(3,4):(100,1)]"_axe, {2, 6}, {{1, 2}, {2, 6}}, "S[4:1] + 200"),
              "rows of 6 elements end inside the digit of 4, but the region has each value of the "
              "digit once");
static_assert(becomes("S[(4,5):(7,1)]"_axe, {4, 5}, {{2, 4}, {4, 5}}, "S[2:7] + 18"));
static_assert(becomes("S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp"_axe,
                      {8, 16}, {{2, 6}, {8, 12}},
                      "S[(4,2,2):(4@lane,1@lane,1@reg)] + R[2:4@warp] + 8@lane + 6@warp"),
              "replicas stay, offsets add up");

// Ranges of one dimension.
static_assert(becomes("S[(8,8):(100,1)]"_axe, 64, {{8, 24}}, "S[(2,8):(100,1)] + 100"),
              "the range is two whole rows of 8");
static_assert(becomes("S[(8,8):(100,1)]"_axe, 64, {{10, 15}}, "S[5:1] + 102"),
              "case 2: the fastest digit does not wrap");
static_assert(becomes("S[(8,8):(100,1)]"_axe, 64, {{5, 11}}, "S[(2,3):(95,1)] + 5"),
              "case 3: the fastest digit wraps once, in the middle of the range");
static_assert(becomes("S[(8,8):(100,1)]"_axe, 64, {{4, 20}}, "S[(2,2,4):(100,96,1)] + 4"),
              "case 4: the range begins in the middle of the fastest digit, which wraps twice");
static_assert(
    becomes("S[(2,2,4):(100,10,1)]"_axe, 16, {{6, 10}}, "S[(2,2):(88,1)] + 12"),
    "case 3: the wrap changes two slower digits; the stride 88 is the step from element 6 to 8");
static_assert(becomes("S[(8,8):(100,-1)]"_axe, 64, {{4, 20}}, "S[(2,2,4):(100,104,-1)] - 4"));
static_assert(becomes("S[(4,4):(5,1)]"_axe, 16, {{2, 6}}, "S[(2,2):(3,1)] + 2") &&
              becomes("S[(4,6):(5@lane,0)]"_axe, 24, {{3, 9}}, "S[(2,3):(5@lane,0)]"));

static_assert(no_layout_exists(slice_refusal("S[(2,2,4):(1000,100,1)]"_axe, 16, {{2, 10}})),
              "not case 4: the last two elements change a third digit");
static_assert(no_layout_exists(slice_refusal("S[(8,8):(100,1)]"_axe, 64, {{5, 9}})),
              "3 elements before the wrap, 1 after it");
static_assert(no_layout_exists(slice_refusal("S[(8,4):(100,1)]"_axe, 32, {{1, 9}})),
              "chunks of gcd(d, e, rest) = gcd(1, 4, 8) = 1 element");

// Slices outside the cases of D10. The engine fits a layout to the places.
static_assert(becomes("S[(2,6):(100,1)]"_axe, {3, 4}, {{0, 1}, {0, 4}}, "S[4:1]"),
              "the row of 4 elements ends inside the digit of 6");
static_assert(becomes("S[(2,6):(100,1)]"_axe, {3, 4}, {{1, 3}, {0, 2}}, "S[(2,2):(98,1)] + 4"),
              "two rows of two elements; a row ends inside the digit of 6");
static_assert(no_layout_exists(slice_refusal("S[(2,3,2):(5,1,3)]"_axe, 12, {{1, 4}})),
              "the places 3, 1, 4 are not one digit");
static_assert(becomes("S[(4,2):(2,3)]"_axe, 8, {{1, 7}}, "S[(3,2):(2,-1)] + 3"),
              "the places are 3 2 5 4 7 6");
static_assert(becomes("S[(2,4,2):(-3,1,-3)]"_axe, 16, {{6, 9}}, "S[3:-3] + 3"),
              "the places are 3 0 -3: two strides coincide");

static_assert(no_layout_exists(slice_refusal("S[(4,5):(7,1)]"_axe, 20, {{3, 12}})));
static_assert(no_layout_exists(slice_refusal("S[(4,4):(1@lane,1)]"_axe, 16, {{2, 6}}), "two_axes"),
              "one step is 1@lane and -2@m at once");
static_assert(slice_refusal("S[(4,5):(7,1)]"_axe, {4, 5}, {{1, 3}}) ==
              refusal{rule::region_has_another_rank, {1, 2}});
static_assert(slice_refusal("S[(4,5):(7,1)]"_axe, {4, 5}, {{1, 5}, {0, 5}}) ==
              refusal{rule::region_outside, {0, 1, 5, 4}});
static_assert(slice_refusal("S[(4,5):(7,1)]"_axe, {4, 5}, {{-1, 3}, {0, 5}}).which ==
              rule::region_outside);
static_assert(slice_refusal("S[(4,5):(7,1)]"_axe, {4, 5}, {{1, 3}, {2, 2}}) ==
              refusal{rule::region_empty, {1, 2, 2}});
static_assert(slice_refusal("S[(4,5):(7,1)]"_axe, {4, 4}, {{1, 3}, {2, 3}}).which ==
              rule::shape_does_not_fit);
static_assert(try_slice("S[(2,4,2):(-3,1,-3)]"_axe, 16, {{6, 9}}, step_limit{2}).why ==
              refusal{rule::undecided, {2}});

static_assert(try_slice("swizzle(0,1,2) o S[(5,8):(-6,1)] + R[4:12]"_axe, 40, {{10, 40}}).why ==
              refusal{rule::no_layout_behind_a_swizzle});

// The offset of the slice is added before the swizzle is applied.
static_assert(becomes("swizzle(3,3,3) o S[(64,64):(64,1)]"_axe, {64, 64}, {{1, 9}, {8, 16}},
                      "swizzle(M=3,B=3,S=3) o S[(8,8):(64,1)] + 72"));

}  // namespace

TEST_CASE("slices of larger tensors have the defined meaning") {
  CHECK(slice_means(at_run_time("S[(48,80):(96,1)] + R[2:4608]"_axe), {48, 80},
                    {{3, 41}, {16, 80}}) == nullptr);
  CHECK(slice_means(at_run_time("S[(6,8,10):(100@lane,10,1)]"_axe), {48, 10}, {{8, 40}, {3, 9}}) ==
        nullptr);
  CHECK(slice_means(at_run_time("S[(3,7,11):(-77,11,-1)]"_axe), 231, {{77, 154}}) == nullptr);
}
