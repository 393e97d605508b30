// Tests the laws of operation_laws.hpp for every operation on every kind of layout. Some swizzles
// change no address. Some swizzled layouts have the same places as a layout without a swizzle.
#include "laws/operation_laws.hpp"
#include "oracle/require.hpp"

using namespace axe_test;

namespace {

constexpr char const* written[] = {
    "S[]",
    "S[8:1]",
    "S[(2,4):(4,1)] - 2",
    "S[(2,2):(2,1)] + R[2:-4] + 3",
    "S[(4,2):(1@lane,1)]",
    "swizzle(3,1,3) o S[16:1]",
    "swizzle(0,1,1) o S[2:2]",
    "swizzle(0,1,1) o S[8:1]",
    "swizzle(0,2,1) o S[(4,4):(4,1)]",
    "swizzle(0,2,-2) o S[(4,4):(1,4)]",
    "swizzle(0,3,3) o S[] + 12",
    "swizzle(1,1,2) o S[(3,4):(8,1)] + R[2:4]",
    "swizzle(0,1,1) o S[2:10] + R[2:1]",
    "swizzle(3,3,3) o S[(4,64):(64,1)]",
    "swizzle(0,1,-3) o S[6:-3] + 15",
};

}  // namespace

TEST_CASE("an operation has one answer for every form of its operand") {
  for (char const* text : written) {
    INFO(text);
    char const* const differs = operation_that_differs(axe::parse(text));
    INFO((differs == nullptr ? "" : differs));
    CHECK(differs == nullptr);
  }
}

TEST_CASE("an operation has one answer for every form of a random operand, swizzled or not") {
  random_source d = seeded("spellings", 20261120, samples / 500);
  for (int i = 0; i < samples / 500; ++i) {
    axe::layout l = d.layout();
    if (i % 2 == 0) d.make_swizzled(l);
    char const* const differs = operation_that_differs(l);
    if (differs != nullptr) FAIL(differs << " of " << axe::to_text(l).c_str());
  }
}
