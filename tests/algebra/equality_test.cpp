// Tests equivalent, difference (the first element at which two layouts differ) and is_injective:
// facts and counterexamples. sweep_test.cpp tests every small layout.
#include <axe/axe.hpp>

namespace {

using namespace axe;
using namespace axe::axes;
using namespace axe::literals;

constexpr bool differ_at(layout const& a, layout const& b, integer x) {
  layout_difference const d = difference(a, b);
  return d.found && d.at == x && !equivalent(a, b) && !equivalent(b, a) && difference(b, a).at == x;
}
constexpr bool same(layout const& a, layout const& b) {
  return equivalent(a, b) && equivalent(b, a) && !difference(a, b);
}

static_assert(same("S[(2,2):(2,1)]"_axe, "S[4:1]"_axe) && same("S[2:0@m]"_axe, "S[2:0@lane]"_axe) &&
              same("S[(2,1):(3,9@gpuid)]"_axe, "S[2:3]"_axe));
static_assert(same("S[4:1] + R[2:-4@warp]"_axe, "S[4:1] + R[2:4@warp] - 4@warp"_axe) &&
              same("S[] + R[2:1] + R[2:1]"_axe, "S[] + R[3:1]"_axe));
static_assert(same("S[((2),(8)):((8),(1))]"_axe, "S[16:1]"_axe), "blocks do not change the map");
static_assert(same("S[] + R[2:1] + R[4:3] + R[2:5]"_axe, "S[] + R[2:1] + R[3:3] + R[3:4]"_axe));
static_assert(same("S[] + R[3:1] + R[2:4] + R[2:5] + R[3:6]"_axe,
                   "S[] + R[3:1] + R[2:4] + R[2:7] + R[2:10]"_axe));
static_assert(same("S[] + R[3:2] + R[2:3] + R[2:6]"_axe, "S[] + R[2:6] + R[2:3] + R[3:2]"_axe),
              "the set is the same, whichever replica is absorbed first");
// Together the two layouts may name more axes than one layout.
constexpr layout on_nine_axes(char first) {
  layout l;
  for (int k = 0; k < 9; ++k) {
    char const name[2]{first, static_cast<char>('a' + k)};
    l.shards.push({2, 1, detail::pack_axis(name, 2, kind::memory)});
  }
  return l;
}
static_assert(differ_at(on_nine_axes('x'), on_nine_axes('y'), 1));
static_assert(differ_at("S[2:1] + 3@lane"_axe, "S[2:1] + 3@warp"_axe, 0));
static_assert(!equivalent("S[] + R[2:1] + R[2:3]"_axe, "S[] + R[5:1]"_axe) &&
              !equivalent("S[2:1] + R[2:1]"_axe, "S[2:1]"_axe));
static_assert(!equivalent("S[4:1]"_axe, "S[4:1@lane]"_axe) &&
                  !equivalent("S[4:1]"_axe, "S[4:-1] + 3"_axe),
              "the first pair differs in an axis, the second in the order of the places");

static_assert(differ_at("S[(2,4):(5,1)]"_axe, "S[8:1]"_axe, 4) &&
              differ_at("S[8:1]"_axe, "S[8:2]"_axe, 1) &&
              differ_at("S[8:1]"_axe, "S[8:1] + 1"_axe, 0));
static_assert(differ_at("S[(4,6):(7,1)]"_axe, "S[24:1]"_axe, 6) &&
              differ_at("S[(2,2,2):(4,1,2)]"_axe, "S[8:1]"_axe, 1));
static_assert(differ_at("S[(2,2,2):(5,2,1)]"_axe, "S[(2,2,2):(6,2,1)]"_axe, 4) &&
              differ_at("S[(2,4):(0,1)]"_axe, "S[(2,4):(0,2)]"_axe, 1));
static_assert(differ_at("S[8:1] + R[2:1@warp]"_axe, "S[8:1]"_axe, 0) &&
              differ_at("S[8:1]"_axe, "S[8:1@lane]"_axe, 1));
static_assert(differ_at("S[8:1]"_axe, "S[4:1]"_axe, 4) &&
                  differ_at("S[(2,3):(7,1)]"_axe, "S[9:1]"_axe, 3),
              "if sizes differ, the difference is the first element that differs or that only one "
              "layout has");
static_assert(!difference("S[4:1]"_axe, "S[8:1]"_axe).in_a &&
              difference("S[4:1]"_axe, "S[8:1]"_axe).in_b);
static_assert(difference("S[4:1]"_axe, "S[8:1]"_axe).b == place_set{4 * m});
static_assert(difference("S[(2,4):(5,1)]"_axe, "S[8:1]"_axe).a == place_set{5 * m} &&
              difference("S[(2,4):(5,1)]"_axe, "S[8:1]"_axe).b == place_set{4 * m});
static_assert(differ_at("S[(65536,65536):(65536,1)]"_axe, "S[(65536,65536):(65537,1)]"_axe, 65536),
              "the elements before 65536 are not visited");

// Layouts with swizzles are equal if their addresses after the swizzle are equal.
static_assert(same("swizzle(3,3,3) o S[64:1]"_axe, "S[64:1]"_axe) &&
              same("swizzle(0,1,1) o S[2:1] + 2"_axe, "S[2:-1] + 3"_axe));
static_assert(same("swizzle(3,3,3) o S[(8,64):(64,1)]"_axe, "swizzle(3,3,3) o S[512:1]"_axe) &&
              differ_at("swizzle(3,3,3) o S[65:1]"_axe, "S[65:1]"_axe, 64));
static_assert(differ_at("swizzle(1,2,2) o S[32:1]"_axe, "swizzle(1,1,2) o S[32:1]"_axe, 16) &&
              differ_at("swizzle(0,2,2) o S[16:1]"_axe, "swizzle(0,2,-2) o S[16:1]"_axe, 1));
static_assert(same("swizzle(3,3,3) o S[(65536,65536)]"_axe,
                   "swizzle(3,3,3) o S[4294967296:1]"_axe));
static_assert(differ_at("swizzle(1,2,2) o S[(65536,32):(32,1)]"_axe,
                        "swizzle(1,1,2) o S[(65536,32):(32,1)]"_axe, 16));
static_assert(differ_at("swizzle(3,3,3) o S[(8,64):(512,1)]"_axe, "S[(8,64):(1024,1)]"_axe, 64),
              "512 is a whole period of the swizzle, so it moves all these places alike");
static_assert(same("swizzle(0,1,1) o S[] + R[2:1] + 2"_axe, "S[] + R[2:1] + 2"_axe),
              "the swizzle exchanges the addresses 2 and 3, so their set stays");

// Equal sets of replicas can have different canonical lists. Such sets are compared place by place,
// up to the step limit.
constexpr layout wide_a = "S[] + R[100000:2] + R[2:3] + R[2:300001]"_axe;
constexpr layout wide_b = "S[] + R[100000:2] + R[2:3] + R[2:300003]"_axe;
static_assert(!equivalent(wide_a, wide_b), "the largest places differ, so no place is visited");
constexpr layout dense_a = "S[] + R[2:2] + R[2:3] + R[60:10]"_axe;
constexpr layout dense_b = "S[] + R[2:2] + R[2:3] + R[59:10] + R[2:10]"_axe;
static_assert(same(dense_a, dense_b));
static_assert(try_equivalent("S[] + R[2:1] + R[4:3] + R[2:5] + R[1000:100]"_axe,
                             "S[] + R[2:1] + R[3:3] + R[3:4] + R[1000:100]"_axe, step_limit{100})
                  .why == refusal{rule::undecided, {100}});
static_assert(try_equivalent("swizzle(0,1,1) o S[2:1] + R[9999999:8] + R[9999999:12]"_axe,
                             "swizzle(0,1,2) o S[2:1] + R[9999999:8] + R[9999999:12]"_axe,
                             step_limit{100})
                      .why.which == rule::undecided,
              "counting the replicas takes steps");
static_assert(equivalent("S[] + R[2:1] + R[4:3] + R[2:5] + R[10:100]"_axe,
                         "S[] + R[2:1] + R[3:3] + R[3:4] + R[10:100]"_axe));
static_assert(try_equivalent(S({4294967296, 4294967296}, {0, 0}), "S[]"_axe).why.which ==
              rule::size_overflows);
static_assert(try_equivalent("S[]"_axe, S({9223372036854775807}, {2})).why.which ==
                  rule::places_overflow,
              "the second operand is checked too");
static_assert(require_equivalent<"S[(2,2):(2,1)]"_axe, "S[4:1]"_axe>());

// A layout is injective if no two elements share a place. An injective D is not enough.
static_assert(is_injective("S[(2,2):(2,1)]"_axe) && is_injective("S[]"_axe) &&
              is_injective("S[8:-3]"_axe) && is_injective("S[] + R[4:1]"_axe));
static_assert(!is_injective("S[2:1] + R[2:1]"_axe) && is_injective("S[2:2] + R[2:1]"_axe) &&
              is_injective("S[2:1] + R[2:2]"_axe) && is_injective("S[2:1] + R[2:1@lane]"_axe));
static_assert(!is_injective("S[4:0]"_axe) && !is_injective("S[2:0@lane]"_axe) &&
              is_injective("S[1:0]"_axe) && is_injective("S[2:1] + R[4:0]"_axe));
static_assert(!is_injective("S[(2,3):(2,1)]"_axe) && is_injective("S[(2,3):(3,1)]"_axe) &&
              is_injective("S[(3,2):(2,3)]"_axe) && !is_injective("S[(4,3):(2,3)]"_axe));
static_assert(!is_injective("S[2:1] + R[2:1@m] + R[2:1@m]"_axe) &&
              is_injective("S[2:3] + R[2:1] + R[2:1]"_axe) &&
              !is_injective("S[2:2] + R[2:1] + R[2:1]"_axe));
static_assert(!is_injective("S[2:-1] + R[2:1]"_axe) && !is_injective("S[(2,2):(1,-1)]"_axe) &&
              is_injective("S[(2,2):(2,-1)]"_axe));
static_assert(is_injective("swizzle(3,3,3) o S[(8,64):(64,1)]"_axe) &&
              is_injective("S[(65536,65536,2):(65536,1,1@lane)]"_axe));
static_assert(!is_injective("S[(2,2):(7@lane,7@lane)] + 3@lane"_axe) &&
              is_injective("S[(32,2,4):(1@lane,1@reg,1@warp)] + R[2:4@warp]"_axe));
static_assert(try_is_injective(S({9223372036854775807}, {2})).why.which == rule::places_overflow);

// The refusal names the operand whose places overflow: operand 1 is the second layout.
constexpr refusal second_reaches_too_far = of_operand(1, {rule::places_overflow, {}, {axis::m}});
static_assert(try_equivalent("S[4:1]"_axe, S({9223372036854775807}, {2})).why ==
                  second_reaches_too_far &&
              try_difference("S[4:1]"_axe, S({9223372036854775807}, {2})).why ==
                  second_reaches_too_far);

}  // namespace
