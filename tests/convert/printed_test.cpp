// Executes the printed text of plans and compares the registers with those that interpret()
// computes. fuzz.cpp does this with random plans.
#include "convert/printed.hpp"
#include "support/catch.hpp"

#include <axe/construct/literal.hpp>
#include <axe/convert.hpp>

using namespace axe;
using namespace axe::literals;

namespace {

struct executed {
  std::string wrong;
  registers::file by_text, by_plan;
};

/// Executes a plan and its text on source words that all differ.
executed execute_both(conversion_plan const& plan) {
  registers::file source(plan.source_words);
  for (std::size_t i = 0; i < source.word.size(); ++i)
    source.word[i] = static_cast<std::uint32_t>(i + 1) * 2654435761u;
  executed both{"", registers::file(plan.target_words), registers::file(plan.target_words)};
  char const* const wrong = printed::execute(to_text(plan).c_str(), source, both.by_text);
  if (wrong != nullptr) both.wrong = wrong;
  interpret(plan, source.word.data(), both.by_plan.word.data());
  return both;
}

/// The text of a plan that is short enough for a constant expression.
constexpr text<255> short_text(layout const& from, layout const& to, int width) {
  text<255> out;
  print(out, plan_convert(from, to, width));
  return out;
}
// If nothing is repeated, the text names the registers themselves.
static_assert(short_text("S[2:1@lane] + 1@reg"_axe, "S[2:1@lane]"_axe, 32) ==
              "registers: 2 registers of 32-bit elements into 1\nt0 = s1");
static_assert(short_text("S[2:1@lane]"_axe, "S[2:1@lane] + 3@reg"_axe, 32) ==
              "registers: 1 register of 32-bit elements into 4\nt3 = s0");
static_assert(short_text("S[2:1@lane] + 1@reg"_axe, "S[2:-1@lane] + 1@lane"_axe, 32) ==
              "lanes: 2 registers of 32-bit elements into 1; 1 shuffle (no plan has fewer), 0 "
              "selects, 0 byte permutes, 0 selectors\nv0 = shuffle(s1 from lane ^ 1)\nt0 = v0");

}  // namespace

TEST_CASE("the printed text of a plan does what the plan does") {
  struct {
    char const *from, *to;
    int width;
  } const plans[] = {
      {"S[2:1@lane] + 1@reg", "S[2:-1@lane] + 1@lane", 32},
      {"S[2:1@lane] + 1@reg", "S[2:1@lane]", 32},
      {"S[(2,32):(1@reg,1@lane)] + 4@reg", "S[(2,32):(3@reg,1@lane)] + 9@reg", 32},
      {"S[(2,8,4,4,2):(2@reg,4@lane,4@reg,1@lane,1@reg)] + 5@reg",
       "S[(2,8,2,4,4):(4@reg,4@lane,8@reg,1@lane,1@reg)] + 8@reg", 8},
      {"S[(8,4,4):(4@lane,1@lane,1@reg)] + 8@reg", "S[(8,4,4):(4@lane,1@reg,1@lane)] + 4@reg", 8},
      {"S[12:1@lane] + 3@reg", "S[12:1@reg] + 20@lane + 2@reg", 8},
      {"S[(3,5):(1@reg,1@lane)] + 2@reg", "S[(3,5):(5@lane,1@lane)] + R[2:15@lane] + 1@reg", 64},
      {"S[(4,8):(1@reg,4@lane)] + R[4:1@lane]", "S[(4,8):(1@lane,4@lane)] + 6@reg", 16},
      {"S[(4,2,8,24,4,2):(1@warp,2@reg,4@lane,4@reg,1@lane,1@reg)]",
       "S[(4,2,8,6,2,4,4):(1@warp,4@reg,4@lane,16@reg,8@reg,1@lane,1@reg)]", 8},
  };
  for (auto const& p : plans) {
    conversion_plan const plan = plan_convert(parse(p.from), parse(p.to), p.width);
    executed const both = execute_both(plan);
    CAPTURE(p.from, p.to, to_text(plan).c_str());
    CHECK(both.wrong.empty());
    CHECK(both.by_text.word == both.by_plan.word);
  }
}

TEST_CASE("the reader of plans rejects wrong texts") {
  registers::file const source(2);
  registers::file target(1);
  auto const reads = [&](char const* text) {
    return printed::execute(text, source, target) == nullptr;
  };
  CHECK(reads("registers: 2 registers of 32-bit elements into 1\nt0 = s1"));
  CHECK(!reads("registers: 2 registers of 32-bit elements into 1\nt0 = s2"));
  CHECK(!reads("registers: 2 registers of 32-bit elements into 1\nt1 = s1"));
  CHECK(!reads("registers: 2 registers of 32-bit elements into 1\nt0 = v0"));
  CHECK(!reads("registers: 2 registers of 32-bit elements into 1\nt0 = s..."));
  CHECK(!reads("registers: 2 registers of 32-bit elements\nt0 = s1"));
  CHECK(!reads(
      "registers: 2 registers of 32-bit elements into 1; 1 shuffle, 0 selects, 1 byte permute, 0 "
      "selectors\nv0 = shuffle(s0 from lane ^ 1)\nt0 = v0"));
}
