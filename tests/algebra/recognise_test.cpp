// Tests tile_outer, tile_inner, sum_outer and sum_inner, which find one operand of a tile or a
// direct sum from the result T and the other operand.
#include "algebra/meaning.hpp"
#include "support/catch.hpp"

using namespace axe;
using namespace axe_test;
using namespace axe::literals;

namespace {

struct operand {
  layout l;
  shape s;
};

constexpr bool finds(outcome<layout> const& found, char const* expected) {
  return found && to_text(*found) == expected;
}
constexpr auto outer = [](operand const& t, operand const& b) {
  return try_tile_outer(t.l, t.s, b.l, b.s);
};
constexpr auto inner = [](operand const& t, operand const& a) {
  return try_tile_inner(t.l, t.s, a.l, a.s);
};
constexpr auto outer_of_sum = [](operand const& t, operand const& b) {
  return try_sum_outer(t.l, t.s, b.l, b.s);
};
constexpr auto inner_of_sum = [](operand const& t, operand const& a) {
  return try_sum_inner(t.l, t.s, a.l, a.s);
};

constexpr operand block{"S[(8,8):(8,1)]"_axe, {8, 8}};
constexpr operand blocks{"S[(2,8,3,8):(192,8,64,1)]"_axe, {16, 24}};
static_assert(finds(outer(blocks, block), "S[6:1]"));
static_assert(finds(inner(blocks, {"S[(2,3):(3,1)]"_axe, {2, 3}}), "S[64:1]"));
static_assert(outer({"S[(16,24):(24,1)]"_axe, {16, 24}}, block).why ==
                  refusal{rule::stride_is_not_a_multiple, {8, 64}, {axis::m}},
              "rows are 24 apart, not 8");
static_assert(finds(outer_of_sum({"S[16:1]"_axe, {4, 4}}, {"S[(2,2):(4,1)]"_axe, {2, 2}}),
                    "S[(2,2):(8,2)]"));
static_assert(finds(inner_of_sum({"S[16:1]"_axe, {4, 4}}, {"S[(2,2):(8,2)]"_axe, {2, 2}}),
                    "S[(2,2):(4,1)]"));
static_assert(finds(outer({"S[12:1@lane] + 7@lane"_axe, 12}, {"S[3:1@lane] + 1@lane"_axe, 3}),
                    "S[4:1@lane] + 2@lane"),
              "the offset of the outer layout is (7 - 1) / 3 = 2");
static_assert(outer({"S[12:1@lane] + 6@lane"_axe, 12}, {"S[3:1@lane] + 1@lane"_axe, 3}).why ==
              refusal{rule::offset_is_not_a_multiple, {5, 3}, {axis::lane}});
static_assert(finds(inner({"S[12:-1] + 11"_axe, 12}, {"S[4:-1] + 3"_axe, 4}), "S[3:-1] + 2"));
static_assert(finds(outer({"S[(2,3,4):(100,0,7@lane)]"_axe, {2, 12}}, {"S[4:7@lane]"_axe, {1, 4}}),
                    "S[(2,3):(100,0)]"));

// Replicas are subtracted as sets: the list (4:1) does not contain (2:1), but {0,1} + {0,1,2} is
// the set {0,1,2,3}.
static_assert(finds(outer_of_sum({"S[] + R[4:1]"_axe, 1}, {"S[] + R[2:1]"_axe, 1}), "S[] + R[3:1]"),
              "the replicas that remain are the set {0,1,2}");
static_assert(finds(outer({"S[] + R[4:1]"_axe, 1}, {"S[] + R[2:1]"_axe, 1}), "S[] + R[2:1]"),
              "the span of B is 2, so the replica to find is (2:1) scaled to (2:2)");
static_assert(finds(inner({"S[] + R[4:1]"_axe, 1}, {"S[] + R[2:1]"_axe, 1}), "S[] + R[2:1]"));
static_assert(finds(outer_of_sum({"S[] + R[3:1] + R[2:4] + R[2:5] + R[3:6]"_axe, 1},
                                 {"S[] + R[2:7] + R[2:10]"_axe, 1}),
                    "S[] + R[3:1] + R[2:4]"),
              "the lists (3:1)(2:4)(2:5)(3:6) and (3:1)(2:4)(2:7)(2:10) are one set");
static_assert(outer_of_sum({"S[] + R[4:1]"_axe, 1}, {"S[] + R[2:5]"_axe, 1}).why.which ==
                  rule::no_replicas_fit &&
              outer_of_sum({"S[] + R[2:1] + R[2:3]"_axe, 1}, {"S[] + R[2:2]"_axe, 1}).why.which ==
                  rule::no_replicas_fit);
static_assert(outer({"S[] + R[2:1] + R[2:3]"_axe, 1}, {"S[] + R[2:1]"_axe, 1}).why.which ==
                  rule::no_replicas_fit,
              "(2:3) remains, and 3 is not a multiple of 2");
static_assert(finds(outer_of_sum({"S[] + R[2:1] + R[2:8]"_axe, 1}, {"S[] + R[2:-1] + 1"_axe, 1}),
                    "S[] + R[2:8]"));

static_assert(inner({"S[12:1]"_axe, 12}, {"S[4:3]"_axe, 4}).why.which ==
              rule::span_is_not_a_multiple);
static_assert(outer({"S[12:1]"_axe, 12}, {"S[5:1]"_axe, 5}).why ==
              refusal{rule::extent_does_not_divide, {0, 5, 12}});
static_assert(outer({"S[12:1]"_axe, {3, 4}}, {"S[4:1]"_axe, 4}).why ==
              refusal{rule::shapes_have_other_ranks, {2, 1}});
static_assert(outer({"S[12:1]"_axe, 13}, {"S[4:1]"_axe, 4}).why.which == rule::shape_does_not_fit &&
              outer({"S[12:1]"_axe, 12}, {"S[4:1]"_axe, 3}).why ==
                  of_operand(1, {rule::shape_does_not_fit, {3, 4}}));
static_assert(outer({"S[12:1]"_axe, 12}, {"S[4:2]"_axe, 4}).why.which ==
                  rule::stride_is_not_a_multiple &&
              outer({"S[(3,4):(7,1)]"_axe, 12}, {"S[4:2]"_axe, 4}).why.which ==
                  rule::no_such_factor);
static_assert(
    inner({"swizzle(0,1,2) o S[16:1]"_axe, 16}, {"swizzle(0,1,2) o S[8:1]"_axe, 8}).why.which ==
            rule::no_such_factor &&
        finds(inner({"swizzle(1,1,2) o S[16:1]"_axe, 16}, {"swizzle(0,1,2) o S[8:1]"_axe, 8}),
              "S[2:1]"),
    "swizzle(1,1,2) is swizzle(0,1,2) with all places doubled");

static_assert(outer_of_sum({"S[(2,2):(4,1@lane)]"_axe, {2, 2}}, {"S[2:1]"_axe, {1, 2}}).why.which ==
                  rule::no_such_factor,
              "the digit of the inner operand lies on lane");
// The places of a swizzled operand need not be a list of replicas. They are subtracted as sets.
static_assert(finds(outer_of_sum({"swizzle(2,1,-2) o S[(2,3):(20,2)] + R[2:2]"_axe, 6},
                                 {"swizzle(2,1,-2) o S[3:2] + R[2:2]"_axe, 3}),
                    "swizzle(M=2,B=1,S=-2) o S[2:20]"),
              "its places are those of S[2:4]");
static_assert(finds(outer({"swizzle(0,1,3) o S[(2,3):(25,4)] + R[2:2]"_axe, 6},
                          {"swizzle(0,1,3) o S[3:4] + R[2:2]"_axe, 3}),
                    "S[2:2]"));
static_assert(finds(inner_of_sum({"swizzle(0,1,1) o S[(2,3):(32,2)] + R[2:3]"_axe, 6},
                                 {"S[2:32] + R[2:2]"_axe, 2}),
                    "swizzle(M=0,B=1,S=1) o S[3:2]"));
// The set of all places that the missing operand may have is not that of a layout. A subset is.
static_assert(finds(inner_of_sum({"swizzle(0,1,1) o S[2:4] + R[3:2] + R[2:3]"_axe, 2},
                                 {"S[1:0] + R[2:2]"_axe, 1}),
                    "swizzle(M=0,B=1,S=1) o S[2:4] + R[3:2]"));
// The result is the subset that gives all of T. Smaller subsets, such as {0}, do not.
static_assert(finds(inner_of_sum({"swizzle(0,1,2) o S[] + R[2:4] + R[3:5]"_axe, 1},
                                 {"S[] + R[2:5]"_axe, 1}),
                    "swizzle(M=0,B=1,S=2) o S[] + R[3:5]"));
// The places of the known operand, {-16, -15, -13}, are not a list of replicas.
static_assert(finds(inner_of_sum({"S[2:1@lane] + R[5:1]"_axe, 2},
                                 {"swizzle(1,3,3) o S[] + R[3:-1] - 1"_axe, 1}),
                    "S[2:1@lane] + R[2:1] + 16"));
static_assert(finds(outer_of_sum({"swizzle(0,1,2) o S[2:7] + R[2:4] + 7"_axe, 2},
                                 {"swizzle(1,1,-1) o S[2:4] + R[2:1] - 1"_axe, 2}),
                    "S[] + 11"),
              "{6, 11} is 11 + {-5, 0}");

// A buffer of swizzled atoms is the tile of the buffer's layout and the atom.
static_assert(finds(inner({"swizzle(3,3,3) o S[(4,8,64):(512,64,1)]"_axe, {4, 8, 64}},
                          {"S[4:1]"_axe, {4, 1, 1}}),
                    "swizzle(M=3,B=3,S=3) o S[512:1]"));
static_assert(finds(outer({"swizzle(3,3,3) o S[2048:1]"_axe, 2048},
                          {"swizzle(3,3,3) o S[512:1]"_axe, 512}),
                    "S[4:1]"));

/// For each pair of these layouts, both operands are recovered from their tile and direct sum.
constexpr operand outers[] = {{"S[(2,3):(3,1)]"_axe, {2, 3}},
                              {"S[4:-1] + R[2:4] + 3"_axe, {4, 1}},
                              {"S[(2,2):(1@lane,5)] + 1@lane"_axe, {2, 2}}};
constexpr operand inners[] = {{"S[(2,3):(3,1)] + R[3:1@lane]"_axe, {3, 2}},
                              {"S[(3,2):(2@lane,-7)] - 4"_axe, {3, 2}}};
constexpr bool composed_is_recognised() {
  for (operand const& a : outers)
    for (operand const& b : inners) {
      shape whole;
      for (int d = 0; d < 2; ++d) whole.append(tree(a.s[d].nodes.value(0) * b.s[d].nodes.value(0)));
      layout const t = tile(a.l, a.s, b.l, b.s);
      layout const s = direct_sum(a.l, a.s, b.l, b.s);
      if (!equivalent(tile(tile_outer(t, whole, b.l, b.s), a.s, b.l, b.s), t)) return false;
      if (!equivalent(tile(a.l, a.s, tile_inner(t, whole, a.l, a.s), b.s), t)) return false;
      if (!equivalent(direct_sum(sum_outer(s, whole, b.l, b.s), a.s, b.l, b.s), s)) return false;
      if (!equivalent(direct_sum(a.l, a.s, sum_inner(s, whole, a.l, a.s), b.s), s)) return false;
    }
  return true;
}

}  // namespace

TEST_CASE("composed layouts are recognised from both sides") { CHECK(composed_is_recognised()); }
