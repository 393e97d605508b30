// Each test is about an error of the Axe paper or of its public implementation. Its name states the
// corrected rule, and a counterexample shows that the library follows it. Definitions:
// docs/algebra.md.
#include "algebra/meaning.hpp"
#include "support/catch.hpp"

using namespace axe;
using namespace axe::axes;
using namespace axe_test;
using namespace axe::literals;

namespace {

constexpr bool is(outcome<layout> const& l, char const* expected) {
  return l && to_text(*l) == expected;
}
constexpr bool at(layout const& l, integer x, place_set const& expected) {
  return places(l, x) == expected;
}
/// True if element 0 has the same places in `a` and in `b`.
constexpr bool same_replicas(layout const& a, layout const& b) {
  return places(a, 0) == places(b, 0);
}

}  // namespace

TEST_CASE("corrected: a coordinate outside the shape is an error, not a wrapped value") {
  STATIC_REQUIRE(try_places("S[(4,5):(5,1)]"_axe, {4, 5}, {1, 5}).why ==
                 refusal{rule::coordinate_outside, {1, 5, 4}});
  STATIC_REQUIRE(try_places("S[(4,5):(5,1)]"_axe, {4, 5}, {-1, 5}).why.which ==
                 rule::coordinate_outside);
  CHECK_THROWS(places("S[(4,5):(5,1)]"_axe, {4, 5}, {4, 0}));
}

TEST_CASE("corrected: the span counts absolute strides and ignores offsets") {
  STATIC_REQUIRE(span("S[(4,3):(-2,7)] + R[2:-1] + 100"_axe, m) == 1 + 3 * 2 + 2 * 7 + 1);
  STATIC_REQUIRE((axe::min)("S[(4,3):(-2,7)] + R[2:-1] + 100"_axe, m) == 93);
  STATIC_REQUIRE((axe::max)("S[(4,3):(-2,7)] + R[2:-1] + 100"_axe, m) == 114);
}

TEST_CASE("corrected: the span of a swizzled layout counts the swizzled addresses") {
  constexpr layout swizzled = "swizzle(0,1,2) o S[2:4]"_axe;  // places 0 and 4 ^ 1 = 5
  STATIC_REQUIRE(span(swizzled, m) == 6);
  STATIC_REQUIRE(at(swizzled, 1, {5 * m}));
}

TEST_CASE("corrected: a stride of 0 is on the null axis") {
  STATIC_REQUIRE(equivalent("S[2:0@m]"_axe, "S[2:0@lane]"_axe));
  STATIC_REQUIRE(canonicalize("S[(2,3):(0@m,0@lane)]"_axe) == "S[6:0]"_axe);
}

TEST_CASE("corrected: (e1:s) absorbs (e2:k*s) only if they overlap or touch: 1 <= k <= e1") {
  STATIC_REQUIRE(!equivalent("S[] + R[2:1] + R[2:3]"_axe, "S[] + R[5:1]"_axe));  // 2 is missing
  STATIC_REQUIRE(canonicalize("S[] + R[2:1] + R[2:3]"_axe) == "S[] + R[2:1] + R[2:3]"_axe);
  STATIC_REQUIRE(canonicalize("S[] + R[2:1] + R[2:2]"_axe) == "S[] + R[4:1]"_axe);
}

TEST_CASE("corrected: two canonical lists of replicas may be one set, so equality compares sets") {
  STATIC_REQUIRE(
      equivalent("S[] + R[2:1] + R[4:3] + R[2:5]"_axe, "S[] + R[2:1] + R[3:3] + R[3:4]"_axe));
  STATIC_REQUIRE(!gap_ok("S[] + R[2:1] + R[4:3] + R[2:5]"_axe));
  // Absorbing replicas of (3:2)(2:3)(2:6) in different orders ends in different lists: the sets of
  // places decide equality.
  STATIC_REQUIRE(equivalent("S[] + R[3:2] + R[2:3] + R[2:6]"_axe, "S[] + R[6:2] + R[2:3]"_axe) ==
                 same_replicas("S[] + R[3:2] + R[2:3] + R[2:6]"_axe, "S[] + R[6:2] + R[2:3]"_axe));
  STATIC_REQUIRE(equivalent("S[] + R[3:2] + R[2:3] + R[2:6]"_axe, "S[] + R[3:2] + R[4:3]"_axe) ==
                 same_replicas("S[] + R[3:2] + R[2:3] + R[2:6]"_axe, "S[] + R[3:2] + R[4:3]"_axe));
}

TEST_CASE("corrected: the outer replicas and offsets of a tile are scaled too") {
  STATIC_REQUIRE(
      is(try_tile("S[2:1] + R[2:2] + 1"_axe, 2, "S[3:1] + 1"_axe, 3), "S[6:1] + R[2:6] + 4"));
}

TEST_CASE("corrected: the inner block is a suffix of the tile's block, not any subsequence") {
  constexpr layout t = "S[(2,2):(1,2)]"_axe;  // contains (2:1), but not as its last digit
  STATIC_REQUIRE(!try_tile_outer(t, 4, "S[2:1]"_axe, 2));
  STATIC_REQUIRE(is(try_tile_outer("S[(2,2):(2,1)]"_axe, 4, "S[2:1]"_axe, 2), "S[2:1]"));
}

TEST_CASE("corrected: replicas are subtracted as sets: the list (4:1) does not contain (2:1)") {
  STATIC_REQUIRE(is(try_sum_outer("S[] + R[4:1]"_axe, 1, "S[] + R[2:1]"_axe, 1), "S[] + R[3:1]"));
  STATIC_REQUIRE(is(try_tile_outer("S[] + R[4:1]"_axe, 1, "S[] + R[2:1]"_axe, 1), "S[] + R[2:1]"));
}

TEST_CASE(
    "corrected: a slice wraps once only if the digit above does not wrap: d + 1 < e, not <= e") {
  // Elements [6, 10) of (2:100)(2:10)(4:1) begin with the digit 2:10 at its last value, so the
  // carry goes to 2:100.
  STATIC_REQUIRE(is(try_slice("S[(2,2,4):(100,10,1)]"_axe, 16, {{6, 10}}), "S[(2,2):(88,1)] + 12"));
  STATIC_REQUIRE(slice_means("S[(2,2,4):(100,10,1)]"_axe, 16, {{6, 10}}) == nullptr);
}

TEST_CASE("corrected: a slice may exist although the shape does not group") {
  STATIC_REQUIRE(!try_group("S[(2,6):(100,1)]"_axe, {3, 4}));
  STATIC_REQUIRE(is(try_slice("S[(2,6):(100,1)]"_axe, {3, 4}, {{0, 1}, {0, 4}}), "S[4:1]"));
}

TEST_CASE("corrected: rewriting axes keeps both offsets, and canonicalize does not rewrite axes") {
  STATIC_REQUIRE(is(try_to_tid("S[32:1@lane] + 2@warp"_axe), "S[32:1@tid] + 64@tid"));
  STATIC_REQUIRE(is(try_to_lane_warp("S[8:1@tid] + 67@tid"_axe), "S[8:1@lane] + 3@lane + 2@warp"));
  STATIC_REQUIRE(is(try_canonicalize("S[(2,32):(32@tid,1@tid)]"_axe), "S[64:1@tid]"));
  STATIC_REQUIRE(
      is(try_canonicalize("S[(2,32):(1@warp,1@lane)]"_axe), "S[(2,32):(1@warp,1@lane)]"));
}

TEST_CASE("corrected: an injective D is not enough: replicas of two elements may share a place") {
  STATIC_REQUIRE(is_injective("S[2:1]"_axe));
  STATIC_REQUIRE(!is_injective("S[2:1] + R[2:1]"_axe));  // both elements are at place 1
  STATIC_REQUIRE(is_injective("S[2:1] + R[2:2]"_axe));
}

TEST_CASE("corrected: the cosize of 65536 x 65536 is 2^32, which 64 bits hold") {
  STATIC_REQUIRE(cosize("S[(65536,65536):(65536,1)]"_axe, m) == 4294967296);
}

TEST_CASE("corrected: the slice of a swizzled layout keeps its offset inside the swizzle") {
  STATIC_REQUIRE(
      is(try_slice("swizzle(3,3,3) o S[(64,64):(64,1)]"_axe, {64, 64}, {{1, 2}, {0, 64}}),
         "swizzle(M=3,B=3,S=3) o S[64:1] + 64"));
  STATIC_REQUIRE(at("swizzle(3,3,3) o S[64:1] + 64"_axe, 0, {72 * m}));  // swizzle(64) = 64 ^ 8
}

TEST_CASE("corrected: scaling drops iters of extent 1, and only the sum of the offsets must fit") {
  STATIC_REQUIRE(is(try_tile("S[1:4611686018427387905]"_axe, 1, "S[2:1]"_axe, 2), "S[2:1]"));
  // The scaled outer offset alone is 2 * -2^62 = -2^63, but every place of the tile is above that.
  STATIC_REQUIRE(is(try_tile("S[1000000:0@cta_x] - 4611686018427387904@warp"_axe, 1000000,
                             "S[2:1@warp] + 5@warp"_axe, 2),
                    "S[(1000000,2):(0,1@warp)] - 9223372036854775803@warp"));
  constexpr layout far = "S[] - 4611686018427387905@warp"_axe;
  constexpr layout whole = "S[2:1@warp] - 9223372036854775805@warp"_axe;
  STATIC_REQUIRE(try_tile(far, 1, "S[2:1@warp] + 5@warp"_axe, 2).value == whole);
  STATIC_REQUIRE(try_tile(far, 1, "S[2:1@warp]"_axe, 2).why.which == rule::result_places_overflow);
  STATIC_REQUIRE(try_tile_outer(whole, 2, "S[2:1@warp] + 5@warp"_axe, 2).value == far);
  STATIC_REQUIRE(is(try_tile_inner(whole, 2, far, 1), "S[2:1@warp] + 5@warp"));
  // The places of each operand fit 64 bits; those of the sum do not.
  constexpr layout halves = "S[(2,3):(4611686018427387904,1)]"_axe;
  STATIC_REQUIRE(try_direct_sum(halves, {3, 2}, halves, {3, 2}).why.which ==
                 rule::result_places_overflow);
}
