// What small plans do, carried out in constant expressions, and the first of each kind of fact:
// what a mistake in the planner breaks (tests/mistakes).
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

/// The plan carried out: does every place of the target hold its element? Elements have up to 32
/// bits.
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

static_assert(converts("S[(8,4,4):(4@lane,1@lane,1@reg)]"_axe,
                       "S[(8,4,4):(4@lane,1@reg,1@lane)]"_axe, 8));
static_assert(converts("S[(3,5):(1@reg,1@lane)]"_axe, "S[(3,5):(5@lane,1@lane)] + R[2:15@lane]"_axe,
                       32));

static_assert(plan_convert("S[(8,4,2):(4@lane,1@lane,1@reg)]"_axe,
                           "S[(4,2,8):(1@lane,1@reg,4@lane)]"_axe, 16)
                      .shuffle_bound == 2,
              "two lanes' worth in one word takes two rounds");
// Routes: what is read is passed on. Three bytes come to lane 1 in two rounds; one round later than
// a count of elements says, where no lane can pair so early.
static_assert(converts("S[4:1@lane]"_axe, "S[4:1@reg] + 1@lane"_axe, 8) &&
              plan_convert("S[4:1@lane]"_axe, "S[4:1@reg] + 1@lane"_axe, 8).shuffles() == 2);
constexpr layout bytes = "S[(2,2,2):(1@reg,1@lane,2@lane)]"_axe,
                 turned = "S[(2,2,2):(1@lane,2@reg,1@reg)]"_axe;
static_assert(converts(bytes, turned, 8) && plan_convert(bytes, turned, 8).shuffles() == 2);
static_assert(plan_convert("S[(3,5):(1@lane,1@reg)]"_axe, "S[(3,5):(1@reg,1@lane)]"_axe, 16)
                      .shuffle_bound == 3,
              "the lanes that hold the elements have no place left to pass any on");
static_assert(plan_convert("S[12:1@lane]"_axe, "S[12:1@reg] + 20@lane"_axe, 8).shuffle_bound == 5,
              "one byte in the first word, two in the second, four in each later one");
static_assert(plan_convert("S[(2,2):(2@lane,1@lane)] + R[2:4@lane]"_axe,
                           "S[(2,2):(1@lane,1@reg)]"_axe, 16)
                      .shuffle_bound == 2,
              "no lane holds both elements that lane 1 lacks");

// Lanes that read together are one reader of a bipartite graph.
static_assert(converts("S[(3,4):(1@lane,1@reg)]"_axe, "S[(3,4):(1@reg,2@lane)] + R[2:1@lane]"_axe,
                       32) &&
              plan_convert("S[(3,4):(1@lane,1@reg)]"_axe,
                           "S[(3,4):(1@reg,2@lane)] + R[2:1@lane]"_axe, 32)
                      .shuffles() == 4);
// Blocks of seven lanes turn; the four that are left over stay.
static_assert(detail::lane_permutation::shift(7, 1, 1).to[27] == 21 &&
              detail::lane_permutation::shift(7, 1, 1).to[28] == 28 &&
              detail::lane_permutation::shift(7, 1, 1).fixed() == 0xf0000000u);
// Turns of three lanes and of two blocks of them are a group of six; the turn of one block, which
// leaves lanes 3, 4, 5 where they are, does not join it.
static_assert([] {
  detail::lane_symmetry all;
  detail::lane_permutation one_block = detail::lane_permutation::shift(3, 1, 1);
  for (int l = 3; l < 32; ++l) one_block.to[l] = static_cast<signed char>(l);
  all.group.push(detail::lane_permutation::shift(1, 1, 0));
  all.lacking_lanes = 0x3f;
  for (detail::lane_permutation const& p : {detail::lane_permutation::shift(3, 1, 1), one_block,
                                            detail::lane_permutation::shift(2, 3, 1)})
    all.combine(p);
  return all.size;
}() == 6);
// Steps are kept in two numbers each, and are what they were.
static_assert([] {
  conversion_step const last{
      conversion_op::selector, 2175, 2174, 2173, 127, 0xffffffffu, 0x7654, 0xfedc};
  step_list all;
  return all.push({}) && all.push(last) && all[1] == last && all[0] == conversion_step{} &&
         all.find(last) == 1 && all.find({conversion_op::shuffle}) == -1 &&
         all.op(1) == conversion_op::selector;
}());
// What the lanes of two layouts know of each other, two elements a word.
struct known_of {
  detail::warp_holding source, wanted;
  detail::holders where{source};
  detail::reach_counts counts{source, wanted, where};
  detail::common_needs needs{wanted, where};

  constexpr known_of(layout const& from, layout const& to) : source(held(from)), wanted(held(to)) {}
  static constexpr detail::warp_holding held(layout const& l) {
    detail::warp_holding h;
    detail::hold(l, 2, h);
    return h;
  }
};
// Lanes 3, 4, 5 each lack elements 0, 1, 2, of lanes that hold one each: in two rounds none of them
// can know two of what lane 6 lacks.
static_assert([] {
  known_of const k("S[6:1@lane]"_axe, "S[(2,3):(3@lane,1@reg)] + R[3:1@lane] + 3@lane"_axe);
  detail::occupied_lanes const two(k.counts, k.needs, 2, 2);
  return k.needs.most_readers == 3 && k.needs.common[3][4] == 3 && k.needs.common[3][6] == 0 &&
         !two.enough;
}());
// Three lanes lack five halves of each of the two others: in five rounds nothing can be under way,
// and two of ten must be.
static_assert([] {
  known_of const k("S[(3,3,5):(1@lane,5@reg,1@reg)]"_axe, "S[(3,3,5):(5@reg,1@lane,1@reg)]"_axe);
  detail::occupied_lanes const five(k.counts, k.needs, 2, 5);
  detail::late_elements const late(five, detail::conversion_part(k.counts, 0));
  return five.enough && late.least() == 6 && late.most_under_way() == 0 &&
         !detail::late_elements_fit(five) && detail::room_to_pass(five, 0) == 0 &&
         detail::room_to_pass(five, 3) == 8;
}());
// Two groups of three lanes have nothing to do with each other.
static_assert([] {
  known_of const k("S[(2,3,3):(3@lane,1@lane,1@reg)]"_axe, "S[(2,3,3):(3@lane,1@reg,1@lane)]"_axe);
  detail::conversion_part const first(k.counts, 0), second(k.counts, 4);
  return first.holders == 7 && first.readers == 7 && second.holders == 56 && second.readers == 56;
}());
// Lane 6 lacks three of the four elements that it can read in two rounds: it has room for one of
// another lane's.
static_assert([] {
  known_of const k("S[6:1@lane]"_axe, "S[(2,3):(3@lane,1@reg)] + R[3:1@lane] + 3@lane"_axe);
  detail::occupied_lanes const two(k.counts, k.needs, 2, 2);
  return detail::room_to_pass(two, 6) == 1 && detail::room_to_pass(two, 0) == 2;
}());
// Lanes 0 and 3 read a lane for which they, too, hold something for others; lanes 1 and 2 hold for
// those whose holders they do not read.
static_assert([] {
  known_of const k("S[(2,2,2):(2@lane,1@lane,1@reg)]"_axe, "S[(2,2,2):(1@lane,1@reg,2@lane)]"_axe);
  detail::occupied_lanes const three(k.counts, k.needs, 2, 3);
  detail::passing_on const p(three);
  return p.is_between(0) && !p.is_between(1) && p.places[p.between][4] == 8 &&
         p.places[p.holding][2] == 8 && p.places[p.detour][2] == 112 && p.time == 72 &&
         p.late == 0 && p.poorest == 0 && p.fit();
}());
// Three lanes lack five halves of each of the two others: five rounds leave no time to pass on
// those three that are late.
static_assert([] {
  known_of const k("S[(3,3,5):(1@lane,5@reg,1@reg)]"_axe, "S[(3,3,5):(5@reg,1@lane,1@reg)]"_axe);
  detail::occupied_lanes const five(k.counts, k.needs, 2, 5);
  detail::passing_on const p(five);
  return p.late == 3 && p.poorest == 1 && p.time == 0 && p.worth(p.between) == 4 &&
         p.worth(p.holding) == 2 && p.worth(p.detour) == 2 && p.most(0, 1) >= 12 && !p.fit();
}());
// What four lanes gather for each other does not come from outside; what they give to two others
// does.
static_assert([] {
  known_of const among("S[4:1@lane]"_axe, "S[4:1@reg] + R[4:1@lane]"_axe),
      away("S[4:1@lane]"_axe, "S[4:1@reg] + R[2:8@lane] + 8@lane"_axe);
  detail::entering_elements const inside(among.source, among.wanted, among.where, among.counts,
                                         among.needs),
      outside(away.source, away.wanted, away.where, away.counts, away.needs);
  return inside.elements == 0 && outside.elements == 4 && outside.most_straight == 1 &&
         outside.most_readers == 2 && outside.readers == 0x10100;
}());
// Of three elements the two rarest are put into a word that has room for two.
static_assert([] {
  detail::gossip::choice c;
  c.offer(10, 5, 2);
  c.offer(11, 9, 2);
  c.offer(12, 7, 2);
  c.offer(13, 6, 2);
  return c.size == 2 && c.element[0] == 12 && c.element[1] == 13;
}());
// At a pressure of 64/64 one element too many doubles the price; what is dear for long stays below
// the highest.
static_assert(detail::negotiation::price(76, 0, 64) == 1100 &&
              detail::negotiation::price(76, 1, 64) == 2200);
static_assert(detail::negotiation::price(500'000, 31, 200) == detail::negotiation::highest_price);
// Of two lanes that could each read two elements, three arrive: the second counts by half, rounded
// up.
static_assert([] {
  detail::leaving_counts::arrivals of;
  of.others[3] = of.others[5] = 2;
  integer gain[32]{};
  gain[3] = 2;
  gain[5] = 1;
  return detail::leaving_counts::best_gain(of, gain, 3);
}() == 3);

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
    "two lanes share what they both hold");
static_assert(plan_convert("S[(2,3):(3@reg,1@reg)] + R[2:1@lane]"_axe,
                           "S[(2,3):(1@reg,1@lane)] + 2@lane"_axe, 32)
                      .shuffles() == 3,
              "twice 3 words of two lanes are 6 words in 3 rounds, not twice 2");
static_assert(
    plan_convert("S[3:1@reg] + R[2:1@lane]"_axe, "S[3:1@lane] + 2@lane"_axe, 64).shuffle_bound == 3,
    "and so are the halves of 3 words");
static_assert(plan_convert("S[(2,32):(1@warp,1@lane)]"_axe, "S[(32,2):(1@lane,1@warp)]"_axe, 32)
                  .shared.load_conflict == 1);
static_assert(plan_convert("S[(4,32):(1@warp,1@lane)]"_axe, "S[(32,4):(1@lane,1@warp)]"_axe, 32)
                      .shared.bytes == 512,
              "a swizzle does it, which takes no memory");

}  // namespace

TEST_CASE("the same at run time") {
  CHECK(converts("S[(2,8,2,2):(1@reg,4@lane,2@lane,1@lane)]"_axe,
                 "S[(2,8,2,2):(2@lane,4@lane,1@lane,1@reg)]"_axe, 32));
  CHECK(
      converts("S[(8,4,4):(4@lane,1@lane,1@reg)]"_axe, "S[(8,4,4):(4@lane,1@reg,1@lane)]"_axe, 8));
  CHECK(converts(bytes, turned, 8));
  CHECK(converts("S[(2,3):(3@reg,1@reg)] + R[2:1@lane]"_axe, "S[(2,3):(1@reg,1@lane)] + 2@lane"_axe,
                 32));
  CHECK(plan_convert("S[12:1@lane]"_axe, "S[12:1@reg] + 20@lane"_axe, 8).shuffles() == 5);
  // As many rounds as words, where 2^rounds is more than 64 bits hold.
  conversion_plan const many =
      plan_convert("S[(3,64):(1@lane,1@reg)]"_axe, "S[(64,3):(1@reg,1@lane)] + 3@lane"_axe, 32);
  CHECK(many.shuffles() == 64);
  CHECK(many.shuffle_bound == 64);
  // Each lane has room for what it sends and reads in 4 rounds, but not for what lanes between must
  // gather.
  conversion_plan const halves =
      plan_convert("S[(8,8):(1@reg,1@lane)]"_axe, "S[(8,8):(1@lane,1@reg)]"_axe, 16);
  CHECK(halves.shuffles() == 5);
  CHECK(halves.shuffle_bound == 5);
  // Lanes that are busy with what they lack themselves gather nothing for others.
  layout const busy = "S[(2,3):(3@lane,1@reg)] + R[3:1@lane] + 3@lane"_axe;
  CHECK(plan_convert("S[6:1@lane]"_axe, busy, 16).shuffle_bound == 3);
  CHECK(plan_convert("S[6:1@lane]"_axe, busy, 16).shuffles() == 3);
  // Without those that are busy two rounds do.
  layout const idle = "S[(2,3):(9@lane,1@reg)] + R[3:1@lane] + 6@lane"_axe;
  CHECK(converts("S[6:1@lane]"_axe, idle, 16));
  CHECK(plan_convert("S[6:1@lane]"_axe, idle, 16).shuffles() == 2);
  // Rounds with room for every element are too few where words straight from their holders are not
  // full.
  layout const by_lane = "S[(3,3,5):(1@lane,5@reg,1@reg)]"_axe,
               by_slot = "S[(3,3,5):(5@reg,1@lane,1@reg)]"_axe;
  CHECK(plan_convert(by_lane, by_slot, 16).shuffle_bound == 6);
  CHECK(plan_convert(by_lane, by_slot, 16).shuffles() == 6);
  // Room for all that is late, but two fifths of it in lanes that hold something for others than
  // those whose holders they read.
  layout const crossed = "S[(2,8,8,2,2):(1@lane,4@lane,2@reg,16@reg,2@lane)]"_axe;
  layout const turned_over =
      "S[(2,4,2,4,2,2,2):(1@lane,4@reg,2@lane,8@lane,4@lane,1@reg,2@reg)]"_axe;
  CHECK(plan_convert(crossed, turned_over, 8).shuffle_bound == 6);
  CHECK(plan_convert(crossed, turned_over, 8).shuffles() == 6);
  // The same with two copies of each element: a lane holds no more for others by that.
  layout const copied = "S[(2,4,4,8,2):(4@lane,1@lane,1@reg,4@reg,8@lane)] + R[2:16@lane]"_axe;
  layout const spread_out = "S[(2,4,4,4,2,2):(1@lane,2@reg,8@lane,2@lane,8@reg,1@reg)]"_axe;
  CHECK(plan_convert(copied, spread_out, 8).shuffle_bound == 6);
  CHECK(plan_convert(copied, spread_out, 8).shuffles() == 6);
  // Sixteen lanes lack two bytes of each of sixteen: room for all that is late, but not the time to
  // pass it on.
  layout const rows = "S[(2,8,8,4):(8@lane,4@reg,1@lane,1@reg)]"_axe;
  layout const rows_of_pairs = "S[(2,8,8,2,2):(32@reg,4@lane,4@reg,2@reg,2@lane)]"_axe;
  CHECK(plan_convert(rows, rows_of_pairs, 8).shuffle_bound == 10);
  CHECK(plan_convert(rows, rows_of_pairs, 8).shuffles() == 10);
  // One word for each pair of lanes: shifts of all lanes at once, whatever they pass on.
  CHECK(converts("S[(7,7):(1@reg,2@lane)]"_axe, "S[(7,7):(1@lane,1@reg)]"_axe, 8));
  CHECK(plan_convert("S[(7,7):(1@reg,2@lane)]"_axe, "S[(7,7):(1@lane,1@reg)]"_axe, 8).shuffles() ==
        3);
  // A word from each of eight lanes, of one byte each: trees that are dear give way until the bound
  // is met.
  layout const spread = "S[(4,8,2,4):(4@lane,1@reg,8@reg,1@lane)]"_axe;
  layout const gathered = "S[(2,2,8,2,2,2):(16@lane,1@reg,1@lane,8@lane,2@reg,4@reg)]"_axe;
  CHECK(converts(spread, gathered, 8));
  CHECK(plan_convert(spread, gathered, 8).shuffles() == 5);
  CHECK(plan_convert(spread, gathered, 8).shuffle_bound == 5);
}
