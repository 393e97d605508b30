// Conversions in which several elements share a register: facts, and random pairs of layouts with
// strides of 0, compared with sets of places.
#include "convert/random_pairs.hpp"
#include "convert/registers.hpp"
#include "support/catch.hpp"

#include <axe/construct/literal.hpp>
#include <axe/convert/interpret.hpp>
#include <axe/convert/plan_convert.hpp>

#include <map>
#include <vector>

using namespace axe;
using namespace axe::literals;

namespace {

constexpr layout shared = "S[(4,2):(1@lane,0@reg)]"_axe;
static_assert(plan_convert(shared, shared, 16).kind == conversion_kind::nothing);
static_assert(plan_convert(shared, "S[(4,2):(1@lane,1@reg)]"_axe, 32).kind ==
                  conversion_kind::registers,
              "each lane copies its element to two registers");
static_assert(plan_convert(shared, "S[(4,2):(1@reg,1@lane)]"_axe, 32).shuffles() == 3,
              "each of two lanes lacks three of four elements");
static_assert(try_plan_convert("S[(4,2):(1@lane,1@reg)]"_axe, shared, 32).why ==
                  refusal{rule::registers_contested, {0, 1}},
              "elements of two registers may have different values");
static_assert(try_plan_convert("S[(2,2,2):(1@lane,0@reg,1@reg)]"_axe,
                               "S[(2,2,2):(0@lane,0@reg,1@reg)] + 3@lane"_axe, 32)
                      .why == refusal{rule::registers_contested, {0, 4}},
              "elements 0 and 2 share a register of the source, but 0 and 4 do not");
static_assert(try_plan_convert("S[(2,2):(1@lane,0@reg)]"_axe, "S[(2,2):(1@reg,-1@reg)] + 1@reg"_axe,
                               32)
                      .why == refusal{rule::registers_contested, {0, 3}},
              "element 3 meets element 0, although element 2 is kept for both");
static_assert(try_plan_convert("S[(3,2):(1@lane,0@reg)]"_axe, "S[(2,3):(1@reg,1@lane)]"_axe, 32)
                      .why == refusal{rule::registers_contested, {0, 1}},
              "a target whose digits cannot be cut is rejected");
static_assert(try_plan_convert("S[(2,2):(1@warp,0@reg)]"_axe, "S[(2,2):(1@lane,0@reg)]"_axe, 32)
                      .why == refusal{rule::registers_contested, {0, 1}},
              "between warps the conversion is rejected");
static_assert(try_plan_convert("S[(2,2,2):(1@gpuid,0@reg,1@reg)]"_axe,
                               "S[(2,2,2):(1@gpuid,1@gpuid,1@reg)]"_axe, 32)
                      .why == refusal{rule::conversion_leaves_the_cta, {2, 1}, {axis::gpuid}},
              "the element's number counts the elements that share registers");

using elements_by_place = std::map<registers::spot, std::vector<int>>;

elements_by_place by_place(registers::side const& s) {
  elements_by_place all;
  for (int x = 0; x < s.size(); ++x)
    for (registers::spot const& at : places(s, x)) all[at].push_back(x);
  return all;
}

struct random_conversion {
  registers::pair p;
  std::vector<int> first;  // the first element with the places of element x in the source

  explicit random_conversion(registers::random_pairs& random) : p(random.next()) {
    for (registers::side* s : {&p.from, &p.to})
      for (registers::digit& d : s->digits)
        if (random.below(3) == 0) d.stride = 0;
    std::map<std::set<registers::spot>, int> seen;
    for (int x = 0; x < p.from.size(); ++x)
      first.push_back(seen.emplace(places(p.from, x), x).first->second);
  }
  bool are_equal(int x, int y) const {
    return first[static_cast<std::size_t>(x)] == first[static_cast<std::size_t>(y)];
  }
  bool is_legal() const {
    for (auto const& [at, all] : by_place(p.to))
      for (int x : all)
        if (!are_equal(x, all[0])) return false;
    return true;
  }
  /// True if the refusal names two unequal elements that share a register of `to`.
  bool names_a_reason(refusal const& why) const {
    int const x = static_cast<int>(why.numbers[0]), y = static_cast<int>(why.numbers[1]);
    bool meet = false;
    for (registers::spot const& at : places(p.to, x)) meet = meet || places(p.to, y).count(at) == 1;
    return why.which == rule::registers_contested && !are_equal(x, y) && meet;
  }
  bool converts(conversion_plan const& plan) const {
    for (int pass = 0; pass < (p.width < 32 ? 2 : 1); ++pass) {
      registers::file source(plan.source_words), target(plan.target_words);
      auto const content = [&](int x) {
        return registers::content(first[static_cast<std::size_t>(x)], p.width, pass);
      };
      for (auto const& [at, all] : by_place(p.from)) source.put(at, p.width, content(all[0]));
      interpret(plan, source.word.data(), target.word.data());
      for (auto const& [at, all] : by_place(p.to))
        if (target.get(at, p.width) != content(all[0])) return false;
    }
    return true;
  }
};

}  // namespace

TEST_CASE("elements share a register of the target if they share one of the source") {
  registers::random_pairs random(1);
  int planned = 0, rejected = 0;
  for (int n = 0; n < 1500; ++n) {
    random_conversion const c(random);
    outcome<conversion_plan> const plan =
        try_plan_convert(parse(registers::text(c.p.from).c_str()),
                         parse(registers::text(c.p.to).c_str()), c.p.width);
    CAPTURE(registers::text(c.p.from), registers::text(c.p.to), c.p.width);
    if (!c.is_legal()) {
      ++rejected;
      CHECK(c.names_a_reason(plan.why));
    } else {
      ++planned;
      REQUIRE(plan);
      CHECK((plan->kind == conversion_kind::warps || c.converts(*plan)));
    }
  }
  CHECK(planned > 300);
  CHECK(rejected > 300);
}
