// A pitch is declared a multiple of 0.
// expect: multiple_below_one
#include <axe/axe.hpp>
#include <axe/index.hpp>

#if defined(AXE_EXPECT_FAILURE)
constexpr axe::leaf pitch = axe::dynamic(2).multiple_of(0);
#else
constexpr axe::leaf pitch = axe::dynamic(2).multiple_of(1);
#endif
