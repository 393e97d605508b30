// The number of rows is a double.
// expect: sizes must be integers
#include <axe/axe.hpp>
#include <axe/index.hpp>

using matrix = axe::dynamic_matrix<axe::dynamic(0), axe::dynamic(1), axe::dynamic(2)>;

#if defined(AXE_EXPECT_FAILURE)
constexpr double rows = 2.9;
#else
constexpr unsigned long long rows = 2;
#endif
matrix const sizes(rows, short{5}, 8);
