// Tests compose and inverse: facts, the places of the results, extents that are not powers of two,
// and refusals with the numbers that they name. In compose(A, B), A is the outer layout.
#include "algebra/meaning.hpp"
#include "support/catch.hpp"

using namespace axe;
using namespace axe::axes;
using namespace axe_test;
using namespace axe::literals;

namespace {

constexpr bool composes(layout const& a, layout const& b, char const* expected, axis along = m) {
  return to_text(compose(a, b)) == expected && compose_means(a, b, along) == nullptr;
}
constexpr refusal compose_refusal(layout const& a, layout const& b) {
  return try_compose(a, b).why;
}

static_assert(composes("S[(4,8):(8,1)]"_axe, "S[4:8]"_axe, "S[4:8]"));
static_assert(
    composes("S[(4,6,8):(2,3,5)]"_axe, "S[6:3]"_axe, "S[(2,3):(8,15)]"),
    "B's stride 3 does not divide A's extent 8, but the places 0 15 30 8 23 38 form two digits");
static_assert(composes("S[(4,6,8):(2,3,5)] + R[2:100]"_axe, "S[6:3] + R[2:48]"_axe,
                       "S[(2,3):(8,15)] + R[2:2] + R[2:100]"),
              "both layouts have replicas");
static_assert(no_layout_exists(compose_refusal("S[(4,6,8):(2,3,5)]"_axe, "S[7:3]"_axe)));
static_assert(compose_refusal("S[4:1]"_axe, S({9223372036854775807}, {2})) ==
                  of_operand(1, {rule::places_overflow, {}, {axis::m}}),
              "the places of operand 1, the inner layout, need more than 64 bits");
static_assert(
    compose_refusal(
        "S[4:1]"_axe,
        "S[2:1] + R[2:-5@lane] + 1@warp + 1@reg + 1@wg + 1@tid + 1@P + 1@F + 1@Bank + 1@gpuid"_axe) ==
        of_operand(1, {rule::too_many_offsets}),
    "the replica of stride -5 adds an offset on lane to B, its ninth offset");
static_assert(composes("S[(4,6):(1@lane,3)]"_axe, "S[(3,4):(2,6)]"_axe, "S[(3,4):(6,1@lane)]"),
              "the result lists A's digits in another order");
static_assert(composes("S[(4,6):(100,1)]"_axe, "S[4:-6] + 20"_axe, "S[4:-100] + 302"),
              "B has a negative stride");
static_assert(composes("S[(4,6):(100,1)]"_axe, "S[(2,3):(0,1)] + 7"_axe, "S[(2,3):(0,1)] + 101"));
static_assert(composes("S[(4,6):(100,1)] + R[2:7@warp] + 3@lane"_axe, "S[4:6@lane] + 1@lane"_axe,
                       "S[4:100] + R[2:7@warp] + 1 + 3@lane", lane),
              "the places of B may lie on an axis other than m");
static_assert(composes("S[(4,4):(7,1)]"_axe, "S[2:8] + 2"_axe, "S[2:14] + 2"));
static_assert(composes("S[9223372036854775807:1]"_axe, "S[2:4611686018427387904]"_axe,
                       "S[2:4611686018427387904]"),
              "extent times stride, 2 * 2^62, overflows 64 bits; both places of B, 0 and 2^62, are "
              "elements of A");
static_assert(to_text(compose("S[1000001:1]"_axe, "S[100000:10]"_axe)) == "S[100000:10]" &&
                  composes("S[(7,100):(1@lane,1)]"_axe, "S[(3,50):(200,2)]"_axe,
                           "S[(3,50):(2@lane,2)]"),
              "B may end inside A's slowest digit; compose does not visit the elements");
static_assert(composes("S[8:4]"_axe, "S[2:1] + R[2:2]"_axe, "S[2:4] + R[2:8]"),
              "replicas of B become replicas of C");
static_assert(composes("S[(3,4):(1@lane,5)]"_axe, "S[4:1] + R[3:4]"_axe, "S[4:5] + R[3:1@lane]"));
static_assert(composes("S[(8,16):(100,1)]"_axe, "S[(2,3):(2,3)] + R[3:32]"_axe,
                       "S[(2,3):(2,3)] + R[3:200]"));
static_assert(
    to_text(compose("S[75497472:1]"_axe, "S[(480,60,45):(2700,45,1)] + R[4:2592000]"_axe)) ==
            "S[1296000:1] + R[4:2592000]" &&
        to_text(compose("S[(65536,4800):(5@lane,1)] + R[2:7]"_axe,
                        "S[(1000,32,16):(307200,3,100)] + R[2:2400]"_axe)) ==
            "S[(1000,32,16):(320@lane,3,100)] + R[2:7] + R[2:2400]",
    "extents and strides do not divide one another, but compose does not visit the elements");
static_assert(composes("S[4:0]"_axe, "S[2:2] + R[2:1]"_axe, "S[2:0]"),
              "A has stride 0, so all replicas of B lie at one place");
static_assert(composes("S[6:1] + R[2:1]"_axe, "S[] + R[2:2]"_axe, "S[] + R[4:1]"),
              "the replicas of A and of B merge into one digit");
static_assert(compose_refusal("S[(2,4):(10,1)]"_axe, "S[] + R[3:2]"_axe).which ==
                  rule::no_layout_replicas,
              "the places 0, 2 and 10 are not equally spaced, so no replica produces them");
static_assert(compose_refusal("S[(2,2):(10,1)]"_axe, "S[2:1] + R[2:1]"_axe).which ==
              rule::no_layout_replicas);
static_assert(
    no_layout_exists(compose_refusal("S[(2,4):(100,1)]"_axe, "S[(2,4):(2,1)]"_axe)),
    "the digits of B overlap, so sums of its digits carry from one digit of A to the next");
static_assert(compose_refusal("S[8:1]"_axe, "S[4:2] + 2"_axe) ==
                  refusal{rule::inner_leaves_the_outer, {2, 8, 7}} &&
              compose_refusal("S[8:1]"_axe, "S[4:-1]"_axe) ==
                  refusal{rule::inner_leaves_the_outer, {-3, 0, 7}} &&
              compose_refusal("S[8:1]"_axe, "S[4:2] + 1"_axe) == refusal{});
static_assert(compose_refusal("S[8:1]"_axe, "S[(2,2):(1@lane,1@warp)]"_axe).which ==
              rule::inner_on_several_axes);
static_assert(to_text(*try_compose("S[(1024,2048):(4096,1)]"_axe,
                                   "S[(1024,2048):(-2048,1)] + 2095104"_axe, step_limit{1})) ==
                      "S[(1024,2048):(-4096,1)] + 4190208" &&
                  to_text(*try_compose("S[(8192,2048):(4096,1)]"_axe,
                                       "S[(4096,1024):(2048,1)] + 1049600"_axe, step_limit{1})) ==
                      "S[(4096,1024):(4096,1)] + 2098176",
              "one step is enough for a negative stride or an offset in B");
static_assert(
    composes("S[(4,6):(100,1)]"_axe, "S[(2,3):(-6,1)] + 9"_axe, "S[(2,3):(-100,1)] + 103") &&
        no_layout_exists(compose_refusal("S[(4,6):(100,1)]"_axe, "S[(2,3):(-6,1)] + 10"_axe)),
    "B adds up to 2 in A's digit of 6: from offset 9 to 3 + 2, and from offset 10 to 4 + 2, which "
    "carries");
static_assert(no_layout_exists(try_compose("S[(1024,2048):(4096,1)]"_axe,
                                           "S[1500000:-1] + 1999999"_axe, step_limit{2000})
                                   .why),
              "B's places descend through A's digits; 2,000 steps are enough, because equal steps "
              "inside a digit are skipped");
static_assert(try_compose("S[(7,11,13):(1000,1,70)]"_axe, "S[200:5]"_axe, step_limit{1}).why ==
              refusal{rule::undecided, {1}});

static_assert(to_text(compose(swizzle{3, 3, 3}, "S[(64,64):(64,1)]"_axe)) ==
              "swizzle(M=3,B=3,S=3) o S[(64,64):(64,1)]");
static_assert(to_text(compose(swizzle{0, 2, 2}, "swizzle(0,2,2) o S[16:1]"_axe)) == "S[16:1]" &&
                  to_text(compose(swizzle{0, 1, 2}, "swizzle(1,1,2) o S[32:1]"_axe)) ==
                      "swizzle(M=0,B=2,S=2) o S[32:1]" &&
                  to_text(compose(swizzle{0, 1, 1}, "swizzle(0,1,-1) o S[4:1]"_axe)) ==
                      "swizzle(M=0,B=1,S=-1) o S[(2,2):(1,2)]",
              "two swizzles cancel; two merge into one; two are one swizzle of other digits");
static_assert(
    to_text(compose(swizzle{3, 3, 3}, "swizzle(3,3,3) o S[(4096,4096):(1,4096)]"_axe)) ==
            "S[(4096,4096):(1,4096)]" &&
        to_text(compose(swizzle{0, 2, 2}, "swizzle(0,1,2) o S[(4096,4096):(1,4096)]"_axe)) ==
            "swizzle(M=1,B=1,S=2) o S[(4096,4096):(1,4096)]",
    "the bits of the addresses decide, not the size: swizzle(1,2,2) would also change bit 2");
static_assert(to_text(compose(swizzle{4, 3, 3}, "swizzle(3,1,3) o S[(2,4):(64,1)] + 2048"_axe)) ==
                  "S[(2,4):(72,1)] + 2048",
              "swizzle(3,4,3) would also describe the result, but compose prefers a result without "
              "a swizzle");
static_assert(try_compose(swizzle{0, 2, 2}, "swizzle(1,1,-1) o S[16:1]"_axe).why.which ==
                  rule::already_swizzled &&
              try_compose(swizzle{3, 3, 3}, "S[64:1@lane]"_axe).why.which ==
                  rule::swizzle_acts_on_memory_only &&
              try_compose(swizzle{3, 3, 0}, "S[64:1]"_axe).why.which == rule::swizzle_parameters);
static_assert(composes("swizzle(1,1,1) o S[(4,4):(4,1)]"_axe, "S[4:4]"_axe,
                       "swizzle(M=1,B=1,S=1) o S[4:4]"),
              "the result has A's swizzle");

static_assert(composes("swizzle(0,2,2) o S[16:1]"_axe, "swizzle(0,2,2) o S[16:1]"_axe, "S[16:1]") &&
              composes("S[(2,4):(0@lane,1)]"_axe, "swizzle(0,1,1) o S[(2,2):(1,1)]"_axe,
                       "swizzle(M=0,B=1,S=1) o S[(2,2):(1,1)]") &&
              composes("S[(3,8,2):(8,1,0@lane)]"_axe, "swizzle(1,2,-3) o S[3:4]"_axe,
                       "swizzle(M=0,B=2,S=-3) o S[3:2]") &&
              composes("S[2:0@reg]"_axe, "swizzle(0,3,3) o S[] + R[2:1]"_axe, "S[]"));

constexpr bool inverts(layout const& l, axis_list const& named, char const* expected) {
  return to_text(*try_inverse(l, named)) == expected && inverse_means(l, named) == nullptr;
}
constexpr axis_list on(detail::stl::initializer_list<axis> named) {
  axis_list out;
  for (axis a : named) out.push(a);
  return out;
}
constexpr refusal inverse_refusal(layout const& l, detail::stl::initializer_list<axis> named) {
  return try_inverse(l, on(named)).why;
}

static_assert(inverts("S[(4,8):(1,4)]"_axe, on({m}), "S[(8,4):(1,8)]"),
              "place 4j + i holds element 8i + j");
static_assert(inverts("S[(8,4,2):(4@lane,1@lane,1@reg)]"_axe, on({lane, reg}), "S[64:1]") &&
              inverts("S[(8,4,2):(4@lane,1@lane,1@reg)]"_axe, on({reg, lane}), "S[(2,32):(1,2)]"));
static_assert(inverts("S[4:-1]"_axe, on({m}), "S[4:-1] + 3"),
              "the inverse counts places from the smallest, which is -3");
static_assert(inverts("S[(3,5):(1,3)] + 100"_axe, on({m}), "S[(5,3):(1,5)]") &&
              inverts("S[(3,5):(-1,3)]"_axe, on({m}), "S[(5,3):(1,-5)] + 10"));
static_assert(inverts("S[4:1] + R[3:4]"_axe, on({m}), "S[(3,4):(0,1)]") &&
                  inverts("S[4:3] + R[3:1]"_axe, on({m}), "S[(4,3):(1,0)]"),
              "each replica maps back to its element");
static_assert(inverts("S[4:1] + R[2:1@warp]"_axe, on({m}), "S[4:1]"),
              "the inverse ignores replicas on axes that are not named");
static_assert(inverse_refusal("S[3:2] + R[3:1]"_axe, {m}) ==
              refusal{rule::contested_in_the_box, {2, 0, 1}, {axis::m}});
static_assert(inverse_refusal("S[(4,7):(8,1)]"_axe, {m}) ==
              refusal{rule::hole_in_the_box, {7}, {axis::m}});
static_assert(inverse_refusal("S[(5,3):(5,8)]"_axe, {lane, m}) ==
                  refusal{rule::hole_in_the_box, {1}, {axis::m}},
              "lane 0 holds elements: the hole is on m");
static_assert(inverse_refusal("S[(4,7):(6,1)]"_axe, {m}) ==
              refusal{rule::contested_in_the_box, {6, 6, 7}, {axis::m}});
static_assert(inverse_refusal("S[(4,7):(7,1@lane)]"_axe, {m}).which ==
                  rule::elements_not_told_apart &&
              inverse_refusal("S[4:0]"_axe, {m}).which == rule::elements_not_told_apart);
static_assert(inverse_refusal("S[4:1]"_axe, {}).which == rule::elements_not_told_apart &&
              inverts("S[1:4] + R[2:1@lane] + 5"_axe, on({}), "S[]"));
static_assert(inverse_refusal("S[4:1]"_axe, {m, m}) ==
              refusal{rule::box_names_an_axis_twice, {}, {axis::m}});
static_assert(inverts("swizzle(0,1,1) o S[2:1] + 2"_axe, on({m}), "S[2:-1] + 1"),
              "elements 0 and 1 lie at places 3 and 2");

static_assert(inverts("swizzle(1,1,1) o S[8:1]"_axe, on({m}), "swizzle(M=1,B=1,S=1) o S[8:1]"),
              "this swizzle is its own inverse");
static_assert(composes("S[8:1]"_axe, "swizzle(1,1,1) o S[8:1]"_axe,
                       "swizzle(M=1,B=1,S=1) o S[8:1]") &&
                  composes("S[8:2]"_axe, "swizzle(1,1,1) o S[8:1]"_axe,
                           "swizzle(M=2,B=1,S=1) o S[8:2]"),
              "the result has B's swizzle: the stride 2 of A adds 1 to its M");

/// Inverting a bijection onto [0, n) twice must give the bijection.
constexpr bool inverse_of_inverse_is_equivalent() {
  for (layout const& l :
       {"S[(4,8):(1,4)]"_axe, "S[(2,3,5):(15,1,3)]"_axe, "S[(3,4):(-1,3)] + 2"_axe, "S[30:1]"_axe})
    if (!equivalent(inverse(inverse(l, {m}), {m}), l)) return false;
  return true;
}
static_assert(inverse_of_inverse_is_equivalent());

}  // namespace

TEST_CASE("compositions of larger layouts equal the definition") {
  CHECK(compose_means(at_run_time("S[(48,80):(96,1)] + R[2:4608]"_axe), "S[(12,20):(320,4)]"_axe,
                      m) == nullptr);
  CHECK(compose_means(at_run_time("S[(6,10,7):(70@lane,-1,10)]"_axe),
                      "S[(7,6):(1,70)] + R[5:14]"_axe, m) == nullptr);
}

TEST_CASE("replicas of the inner layout under a swizzle are found within the step limit") {
  auto const five = "S[4:1] + R[(3,3,2,3,3):(8,56,336,672,1008)]"_axe;
  CHECK(to_text(compose(at_run_time("swizzle(0,1,3) o S[(512,64):(64,1)]"_axe), five)) ==
        "swizzle(M=0,B=1,S=3) o S[4:1] + R[3:8] + R[3:56] + R[12:336]");
}

TEST_CASE("replicas with more than 4096 combinations are found") {
  layout const outer = at_run_time("S[(65,65,6):(1@lane,1@warp,1@reg)]"_axe);
  CHECK(to_text(compose(outer, "S[4:1] + R[65:6] + R[65:390]"_axe)) ==
        "S[4:1@reg] + R[65:1@lane] + R[65:1@warp]");
  CHECK(try_compose(outer, "S[4:1] + R[65:6] + R[64:396]"_axe).why.which ==
        rule::no_layout_replicas);
}

TEST_CASE("replicas with more combinations than an integer can count are rejected") {
  layout const outer = at_run_time(
      "S[(128,128,128,128,128,128,128,128):(1@reg,1@lane,1@warp,1@tid,1@cta_x,1@cta_y,1@P,1@F)] + "
      "R[(2,2,2,2,2,2,2,2):(128@reg,128@lane,128@warp,128@tid,128@cta_x,128@cta_y,128@P,128@F)]"_axe);
  layout const diagonal = "S[1:0] + R[128:567382630219905]"_axe;  // (128^8 - 1) / 127
  CHECK(try_compose(outer, diagonal).why.which == rule::no_layout_replicas);
}

TEST_CASE("a bijection composed with its inverse is the identity") {
  for (layout const& l : {"S[(4,8):(1,4)]"_axe, "S[(2,3,5):(15,1,3)]"_axe, "S[(7,9):(1,7)]"_axe}) {
    CHECK(compose(inverse(l, {m}), l) == S({size(l)}));
    CHECK(compose(l, inverse(l, {m})) == S({size(l)}));
  }
}
