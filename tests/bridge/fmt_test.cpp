// With fmt, every printable type gives the text of to_text.
#include <axe/axe.hpp>
#include <axe/bridge/fmt.hpp>

#include "support/catch.hpp"

#include <fmt/ranges.h>

#include <string>
#include <vector>

using namespace axe::literals;
using axe::axis;

TEST_CASE("fmt prints the notation") {
  CHECK(fmt::format("{}", "S[(8,4):(4@lane,1@lane)] + R[2:4@warp] - 3"_axe) ==
        "S[(8,4):(4@lane,1@lane)] + R[2:4@warp] - 3");
  CHECK(fmt::format("{}", "swizzle(3,3,3) o S[(64,64):(64,1)]"_axe) ==
        "swizzle(M=3,B=3,S=3) o S[(64,64):(64,1)]");
  CHECK(fmt::format("{} at {}", axe::shape{8, {2, 4}}, axe::coordinate{1, {0, 3}}) ==
        "(8,(2,4)) at (1,(0,3))");
  CHECK(fmt::format("{}", 8 * axis::lane + 6 * axis::warp) == "8@lane + 6@warp");
  CHECK(fmt::format("{}", axe::places("S[4:1] + R[2:4]"_axe, 1)) == "{1@m, 5@m}");
  CHECK(fmt::format("{}", axis::TLane) == "TLane");
}

TEST_CASE("fmt/ranges.h prints vectors of layouts") {
  CHECK(fmt::format("{}", std::vector{"S[4:1]"_axe, "S[2:8]"_axe}) == "[S[4:1], S[2:8]]");
}

TEST_CASE("a format specification is a style") {
  constexpr auto tile = "S[((2),(4)):((4),(1))]"_axe;
  CHECK(fmt::format("{:cute}", tile) == "(4,2):(1,4)");
  CHECK(fmt::format("{:tirx}", tile) == "T.TileLayout(T.S[(2, 4):(4, 1)])");
  CHECK(fmt::format("{:grid}|", tile) == "0 1 2 3\n4 5 6 7|");
  for (char const* text : {"{:>8}", "{:cuet}", "{:cute2}", "{:cut}"})
    CHECK_THROWS_AS(fmt::format(fmt::runtime(text), tile), fmt::format_error);
  CHECK_THROWS_AS(fmt::format(fmt::runtime("{:cute}"), axe::shape(8)), fmt::format_error);
  CHECK_THROWS_AS(fmt::format("{:cute}", "S[2:1] + R[2:9]"_axe), fmt::format_error);
}
