// A shape where CuTe's blocked product takes a layout.
// expect: blocked_product does not take such operands
// lines: 17
#include <axe/cute.hpp>

using namespace axe::cute::literals;

constexpr axe::cute::carrier<"(2,3)"_cute> block;

#if defined(AXE_EXPECT_FAILURE)
constexpr auto repeated = blocked_product(block, axe::cute::tuple_of<2, 3>{});
#else
constexpr auto repeated = blocked_product(block, axe::cute::carrier<"(2,3)"_cute>{});
#endif
