// Tests queries of owners: the elements at a place, what an owner holds, and whether a layout
// covers a box. sweep_test.cpp tests every small layout.
#include <axe/axe.hpp>

#include <limits>

namespace {

using namespace axe;
using namespace axe::axes;
using namespace axe::literals;

constexpr layout tile = "S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp"_axe;

constexpr element nth(element_range const& range, int n) {
  auto i = range.begin();
  for (; n > 0; --n) ++i;
  return *i;
}
constexpr piece only(ownership const& owned) { return *owned.begin(); }

static_assert(elements(tile, {8, 16}, 8 * lane + 6 * warp).size() == 2);
static_assert(nth(elements(tile, {8, 16}, 8 * lane + 6 * warp), 0).at == coordinate{2, 8} &&
              nth(elements(tile, {8, 16}, 8 * lane + 6 * warp), 1).at == coordinate{2, 9});
static_assert(nth(elements(tile, {8, 16}, 8 * lane + 10 * warp), 1).index == 41,
              "the other replica holds the same element");
static_assert(nth(elements(tile, {8, 16}, 8 * lane + 6 * warp), 0).where ==
              places(tile, {8, 16}, {2, 8}));
static_assert(elements(tile, {8, 16}, 8 * lane + 7 * warp).empty() &&
              elements(tile, {8, 16}, 32 * lane).empty() &&
              elements(tile, {8, 16}, 1 * gpuid).empty());
static_assert(elements("S[4:1]"_axe, 4, place{0}).size() == 1 && place{0 + 1 * lane}.names(m),
              "a bare number in a place is on m, even 0");
static_assert(elements(tile, {8, 16}).size() == 128 &&
              elements(tile, {8, 16}, 0 * gpuid).size() == 128 &&
              elements(tile, {8, 16}, 5 * warp).size() == 64);
static_assert(elements(tile, {8, 16}, 3 * lane + 1 * reg).size() == 2 &&
              elements(tile, {{2, 4}, 16}, 31 * lane + 0 * reg).size() == 2);
static_assert(nth(elements(tile, {{2, 4}, 16}, 31 * lane), 0).at == coordinate{{1, 3}, 6},
              "the coordinate is nested like the shape");
static_assert(elements("S[4:0]"_axe, shape(4), 0 * m).size() == 4 &&
              elements("S[4:0]"_axe, shape(4), 1 * m).empty());
static_assert(elements("S[(3,3):(1,1)]"_axe, {3, 3}, 2 * m).size() == 3,
              "three elements are at this place");
static_assert(nth(elements("swizzle(3,3,3) o S[512:1]"_axe, shape(512), 72 * m), 0).index == 64);
static_assert(elements("S[8:1]"_axe, shape(8), 9223372036854775807 * m).empty() &&
              elements("S[8:-1]"_axe, shape(8), -9223372036854775807 * m).empty());
static_assert(elements("S[4:-2] + R[3:1]"_axe, shape(4), -2 * m).size() == 2,
              "elements 1 and 2 are at -2 + 0 and -4 + 2");
static_assert(try_elements(tile, {8, 17}).why.which == rule::shape_does_not_fit);

static_assert(owner_has(tile, {8, 16}, 8 * lane + 6 * warp, {2, 9}) &&
              owner_has(tile, {8, 16}, 8 * lane + 10 * warp, {2, 9}));
static_assert(!owner_has(tile, {8, 16}, 8 * lane + 7 * warp, {2, 9}) &&
              !owner_has(tile, {8, 16}, 9 * lane + 6 * warp, {2, 9}));
static_assert(try_owner_has(tile, {8, 16}, 8 * lane, {2, 16}).why.which ==
              rule::coordinate_outside);

// A piece of a lane consists of a region and a layout from the piece's shape to the other axes.
static_assert(owned_by(tile, {8, 16}, 8 * lane + 6 * warp).size() == 1);
static_assert(only(owned_by(tile, {8, 16}, 8 * lane + 6 * warp)).origin == coordinate{2, 8});
static_assert(only(owned_by(tile, {8, 16}, 8 * lane + 6 * warp)).extents == shape{1, 2});
static_assert(only(owned_by(tile, {8, 16}, 8 * lane + 6 * warp)).places ==
              "S[((),(2)):((),(1@reg))]"_axe);
static_assert(only(owned_by(tile, {8, 16}, 8 * lane + 6 * warp)).is_region());
static_assert(only(owned_by(tile, {8, 16}, 8 * lane)).places ==
                  "S[((),(2,2)):((),(1@warp,1@reg))] + R[2:4@warp] + 5@warp"_axe,
              "replicas on the other axes stay");
static_assert(!only(owned_by(tile, {8, 16}, 8 * lane)).is_region() &&
              only(owned_by(tile, {8, 16}, 8 * lane)).contiguous(0));
static_assert(only(owned_by(tile, {8, 16}, 8 * lane)).steps == "S[((),(2,2)):((),(8,1))]"_axe,
              "the owner has columns 0, 1, 8 and 9 of a row");
static_assert(only(owned_by("S[(4,2,8):(8,1@warp,1)]"_axe, {4, 16}, 1 * warp)).origin ==
              coordinate{0, 8});
static_assert(only(owned_by("S[(4,2,8):(8,1@warp,1)]"_axe, {4, 16}, 1 * warp)).places ==
              "S[((4),(8)):((8),(1))]"_axe);
static_assert(owned_by("S[(3,3):(1@lane,1@lane)]"_axe, {3, 3}, 2 * lane).size() == 3 &&
              owned_by(tile, {8, 16}, 4 * warp).empty());
static_assert(only(owned_by("S[(2,6):(100@lane,1)]"_axe, {3, 4}, 100 * lane)).flattened,
              "the shape does not group");
static_assert(only(owned_by("S[(2,6):(100@lane,1)]"_axe, {3, 4}, 100 * lane)).origin ==
              coordinate(6));
static_assert(try_owned_by(tile, {8, 17}, 8 * lane).why.which == rule::shape_does_not_fit);

static_assert(elements("S[(1,2):(-9223372036854775808,1)]"_axe, 2, 1 * m).size() == 1,
              "the stride -2^63 of an extent 1 cannot be negated");

static_assert(coverage("S[8:1]"_axe, {{m, 8}}).how == covered::once &&
              coverage("S[8:-1] + 7"_axe, {{m, 8}}).how == covered::once);
static_assert(coverage("S[(4,7):(8,1)]"_axe, {{m, 32}}).how == covered::holes &&
              coverage("S[(4,7):(8,1)]"_axe, {{m, 32}}).at == 7 * m);
static_assert(coverage("S[2:1] + R[2:1]"_axe, {{m, 3}}).how == covered::contested &&
              coverage("S[2:1] + R[2:1]"_axe, {{m, 3}}).at == 1 * m);
static_assert(coverage("S[2:2] + R[2:1]"_axe, {{m, 4}}).how == covered::copies &&
              coverage("S[2:2] + R[2:1]"_axe, {{m, 4}}).first == 0);
static_assert(coverage("S[8:1] + 5"_axe, {{m, 1, -detail::largest}}).how == covered::holes,
              "the box is more than 2^63 places before the layout");
static_assert(try_coverage("S[8:1]"_axe, {{m, 1, detail::smallest}}).why.which ==
              rule::result_places_overflow);
static_assert(coverage("S[2:1] + R[2:1]"_axe, {{m, 9}}).how == covered::contested,
              "contested is reported before holes");
static_assert(coverage("S[2:2] + R[2:1]"_axe, {{m, 5}}).how == covered::holes,
              "holes are reported before replicas");
static_assert(coverage(tile, {{lane, 32}, {warp, 11}, {reg, 2}}).how == covered::holes &&
              coverage(tile, {{lane, 32}}).how == covered::contested);
static_assert(coverage("S[(32,2):(1@lane,1@reg)]"_axe, {{lane, 32}, {reg, 2}}).how ==
              covered::once);
static_assert(coverage("S[(32,2):(1@lane,1@reg)]"_axe, {{lane, 32}}).how == covered::contested,
              "other axes are ignored");
static_assert(coverage("S[(2,4):(8,1)]"_axe, {{m, 4}}).how == covered::once,
              "places outside the box do not matter");
static_assert(coverage("S[(128,4):(64@m,1@reg)]"_axe, {{m, 8192}, {reg, 4}}).how == covered::holes);
static_assert(coverage("swizzle(3,3,3) o S[512:1]"_axe, {{m, 512}}).how == covered::once &&
              coverage("swizzle(0,1,1) o S[3:1]"_axe, {{m, 3}}).how == covered::holes);
static_assert(coverage("S[(65536,65536)]"_axe, {{m, 4294967296}}).how == covered::once,
              "decided from the digits, without visiting places");
static_assert(coverage("S[(2,2):(1@lane,1@reg)] + 5@lane"_axe, {{lane, 2}}).how == covered::holes,
              "no element is in the box, so no place is contested");
static_assert(coverage("S[4:1] + 2"_axe, {{m, 6}}).how == covered::holes &&
              coverage("S[4:1] + 2"_axe, {{m, 6}}).at == 0 * m);
static_assert(coverage("S[4:1] - 1"_axe, {{m, 3}}).how == covered::once &&
              coverage("S[4:1] - 1"_axe, {{m, 4}}).at == 3 * m);
static_assert(coverage("S[3:2] + R[2:1] - 1"_axe, {{m, 2}}).how == covered::once,
              "of element 0 only one replica is in the box");
static_assert(coverage("S[2:10000000] - 3000000"_axe, {{m, 10000000}}).at == 0 * m &&
                  coverage("S[3:10000000] - 10000000"_axe, {{m, 10000000}}).at == 1 * m &&
                  coverage("S[(2,1000000):(2000000,1)] - 2000007"_axe, {{m, 999993}}).how ==
                      covered::once &&
                  coverage("S[(2,1000000):(2000000,1)] - 2000007"_axe, {{m, 999994}}).at ==
                      999993 * m,
              "decided from the digits: each stride is at least the span of the smaller ones");
static_assert(coverage("S[(4,2):(6,-5)]"_axe, {{m, 19}}).at == 2 * m &&
                  coverage("S[(4,2):(6,5)] - 5"_axe, {{m, 2}}).how == covered::once,
              "the places of one step of the first digit end at 0, those of the next begin at 1");
static_assert(coverage("swizzle(0,1,1) o S[4:1] + 4"_axe, {{m, 4}}).how == covered::holes &&
                  coverage("swizzle(0,1,1) o S[4:1] - 4"_axe, {{m, 4}}).how == covered::holes &&
                  coverage("swizzle(0,1,1) o S[8:1] - 4"_axe, {{m, 4}}).how == covered::once,
              "the swizzle permutes the addresses within each period of 4");
static_assert(coverage("swizzle(3,3,3) o S[(1001,64):(64,1)] + 64"_axe, {{m, 64064, 64}}).how ==
                      covered::once &&
                  coverage("swizzle(3,3,-3) o S[(1000,512):(512,1)]"_axe, {{m, 512000}}).how ==
                      covered::once,
              "whole rows of 128 bytes, which the swizzle permutes");
static_assert(coverage("S[(4000,4000,3,3):(4002,1,4002,1)]"_axe, {{m, 4002 * 4002}}).how ==
                  covered::contested,
              "an answer needs no more than the first contested place");
static_assert(try_coverage("S[8:1]"_axe, {{m, 0}}).why ==
              refusal{rule::box_extent_below_one, {0}, {m}});
static_assert(try_coverage("S[8:1]"_axe, {{m, 2, std::numeric_limits<integer>::max() - 1}}).why ==
                  refusal{rule::result_places_overflow, {}, {m}},
              "the end of the box does not fit in 64 bits");
static_assert(try_coverage("S[8:1]"_axe, {}).why.which == rule::box_without_axes);
static_assert(try_coverage("S[8:1]"_axe, {{m, 8}, {m, 8}}).why ==
              refusal{rule::box_names_an_axis_twice, {}, {m}});
static_assert(try_coverage("S[(1000,2):(3,4)]"_axe, {{m, 3000}}, step_limit{1000}).why ==
              refusal{rule::undecided, {1000}});
static_assert(coverage("swizzle(3,3,3) o S[(512,8,64):(512,64,1)] + R[3:524288]"_axe, {{m, 100000}})
                      .how == covered::once,
              "whole periods of the swizzle, and replicas further apart than the box is long");
static_assert(coverage("swizzle(0,2,-2) o S[28:1] + R[2:28]"_axe, {{m, 5, 15}}).how ==
                  covered::copies,
              "the swizzle moves the replicas 3 and 31 to 15 and 19");
static_assert(coverage("swizzle(0,1,1) o S[4:1] + R[2:7]"_axe, {{m, 1, 6}}).how == covered::once,
              "7 is not a whole period of the swizzle, which moves it to 6");

// If each stride is at least the span of the smaller ones, coverage is decided from the digits, for
// a box of any size.
static_assert(coverage("S[(100,7):(8,1)]"_axe, {{m, 1000000}}).how == covered::holes &&
              coverage("S[(100,7):(8,1)]"_axe, {{m, 1000000}}).at[m] == 7);

}  // namespace
