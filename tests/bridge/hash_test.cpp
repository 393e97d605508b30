// Uses layouts as keys of unordered containers, through std::hash.
#include <axe/axe.hpp>
#include <axe/bridge/hash.hpp>

#include "support/catch.hpp"

#include <unordered_map>
#include <unordered_set>

using namespace axe::literals;

TEST_CASE("layouts are keys of unordered containers") {
  std::unordered_set<axe::layout> seen{"S[4:1]"_axe, "S[4]"_axe, "S[(2,2):(2,1)]"_axe};
  CHECK(seen.size() == 2);  // S[4] is S[4:1], but (2,2):(2,1) is another value of the same map
  CHECK(seen.count("S[4:1]"_axe) == 1);
  CHECK(seen.count(axe::canonicalize("S[(2,2):(2,1)]"_axe)) == 1);
  std::unordered_map<axe::layout, int> handles;
  handles["S[8:1] + R[2:4@warp]"_axe] = 7;
  CHECK(handles.at("S[8:1] + R[2:4@warp]"_axe) == 7);
  CHECK(std::hash<axe::layout>{}("S[8:1]"_axe) == axe::hash("S[8:1]"_axe));
}
