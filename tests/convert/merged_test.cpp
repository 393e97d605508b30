// Conversions in which several elements share a register: facts, and random pairs of layouts with
// strides of 0, compared with sets of places.
#include "convert/random_pairs.hpp"
#include "convert/registers.hpp"
#include "support/catch.hpp"
#include "support/dice.hpp"

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
static_assert(plan_convert("S[(3,2):(1@lane,0@reg)]"_axe, "S[(2,3):(1@reg,1@lane)]"_axe, 32).kind ==
                  conversion_kind::warps,
              "elements of a target whose digits cannot be cut go through shared memory");
static_assert(try_plan_convert("S[(3,2):(1@lane,0@reg)]"_axe, "S[(2,3):(1@lane,0@reg)]"_axe, 32)
                      .why == refusal{rule::registers_contested, {0, 2}},
              "such a target with elements that share a register is rejected");
static_assert(plan_convert("S[(2,2):(1@warp,0@reg)]"_axe, "S[(2,2):(1@lane,0@reg)]"_axe, 32)
                      .shared.bytes == 8,
              "two elements share an address of shared memory");
static_assert(plan_convert("S[(2,4):(1@warp,0@reg)]"_axe, "S[(2,4):(1@lane,1@reg)]"_axe, 32)
                      .shared.bytes == 8,
              "four elements share an address, although the target loads them as a vector");
static_assert(plan_convert("S[(2,2,4):(1@cta_x,1@warp,0@lane)]"_axe,
                           "S[(2,2,4):(1@cta_x,1@reg,1@lane)]"_axe, 16)
                      .shared.bytes == 4,
              "a CTA stores two elements");
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

  random_conversion(registers::random_pairs& random, bool between_warps) : p(random.next()) {
    if (between_warps) insert_warps(random);
    for (registers::side* s : {&p.from, &p.to})
      for (registers::digit& d : s->digits)
        if (random.below(3) == 0) d.stride = 0;
    std::map<std::set<registers::spot>, int> seen;
    for (int x = 0; x < p.from.size(); ++x)
      first.push_back(seen.emplace(places(p.from, x), x).first->second);
  }
  /// Inserts digits on warp and reg into `from`, and on reg and warp into `to`, mostly at the same
  /// positions of the element's number.
  void insert_warps(registers::random_pairs& random) {
    int const extents[] = {2 + random.below(2), 2 + random.below(2)};
    int const at = random.below(static_cast<int>(p.from.digits.size()) + 1);
    int below = 1;
    for (std::size_t k = static_cast<std::size_t>(at); k < p.from.digits.size(); ++k)
      below *= p.from.digits[k].extent;
    for (registers::side* s : {&p.from, &p.to}) {
      int reach = 1 + s->slot_offset, rest = below;
      for (std::vector<registers::digit> const* list : {&s->digits, &s->replicas})
        for (registers::digit const& d : *list)
          if (!d.on_lane) reach += (d.extent - 1) * d.stride;
      if (reach > 40 && p.width == 64) p.width = 32;  // at most 255 registers
      auto to = s->digits.end();
      while (rest > 1) rest /= (--to)->extent;
      if (random.below(4) == 0) to = s->digits.begin();
      bool const is_source = s == &p.from;
      registers::digit const warps{extents[is_source ? 0 : 1], 32, true},
          slots{extents[is_source ? 1 : 0], reach, false};
      to = s->digits.insert(to, is_source ? slots : warps);
      s->digits.insert(to, is_source ? warps : slots);
      if (random.below(4) == 0) s->replicas.push_back({2, 32 * 3, true});
    }
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
  /// Executes the plan in each of the warps, at most 8.
  bool converts(conversion_plan const& plan) const {
    for (int run = 0; run < 16; ++run) {
      int const pass = run % 2, warp = run / 2;
      registers::file source(plan.source_words), target(plan.target_words);
      auto const content = [&](int x) {
        return registers::content(first[static_cast<std::size_t>(x)], p.width, pass);
      };
      auto const lane = [&](registers::spot at) {
        return registers::spot{at.first - 32 * warp, at.second};
      };
      auto const is_here = [&](registers::spot at) { return at.first / 32 == warp; };
      for (auto const& [at, all] : by_place(p.from))
        if (is_here(at)) source.put(lane(at), p.width, content(all[0]));
      interpret(plan, source.word.data(), target.word.data());
      for (auto const& [at, all] : by_place(p.to))
        if (is_here(at) && target.get(lane(at), p.width) != content(all[0])) return false;
    }
    return true;
  }
};

/// Elements have one address in shared memory if and only if they share their registers.
bool shares_addresses(random_conversion const& c, shared_step const& step) {
  std::map<integer, int> used;
  for (int x = 0; x < c.p.from.size(); ++x) {
    integer const at = (*places(step.place, integer{x}).begin())[axis::m];
    int const first = c.first[static_cast<std::size_t>(x)];
    bool const is_stored = first == x && used.emplace(at, x).second;
    if (!(is_stored || (first < x && used.count(at) == 1 && used[at] == first)) || at < 0 ||
        (at + 1) * c.p.width > 8 * step.bytes)
      return false;
  }
  return true;
}

void compare_with_sets(bool between_warps, int cases) {
  registers::random_pairs random(1);
  int planned = 0, rejected = 0, between = 0;
  for (int n = 0; n < cases; ++n) {
    random_conversion const c(random, between_warps);
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
      bool const by_shared = plan->kind == conversion_kind::warps;
      between += by_shared;
      CHECK((by_shared ? shares_addresses(c, plan->shared) : c.converts(*plan)));
    }
  }
  CHECK(planned > cases / 5);
  CHECK(rejected > cases / 5);
  CHECK((!between_warps || between > planned / 2));
}

}  // namespace

TEST_CASE("elements share a register of the target if they share one of the source", "[slow]") {
  compare_with_sets(false, axe_test::drawn(1500));
}
TEST_CASE("elements that share a register share an address between warps") {
  compare_with_sets(true, axe_test::drawn(1500));
}
