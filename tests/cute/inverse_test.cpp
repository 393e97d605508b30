// Tests right_inverse, left_inverse, max_common_layout, upcast, downcast, recast and coordinates:
// facts and refusals.
#include "support/catch.hpp"

#include <axe/cute.hpp>

using namespace axe::cute;
using namespace axe::cute::literals;
using axe::integer;
using axe::refusal;
using axe::rule;

namespace {

/// True if L(R(i)) = i for all i, and R is the expected layout.
constexpr bool right(layout const& l, layout const& expected) {
  layout const r = right_inverse(l);
  for (integer i = 0; i < size(r); ++i)
    if (*try_at(l, *try_at(r, i)) != i) return false;
  return r == expected;
}
static_assert(right("(4,8):(8,1)"_cute, "(8,4):(4,1)"_cute) &&
              right("((2,2),8):((16,8),1)"_cute, "(8,2,2):(4,2,1)"_cute));
static_assert(right("(2,4):(1,4)"_cute, "2:1"_cute) && right("8:2"_cute, "1:0"_cute) &&
              right("(4,2):(0,1)"_cute, "2:4"_cute));
static_assert(right("(3,2):(1,2)"_cute, "(2,2):(1,3)"_cute),
              "3:1 is cut at the place where 2:2 begins");
static_assert(right("(2,4):(1,1)"_cute, "4:2"_cute),
              "of two digits of equal stride the longer one is used");
static_assert(right("Sw<1,1,2> o 0 o (8,4):(1,8)"_cute, "Sw<1,1,2> o 0 o 32:1"_cute),
              "this swizzle is its own inverse");
static_assert(right("Sw<1,1,2> o 0 o (4,8):(8,1)"_cute, "Sw<1,0,-3> o 0 o (8,4):(4,1)"_cute),
              "the inverse permutes the digits and the swizzle");
static_assert(right("Sw<2,2,3> o 0 o 4:1"_cute, "4:1"_cute) &&
                  right("Sw<1,0,1> o 0 o (2,2):(2,3)"_cute, "1:0"_cute),
              "the plain layout with the same places decides");
static_assert(right("Sw<1,1,3> o 0 o (8,2):(1,16)"_cute, "8:1"_cute) &&
                  right("Sw<1,0,1> o 0 o (3,2):(1,16)"_cute, "2:1"_cute) &&
                  right("Sw<1,2,1> o 0 o ((2,1),4,4):((4,4),9,1)"_cute, "(4,2):(8,1)"_cute),
              "the inverse ends at the first place without an element");
static_assert(right("Sw<1,1,1> o 0 o ((4,2),2):((2,0),1)"_cute, "Sw<1,0,1> o 0 o (2,4):(8,1)"_cute),
              "a place of several elements gives the first");
static_assert(right("Sw<1,1,2> o 0 o (8,8):(8,1)"_cute, "Sw<1,0,-4> o 0 o (8,8):(8,1)"_cute) &&
                  right_inverse("Sw<3,3,3> o 0 o (64,128):(1,64)"_cute) ==
                      "Sw<3,3,3> o 0 o 8192:1"_cute,
              "the bits decide, without a search");
static_assert(
    right_inverse("Sw<3,3,3> o 0 o (64,128):(128,1)"_cute) == "Sw<1,9,3> o 0 o 128:64"_cute,
    "bits 7 and 8 of a place are row bits, bit 6 is a column bit: one swizzle cannot do both");
static_assert(try_left_inverse("Sw<3,3,3> o 0 o (64,128):(128,1)"_cute).why ==
                  refusal{rule::cute_no_left_inverse, {8191}},
              "no swizzle gives a left inverse");
static_assert(right("Sw<0,0,1> o -2 o 2:2"_cute, "Sw<0,0,1> o 1 o 1:0"_cute),
              "a layout of one place");
static_assert(
    right("Sw<0,0,1> o 3 o 4:-1"_cute, "Sw<0,0,1> o 3 o 4:-1"_cute) &&
        right("(2,4):(-1,2)"_cute, "1:0"_cute),
    "strides may be negative; element 0 is at place 0, and no digit of stride 1 begins there");
static_assert(right("Sw<1,0,2> o 0 o (4,2):(1,5)"_cute, "4:1"_cute) &&
                  right("Sw<1,0,1> o 0 o (3,2):(1,16)"_cute, "2:1"_cute) &&
                  right("Sw<3,3,3> o 0 o (192,8):(1,384)"_cute, "Sw<2,3,3> o 0 o 192:1"_cute),
              "the inverse ends with the run, or with a block of places that the swizzle permutes");
static_assert(
    right("Sw<1,0,2> o 0 o 7:1"_cute, "Sw<1,0,2> o 0 o 6:1"_cute) &&
        right("Sw<4,0,2> o 0 o 12:1"_cute, "Sw<1,0,2> o 0 o 8:1"_cute),
    "places 6 and 7 are swapped, but 7 has no element; one block of the second swizzle is 16");
static_assert(right("Sw<2,0,1> o 0 o 8:1"_cute, "Sw<1,0,1> o 0 o 4:1"_cute),
              "this swizzle is not its own inverse");
constexpr layout spread = "Sw<2,0,2> o 0 o (2,2,2,2,2,2):(1,16,2,4,32,8)"_cute;
static_assert(right(spread, right_inverse(spread)) && size(right_inverse(spread)) == 32,
              "the swizzle of the inverse also reads the bit of place 32");
static_assert(right("Sw<1,1,1> o 3 o (4,3):(-1,4)"_cute, "Sw<1,1,1> o 3 o (4,3):(-1,4)"_cute) &&
                  right("(3,2,2):(1,2,-8)"_cute, "(2,2):(1,3)"_cute) &&
                  right("(2,5,4):(3,4,1)"_cute, "(4,5):(10,2)"_cute),
              "a digit is cut only if none begins at its end");
static_assert(right_inverse("Sw<3,3,3> o 0 o (64,8,3,4):(1,64,2048,512)"_cute) ==
                  "Sw<3,3,3> o 0 o (512,4,3):(1,1536,512)"_cute,
              "digits of whole periods may have any order and extent");
static_assert(try_right_inverse("Sw<1,1,2> o 8 o 8:1"_cute).why ==
                  refusal{rule::cute_nothing_at_zero} &&
              try_right_inverse("Sw<0,0,1> o 1 o 4:1"_cute).why ==
                  refusal{rule::cute_nothing_at_zero});

/// True if R(L(i)) = i for all i, and R is the expected layout.
constexpr bool left(layout const& l, layout const& expected) {
  layout const r = left_inverse(l);
  for (integer i = 0; i < size(l); ++i)
    if (*try_at(r, *try_at(l, i)) != i) return false;
  return r == expected;
}
static_assert(left("(4,8):(8,1)"_cute, "(8,4):(4,1)"_cute) && left("4:2"_cute, "(2,4):(0,1)"_cute));
static_assert(left("(2,2):(1,3)"_cute, "(3,2):(1,2)"_cute), "place 2 has no element");
static_assert(try_left_inverse("(2,2):(2,3)"_cute).why ==
                      refusal{rule::cute_no_left_inverse, {5}} &&
                  try_left_inverse("Sw<0,0,1> o 2 o (2,2):(1,3)"_cute).why ==
                      refusal{rule::cute_no_left_inverse, {6}},
              "neither stride divides the other, as in CuTe; adding 2 carries");
static_assert(left("Sw<2,3,3> o 0 o 2:2"_cute, "(2,2):(0,1)"_cute) &&
                  left("Sw<1,0,1> o 0 o 2:2"_cute, "(3,2):(0,1)"_cute) &&
                  left("Sw<1,1,2> o 0 o 4:4"_cute, "(4,4):(0,1)"_cute),
              "as the plain layouts with the same places");
static_assert(left_inverse("(3,2):(0,1)"_cute) == "2:3"_cute,
              "the first of several elements at a place");
static_assert(left("Sw<0,0,1> o 8 o 4:1"_cute, "Sw<0,0,1> o -8 o 12:1"_cute) &&
                  left("Sw<0,0,1> o 8 o (4,8):(8,1)"_cute, "Sw<0,0,1> o -1 o (8,5):(4,1)"_cute) &&
                  left("Sw<0,0,1> o 3 o 4:-1"_cute, "Sw<0,0,1> o 3 o 4:-1"_cute),
              "the inverse subtracts the offset");
static_assert(left("Sw<1,2,2> o 0 o (4,8):(8,1)"_cute, "Sw<1,1,-3> o 0 o (8,4):(4,1)"_cute) &&
                  left("Sw<2,1,2> o 0 o (4,4):(8,1)"_cute,
                       left_inverse("Sw<2,1,2> o 0 o (4,4):(8,1)"_cute)) &&
                  left("Sw<1,0,-2> o 0 o (2,3):(1,4)"_cute,
                       "Sw<1,0,-1> o 0 o (2,2,4):(1,0,2)"_cute) &&
                  left("Sw<3,2,-5> o 0 o (4,16):(32,1)"_cute, "(16,2,4,4):(4,0,1,0)"_cute),
              "the inverse has another swizzle, or none");
static_assert(left_inverse("Sw<3,3,3> o 0 o (64,64):(128,1)"_cute) ==
                      "Sw<2,0,-10> o 0 o (64,2,64):(64,0,1)"_cute &&
                  left_inverse("Sw<3,3,3> o 0 o (64,64,3):(64,1,8192)"_cute) ==
                      "Sw<3,0,-9> o 0 o (64,64,2,3):(64,1,0,4096)"_cute,
              "rows of 64 at a pitch of 128; three stages with a gap between them");
static_assert(left("Sw<1,0,1> o 8 o (8,2):(2,1)"_cute, "Sw<1,0,-3> o -4 o (2,12):(8,1)"_cute) &&
                  left("Sw<1,0,1> o 4 o (4,2,2):(1,4,16)"_cute,
                       "Sw<1,0,1> o -4 o (16,2):(1,8)"_cute),
              "the offset is a multiple of the period");
static_assert(left_inverse("Sw<3,3,3> o 0 o (64,64,5):(64,1,4608)"_cute) ==
                      "Sw<3,0,-9> o 0 o (64,72,5):(64,1,4096)"_cute &&
                  left_inverse("Sw<3,3,3> o 4608 o (64,64,5):(64,1,4608)"_cute) ==
                      "Sw<3,0,-9> o -4096 o (64,72,6):(64,1,4096)"_cute &&
                  try_left_inverse("Sw<1,1,2> o 56 o (4,4,3):(8,1,48)"_cute).why ==
                      refusal{rule::cute_no_left_inverse, {179}},
              "stages at multiples of 512; an offset that is not a multiple of the period");
static_assert(left("Sw<2,0,2> o 0 o (8,3):(1,48)"_cute, "Sw<1,0,2> o 0 o (8,6,3):(1,0,8)"_cute),
              "Sw<2,0,2> would read bit 3, which differs between stages");
static_assert(try_left_inverse("Sw<2,0,-2> o 0 o (2,2,2,2):(4,1,2,8)"_cute).why ==
                  refusal{rule::cute_no_left_inverse, {15}},
              "all places below 16 are used, so only the digits can be chosen");
static_assert(try_left_inverse("Sw<0,0,1> o 4 o (2,2):(1,1)"_cute).why ==
                  refusal{rule::cute_two_elements, {1, 2, 5}} &&
              try_left_inverse("Sw<0,0,1> o 2 o 4:-1"_cute).why ==
                  refusal{rule::cute_negative_place, {-1}});
static_assert(try_left_inverse("(2,2):(1,1)"_cute).why ==
              refusal{rule::cute_two_elements, {1, 2, 1}});
static_assert(try_left_inverse("4:-1"_cute).why == refusal{rule::cute_negative_place, {-3}});

static_assert(max_common_layout("(8,4):(1,8)"_cute, "(8,4):(1,16)"_cute) == "8:1"_cute);
static_assert(max_common_vector("(8,4):(4,1)"_cute, "(8,4):(4,1)"_cute) == 32 &&
              max_common_layout("(8,4):(4,1)"_cute, "(8,4):(4,1)"_cute) == "(4,8):(8,1)"_cute);
static_assert(max_common_vector("(8,4):(1,8)"_cute, "(8,4):(4,1)"_cute) == 1);
static_assert(max_common_vector("4:1"_cute, "(5,2):(2,1)"_cute) == 1 &&
                  max_common_vector("(5,2):(2,1)"_cute, "4:1"_cute) == 1,
              "element 5 of the second layout is not element 1 of the first");
static_assert(max_common_vector("Sw<3,3,3> o 0 o 512:1"_cute, "512:1"_cute) == 8 &&
                  max_common_vector("512:1"_cute, "Sw<3,3,3> o 0 o 512:1"_cute) == 8 &&
                  max_common_vector("Sw<3,3,3> o 0 o 512:1"_cute, "Sw<3,3,3> o 0 o 512:1"_cute) ==
                      8,
              "the first row is not permuted, but other rows keep only runs of 8");
static_assert(max_common_vector("Sw<3,3,3> o 0 o 64:1"_cute, "64:1"_cute) == 64,
              "this swizzle changes no place");

static_assert(max_common_vector("Sw<0,0,1> o 3 o 8:1"_cute, "8:1"_cute) == 8 &&
                  max_common_vector("8:1"_cute, "Sw<0,0,1> o 3 o 8:1"_cute) == 8 &&
                  max_common_vector("Sw<3,0,3> o 4 o 3:0"_cute, "4:1"_cute) == 1,
              "offsets do not change the vector");
static_assert(max_common_vector("Sw<3,3,3> o 4 o 512:1"_cute, "512:1"_cute) == 4 &&
                  max_common_vector("Sw<1,2,1> o 0 o (4,3):(1,6)"_cute, "(4,3):(1,6)"_cute) == 2,
              "a longer vector would cross a multiple of the chunk");
static_assert(max_common_layout("16:1"_cute, "(4,4):(1,4)"_cute) == "16:1"_cute &&
                  max_common_vector("(3,5):(1,3)"_cute, "(15,2):(1,15)"_cute) == 15 &&
                  max_common_vector("(4,4):(1,5)"_cute, "16:1"_cute) == 4 &&
                  max_common_vector("(2,4):(4,1)"_cute, "(2,5):(5,1)"_cute) == 4,
              "the layouts are compared digit by digit");
static_assert(max_common_vector("Sw<3,3,3> o 0 o (64,128):(128,1)"_cute,
                                "Sw<3,3,3> o 0 o (64,128):(128,1)"_cute) == 8 &&
              try_complement("Sw<3,3,3> o 0 o (256,1024):(1024,1)"_cute).why.which == rule::none &&
              try_complement("Sw<2,3,3> o 0 o (2,4):(8,64)"_cute).why ==
                  refusal{rule::cute_swizzle_adds_places, {4, 128, 144}});
static_assert(max_common_vector("(2,2):(3,-1)"_cute, "(3,2):(1,0)"_cute) == 1 &&
              max_common_vector("(2,2):(2,-1)"_cute, "(2,2):(2,-1)"_cute) == 1);

static_assert(upcast("(8,64):(64,1)"_cute, 8) == "(8,8):(8,1)"_cute &&
              upcast("(2,8):(1,2)"_cute, 4) == "(1,4):(1,1)"_cute);
static_assert(stride_of(upcast("(1,8):(-9223372036854775808,1)"_cute, 2)) ==
                  int_tuple{-4611686018427387904, 1} &&
              try_downcast("(8,1):(1,-9223372036854775808)"_cute, 1));
static_assert(try_left_inverse("2:9223372036854775806"_cute).why.which == rule::cute_overflows,
              "the inverse would have 2^64 - 4 elements");
static_assert(upcast("Sw<0,0,1> o -9223372036854775805 o 1:0"_cute, 9).offset() ==
                  -1024819115206086201,
              "the wide element begins below -2^63");
static_assert(upcast("(6,4):(1,6)"_cute, 3) == "(2,4):(1,2)"_cute &&
              upcast("8:4"_cute, 4) == "8:1"_cute);
static_assert(try_upcast("(6,4):(1,6)"_cute, 4).why ==
                  refusal{rule::cute_does_not_upcast, {0, 6, 1, 4}},
              "CuTe rounds 6 / 4 up");
static_assert(try_upcast("(2,2):(1,1)"_cute, 2).why ==
                  refusal{rule::cute_upcast_carries, {0, 2, 2}} &&
              try_upcast("4:-1"_cute, 2).why == refusal{rule::cute_upcast_carries, {-1, 0, 2}});
static_assert(upcast("Sw<3,4,3> o 0 o (8,128):(128,1)"_cute, 2) ==
              "Sw<3,3,3> o 0 o (8,64):(64,1)"_cute);
static_assert(upcast("Sw<3,1,3> o 0 o (8,128):(128,1)"_cute, 4) ==
                      "Sw<2,0,3> o 0 o (8,32):(32,1)"_cute &&
                  upcast("Sw<3,0,3> o 0 o 4:1"_cute, 2) == "2:1"_cute &&
                  upcast("Sw<1,1,2> o 0 o (2,8):(8,1)"_cute, 4) == "(2,2):(2,1)"_cute,
              "bits that the swizzle writes inside a wide element are dropped");
static_assert(upcast("Sw<1,2,1> o 5 o (4,2):(8,1)"_cute, 4).offset() == 1,
              "an offset inside a wide element");
static_assert(upcast("Sw<1,0,-2> o 0 o (2,4):(8,2)"_cute, 2) == "(2,4):(4,1)"_cute &&
                  try_upcast("Sw<1,0,-2> o 0 o (2,8):(8,1)"_cute, 2).why ==
                      refusal{rule::swizzle_splits_the_packed, {2, 0}},
              "the bit that the swizzle reads is 0, or differs between the two halves");
static_assert(left_inverse("Sw<3,4,6> o 0 o (4,4,2,6,6):(2,8,1,64,384)"_cute) ==
              "Sw<1,3,6> o 0 o (2,16,2,64):(16,1,0,32)"_cute);
static_assert(left_inverse("Sw<3,4,6> o 0 o (4,4,2,36):(2,8,1,64)"_cute) ==
                  "Sw<1,3,6> o 0 o (2,16,2,64):(16,1,0,32)"_cute,
              "every spelling of the operand gives the same answer");
static_assert(try_upcast("Sw<1,0,-2> o 0 o (3,8):(8,1)"_cute, 2).why.which ==
                  try_upcast("Sw<1,0,-2> o 0 o (2,8):(8,1)"_cute, 2).why.which,
              "the same refusal for extents that are not powers of two");
static_assert(try_upcast("Sw<3,4,3> o 0 o (8,129):(129,1)"_cute, 3).why ==
              refusal{rule::swizzle_packs_powers_of_two, {3}});
static_assert(downcast("Sw<3,0,3> o 0 o 4:1"_cute, 3) == "12:1"_cute,
              "a swizzle that moves nothing is dropped");
static_assert(downcast("Sw<1,3,3> o 0 o (8,2):(1,64)"_cute, 3) == "(24,2):(1,216)"_cute &&
                  upcast("Sw<1,3,3> o 0 o (6,2):(1,64)"_cute, 3) == "(2,2):(1,24)"_cute &&
                  recast("Sw<1,3,3> o 0 o (6,2):(1,64)"_cute, 8, 6) == "(8,2):(1,96)"_cute,
              "the places are those of a plain layout");
static_assert(downcast("(8,8):(8,1)"_cute, 2) == "(8,16):(16,1)"_cute &&
              downcast("(1,8):(1,1)"_cute, 2) == "(1,16):(2,1)"_cute);
static_assert(downcast("(4,2):(-1,8)"_cute, 2) == "((2,4),2):((1,-2),16)"_cute,
              "narrow elements ascend inside a wide element");
static_assert(try_downcast("8:2"_cute, 2).why.which == rule::cute_nothing_adjacent);
static_assert(recast("16:1"_cute, 16, 32) == "8:1"_cute &&
              recast("16:1"_cute, 32, 16) == "32:1"_cute);
static_assert(recast("(6,4):(1,6)"_cute, 16, 24) == "(4,4):(1,4)"_cute &&
              recast("(6,4):(1,6)"_cute, 8, 8) == "(6,4):(1,6)"_cute);
static_assert(try_recast("4:1"_cute, 0, 8).why == refusal{rule::extent_argument_below_one, {0}});

constexpr layout nested = "((2,4),8):((1,16),2)"_cute;
static_assert(at(nested, {{1, 3}, 5}) == 59 && at(nested, {7, 5}) == 59 && at(nested, 47) == 59);
static_assert(coordinate_of(nested, 47) == int_tuple{{1, 3}, 5} &&
              index_of(nested, {{1, 3}, 5}) == 47);
static_assert(try_at("(4,8):(1,4)"_cute, {7, 0}).why == refusal{rule::cute_index_outside, {7, 4}},
              "CuTe answers 7");
static_assert(try_at(nested, {1, 2, 3}).why ==
                  refusal{rule::cute_coordinate_does_not_fit, {3, 2}} &&
              try_at(nested, {7, {5}}).why == refusal{rule::cute_coordinate_is_nested_deeper, {1}});
static_assert(cosize("Sw<1,0,2> o 1 o 2:4"_cute) == 5, "places 1 and 4");
static_assert(cosize("(8,8):(1,9)"_cute) == 71 && cosize("Sw<1,0,1> o 0 o 3:1"_cute) == 4,
              "the swizzle moves 2 to 3");

}  // namespace

TEST_CASE("inverses of swizzled tiles are right") {
  auto const goes_back = [](layout const& l, layout const& r, integer n, bool left_one) {
    for (integer i = 0; i < n; ++i)
      if ((left_one ? *try_at(r, *try_at(l, i)) : *try_at(l, *try_at(r, i))) != i) return false;
    return true;
  };
  struct tile {
    char const* l;
    integer right;
    bool left;
  };
  for (tile const& t :
       {tile{"Sw<3,3,3> o 0 o (64,128):(128,1)", 128, false},
        tile{"Sw<3,4,3> o 0 o (64,128,3):(128,1,8192)", 24576, true},
        tile{"Sw<3,3,3> o 0 o (96,64):(64,1)", 64, false},
        tile{"Sw<3,3,3> o 0 o (192,128):(128,1)", 64, false},
        tile{"Sw<3,3,3> o 0 o (64,256,3):(256,1,16384)", 256, false},
        tile{"Sw<3,3,3> o 0 o (128,(64,2)):(64,(1,8192))", 16384, true},
        tile{"Sw<3,3,3> o 0 o (256,1024):(1024,1)", 262144, true},
        tile{"Sw<3,3,3> o 0 o (64,64,3):(64,1,8192)", 4096, true},
        tile{"Sw<6,7,-3> o 0 o (2,32,4,4,16,8):(512,16,1,4,8192,1024)", 1024, false},
        tile{"Sw<3,4,3> o 512 o (64,128,5):(128,1,9216)", 0, false},
        tile{"Sw<3,3,3> o 512 o (64,64):(64,1)", 0, true},
        tile{"Sw<3,4,3> o 1024 o (64,128):(128,1)", 0, true}}) {
    layout const l = parse(t.l);
    auto const r = try_right_inverse(l);
    auto const q = try_left_inverse(l);
    CHECK((r ? size(*r) : 0) == t.right);
    if (r) CHECK(goes_back(l, *r, size(*r), false));
    CHECK((q ? rule::none : q.why.which) == (t.left ? rule::none : rule::cute_no_left_inverse));
    if (q) CHECK(goes_back(l, *q, size(l), true));
  }
}

TEST_CASE("large tiles of whole rows of a swizzle are inverted and complemented") {
  CHECK(complement(parse("Sw<3,3,3> o 0 o (20001,64):(64,1)"), 12800640) == parse("10:1280064"));
  CHECK(right_inverse(parse("Sw<3,3,3> o 0 o (64,20001):(1,64)")) ==
        parse("Sw<3,3,3> o 0 o 1280064:1"));
}

TEST_CASE("large tiles are upcast, and rejected if the swizzle splits an element") {
  CHECK(upcast(parse("Sw<4,0,-4> o 0 o (64,128):(256,2)"), 2) ==
        parse("Sw<3,0,-4> o 0 o (64,128):(128,1)"));
  CHECK(try_upcast(parse("Sw<3,0,-3> o 0 o (256,1024):(1024,1)"), 2).why ==
        refusal{rule::swizzle_splits_the_packed, {2, 0}});
}

TEST_CASE("inverses at run time are right") {
  CHECK(left(parse("(128,3,160):(65536,512,1)"), parse("(512,128,128):(384,128,1)")));
  CHECK(try_left_inverse(parse("(16,3,10):(4096,512,1)")).why.which == rule::none);
  layout const l = parse("(16,3,10):(4096,512,1)");
  layout const r = left_inverse(l);
  for (integer i = 0; i < size(l); ++i) REQUIRE(*try_at(r, *try_at(l, i)) == i);
}
