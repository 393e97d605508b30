// The second argument of CuTe's blocked product is a shape, not a layout.
// expect-gcc: blocked_product: the operation does not take operands of these types
// expect-clang: blocked_product: the.*operation does not take.*operands of these types
// expect-nvcc: cute_takes_other_operands
#include <axe/cute.hpp>

using namespace axe::cute::literals;

constexpr axe::cute::carrier<"(2,3)"_cute> block;

#if defined(AXE_EXPECT_FAILURE)
constexpr auto repeated = blocked_product(block, axe::cute::tuple_of<2, 3>{});
#else
constexpr auto repeated = blocked_product(block, axe::cute::carrier<"(2,3)"_cute>{});
#endif
