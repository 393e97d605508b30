// Facts about permute, broadcast, group_many, storage, threads and devices.
#include "algebra/meaning.hpp"
#include "support/catch.hpp"

using namespace axe;
using namespace axe_test;
using namespace axe::literals;

namespace {

constexpr bool permutes(layout const& l, shape const& s, coordinate const& order,
                        char const* expected) {
  return to_text(permute(l, s, order)) == expected && permute_means(l, s, order) == nullptr;
}
constexpr bool broadcasts(layout const& l, shape const& s, int position, integer extent,
                          char const* expected) {
  return to_text(broadcast(l, s, position, extent)) == expected &&
         broadcast_means(l, s, position, extent) == nullptr;
}

static_assert(permutes("S[(4,5):(5,1)]"_axe, {4, 5}, {1, 0}, "S[(5,4):(1,5)]"));
static_assert(permutes("S[(4,5):(5,1)]"_axe, {4, 5}, {0, 1}, "S[20:1]"));
static_assert(permutes("S[(2,3,4):(12,4,1)] + R[2:24] + 3"_axe, {2, 3, 4}, {2, 0, 1},
                       "S[(4,6):(1,4)] + R[2:24] + 3"),
              "dimension 0 of the result is dimension 2 of the layout");
static_assert(permutes("S[(2,3,4):(12,4,1)]"_axe, {2, 3, 4}, {1, 2, 0}, "S[(12,2):(1,12)]"));
static_assert(permutes("S[(2,3):(-2,1)]"_axe, {3, 2}, {1, 0}, "S[(3,2):(-1,2)]"),
              "(3,2) does not group, but the engine finds the layout");
static_assert(permutes("S[(2,3):(100,1)]"_axe, {1, 6, 1}, {2, 1, 0}, "S[(2,3):(100,1)]"),
              "dimensions of extent 1 may move anywhere");
static_assert(permutes("S[(2,6):(100,1)]"_axe, {3, 4, 1}, {2, 0, 1}, "S[(2,6):(100,1)]"),
              "dimensions that stay neighbours are merged: (3,4) need not group");
static_assert(permutes("S[(4,6):(1@lane,0)]"_axe, {4, 6}, {1, 0}, "S[(6,4):(0,1@lane)]"));
static_assert(permutes("swizzle(3,3,3) o S[(8,8):(64,8)]"_axe, {8, 8}, {1, 0},
                       "swizzle(M=3,B=3,S=3) o S[(8,8):(8,64)]"));
static_assert(no_layout_exists(try_permute("S[(2,3):(100,1)]"_axe, {3, 2}, {1, 0}).why));
static_assert(
    try_permute("S[6:1]"_axe, {2, 3}, {0, 0}).why.which == rule::order_is_not_a_permutation &&
    try_permute("S[6:1]"_axe, {2, 3}, {1, 2}).why.which == rule::order_is_not_a_permutation &&
    try_permute("S[6:1]"_axe, {2, 3}, {-1, 0}).why.which == rule::order_is_not_a_permutation &&
    try_permute("S[6:1]"_axe, {2, 3}, {0, 1, 2}).why.which == rule::order_is_not_a_permutation);
static_assert(try_permute("S[6:1]"_axe, {2, 4}, {0, 1}).why ==
              refusal{rule::shape_does_not_fit, {8, 6}});

static_assert(broadcasts("S[(4,5):(5,1)]"_axe, {4, 5}, 1, 3, "S[(4,3,5):(5,0,1)]"));
static_assert(broadcasts("S[(4,5):(5,1)]"_axe, {4, 5}, 0, 3, "S[(3,20):(0,1)]") &&
              broadcasts("S[(4,5):(5,1)]"_axe, {4, 5}, 2, 3, "S[(20,3):(1,0)]") &&
              broadcasts("S[(4,5):(5,1)]"_axe, {4, 5}, 1, 1, "S[20:1]"));
static_assert(broadcasts("S[(2,6):(100,1)] + R[2:7] + 1@lane"_axe, {3, 4}, 0, 2,
                         "S[(2,2,6):(0,100,1)] + R[2:7] + 1@lane"));
static_assert(broadcasts("S[12:0]"_axe, {3, 4}, 1, 2, "S[24:0]"));
static_assert(no_layout_exists(try_broadcast("S[(2,3):(-2,1)]"_axe, {3, 2}, 1, 2).why));
static_assert(try_broadcast("S[6:1]"_axe, {2, 3}, 3, 2).why ==
                  refusal{rule::position_outside, {3, 2}} &&
              try_broadcast("S[6:1]"_axe, {2, 3}, -1, 2).why ==
                  refusal{rule::position_outside, {-1, 2}} &&
              try_broadcast("S[6:1]"_axe, {2, 3}, 2, 2).why == refusal{});
static_assert(try_broadcast("S[6:1]"_axe, {2, 3}, 0, 0).why ==
                  refusal{rule::extent_argument_below_one, {0}} &&
              try_broadcast("S[4294967296:1]"_axe, 4294967296, 0, 4294967296).why.which ==
                  rule::result_size_overflows);

static_assert(to_text(group_many("S[24:1]"_axe, {shape{4, 6}, shape{2, 12}})) ==
              "S[((2),(2),(6)):((12),(6),(1))]");
static_assert(to_text(group_many("S[24:1]"_axe, {shape{4, 6}, shape{4, 6}})) ==
                  "S[((4),(6)):((6),(1))]" &&
              to_text(group_many("S[24:1]"_axe, {shape{2, 12}, shape{4, 6}, shape{8, 3}})) ==
                  "S[((2),(2),(2),(3)):((12),(6),(3),(1))]");
static_assert(to_text(group_many("S[(2,6):(100,1)]"_axe, {shape{2, 6}, shape(12)})) ==
              "S[((2),(6)):((100),(1))]");
static_assert(try_group_many("S[36:1]"_axe, {shape{4, 9}, shape{9, 4}}).why ==
              refusal{rule::no_common_refinement, {9, 4}});
static_assert(try_group_many("S[24:1]"_axe, {shape{4, 6}, shape{5, 5}}).why.which ==
                  rule::shape_does_not_fit &&
              try_group_many("S[(2,6):(100,1)]"_axe, {shape{4, 3}, shape{2, 6}}).why == refusal{} &&
              try_group_many("S[(2,6):(100,1)]"_axe, {shape{3, 4}}).why ==
                  refusal{rule::boundary_inside_a_digit, {4, 6, 1, 4}, {axis::m}});

constexpr layout fragment = "S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp"_axe;
static_assert(to_text(threads(fragment)) ==
                  "S[(8,2,4):(4@lane,1@warp,1@lane)] + R[2:4@warp] + 5@warp" &&
              to_text(storage(fragment)) == "S[2:1@reg]" && to_text(devices(fragment)) == "S[]");
constexpr layout sharded = "S[(2,4,3):(1@gpuid,7,0)] + R[2:2@gpuid] + R[2:100] + 1@gpuid + 6"_axe;
static_assert(to_text(devices(sharded)) == "S[2:1@gpuid] + R[2:2@gpuid] + 1@gpuid" &&
                  to_text(storage(sharded)) == "S[(4,3):(7,0)] + R[2:100] + 6" &&
                  to_text(threads(sharded)) == "S[]",
              "storage keeps the digit of stride 0, which lies on no axis");
static_assert(*try_devices(sharded) == devices(sharded) &&
              *try_storage(sharded) == storage(sharded) &&
              *try_project(sharded, kind::device) == devices(sharded) &&
              *try_threads(fragment) == threads(fragment));
static_assert(to_text(storage("swizzle(3,3,3) o S[(64,64):(64,1)]"_axe)) ==
                  "swizzle(M=3,B=3,S=3) o S[(64,64):(64,1)]" &&
              to_text(threads("swizzle(3,3,3) o S[(64,64):(64,1)]"_axe)) == "S[]");

}  // namespace

TEST_CASE("real tensors, permuted and broadcast, have the defined meaning") {
  CHECK(permute_means(at_run_time("S[(2,12,128,8):(12288,1024,8,1)]"_axe), {2, 12, 128, 8},
                      {0, 2, 1, 3}) == nullptr);
  CHECK(permute_means(at_run_time("S[(6,5,7):(1@lane,-49,7)] + R[3:1@warp]"_axe), {6, 35},
                      {1, 0}) == nullptr);
  CHECK(broadcast_means(at_run_time("S[(48,20):(20,1)]"_axe), {48, 20}, 1, 7) == nullptr);
}
