// A number of rows is declared negative.
// expect: bound_below_zero
#include <axe/axe.hpp>
#include <axe/index.hpp>

#if defined(AXE_EXPECT_FAILURE)
constexpr axe::leaf rows = axe::dynamic(0).below(-5);
#else
constexpr axe::leaf rows = axe::dynamic(0).below(5);
#endif
