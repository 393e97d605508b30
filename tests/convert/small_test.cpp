// Compares all conversions between small layouts with a search through all plans. The layouts have
// digits in every order on lanes and slots, replicas and offsets; elements have 8 to 32 bits.
//
// The search uses one lane more than the layouts, and lanes may pass elements on. The plan must
// have as few shuffles as the search finds.
#include "convert/few_rounds.hpp"
#include "convert/small_layouts.hpp"
#include "support/catch.hpp"

#include <axe/construct/literal.hpp>
#include <axe/convert/plan_convert.hpp>

namespace {

using registers::side;

struct counts {
  int cases = 0, least = 0, proved = 0;
};

counts check_all(int n, int lanes, std::vector<int> const& widths) {
  counts total;
  std::vector<side> const all = small_layouts::on(n, lanes);
  for (int width : widths)
    for (side const& from : all)
      for (side const& to : all) {
        int const least = few_rounds::least(few_rounds::problem_of(from, to, width, lanes + 1));
        axe::layout const a = axe::parse(registers::text(from).c_str()),
                          b = axe::parse(registers::text(to).c_str());
        axe::outcome<axe::conversion_plan> const plan = axe::try_plan_convert(a, b, width);
        ++total.cases;
        // The search tries at most two rounds. A plan with more must meet its lower bound.
        bool const fine =
            plan && plan->shuffles() >= least && (least > 2 || plan->shuffle_bound <= least);
        total.least += plan && (plan->shuffles() == least ||
                                (least > 2 && plan->shuffles() == plan->shuffle_bound));
        total.proved += plan && plan->shuffles() == plan->shuffle_bound;
        if (fine && (plan->shuffles() == least || least > 2)) continue;
        CAPTURE(registers::text(from), registers::text(to), width, least, plan->shuffles(),
                plan->shuffle_bound);
        CHECK(fine);
        CHECK(plan->shuffles() == least);
      }
  return total;
}

}  // namespace

TEST_CASE("plans between layouts of 2 and 3 elements on up to 4 lanes have the fewest shuffles") {
  counts const two = check_all(2, 4, {8, 16, 32}), three = check_all(3, 4, {8, 16, 32});
  CHECK(two.cases + three.cases == 492);
  CHECK(two.least == two.cases);
  CHECK(three.least == three.cases);
  CHECK(two.proved == two.cases);
  CHECK(three.proved == three.cases);
}

TEST_CASE(
    "plans between layouts of 4, 6 and 9 elements, and of 8 on up to 3 lanes, have the fewest "
    "shuffles") {
  counts const four = check_all(4, 4, {8, 16}), six = check_all(6, 4, {8, 16}),
               nine = check_all(9, 4, {8, 16}), eight = check_all(8, 3, {8, 16});
  CHECK(four.cases == 4050);
  CHECK(six.cases == 1568);
  CHECK(nine.cases == 128);
  CHECK(eight.cases == 3872);
  for (counts const& all : {four, six, nine, eight}) {
    CHECK(all.least == all.cases);
    CHECK(all.proved == all.cases);
  }
}
