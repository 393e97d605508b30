// Nine elements are divided into tiles of six. CuTe would continue past the end.
// expect: cute_tile_does_not_divide
#include <axe/cute.hpp>

using namespace axe::cute::literals;

#if defined(AXE_EXPECT_FAILURE)
static_assert(rank(axe::cute::logical_divide("9:1"_cute, 6)) == 2);
#else
static_assert(rank(axe::cute::logical_divide("9:1"_cute, 3)) == 2);
#endif
