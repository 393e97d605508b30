// The run-time parser gets a wrong text in a constant expression.
// expect: expected_a_colon
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
constexpr axe::layout tile = axe::parse("S[8;1]");
#else
constexpr axe::layout tile = axe::parse("S[8:1]");
#endif
