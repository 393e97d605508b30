// Executes small plans in constant expressions. Most facts detect one of the mistakes of
// tests/mistakes.
#include "support/catch.hpp"

#include <axe/construct/literal.hpp>
#include <axe/convert/interpret.hpp>
#include <axe/convert/plan_convert.hpp>
#include <axe/convert/relabel.hpp>
#include <axe/map/measures.hpp>
#include <axe/map/places.hpp>

using namespace axe;
using namespace axe::literals;

namespace {

/// Executes the plan. True if every place of the target holds its element, of up to 32 bits.
constexpr bool converts(layout const& from, layout const& to, int width) {
  conversion_plan const p = plan_convert(from, to, width);
  detail::register_word source[32 * 8]{}, target[32 * 8]{};
  detail::register_word const mask = width == 32 ? ~0u : (1u << width) - 1;
  for (integer x = 0; x < size(from); ++x)
    for (place const& at : places(from, x))
      source[at[axis::lane] * p.source_words + at[axis::reg] * width / 32] |=
          (static_cast<detail::register_word>(7 * x + 3) & mask) << (at[axis::reg] * width % 32);
  interpret(p, source, target);
  for (integer x = 0; x < size(to); ++x)
    for (place const& at : places(to, x))
      if ((target[at[axis::lane] * p.target_words + at[axis::reg] * width / 32] >>
               (at[axis::reg] * width % 32) &
           mask) != (static_cast<detail::register_word>(7 * x + 3) & mask))
        return false;
  return true;
}
static_assert(converts("S[(2,8,2,2):(1@reg,4@lane,2@lane,1@lane)]"_axe,
                       "S[(2,8,2,2):(2@lane,4@lane,1@lane,1@reg)]"_axe, 32));

// Odd lanes have no elements, so that no lane may read them.
static_assert(converts("S[(4,2,2):(2@lane,2@reg,1@reg)] + R[2:8@lane] + R[2:16@lane]"_axe,
                       "S[(2,4,2):(8@lane,2@lane,1@reg)] + R[2:16@lane]"_axe, 32));
static_assert(converts("S[(8,4,4):(4@lane,1@lane,1@reg)]"_axe,
                       "S[(8,4,4):(4@lane,1@reg,1@lane)]"_axe, 8));
static_assert(converts("S[(3,5):(1@reg,1@lane)]"_axe, "S[(3,5):(5@lane,1@lane)] + R[2:15@lane]"_axe,
                       32));

static_assert(plan_convert("S[(8,4,2):(4@lane,1@lane,1@reg)]"_axe,
                           "S[(4,2,8):(1@lane,1@reg,4@lane)]"_axe, 16)
                      .shuffle_bound == 2,
              "a word with elements of two lanes takes two rounds");
// Lanes pass on bytes that they have read, so three bytes reach lane 1 in two rounds.
static_assert(converts("S[4:1@lane]"_axe, "S[4:1@reg] + 1@lane"_axe, 8) &&
              plan_convert("S[4:1@lane]"_axe, "S[4:1@reg] + 1@lane"_axe, 8).shuffles() == 2);
constexpr layout bytes = "S[(2,2,2):(1@reg,1@lane,2@lane)]"_axe,
                 transposed_lanes = "S[(2,2,2):(1@lane,2@reg,1@reg)]"_axe;
static_assert(converts(bytes, transposed_lanes, 8) &&
              plan_convert(bytes, transposed_lanes, 8).shuffles() == 2);
static_assert(plan_convert("S[12:1@lane]"_axe, "S[12:1@reg] + 20@lane"_axe, 8).shuffle_bound == 5,
              "lane 20 reads one byte in round 1, two in round 2, and four in each later round");
static_assert(plan_convert("S[(2,2):(2@lane,1@lane)] + R[2:4@lane]"_axe,
                           "S[(2,2):(1@lane,1@reg)]"_axe, 16)
                      .shuffle_bound == 2,
              "no lane holds both elements that lane 1 lacks");

// Lanes that read the same word together count as one reader in the planner's bipartite graph.
static_assert(converts("S[(3,4):(1@lane,1@reg)]"_axe, "S[(3,4):(1@reg,2@lane)] + R[2:1@lane]"_axe,
                       32) &&
              plan_convert("S[(3,4):(1@lane,1@reg)]"_axe,
                           "S[(3,4):(1@reg,2@lane)] + R[2:1@lane]"_axe, 32)
                      .shuffles() == 4);
// A step is packed into two numbers and read back unchanged.
static_assert([] {
  conversion_step const last{
      conversion_op::selector, 2175, 2174, 2173, 127, 0xffffffffu, 0x7654, 0xfedc};
  step_list all;
  return all.push({}) && all.push(packed_step(last)) && all[1] == last &&
         all[0] == conversion_step{} && all[1].op() == conversion_op::selector;
}());
// The router gives a price to each word and each reading (convert/engine/congestion.hpp). At a
// pressure of 64/64, n uses above the limit multiply the price by n + 1, up to the highest price.
static_assert(detail::congestion::price(76, 0, 64) == 1100 &&
              detail::congestion::price(76, 1, 64) == 2200);
static_assert(detail::congestion::price(76, 5, 64) == 6600);
static_assert(detail::congestion::price(500'000, 31, 200) == detail::congestion::highest_price);

// A 4x4 transpose has four symmetries. Each shifts the lanes by 0 to 3, and the elements by one of
// 16 distances that belongs to this shift.
static_assert([] {
  detail::warp_exchange const halves(detail::register_access("S[(4,4):(1@lane,1@reg)]"_axe, false),
                                     detail::register_access("S[(4,4):(1@reg,1@lane)]"_axe, false),
                                     2);
  detail::exchange_symmetry const all = detail::symmetry_of(halves, 0);
  return all.size() == 4 && all[1].lane == 1 && all[1].element == 5;
}());

static_assert(try_plan_convert("S[33:1@lane]"_axe, "S[33:1@lane]"_axe, 32).why.which ==
              rule::lanes_outside_a_warp);
static_assert(try_plan_convert("S[(2,4):(1@lane,1@lane)]"_axe, "S[8:1@lane]"_axe, 32).why.which ==
              rule::registers_contested);
constexpr layout columns = "S[(4,4,2):(4@lane,1@reg,1@lane)]"_axe;
constexpr layout wanted = "S[(4,2,4):(4@lane,1@lane,-2@reg)] + 6@reg"_axe;
static_assert(try_relabel(columns, wanted, {4, 8}, 1));
constexpr layout order = relabel(columns, wanted, {4, 8}, 1);
static_assert(order == "S[(4,2):(1,4)]"_axe &&
              reorder(wanted, {4, 8}, 1, order) == "S[(4,4,2):(4@lane,-2@reg,1@lane)] + 6@reg"_axe);
static_assert(
    plan_convert("S[8:1@reg] + R[2:1@lane]"_axe, "S[8:1@lane] + 2@lane"_axe, 32).shuffle_bound == 4,
    "two lanes that hold the same elements share the sends");
static_assert(plan_convert("S[(2,3):(3@reg,1@reg)] + R[2:1@lane]"_axe,
                           "S[(2,3):(1@reg,1@lane)] + 2@lane"_axe, 32)
                      .shuffles() == 3,
              "two runs of 3 words from two lanes take 3 rounds together, not 2 each");
static_assert(
    plan_convert("S[3:1@reg] + R[2:1@lane]"_axe, "S[3:1@lane] + 2@lane"_axe, 64).shuffle_bound == 3,
    "3 elements are 6 words, and two lanes send them in 3 rounds");
static_assert(plan_convert("S[(2,32):(1@warp,1@lane)]"_axe, "S[(32,2):(1@lane,1@warp)]"_axe, 32)
                  .shared.load_conflict == 1);
static_assert(plan_convert("S[(4,32):(1@warp,1@lane)]"_axe, "S[(32,4):(1@lane,1@warp)]"_axe, 32)
                      .shared.bytes == 512,
              "the layout without conflicts is swizzled, which takes no memory");

}  // namespace

TEST_CASE("small plans convert correctly at run time") {
  CHECK(converts("S[(2,8,2,2):(1@reg,4@lane,2@lane,1@lane)]"_axe,
                 "S[(2,8,2,2):(2@lane,4@lane,1@lane,1@reg)]"_axe, 32));
  CHECK(
      converts("S[(8,4,4):(4@lane,1@lane,1@reg)]"_axe, "S[(8,4,4):(4@lane,1@reg,1@lane)]"_axe, 8));
  CHECK(converts(bytes, transposed_lanes, 8));
  CHECK(converts("S[(2,3):(3@reg,1@reg)] + R[2:1@lane]"_axe, "S[(2,3):(1@reg,1@lane)] + 2@lane"_axe,
                 32));
  CHECK(plan_convert("S[12:1@lane]"_axe, "S[12:1@reg] + 20@lane"_axe, 8).shuffles() == 5);
  // 64 words need 64 rounds. 2^64 does not fit in 64 bits, so the bound must not be computed from
  // it.
  conversion_plan const many =
      plan_convert("S[(3,64):(1@lane,1@reg)]"_axe, "S[(64,3):(1@reg,1@lane)] + 3@lane"_axe, 32);
  CHECK(many.shuffles() == 64);
  CHECK(many.shuffle_bound == 64);
  // Two rounds are enough here, because the lanes that send lack nothing themselves.
  layout const idle = "S[(2,3):(9@lane,1@reg)] + R[3:1@lane] + 6@lane"_axe;
  CHECK(converts("S[6:1@lane]"_axe, idle, 16));
  CHECK(plan_convert("S[6:1@lane]"_axe, idle, 16).shuffles() == 2);
  // Each pair of lanes has one word to exchange. Three shuffles are enough if lanes pass elements
  // on.
  CHECK(converts("S[(7,7):(1@reg,2@lane)]"_axe, "S[(7,7):(1@lane,1@reg)]"_axe, 8));
  CHECK(plan_convert("S[(7,7):(1@reg,2@lane)]"_axe, "S[(7,7):(1@lane,1@reg)]"_axe, 8).shuffles() ==
        3);
  CHECK(converts("S[(4,8,2,4):(4@lane,1@reg,8@reg,1@lane)]"_axe,
                 "S[(2,2,8,2,2,2):(16@lane,1@reg,1@lane,8@lane,2@reg,4@reg)]"_axe, 8));
}
