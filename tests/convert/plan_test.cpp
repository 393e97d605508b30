// Facts about plan_convert, relabel and conversions through shared memory, and refusals.
#include "support/catch.hpp"

#include <axe/construct/literal.hpp>
#include <axe/convert.hpp>

using namespace axe;
using namespace axe::literals;

namespace {

constexpr layout accumulator =
    "S[(2,8,4,4,2):(2@reg,4@lane,4@reg,1@lane,1@reg)]"_axe;  // 16 x 32 elements of 8 bits
constexpr layout operand = "S[(2,8,2,4,4):(4@reg,4@lane,8@reg,1@lane,1@reg)]"_axe;

// The conversion of an 8-bit accumulator to an operand takes 2 shuffles, 2 selects and 2 byte
// permutes for every 64 bits of a lane.
constexpr conversion_plan exchange = plan_convert(accumulator, operand, 8);
static_assert(exchange.kind == conversion_kind::lanes && exchange.source_words == 4 &&
              exchange.target_words == 4);
static_assert(exchange.shuffles() == 4 && exchange.shuffle_bound == 4 && exchange.selects() == 4 &&
              exchange.permutes() == 4 && exchange.selectors() == 2 &&
              exchange.repeats.size() == 2);
static_assert(exchange.maps[0].affine() && exchange.maps[0].butterfly() < 0 &&
              exchange.maps[0](1) == 2);

// No shuffle is needed if the other operand is stored with its rows in another order.
constexpr layout order = relabel(accumulator, operand, {16, 32}, 1);
static_assert(order == "S[(2,2,4,2):(16,2,4,1)]"_axe);
constexpr conversion_plan without_shuffles =
    plan_convert(accumulator, reorder(operand, {16, 32}, 1, order), 8);
static_assert(without_shuffles.kind == conversion_kind::registers &&
              without_shuffles.shuffles() == 0 && without_shuffles.permutes() == 4);

// A lane transposes 4 x 4 bytes by two permutes for each word.
constexpr conversion_plan transposed_bytes =
    plan_convert("S[(4,4,32):(4@reg,1@reg,1@lane)]"_axe, "S[(4,4,32):(1@reg,4@reg,1@lane)]"_axe, 8);
static_assert(transposed_bytes.kind == conversion_kind::registers &&
              transposed_bytes.target_words == 4 && transposed_bytes.permutes() == 8);

/// The kind, shuffles, selects and byte permutes of a plan. `shuffles` is -1 if the plan does not
/// meet its bound.
struct summary {
  conversion_kind kind;
  int shuffles, selects, permutes;

  friend constexpr bool operator==(summary const&, summary const&) = default;
};
constexpr summary summed(layout const& from, layout const& to, int width) {
  conversion_plan const p = plan_convert(from, to, width);
  return {p.kind, p.shuffles() == p.shuffle_bound ? p.shuffles() : -1, p.selects(), p.permutes()};
}

static_assert(plan_convert("S[(3,10):(1@reg,3@lane)]"_axe, "S[(3,10):(10@lane,1@lane)]"_axe, 32)
                      .shuffle_bound == 3,
              "lane 9 holds three elements that other lanes need");

// Elements that change warps go through shared memory.
constexpr conversion_plan between_warps =
    plan_convert("S[(4,32):(1@warp,1@lane)]"_axe, "S[(32,4):(1@lane,1@warp)]"_axe, 32);
static_assert(between_warps.kind == conversion_kind::warps &&
              between_warps.shared.store_bits == 32 && between_warps.shared.store_conflict == 1 &&
              between_warps.shared.load_conflict == 1);

// If more warps hold replicas than the target needs, each warp uses its own replica.
constexpr layout in_four_warps = "S[32:1@lane] + R[4:1@warp]"_axe;
static_assert(plan_convert(in_four_warps, "S[32:1@lane] + 1@warp"_axe, 32).kind ==
              conversion_kind::nothing);
static_assert(plan_convert(in_four_warps, "S[32:1@lane] + R[2:2@warp] + 1@warp"_axe, 32).kind ==
              conversion_kind::nothing);
static_assert(plan_convert(in_four_warps, "S[32:-1@lane] + 31@lane + 2@warp"_axe, 32).kind ==
              conversion_kind::lanes);
static_assert(plan_convert(in_four_warps, "S[32:1@lane] + R[2:1@warp] + 3@warp"_axe, 32).kind ==
                  conversion_kind::warps,
              "warp 4 holds no replica");

/// True if every shuffle has a reader. A round of the route without a reader must be left out.
bool every_shuffle_is_read(layout const& from, layout const& to, int width, step_limit steps) {
  conversion_plan const plan = *try_plan_convert(from, to, width, steps);
  for (conversion_step const s : plan.steps)
    if (s.op == conversion_op::shuffle && (s.map < 0 || s.map >= plan.maps.size())) return false;
  return plan.shuffles() > 0;
}
constexpr rule rule_of(layout const& a, layout const& b, integer width) {
  return try_plan_convert(a, b, width).why.which;
}
static_assert(rule_of(operand, operand, 12) == rule::register_width);
static_assert(try_plan_convert("S[32:1@lane]"_axe, "S[16:1@lane]"_axe, 32).why ==
              refusal{rule::sizes_differ, {32, 16}});
static_assert(try_plan_convert("S[33:1@lane]"_axe, "S[33:1@reg]"_axe, 32).why ==
              refusal{rule::lanes_outside_a_warp, {0, 32}});
static_assert(rule_of("S[32:-1@lane]"_axe, "S[32:1@lane]"_axe, 32) == rule::lanes_outside_a_warp);
static_assert(rule_of("S[32:1@tid]"_axe, "S[32:1@lane]"_axe, 32) == rule::not_on_registers &&
              rule_of("S[32:1@lane]"_axe, "S[32:1]"_axe, 32) == rule::not_on_registers);
static_assert(try_plan_convert("S[4:-1@reg]"_axe, "S[4:1@reg]"_axe, 8).why ==
              refusal{rule::registers_below_zero, {-3}});
static_assert(try_plan_convert("S[256:1@reg]"_axe, "S[256:1@reg]"_axe, 32).why ==
              refusal{rule::too_many_registers, {256, 32, 255}});
static_assert(try_plan_convert("S[(2,4):(1@lane,1@lane)]"_axe, "S[8:1@lane]"_axe, 32).why ==
              refusal{rule::registers_contested, {1, 4}});
static_assert(rule_of("S[(2,2):(1@warp,1@warp)]"_axe, "S[4:1@warp]"_axe, 32) ==
              rule::registers_contested);
static_assert(
    try_plan_convert("S[4:1@lane]"_axe, "S[4:0]"_axe, 32).why ==
            refusal{rule::registers_contested, {0, 1}} &&
        try_plan_convert("S[(2,3):(-1@warp,-1@warp)] + 3@lane + 1@reg"_axe, "S[6:1@reg]"_axe, 32)
                .why == refusal{rule::registers_contested, {4, 2}},
    "elements on no axis share a register, and so do elements whose common warp is below 0");

}  // namespace

TEST_CASE("a plan prints its counts and its steps") {
  CHECK(to_text(exchange) ==
        "lanes: 4 registers of 8-bit elements; 4 shuffles (no plan has fewer), 4 selects, 4 byte "
        "permutes, 2 selectors\n"
        "2 times, source and target words shifted by 0,0 2,2\n"
        "v0 = select(lane & 1 ? s1 : s0)\n"
        "v1 = shuffle(v0 from lane 0 2 1 3 4 6 5 7 8 10 9 11 12 14 13 15 16 18 17 19 20 22 21 23 "
        "24 26 25 27 "
        "28 30 29 31)\n"
        "v2 = select(lane & 1 ? s0 : s1)\n"
        "v3 = shuffle(v2 from lane 1 3 0 2 5 7 4 6 9 11 8 10 13 15 12 14 17 19 16 18 21 23 20 22 "
        "25 27 24 26 "
        "29 31 28 30)\n"
        "v4 = selector(lane & 2 ? 0x1054 : 0x5410)\n"
        "v5 = permute(v1, v3, v4)\n"
        "v6 = selector(lane & 2 ? 0x3276 : 0x7632)\n"
        "v7 = permute(v1, v3, v6)\n"
        "t0 = v5\n"
        "t1 = v7");
  CHECK(to_text(between_warps) ==
        "warps: 1 register of 32-bit elements; 512 bytes of shared memory as "
        "swizzle(M=0,B=2,S=5) o S[128:1]: stores of 32 bits (conflict 1), loads of 32 bits "
        "(conflict 1)");
}

TEST_CASE("swizzles, padded rows or narrower vectors avoid conflicts in shared memory") {
  struct {
    char const *from, *to;
    int width, store, load;
    char const* place;
  } const facts[] = {
      {"S[(4,32,4):(1@warp,1@lane,1@reg)]", "S[(32,4,4):(1@lane,1@warp,1@reg)]", 32, 128, 128,
       "swizzle(M=2,B=2,S=3) o S[512:1]"},
      {"S[(32,4,8):(1@lane,1@warp,1@reg)]", "S[(8,4,32):(1@reg,1@warp,1@lane)]", 32, 32, 32,
       "swizzle(M=0,B=5,S=5) o S[(32,4,8):(8,256,1)]"},
      {"S[(3,32,5):(1@warp,1@lane,1@reg)]", "S[(5,32,3):(1@reg,1@lane,1@warp)]", 32, 32, 32,
       "S[480:1]"},
      {"S[(3,32,4):(1@warp,1@lane,1@reg)]", "S[(4,3,32):(1@reg,1@warp,1@lane)]", 32, 32, 32,
       nullptr},
  };
  for (auto const& f : facts) {
    conversion_plan const p = plan_convert(parse(f.from), parse(f.to), f.width);
    CAPTURE(f.from, f.to, to_text(p).c_str());
    CHECK(p.kind == conversion_kind::warps);
    CHECK(p.shared.store_conflict == 1);
    CHECK(p.shared.load_conflict == 1);
    CHECK((p.shared.store_bits >= f.store && p.shared.load_bits >= f.load));
    if (f.place != nullptr) CHECK(p.shared.place == parse(f.place));
  }
}

TEST_CASE("a plan is executed at compile time") {
  constexpr detail::register_word first = [] {
    detail::register_word source[32 * 4]{}, target[32 * 4]{};
    for (int l = 0; l < 32; ++l)
      for (int w = 0; w < 4; ++w)
        source[l * 4 + w] = static_cast<detail::register_word>(l << 8 | w);
    interpret(without_shuffles, source, target);
    return target[5 * 4 + 1];
  }();
  CHECK(first == 0);  // made of the upper halves of words 0 and 1 of lane 5
}

TEST_CASE("a plan is the same at compile time and at run time") {
  layout const a = accumulator, b = operand;
  CHECK((plan_convert(a, b, 8) == exchange));
  CHECK((plan_convert(a, reorder(b, {16, 32}, 1, relabel(a, b, {16, 32}, 1)), 8) ==
         without_shuffles));
}

TEST_CASE("plans have these shuffles, selects and byte permutes, and meet their bounds") {
  CHECK(summed(operand, operand, 8) == summary{conversion_kind::nothing, 0, 0, 0});
  // The source has 2 words and the target 4.
  CHECK(summed("S[(2,32):(1@reg,1@lane)]"_axe, "S[(2,32):(3@reg,1@lane)]"_axe, 32) ==
        summary{conversion_kind::registers, 0, 0, 0});
  CHECK(summed("S[(4,32):(1@reg,1@lane)]"_axe, "S[(4,32):(-1@reg,1@lane)] + 3@reg"_axe, 8) ==
        summary{conversion_kind::registers, 0, 0, 1});
  // The transpose that movmatrix computes.
  CHECK(summed("S[(8,4,2):(4@lane,1@lane,1@reg)]"_axe, "S[(4,2,8):(1@lane,1@reg,4@lane)]"_axe,
               16) == summary{conversion_kind::lanes, 2, 0, 1});
  // A transpose of 4x4 bytes takes two rounds, not three.
  CHECK(summed("S[(8,4,4):(4@lane,1@lane,1@reg)]"_axe, "S[(8,4,4):(4@lane,1@reg,1@lane)]"_axe, 8) ==
        summary{conversion_kind::lanes, 2, 0, 2});
  // Lanes use the replicas that they hold, without shuffles.
  CHECK(summed("S[(4,8):(1@reg,4@lane)] + R[4:1@lane]"_axe, "S[(4,8):(1@lane,4@lane)]"_axe, 32) ==
        summary{conversion_kind::registers, 0, 3, 0});
  CHECK(plan_convert("S[(4,32):(1@reg,1@lane)]"_axe, "S[(4,32):(1@reg,1@lane)]"_axe, 64)
            .source_words == 8);
  // If source and target are equal, the order of the columns stays.
  CHECK(relabel(accumulator, accumulator, {16, 32}, 1) == "S[32:1]"_axe);
  CHECK(try_relabel("S[(8,4):(4@lane,1@lane)]"_axe, "S[(8,4):(1@lane,8@lane)]"_axe, {8, 4}, 1)
            .why.which == rule::no_relabelling);
}

TEST_CASE(
    "a conversion of 24 words repeats its steps 12 times and has as few shuffles as its bound") {
  // 24 groups of 8 columns per warp: the extent 3 is repeated, the others are powers of two.
  conversion_plan const wide =
      plan_convert("S[(4,2,8,24,4,2):(1@warp,2@reg,4@lane,4@reg,1@lane,1@reg)]"_axe,
                   "S[(4,2,8,6,2,4,4):(1@warp,4@reg,4@lane,16@reg,8@reg,1@lane,1@reg)]"_axe, 8);
  CHECK((wide.source_words == 24 && wide.repeats.size() == 12 && wide.shuffles() == 24 &&
         wide.shuffle_bound == 24));
}

TEST_CASE("exchanges of 32 lanes have as few shuffles as their bounds") {
  CHECK(summed("S[(8,32):(1@reg,1@lane)]"_axe, "S[(8,4,8):(1@lane,8@lane,1@reg)]"_axe, 32) ==
        summary{conversion_kind::lanes, 7, 48, 0});
  CHECK(summed("S[32:1@lane]"_axe, "S[32:1@reg] + R[32:1@lane]"_axe, 32).shuffles == 31);
  CHECK(summed("S[(32,32):(1@lane,1@reg)]"_axe, "S[(32,32):(1@reg,1@lane)]"_axe, 32) ==
        summary{conversion_kind::lanes, 31, 320, 0});
  CHECK(plan_convert("S[(32,32):(1@lane,1@reg)]"_axe, "S[(32,32):(1@reg,1@lane)]"_axe, 8)
            .shuffles() == 13);
}

TEST_CASE("a refusal names the elements and the register") {
  layout const a = "S[(2,4):(1@lane,1@lane)]"_axe, b = "S[8:1@lane]"_axe;
  CHECK(sentence(try_plan_convert(a, b, 32).why, {&a, &b}) ==
        "the elements 1 and 4 share a register");
}

TEST_CASE("every shuffle is read by some lane") {
  for (integer steps = 60; steps < 340; steps += 20)
    CHECK(every_shuffle_is_read("S[(5,2):(1@lane,5@lane)]"_axe,
                                "S[(5,2):(2@reg,1@reg)] + R[2:1@lane]"_axe, 16, step_limit(steps)));
}
