// Tests coalesce, composition, complement, the divides and products and tile_to_shape: facts, cases
// that other libraries answer wrongly, and refusals with their numbers.
#include "support/catch.hpp"

#include <axe/cute.hpp>

using namespace axe::cute;
using namespace axe::cute::literals;
using axe::integer;
using axe::outcome;
using axe::refusal;
using axe::rule;

namespace {

/// True if R = composition(a, b) is `expected` and R(i) = A(B(i)) for every i.
constexpr bool composes(layout const& a, layout const& b, layout const& expected) {
  layout const r = composition(a, b);
  for (integer i = 0; i < size(b); ++i)
    if (*try_at(r, i) != *try_at(a, *try_at(b, i))) return false;
  return r == expected;
}
constexpr refusal no_composition(layout const& a, tiler const& b) {
  return try_composition(a, b).why;
}
/// The refusal of a result whose elements 0 and `one` differ by `step`, and whose elements `two`
/// and `two + 1` differ by `other`.
constexpr refusal steps_differ(integer one, integer step, integer two, integer other) {
  return {rule::no_layout_steps, {0, one, step, two, two + 1, other}, {axe::axis::m, axe::axis::m}};
}

static_assert(coalesce("(2,(1,6)):(1,(6,2))"_cute) == "12:1"_cute);
static_assert(coalesce("(2,(1,6)):(1,(6,2))"_cute, {1, 1}) == "(2,6):(1,2)"_cute);
static_assert(coalesce("((2,2),(2,2)):((0,0),(4,8))"_cute) == "(4,4):(0,4)"_cute,
              "leaves of stride 0 merge");
static_assert(coalesce("(3,4):(-1,-3)"_cute) == "12:-1"_cute &&
              coalesce("(1,1):(5,7)"_cute) == "1:0"_cute);
static_assert(coalesce("((2,2),(3,4)):((1,2),(5,15))"_cute, {1}) == "(4,(3,4)):(1,(5,15))"_cute,
              "modes without an entry stay");
static_assert(try_coalesce("4:1"_cute, {1, 1}).why == refusal{rule::cute_too_many_modes, {2, 1}});
static_assert(coalesce("Sw<2,1,3> o 4 o (2,4):(1,2)"_cute) == "Sw<2,1,3> o 4 o 8:1"_cute);

static_assert(composes("(6,2):(8,2)"_cute, "(4,3):(3,1)"_cute, "((2,2),3):((24,2),8)"_cute));
static_assert(composes("(4,2):(1,4)"_cute, "(2,2):(2,1)"_cute, "(2,2):(2,1)"_cute));
static_assert(composes("20:2"_cute, "(5,4):(4,1)"_cute, "(5,4):(8,2)"_cute));
static_assert(composes("(10,2):(16,4)"_cute, "(5,4):(1,5)"_cute, "(5,(2,2)):(16,(80,4))"_cute));
static_assert(composes("(4,8):(8,1)"_cute, "(2,3):(0,4)"_cute, "(2,3):(0,1)"_cute),
              "a leaf of stride 0 stays");
static_assert(no_composition("(8,4):(1,9)"_cute, "5:5"_cute) == steps_differ(1, 5, 1, 6));
static_assert(composes("(10,3):(1,100)"_cute, "(3,2):(1,5)"_cute, "(3,2):(1,5)"_cute),
              "A's digits have no boundary at 3, but no digit of B carries");
static_assert(
    composes("(4,4):(1,10)"_cute, "2:5"_cute, "2:11"_cute),
    "B's stride 5 is not a multiple of A's extent 4, but its places 0 and 5 lie at 0 and 11");
static_assert(
    composes("(4,6):(1,10)"_cute, "2:3"_cute, "2:3"_cute),
    "B's stride 3 does not divide A's extent 4, but its places 0 and 3 lie inside A's first digit");

static_assert(no_composition("(1000,1000,1000):(7,1000003,1003)"_cute,
                             "(1000,1000):(1000,7)"_cute) ==
                  steps_differ(1, 1000003, 143998, -999001994),
              "equal steps inside a digit of both operands are skipped");

// The result 0, 6, 7, 8, 9, 15 is not a layout. CuTe answers 6:6, which is wrong at 4 of 6
// elements.
static_assert(no_composition("(4,6,8):(2,3,5)"_cute, "6:3"_cute) == steps_differ(1, 6, 2, 1));
// The inner layout is injective, but its modes carry into each other (as in issue 2955 of CUTLASS):
// A(B(3)) is not the sum of A at B's modes.
static_assert(no_composition("(4,4):(1,10)"_cute, "(2,2):(2,3)"_cute) == steps_differ(1, 2, 2, 8));
static_assert(no_composition("(2,3):(1,10)"_cute, "(3,2):(1,3)"_cute) ==
                  refusal{rule::cute_modes_interact, {0, 3, 2, 1}},
              "0 1 10 11 20 21 is a layout, but leaf 3:1 ends inside 2:1");
// Two spellings of one layout A compose with B to equal results (issues 2113 and 1353 of CUTLASS).
static_assert(composes("(2,3):(1,2)"_cute, "(2,3):(3,1)"_cute, "(2,3):(3,1)"_cute) &&
              composes("6:1"_cute, "(2,3):(3,1)"_cute, "(2,3):(3,1)"_cute));
static_assert(composes("((2,3),(2,2)):((1,2),(6,12))"_cute, "(4,3):(3,1)"_cute,
                       "(4,3):(3,1)"_cute));
static_assert(no_composition("8:1"_cute, "(2,3):(1,4)"_cute) ==
                  refusal{rule::cute_inner_leaves, {0, 9, 7}},
              "CuTe continues past the end of A");
static_assert(no_composition("8:1"_cute, "2:-1"_cute) ==
              refusal{rule::cute_inner_leaves, {-1, 0, 7}});

static_assert(composition("(12,(4,8)):(59,(13,1))"_cute, {3, 8}) == "(3,(4,2)):(59,(13,1))"_cute);
static_assert(composition("(12,(4,8)):(59,(13,1))"_cute, make_tile("3:1"_cute, "8:1"_cute)) ==
              composition("(12,(4,8)):(59,(13,1))"_cute, {3, 8}));
static_assert(composition("(8,8,3):(1,8,64)"_cute, {4, 2}) == "(4,2):(1,8)"_cute,
              "modes without a tiler are dropped");
static_assert(no_composition("(8,8):(1,8)"_cute, {4, 2, 2}) ==
              refusal{rule::cute_too_many_modes, {3, 2}});
static_assert(
    no_composition("(8,(4,6)):(1,(8,50))"_cute, make_tile(8, "4:3"_cute)).which ==
            rule::cute_mode_is_not_a_layout &&
        no_composition("(8,(4,6)):(1,(8,50))"_cute, make_tile(8, "4:3"_cute)).numbers[0] == 1,
    "the refusal names the mode");
static_assert(composition("Sw<3,3,3> o 0 o (8,64):(64,1)"_cute, "(8,8):(1,8)"_cute) ==
              "Sw<3,3,3> o 0 o (8,8):(64,1)"_cute);
static_assert(composition("64:4"_cute, "Sw<1,1,2> o 0 o (4,8):(8,1)"_cute) ==
                  "Sw<1,3,2> o 0 o (4,8):(32,4)"_cute,
              "a stride of a power of two widens the inner swizzle");
static_assert(composition("(2,4):(7,1)"_cute, "Sw<1,0,1> o 2 o 2:1"_cute).offset() == 8,
              "B has the places 3 and 2, and A has these elements at 8 and 1");

constexpr bool complements(layout const& l, integer n, layout const& expected) {
  return complement(l, n) == expected;
}
static_assert(complements("4:2"_cute, 24, "(2,3):(1,8)"_cute) &&
              complements("4:1"_cute, 24, "6:4"_cute));
static_assert(complements("(4,6):(1,4)"_cute, 24, "1:0"_cute) &&
              complements("6:4"_cute, 24, "4:1"_cute));
static_assert(try_complement("2:4611686018427387904"_cute, 24).why.which == rule::cute_overflows,
              "the block of 2^63 places does not fit");
static_assert(complements("(2,2):(1,6)"_cute, 24, "(3,2):(2,12)"_cute) &&
              complements("(2,4):(1,6)"_cute, 24, "3:2"_cute));
static_assert(complements("(4,2):(1,6)"_cute, 24, "2:12"_cute), "a gap of 2 has no room for 4");
static_assert(complements("3:0"_cute, 7, "7:1"_cute) && complements("2:-3"_cute, 6, "3:1"_cute));
static_assert(complements("(2,2):(2,3)"_cute, 12, "2:6"_cute),
              "overlapping digits form one block; CuTe rejects them");
static_assert(complements("(2,4,8):(8,1,0)"_cute, 460, "(2,29):(4,16)"_cute),
              "leaves of stride 0 do not count");
static_assert(complement("4:2"_cute) == "2:1"_cute && complement("(8,8):(1,9)"_cute) == "1:0"_cute);
static_assert(complements("Sw<1,0,1> o 0 o (2,3):(2,4)"_cute, 12,
                          complement("(2,3):(3,4)"_cute, 12)),
              "the answer is that of the plain layout with the same places");
static_assert(try_complement("Sw<1,0,1> o 0 o (3,2):(1,16)"_cute, 32).why ==
                  refusal{rule::cute_swizzle_adds_places, {2, 2, 3}},
              "the swizzle moves place 2 to place 3");
static_assert(complement("4:2"_cute, {6, 4}) == complement("4:2"_cute, 24));
static_assert(try_complement("(2,2):(1,1)"_cute, 4).why ==
              refusal{rule::cute_two_elements, {1, 2, 1}});
static_assert(complement("Sw<2,3,3> o 0 o 2:2"_cute) == complement("2:2"_cute) &&
                  complement("Sw<1,0,1> o 0 o 2:2"_cute, 24) == complement("2:3"_cute, 24) &&
                  logical_product("2:1"_cute, "Sw<2,3,3> o 0 o 2:2"_cute) ==
                      logical_product("2:1"_cute, "2:2"_cute),
              "the answer is that of the plain layouts with the same places");
static_assert(complement("Sw<1,0,1> o 0 o 4:1"_cute, 8) == "2:4"_cute &&
                  complement("Sw<3,3,3> o 0 o (64,64):(64,1)"_cute, 8192) == "2:4096"_cute &&
                  complement("Sw<0,0,1> o 3 o 4:-1"_cute, 8) == "2:4"_cute,
              "the swizzle permutes the places; the offset moves them");
static_assert(logical_divide("16:1"_cute, "Sw<1,0,2> o 0 o 4:1"_cute) == "(4,4):(1,4)"_cute &&
                  logical_divide("16:1"_cute, "Sw<1,0,1> o 0 o 4:1"_cute) ==
                      "Sw<1,0,1> o 0 o (4,4):(1,4)"_cute &&
                  try_logical_divide("12:1"_cute, "Sw<1,0,2> o 0 o 6:1"_cute).why.which ==
                      rule::no_layout_behind_a_swizzle &&
                  try_logical_divide("(3,4):(1,5)"_cute, "Sw<1,0,1> o 0 o 4:1"_cute).why.which ==
                      rule::no_layout_steps,
              "a tile keeps its swizzle, unless the swizzle reads no bit of the tile's places");
static_assert(logical_product("4:1"_cute, "Sw<1,0,1> o 0 o 4:1"_cute) ==
                      "Sw<1,2,1> o 0 o (4,4):(1,4)"_cute &&
                  blocked_product("4:1"_cute, "Sw<1,0,1> o 0 o 4:1"_cute) ==
                      "Sw<1,2,1> o 0 o ((4,4)):((1,4))"_cute &&
                  logical_product("(2,2):(1,4)"_cute, "Sw<1,0,1> o 0 o 4:1"_cute) ==
                      "Sw<2,1,2> o 0 o ((2,2),(2,2)):((1,4),(2,8))"_cute &&
                  try_logical_product("3:1"_cute, "Sw<1,0,1> o 0 o 4:1"_cute).why.which ==
                      rule::cute_repetitions_are_not_a_layout,
              "a swizzled tiler permutes whole blocks");
static_assert(try_blocked_product("2:2"_cute, "5:3"_cute).why ==
                  refusal{rule::cute_repetitions_are_not_a_layout,
                          {0, 1, 5, 1, 2, 7},
                          {axe::axis::m, axe::axis::m}},
              "the numbers are those of repetitions, not of elements of the result");
static_assert(composition("Sw<0,0,1> o 8 o 4:1"_cute, "Sw<1,0,1> o 0 o 4:1"_cute) ==
                      "Sw<1,0,1> o 8 o 4:1"_cute &&
                  composition("(4,2):(1,8)"_cute, "Sw<1,0,1> o 0 o 4:1"_cute) ==
                      "Sw<1,0,1> o 0 o 4:1"_cute &&
                  composition("Sw<1,0,2> o 0 o (2,8):(1,2)"_cute,
                              "Sw<1,0,2> o 0 o (4,4):(4,1)"_cute) == "(4,4):(4,1)"_cute,
              "the composition depends only on the elements that B reaches");
static_assert(composition("(4,8):(8,1)"_cute, "Sw<1,1,2> o 0 o (8,4):(4,1)"_cute) ==
                  "Sw<1,1,-3> o 0 o (8,4):(1,8)"_cute,
              "A turns the swizzle Sw<1,1,2> of B into Sw<1,1,-3>");
static_assert(try_complement("Sw<1,0,1> o 0 o 3:1"_cute, 8).why ==
                  refusal{rule::cute_swizzle_adds_places, {2, 2, 3}} &&
              try_complement("4:1"_cute, 0).why == refusal{rule::extent_argument_below_one, {0}});

static_assert(logical_divide("(4,2,3):(2,1,8)"_cute, "4:2"_cute) ==
              "((2,2),(2,3)):((4,1),(2,8))"_cute);
constexpr layout nine_by_32 = "(9,(4,8)):(59,(13,1))"_cute;
constexpr tiler threes = make_tile("3:3"_cute, "(2,4):(1,8)"_cute);
static_assert(logical_divide(nine_by_32, threes) ==
              "((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1)))"_cute);
static_assert(zipped_divide(nine_by_32, threes) ==
              "((3,(2,4)),(3,(2,2))):((177,(13,2)),(59,(26,1)))"_cute);
static_assert(tiled_divide(nine_by_32, threes) ==
              "((3,(2,4)),3,(2,2)):((177,(13,2)),59,(26,1))"_cute);
static_assert(flat_divide(nine_by_32, threes) == "(3,(2,4),3,(2,2)):(177,(13,2),59,(26,1))"_cute);
static_assert(zipped_divide("(8,8,5):(1,8,64)"_cute, {4, 2}) ==
                  "((4,2),(2,4,5)):((1,8),(4,16,64))"_cute,
              "modes without a tiler belong to the rest");
static_assert(try_logical_divide("8:1"_cute, "4:-1"_cute).why ==
                      refusal{rule::cute_tile_leaves, {4, -3, 4, 7}} &&
                  try_logical_divide("8:1"_cute, "2:100"_cute).why ==
                      refusal{rule::cute_tile_leaves, {2, 0, 199, 7}} &&
                  try_logical_divide("8:1"_cute, "3:-1"_cute).why.which == rule::cute_tile_leaves,
              "4 divides 8, but the repetitions leave the layout");
static_assert(try_logical_divide("9:1"_cute, 6).why ==
                  refusal{rule::cute_tile_does_not_divide, {6, 9, 11}},
              "CuTe's answer has 12 elements");
static_assert(logical_divide("(8,32):(32,1)"_cute, "(4,8):(1,4)"_cute) !=
                  logical_divide("(8,32):(32,1)"_cute, {4, 8}),
              "a layout as tiler differs from a shape as tiler (issue 2545 of CUTLASS)");
static_assert(zipped_divide("Sw<3,3,3> o 0 o (8,64):(64,1)"_cute, {8, 8}) ==
              "Sw<3,3,3> o 0 o ((8,8),(1,8)):((64,1),(0,8))"_cute);

static_assert(logical_product("(2,2):(4,1)"_cute, 6) == "((2,2),(2,3)):((4,1),(2,8))"_cute);
static_assert(logical_product("(2,5):(5,1)"_cute, make_tile("3:5"_cute, "4:6"_cute)) ==
              "((2,3),(5,4)):((5,10),(1,30))"_cute);
static_assert(blocked_product("(2,5):(5,1)"_cute, "(3,4):(1,3)"_cute) ==
              "((2,3),(5,4)):((5,10),(1,30))"_cute);
static_assert(raked_product("(2,5):(5,1)"_cute, "(3,4):(1,3)"_cute) ==
              "((3,2),(4,5)):((10,5),(30,1))"_cute);
static_assert(zipped_product("(2,5):(5,1)"_cute, make_tile("3:5"_cute, "4:6"_cute)) ==
              "((2,5),(3,4)):((5,1),(10,30))"_cute);
static_assert(tiled_product("(2,5):(5,1)"_cute, make_tile("3:5"_cute, "4:6"_cute)) ==
              "((2,5),3,4):((5,1),10,30)"_cute);
static_assert(flat_product("(2,5):(5,1)"_cute, make_tile("3:5"_cute, "4:6"_cute)) ==
              "(2,5,3,4):(5,1,10,30)"_cute);
static_assert(logical_product("((4,6)):((1,6))"_cute, "3:1"_cute) ==
                  "(((4,6)),3):(((1,6)),36)"_cute,
              "a gap of 2 has no room for 4, and the replicas at 0, 36 and 72 are disjoint");
static_assert(logical_product("(8,8):(1,9)"_cute, 3) == "((8,8),3):((1,9),72)"_cute,
              "the padding is repeated with the block");
static_assert(logical_product("Sw<3,3,3> o 0 o (8,64):(64,1)"_cute, 4) ==
              "Sw<3,3,3> o 0 o ((8,64),4):((64,1),512)"_cute);
static_assert(try_logical_product("4:1"_cute, make_tile("2:1"_cute, "2:1"_cute)).why ==
              refusal{rule::cute_too_many_modes, {2, 1}});
static_assert(try_blocked_product("4:1"_cute, "2:-1"_cute).why ==
              refusal{rule::cute_negative_place, {-1}});

static_assert(tile_to_shape("(8,8):(8,1)"_cute, {16, 32}) == "((8,2),(8,4)):((8,64),(1,128))"_cute);
static_assert(tile_to_shape("(8,8):(8,1)"_cute, {16, 32}, {2, 1}) ==
              "((8,2),(8,4)):((8,256),(1,64))"_cute);
static_assert(tile_to_shape("Sw<3,4,3> o 0 o (8,128):(128,1)"_cute, {64, 128, 2}) ==
              "Sw<3,4,3> o 0 o ((8,8),(128,1),(1,2)):((128,1024),(1,0),(0,8192))"_cute);
static_assert(try_tile_to_shape(layout{}, {4}).why == try_blocked_product(layout{}, layout{}).why &&
              try_tile_to_shape(layout{}, {4}).why);
static_assert(try_tile_to_shape("(4,2):(1,4)"_cute, {6, 2}).why ==
              refusal{rule::cute_mode_does_not_divide, {0, 4, 6}});
static_assert(try_tile_to_shape("(4,2):(1,4)"_cute, 8).why ==
                  refusal{rule::cute_too_many_modes, {2, 1}} &&
              try_tile_to_shape("(4,2):(1,4)"_cute, {8, 2}, int_tuple{1}).why ==
                  refusal{rule::cute_order_has_another_rank, {1, 2}});

}  // namespace

TEST_CASE("divides and products at run time are right") {
  CHECK(composition(parse("(6,2):(8,2)"), parse("(4,3):(3,1)")) == parse("((2,2),3):((24,2),8)"));
  CHECK_THROWS_WITH(
      composition(parse("(4,6,8):(2,3,5)"), parse("6:3")),
      "composition: the result is not a layout: its elements 0 and 1 differ by 6@m, but 2 and 3 "
      "differ by 1@m, and these steps do not repeat");
  CHECK_THROWS_WITH(
      logical_divide(parse("9:1"), 6),
      "logical_divide: a tile of 6 elements does not divide the 9 elements of the layout: its "
      "repetitions would reach element 11; use a tile whose size divides 9");
  CHECK(try_composition(parse("(7,11,13):(1000,1,70)"), parse("200:5"), axe::step_limit{1}).why ==
        refusal{rule::undecided, {1}});
}

TEST_CASE("operations on the layouts of real kernels are right") {
  layout const tensor = parse("(4096,4096):(4096,1)");
  CHECK(size(zipped_divide(tensor, {128, 64})) == 4096 * 4096);
  CHECK(zipped_divide(tensor, {128, 64}) == parse("((128,64),(32,64)):((4096,1),(524288,64))"));
  CHECK(cosize(make_layout({65536, 65536}, {65536, 1})) == integer{65536} * 65536);
  CHECK(try_make_layout({65536, 65536}, {integer{1} << 40, integer{1} << 62}).why.which ==
        rule::cute_overflows);
  CHECK(composition(parse("(64,128):(128,1)"), parse("Sw<3,3,3> o 0 o (128,64):(64,1)")) ==
        parse("Sw<3,0,-10> o 0 o (128,64):(1,128)"));
  layout const swizzled = parse("Sw<3,3,3> o 0 o (64,64):(64,1)");
  CHECK(try_composition(swizzled, parse("Sw<3,3,3> o 0 o (64,64):(1,64)")).why.which ==
        rule::no_layout_steps);
  CHECK(zipped_divide(parse("(160,96):(96,1)"), {32, 48}) ==
        parse("((32,48),(5,2)):((96,1),(3072,48))"));
}
