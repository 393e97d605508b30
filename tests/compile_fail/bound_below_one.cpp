// A number of rows is declared to be below 0.
// expect: bound_below_one
#include <axe/axe.hpp>
#include <axe/index.hpp>

#if defined(AXE_EXPECT_FAILURE)
constexpr axe::leaf rows = axe::dynamic(0).below(0);
#else
constexpr axe::leaf rows = axe::dynamic(0).below(5);
#endif
