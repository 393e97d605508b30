// Tests splitting and joining axes, such as tid into lane and warp: facts, both directions,
// offsets and replicas, meshes that the caller declares, and refusals.
#include "algebra/meaning.hpp"
#include "support/catch.hpp"

using namespace axe;
using namespace axe::axes;
using namespace axe_test;
using namespace axe::literals;

namespace {

constexpr bool becomes(outcome<layout> const& l, char const* expected) {
  return l && to_text(*l) == expected;
}

static_assert(becomes(try_to_lane_warp("S[(2,32):(32@tid,1@tid)]"_axe),
                      "S[(2,32):(1@warp,1@lane)]") &&
              becomes(try_to_tid("S[(2,32):(1@warp,1@lane)]"_axe), "S[64:1@tid]"));
static_assert(becomes(try_to_tid("S[(2,32):(1@warp,1@lane)] + 3@warp"_axe),
                      "S[64:1@tid] + 96@tid"));
static_assert(becomes(try_to_lane_warp("S[64:1@tid] + 96@tid"_axe),
                      "S[(2,32):(1@warp,1@lane)] + 3@warp"));
static_assert(becomes(try_to_lane_warp("S[8:4@tid] + 67@tid"_axe), "S[8:4@lane] + 3@lane + 2@warp"),
              "both parts of the offset are kept");
static_assert(becomes(try_to_tid("S[8:4@lane] + 3@lane + 2@warp"_axe), "S[8:4@tid] + 67@tid"));
static_assert(becomes(try_to_lane_warp("S[4:1] + R[4:16@tid]"_axe),
                      "S[4:1] + R[2:16@lane] + R[2:1@warp]"));
static_assert(becomes(try_to_tid("S[4:1] + R[2:16@lane] + R[2:1@warp]"_axe),
                      "S[4:1] + R[4:16@tid]"));
static_assert(becomes(try_to_lane_warp("S[32:-1@tid] + 63@tid"_axe),
                      "S[32:-1@lane] + 31@lane + 1@warp"));
static_assert(becomes(try_to_lane_warp("S[4:1@tid] - 4@tid"_axe), "S[4:1@lane] + 28@lane - 1@warp"),
              "-4 = -1 * 32 + 28: the warp is rounded down");
static_assert(becomes(try_to_lane_warp("S[(2,3):(1@tid,5)] + 7"_axe), "S[(2,3):(1@lane,5)] + 7"),
              "other axes stay");
static_assert(
    becomes(try_to_wg("S[(3,128):(128@tid,1@tid)]"_axe), "S[(3,128):(1@wg,1@tid_in_wg)]") &&
    becomes(try_to_wid_in_wg("S[128:1@tid_in_wg]"_axe), "S[(4,32):(1@wid_in_wg,1@lane)]") &&
    becomes(try_to_wg_wid_in_wg("S[12:1@warp]"_axe), "S[(3,4):(1@wg,1@wid_in_wg)]") &&
    becomes(try_to_tid_in_wg("S[(4,32):(1@wid_in_wg,1@lane)]"_axe), "S[128:1@tid_in_wg]") &&
    becomes(try_to_warp("S[(3,4):(1@wg,1@wid_in_wg)]"_axe), "S[12:1@warp]"));
static_assert(becomes(try_to_tid("S[(2,4,32):(1@wg,1@wid_in_wg,1@lane)]"_axe), "S[256:1@tid]") &&
                  becomes(try_to_tid("S[(2,128):(1@wg,1@tid_in_wg)]"_axe), "S[256:1@tid]") &&
                  becomes(try_to_tid("S[(4,32):(1@wid_in_wg,1@lane)]"_axe), "S[128:1@tid]"),
              "the threads lie in warpgroup 0 if the layout does not name wg");
static_assert(
    becomes(try_to_tid_in_wg("S[(5,32):(1@wid_in_wg,1@lane)]"_axe), "S[160:1@tid_in_wg]") &&
        becomes(try_to_wid_in_wg("S[160:1@tid_in_wg]"_axe), "S[(5,32):(1@wid_in_wg,1@lane)]") &&
        try_to_warp("S[5:1@wid_in_wg]"_axe).why ==
            refusal{rule::part_leaves_its_range, {0, 4, 4}, {axis::wid_in_wg, axis::warp}} &&
        try_to_wg_wid_in_wg("S[5:1@warp]"_axe).why.which == rule::part_carries &&
        try_to_tid("S[(5,32):(1@wid_in_wg,1@lane)]"_axe).why.which == rule::part_leaves_its_range,
    "the slowest part has no bound; any other part stays below the next factor");
static_assert(becomes(try_to_lane_warp("S[4:1@lane]"_axe), "S[4:1@lane]") &&
                  becomes(try_to_tid("S[4:1]"_axe), "S[4:1]"),
              "nothing to rewrite");

static_assert(try_to_tid("S[64:1@lane]"_axe).why ==
                  refusal{rule::part_leaves_its_range, {0, 63, 32}, {axis::lane, axis::tid}} &&
              try_to_tid("S[32:1@lane] + 1@lane"_axe).why.which == rule::part_leaves_its_range &&
              try_to_tid("S[4:-1@lane]"_axe).why.which == rule::part_leaves_its_range &&
              try_to_tid("S[32:1@lane]"_axe).why == refusal{});
static_assert(try_to_lane_warp("S[16:1@tid] + 24@tid"_axe).why ==
                  refusal{rule::part_carries, {24, 39, 32}, {axis::lane, axis::tid}},
              "24 + 15 = 39 carries into the next warp");
static_assert(try_to_lane_warp("S[3:16@tid]"_axe).why.which == rule::part_carries &&
              try_to_lane_warp("S[2:48@tid]"_axe).why.which == rule::part_carries);
static_assert(try_to_lane_warp("S[(2,2):(4@tid,1@tid)] + 27@tid"_axe).why ==
                      refusal{rule::part_carries, {27, 32, 32}, {axis::lane, axis::tid}} &&
                  try_to_lane_warp("S[(2,2):(4@tid,1@tid)] + 26@tid"_axe),
              "27 + 4 + 1 = 32 carries, 26 + 4 + 1 = 31 does not");
static_assert(try_to_lane_warp("S[(2,4):(32@tid,1@lane)]"_axe).why.which ==
              rule::names_whole_and_part);

static_assert(try_to_tid("S[32:1@lane] + 288230376151711743@warp"_axe).why ==
                  refusal{rule::result_places_overflow, {}, {axis::tid}},
              "the refusal names the axis of the result");

static_assert(becomes(try_to_tid("S[(2,32):(1@wg,1@lane)] + 1@wg"_axe),
                      "S[(2,32):(128@tid,1@tid)] + 128@tid") &&
                  becomes(try_to_tid("S[2:1@wg] + 3@lane"_axe), "S[2:128@tid] + 3@tid"),
              "warp 0 of each warpgroup");
constexpr refusal names_both(axis whole, axis part) {
  return {rule::names_whole_and_part, {}, {whole, part}};
}
static_assert(try_to_tid("S[(2,2):(1@wg,1@warp)]"_axe).why == names_both(axis::warp, axis::wg) &&
                  try_to_tid("S[(2,2):(1@wid_in_wg,1@warp)]"_axe).why ==
                      names_both(axis::warp, axis::wid_in_wg) &&
                  try_to_tid("S[(2,2):(1@tid_in_wg,1@lane)]"_axe).why ==
                      names_both(axis::tid_in_wg, axis::lane) &&
                  try_to_tid("S[(2,2):(1@tid_in_wg,1@wid_in_wg)] + 1@wg"_axe).why ==
                      names_both(axis::tid_in_wg, axis::wid_in_wg) &&
                  try_to_tid("S[(2,2):(1@tid_in_wg,1@warp)]"_axe).why ==
                      names_both(axis::tid_in_wg, axis::warp) &&
                  try_to_tid("S[(2,2):(1@tid,1@wid_in_wg)]"_axe).why ==
                      names_both(axis::tid, axis::wid_in_wg) &&
                  try_to_tid("S[(2,2):(1@tid,1@wg)]"_axe).why == names_both(axis::tid, axis::wg),
              "a layout must not name an axis and one of its parts");

// A mesh of 2 x 4 devices that the test declares.
constexpr axis mesh_x = device_axis("mesh_x");
constexpr axis mesh_y = device_axis("mesh_y");
constexpr axis mesh_z = device_axis("mesh_z");
constexpr axis_composition mesh{gpuid, 4 * mesh_y + 1 * mesh_x};
constexpr axis_composition cube{gpuid, place{1 * mesh_x, 12 * mesh_z, 4 * mesh_y}};
static_assert(becomes(try_rewrite(S({2, 4}, {1 * mesh_y, 1 * mesh_x}), mesh), "S[8:1@gpuid]") &&
              becomes(try_rewrite("S[8:1@gpuid] + 8@gpuid"_axe, mesh),
                      "S[(2,4):(1@mesh_y,1@mesh_x)] + 2@mesh_y"));
static_assert(becomes(try_rewrite("S[24:1@gpuid]"_axe, cube),
                      "S[(2,3,4):(1@mesh_z,1@mesh_y,1@mesh_x)]") &&
              becomes(try_rewrite("S[3:4@gpuid] + R[2:12@gpuid] + 13@gpuid"_axe, cube),
                      "S[3:1@mesh_y] + R[2:1@mesh_z] + 1@mesh_z + 1@mesh_x"));
static_assert(try_rewrite("S[4:4@gpuid]"_axe, cube).why.which == rule::part_carries,
              "mesh_y has the values 0 to 2");
static_assert(check(axis_composition{gpuid, 3 * mesh_y + 2 * mesh_x}) ==
                  refusal{rule::composition_factors, {3, 2}, {mesh_y, mesh_x}} &&
              check(axis_composition{gpuid, 1 * mesh_y - 4 * mesh_x}) ==
                  refusal{rule::composition_factor_below_one, {-4}, {mesh_x}} &&
              check(axis_composition{gpuid, 4 * mesh_y + 2 * mesh_x}).which ==
                  rule::composition_lowest_factor &&
              check(axis_composition{gpuid, place{1 * mesh_x}}) ==
                  refusal{rule::composition_needs_parts, {1}} &&
              check(axis_composition{gpuid, place{64 * P, 32 * F, 16 * reg, 8 * lane, 4 * mesh_z,
                                                  2 * mesh_y, 1 * mesh_x}}) ==
                  refusal{rule::composition_needs_parts, {7}} &&
              check(axis_composition{gpuid, 4 * mesh_y + 1 * gpuid}).which ==
                  rule::composition_of_itself &&
              check(axis_composition{gpuid, 1 * mesh_y + 1 * mesh_x}).which ==
                  rule::composition_equal_factors &&
              check(mesh) == refusal{});
/// An axis_composition with parts that no constructor of the library makes.
constexpr axis_composition by_hand(axis whole, std::initializer_list<term> parts) {
  axis_composition c;
  c.whole = whole;
  c.parts = parts;
  return c;
}
static_assert(
    check(by_hand(gpuid, {4 * mesh_y, 1 * mesh_x})) == refusal{} &&
    check(by_hand(gpuid, {4 * mesh_x, 1 * mesh_x})).which == rule::composition_part_twice &&
    check(by_hand(gpuid, {4 * mesh_x, {1, axis::null}})).which == rule::composition_of_no_axis &&
    check(by_hand(axis::null, {4 * mesh_y, 1 * mesh_x})).which == rule::composition_of_no_axis);
static_assert(try_rewrite("S[8:1@gpuid]"_axe, by_hand(gpuid, {4 * mesh_x, 1 * mesh_x})).why.which ==
              rule::composition_part_twice);

/// Layouts whose axis is split and joined again. The map must stay equal.
constexpr layout by_tid[] = {"S[256:1@tid]"_axe, "S[(4,32):(32@tid,1@tid)] + 64@tid"_axe,
                             "S[(8,16):(16@tid,1@tid)] + R[2:128@tid]"_axe,
                             "S[(3,8):(5,-4@tid)] + 28@tid"_axe};
constexpr bool there_and_back() {
  for (layout const& l : by_tid)
    if (!equivalent(to_tid(to_lane_warp(l)), l)) return false;
  return true;
}
static_assert(there_and_back());

}  // namespace

TEST_CASE("a place names the same thread after it is split into lane and warp") {
  for (layout const& l : by_tid) {
    layout const parts = to_lane_warp(l);
    for (integer x = 0; x < size(l); ++x)
      for (place const& p : places(parts, x)) {
        CHECK((p[lane] >= 0 && p[lane] < 32));
        CHECK(places(l, x).contains(place{(32 * p[warp] + p[lane]) * tid, p[m] * m}));
      }
  }
}
