// Tests the styles of printed layouts in streams. fmt_test.cpp tests them with fmt.
#include <axe/axe.hpp>
#include <axe/bridge/ostream.hpp>

#include "support/catch.hpp"

#include <iomanip>
#include <sstream>

using namespace axe::literals;
using axe::print_style;

namespace {

template <int Capacity = 200>
constexpr axe::text<Capacity> printed(axe::layout const& l, print_style style) {
  axe::text<Capacity> out;
  axe::try_print(out, l, style);
  return out;
}
static_assert(printed("S[(2,4):(4,1)]"_axe, print_style::axe) == "S[(2,4):(4,1)]");
static_assert(printed("S[((2),(4)):((4),(1))]"_axe, print_style::cute) == "(4,2):(1,4)");
static_assert(printed("S[(2,4):(4,1)]"_axe, print_style::tirx) ==
              "T.TileLayout(T.S[(2, 4):(4, 1)])");
static_assert(printed("S[((2),(3)):((30),(-1))] + 2"_axe, print_style::grid) ==
              " 2  1  0\n32 31 30");
static_assert(printed("S[3:-10]"_axe, print_style::grid) == "  0 -10 -20");
static_assert(printed("S[(2,2):(2,1)]"_axe, print_style::grid) == "0 1 2 3");
static_assert(printed("S[2:1] + R[2:9]"_axe, print_style::grid) == " {0,9} {1,10}");
static_assert(printed("S[2:1@lane] + R[2:1@warp]"_axe, print_style::grid) ==
              "{0@lane + 0@warp, 0@lane + 1@warp} {1@lane + 0@warp, 1@lane + 1@warp}");
static_assert(printed("swizzle(0,1,1) o S[4:1]"_axe, print_style::grid) == "0 1 3 2");

constexpr axe::rule why(axe::layout const& l, print_style style) {
  axe::text<200> out;
  return axe::try_print(out, l, style).which;
}
static_assert(why("S[2:1] + R[2:9]"_axe, print_style::cute) == axe::rule::cute_has_no_replicas);
static_assert(why(axe::layout{{}, {{0, 1, axe::axis::m}}, {}, {}, {}}, print_style::grid) ==
              axe::rule::extent_below_one);

template <class T> std::string shown(T const& value) {
  std::ostringstream out;
  out << std::hex << value;
  return out.str();
}

TEST_CASE("streams print the notation") {
  CHECK(shown("S[(8,4):(16@lane,1@lane)] - 30"_axe) == "S[(8,4):(16@lane,1@lane)] - 30");
  CHECK(shown(axe::shape{8, {2, 40}}) == "(8,(2,40))");
  CHECK(shown(axe::places("S[4:1] + R[2:40]"_axe, 1)) == "{1@m, 41@m}");
  CHECK(shown(axe::axis::TLane) == "TLane");
  std::ostringstream padded;
  padded << std::setw(9) << "S[8:1]"_axe << '|' << std::left << std::setw(9) << "S[8:1]"_axe << '|';
  CHECK(padded.str() == "   S[8:1]|S[8:1]   |");
  CHECK(shown(axe::styled("S[((2),(4)):((4),(1))]"_axe, print_style::cute)) == "(4,2):(1,4)");
  CHECK_THROWS_WITH(
      shown(axe::styled("S[2:1] + R[2:9]"_axe, print_style::cute)),
      "S[2:1] + R[2:9] has replicas, but a CuTe layout has one place for each element");
}

}  // namespace
