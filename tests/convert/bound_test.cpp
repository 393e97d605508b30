// Compares the shuffles of plans and their lower bound with a search on small exchanges. The search
// (few_rounds.hpp) tries every word that a lane may send and every lane that it may read, and lets
// lanes pass elements on.
#include "convert/few_rounds.hpp"
#include "convert/registers.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <numeric>

#include <axe/construct/literal.hpp>
#include <axe/convert/plan_convert.hpp>

namespace {

using registers::digit;
using registers::side;

/// Repeats the exchange of four lanes in each of the eight groups of four lanes of a warp.
side in_all_groups(side s) {
  s.replicas.push_back({8, 4, true});
  return s;
}

struct counts {
  int cases = 0, met = 0;
};

/// Plans one conversion and compares it with the search. With `exact` the plan must have as few
/// shuffles as the search finds, otherwise only its bound is checked.
void check(side const& from, side const& to, int width, int lanes, bool exact, counts& total,
           bool in_groups = true) {
  int const least = few_rounds::least(few_rounds::problem_of(from, to, width, lanes));
  for (bool groups : {false, true}) {
    if (groups && (lanes != 4 || !in_groups)) continue;
    std::string const a = registers::text(groups ? in_all_groups(from) : from);
    std::string const b = registers::text(groups ? in_all_groups(to) : to);
    axe::outcome<axe::conversion_plan> const plan =
        axe::try_plan_convert(axe::parse(a.c_str()), axe::parse(b.c_str()), width);
    CAPTURE(a, b, width, least);
    REQUIRE(plan);
    CAPTURE(plan->shuffles(), plan->shuffle_bound);
    ++total.cases;
    total.met += plan->shuffles() == (least > 2 ? plan->shuffle_bound : least);
    CHECK((least > 2 || plan->shuffle_bound <= least));
    CHECK(plan->shuffles() >= least);
    if (exact && least <= 2) CHECK(plan->shuffles() == least);
  }
}

/// Layouts of 2^bits elements with 2^replica_bits replicas of each. Two of the bits are bits of the
/// lane and the others bits of the slot, in every order.
std::vector<side> all_orders(int bits, int replica_bits) {
  std::vector<side> all;
  std::vector<int> place(static_cast<std::size_t>(bits + replica_bits));
  std::iota(place.begin(), place.end(), 0);
  do {
    side s;
    for (std::size_t k = 0; k < place.size(); ++k) {
      bool const lane = place[k] < 2;
      digit const d{2, 1 << (lane ? place[k] : place[k] - 2), lane};
      (k < static_cast<std::size_t>(bits) ? s.digits : s.replicas).push_back(d);
    }
    all.push_back(s);
  } while (std::next_permutation(place.begin(), place.end()));
  return all;
}

}  // namespace

TEST_CASE("plans of four lanes with two words each have as few shuffles as the search finds") {
  counts total;
  side const from = all_orders(3, 0)[0];
  for (int width : {32, 16})
    for (side const& to : all_orders(3, 0)) check(from, to, width, 4, true, total);
  CHECK(total.cases == 24);
}

TEST_CASE("plans of four lanes with four bytes each have as few shuffles as the search finds") {
  counts total;
  side const from = all_orders(4, 0)[0];
  for (side const& to : all_orders(4, 0)) check(from, to, 8, 4, true, total);
  CHECK(total.cases == 48);
}

TEST_CASE("plans with replicas have as few shuffles as the search finds") {
  counts total;
  for (side const& from : all_orders(2, 1))
    for (side const& to : all_orders(2, 1)) check(from, to, 32, 4, true, total);
  for (side const& from : all_orders(3, 0))
    for (side to : all_orders(2, 1)) {
      to.digits.push_back({2, 4, false});
      check(from, to, 32, 4, true, total);
    }
  CHECK(total.met == total.cases);
}

TEST_CASE("plans of elements of 16 and 8 bits have as few shuffles as the search finds") {
  counts total;
  for (int width : {16, 8}) {
    for (side const& from : all_orders(2, 1))
      for (side const& to : all_orders(2, 1)) check(from, to, width, 4, true, total);
    for (side const& from : all_orders(3, 0))
      for (side const& to : all_orders(3, 0)) check(from, to, width, 4, true, total);
  }
  CHECK(total.met == total.cases);
}

TEST_CASE("gathering all elements in one lane takes logarithmically many shuffles") {
  counts total;
  for (int width : {16, 8})
    for (int lane = 0; lane < 4; ++lane) {
      side const spread{{{4, 1, true}}, {}}, gathered{{{4, 1, false}}, {}, lane, 0},
          pairs{{{2, 2, true}, {2, 1, false}}, {}},
          crossed{{{2, 1, false}, {2, 2, false}}, {}, lane, 0};
      check(spread, gathered, width, 4, true, total);
      check(spread, crossed, width, 4, true, total);
      check(pairs, gathered, width, 4, true, total);
      // The exchange is not repeated in all groups: the source's replicas in other groups would
      // send a part of the elements.
      check(gathered, spread, width, 4, true, total, false);
    }
  CHECK(total.met == total.cases);
}

TEST_CASE("plans of three lanes and extents of three have as few shuffles as the search finds") {
  counts total;
  side const by_lane{{{3, 1, true}, {3, 1, false}}, {}};
  side const by_slot{{{3, 1, false}, {3, 1, true}}, {}};
  side const back{{{3, -1, true}, {3, 1, false}}, {}, 2, 0};
  side const one{{{3, 1, true}}, {}}, all{{{3, 1, false}}, {{3, 1, true}}},
      two{{{3, 1, false}}, {{2, 1, true}}};
  for (auto const& [from, to] :
       {std::pair{by_lane, by_slot}, {by_slot, by_lane}, {by_lane, back}, {back, by_slot}})
    for (int width : {32, 16}) check(from, to, width, 3, true, total);
  for (auto const& [from, to] :
       {std::pair{one, all}, {all, one}, {one, two}, {two, one}, {two, all}})
    for (int width : {32, 16, 8}) check(from, to, width, 3, true, total);
  CHECK(total.cases == 23);
}

TEST_CASE("plans in which lanes pass elements on have these numbers of shuffles", "[slow]") {
  struct {
    char const *from, *to;
    int width, shuffles;
  } const facts[] = {
      {"S[(8,8):(1@reg,1@lane)]", "S[(8,8):(1@lane,1@reg)]", 16, 5},
      {"S[6:1@lane]", "S[(2,3):(3@lane,1@reg)] + R[3:1@lane] + 3@lane", 16, 3},
      {"S[(3,3,5):(1@lane,5@reg,1@reg)]", "S[(3,3,5):(5@reg,1@lane,1@reg)]", 16, 6},
      {"S[(2,8,8,2,2):(1@lane,4@lane,2@reg,16@reg,2@lane)]",
       "S[(2,4,2,4,2,2,2):(1@lane,4@reg,2@lane,8@lane,4@lane,1@reg,2@reg)]", 8, 6},
      {"S[(2,4,4,8,2):(4@lane,1@lane,1@reg,4@reg,8@lane)] + R[2:16@lane]",
       "S[(2,4,4,4,2,2):(1@lane,2@reg,8@lane,2@lane,8@reg,1@reg)]", 8, 6},
      {"S[(2,8,8,4):(8@lane,4@reg,1@lane,1@reg)]",
       "S[(2,8,8,2,2):(32@reg,4@lane,4@reg,2@reg,2@lane)]", 8, 10},
      {"S[(4,8,2,4):(4@lane,1@reg,8@reg,1@lane)]",
       "S[(2,2,8,2,2,2):(16@lane,1@reg,1@lane,8@lane,2@reg,4@reg)]", 8, 5},
      {"S[(10,3,5,2):(1@lane,1@reg,3@reg,10@lane)]", "S[(10,3,5,2):(1@lane,10@lane,2@reg,1@reg)]",
       16, 6},
      {"S[(6,10):(1@lane,1@reg)]", "S[(6,5,2):(1@reg,1@lane,5@lane)] + 7@lane", 16, 6},
      {"S[(2,2,10,5,2):(1@lane,5@reg,3@lane,1@reg,10@reg)]",
       "S[(2,2,5,2,5,2):(1@reg,5@lane,1@lane,10@reg,2@reg,10@lane)]", 16, 11},
      {"S[(8,2,8,4):(4@lane,1@reg,2@reg,1@lane)]",
       "S[(8,2,8,4):(1@reg,1@lane,2@lane,8@reg)] + R[2:16@lane]", 8, 10},
      {"S[(4,8,2,4):(8@lane,1@lane,1@reg,2@reg)]",
       "S[(4,8,2,2,2):(9@reg,1@reg,8@lane,1@lane,16@lane)] + R[4:2@lane] + 15@reg", 16, 17},
      {"S[(4,2):(2@lane,1@lane)] + R[4:8@lane]",
       "S[(4,2):(1@reg,4@reg)] + R[4:9@reg] + R[32:1@lane]", 8, 3},
      {"S[(2,5,5,2,5):(1@reg,5@lane,1@lane,10@reg,2@reg)]",
       "S[(2,5,5,2,5):(30@reg,6@reg,1@reg,10@lane,2@lane)]", 8, 14},  // a plan with 13 exists
  };
  for (auto const& f : facts) {
    axe::conversion_plan const p = axe::plan_convert(axe::parse(f.from), axe::parse(f.to), f.width);
    CAPTURE(f.from, f.to, f.width);
    CHECK(p.shuffles() == f.shuffles);
    CHECK(p.shuffle_bound <= f.shuffles);
  }
}

TEST_CASE("a conversion of 504 elements between unlike layouts has a short plan") {
  axe::layout const from = axe::parse("S[(8,7,9):(1@reg,1@lane,8@reg)]"),
                    to = axe::parse("S[(9,7,8):(8@reg,1@lane,1@reg)]");
  CHECK(axe::plan_convert(from, to, 8).shuffles() <= 18);
}
