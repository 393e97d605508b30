// A layout with a dynamic pitch gets its rows and columns, but no pitch.
// expect-gcc: the constructor got 2 numbers, but the layout needs 3: one each for dynamic\(0\),
// expect-gcc: dynamic\(1\) and so on
// expect-clang: the constructor got 2.*numbers, but the layout needs.*3: one each for dynamic\(0\),
// expect-nvcc: another_number_of_sizes.*Facts=<2L?, 3L?>
#include <axe/axe.hpp>
#include <axe/index.hpp>

using axe::dynamic;
using matrix = axe::dynamic_matrix<dynamic(0), dynamic(1), dynamic(2)>;

#if defined(AXE_EXPECT_FAILURE)
matrix const sizes(4, 5);
#else
matrix const sizes(4, 5, 6);
#endif
