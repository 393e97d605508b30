// Tests group: facts, then every small layout with every shape. The oracle (tests/oracle) tries
// every list of digits.
#include "algebra/agree.hpp"
#include "oracle/require.hpp"

#include <axe/axe.hpp>

using namespace axe;
using namespace axe::literals;

namespace {

constexpr bool becomes(layout const& l, shape const& s, char const* expected) {
  return to_text(group(l, s)) == expected;
}
constexpr refusal group_refusal(layout const& l, shape const& s) { return try_group(l, s).why; }

static_assert(becomes("S[16:1]"_axe, {2, 8}, "S[((2),(8)):((8),(1))]") &&
              becomes("S[16:1]"_axe, {2, 4, 2}, "S[((2),(4),(2)):((8),(2),(1))]"));
static_assert(becomes("S[8:1]"_axe, {8, 1}, "S[((8),()):((1),())]") &&
              becomes("S[8:1]"_axe, {1, 8}, "S[((),(8)):((),(1))]") &&
              becomes("S[8:1]"_axe, {1, 2, 1, 4, 1}, "S[((),(2),(),(4),()):((),(4),(),(1),())]"));
static_assert(becomes("S[(2,4):(4,1)]"_axe, {8}, "S[((8)):((1))]") &&
                  becomes("S[(2,4):(4,1)]"_axe, {4, 2}, "S[((4),(2)):((2),(1))]"),
              "digits fuse before they are cut");
static_assert(becomes("S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp"_axe,
                      {8, 16},
                      "S[((8),(2,4,2)):((4@lane),(1@warp,1@lane,1@reg))] + R[2:4@warp] + 5@warp"));
static_assert(becomes("S[(2,6):(100,1)]"_axe, {4, 3}, "S[((2,2),(3)):((100,3),(1))]") &&
              becomes("S[(2,6):(100,1)]"_axe, {12}, "S[((2,6)):((100,1))]"));
static_assert(becomes("S[(4,3):(5,0)]"_axe, {2, 6}, "S[((2),(2,3)):((10),(5,0))]") &&
              becomes("S[12:0]"_axe, {3, 4}, "S[((3),(4)):((0),(0))]"));
static_assert(becomes("S[12:-2]"_axe, {3, 4}, "S[((3),(4)):((-8),(-2))]") &&
              becomes("S[7:1]"_axe, 7, "S[((7)):((1))]") &&
              becomes("S[]"_axe, {1, 1}, "S[((),()):((),())]"));
static_assert(becomes("swizzle(3,3,3) o S[512:1] + R[2:512] + 64"_axe, {8, 64},
                      "swizzle(M=3,B=3,S=3) o S[((8),(64)):((64),(1))] + R[2:512] + 64"));
static_assert(becomes("S[16:1]"_axe, {{2, 2}, 4}, "S[((2),(2),(4)):((8),(4),(1))]"),
              "the dimensions of a nested shape are its leaves");

static_assert(group_refusal("S[(2,3):(100,1)]"_axe, {3, 2}) ==
              refusal{rule::does_not_group, {1, 2, 3, 1, 2}, {axis::m}});
static_assert(group_refusal("S[(2,6):(100,1)]"_axe, {3, 4}).which == rule::does_not_group &&
              group_refusal("S[(3,2):(2@lane,1)]"_axe, {2, 3}).axes[0] == axis::m);
static_assert(group_refusal("S[16:1]"_axe, {4, 5}) == refusal{rule::shape_does_not_fit, {20, 16}} &&
              group_refusal("S[16:1]"_axe, {0, 16}).which == rule::shape_extent_below_one);
static_assert(group_refusal(S({4294967296, 4294967296}, {0, 0}), {1, 1}).which ==
              rule::size_overflows);

/// A shape of `rank` equal extents. 25 dimensions of extent 2 need 25 digits, 25 of extent 1 need
/// 25 blocks, and a layout holds at most 24 of each.
constexpr shape equal_extents(int rank, integer extent) {
  shape s;
  for (int i = 0; i < rank; ++i) s.append(tree(extent));
  return s;
}
static_assert(group_refusal("S[33554432:1]"_axe, equal_extents(25, 2)) ==
                  refusal{rule::too_many_dimensions, {25}} &&
              group_refusal("S[16777216:1]"_axe, equal_extents(24, 2)) == refusal{});
static_assert(group_refusal("S[]"_axe, equal_extents(25, 1)) ==
                      refusal{rule::too_many_dimensions, {25}} &&
                  group_refusal("S[]"_axe, equal_extents(24, 1)) == refusal{},
              "the refusal names dimensions, not digits");

constexpr layout layout_of_24_digits() {
  layout l;
  for (int k = 0; k < 24; ++k) l.shards.push({k == 23 ? 4 : 2, integer{1} << k, axis::m});
  return l;
}
static_assert(group_refusal(layout_of_24_digits(), {16777216, 2}) ==
                  refusal{rule::too_many_shards, {25}},
              "cutting one of 24 digits makes 25");

}  // namespace

TEST_CASE("group finds the shortest list of digits, if there is one", "[slow]") {
  using namespace axe_test;
  int found = 0;
  int rejected = 0;
  drawn_cases is_drawn;
  auto const look = [&](axe::layout const& l, int rank) {
    if (!is_drawn()) return;
    oracle::map_table const map = oracle::table(to_oracle(l));
    for (auto const& extents : shapes_of(static_cast<oracle::number>(map.size()), rank)) {
      if (char const* wrong = group_disagreement(l, map, extents))
        FAIL(axe::to_text(l).c_str()
             << " by " << extents.size() << " dimensions from " << extents[0] << ": " << wrong);
      (oracle::fewest_grouped(oracle::walk(to_oracle(l).d), extents) >= 0 ? found : rejected) += 1;
    }
  };
  for_each_short_list(3, 1, [&](auto const& picked) { look(shards_of(picked), 2); });
  for_each_short_list(2, 2, [&](auto const& picked) { look(shards_of(picked), 3); });
  CHECK((found > drawn(100'000) && rejected > drawn(10'000)));
}
