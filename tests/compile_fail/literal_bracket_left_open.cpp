// A literal lacks a bracket.
// expect-gcc: position 13: expected .*\]
// expect-clang: position 13:
// expect-clang: expected .*\]
// expect-nvcc: expected_a_closing_bracket.*Facts=<13L?>
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
constexpr auto tile = "S[(8,4):(4,1)"_axe;
#else
constexpr auto tile = "S[(8,4):(4,1)]"_axe;
#endif
