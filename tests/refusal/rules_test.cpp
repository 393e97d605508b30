// Tests that each rule has a name and a sentence of its own, whose placeholders a refusal can fill.
// As facts, these tests would take g++ 24 seconds.
#include "support/catch.hpp"

#include <axe/refusal/refusal.hpp>

#include <cctype>
#include <set>
#include <string_view>

namespace {

using namespace axe;

struct rule_entry {
  std::string_view name, words;
};
rule_entry const rules[] = {
#define AXE_RULE(NAME, WORDS) {#NAME, WORDS},
#include <axe/refusal/rules.def>
#undef AXE_RULE
};

/// True if every placeholder of a sentence is a number or an axis of a refusal, or an operand.
bool well_formed(std::string_view words) {
  auto const is_one_of = [](char c, std::string_view letters) {
    return letters.find(c) != letters.npos;
  };
  for (auto open = words.find('{'); open != words.npos; open = words.find('{', open + 1)) {
    auto const close = words.find('}', open);
    if (close == words.npos) return false;
    std::string_view const inside = words.substr(open + 1, close - open - 1);
    bool const has_number = !inside.empty() && is_one_of(inside[0], "012345");
    if (inside.size() == 1) {  // {0}, {a}, {A}, {S}
      if (!has_number && !is_one_of(inside[0], "abABST")) return false;
    } else if (inside.size() == 3 && inside[1] == '@') {  // {0@a}
      if (!has_number || !is_one_of(inside[2], "abAB")) return false;
    } else {  // {0 elements}
      if (!has_number || inside.size() < 4 || inside[1] != ' ' || inside.back() != 's')
        return false;
      for (char const letter : inside.substr(2))
        if (std::isalpha(static_cast<unsigned char>(letter)) == 0) return false;
    }
  }
  return !words.empty();
}

TEST_CASE("every rule has a name and a sentence of its own, whose placeholders can be filled") {
  std::set<std::string_view> sentences;
  int number = 0;
  for (auto const& [name, words] : rules) {
    auto const which = static_cast<rule>(++number);
    CAPTURE(name);
    CHECK(name_of(which) == name);
    CHECK(words_of(which) == words);
    CHECK(well_formed(words));
    CHECK(sentences.insert(words).second);
  }
  CHECK(name_of(rule::none) == std::string_view("none"));
  CHECK(words_of(rule::none) == std::string_view());
}

}  // namespace
