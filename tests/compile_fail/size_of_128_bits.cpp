// The number of rows has 128 bits and could be truncated.
// expect: sizes must be integers of at most 64 bits
#include <axe/axe.hpp>
#include <axe/index.hpp>

using matrix = axe::dynamic_matrix<axe::dynamic(0), axe::dynamic(1), axe::dynamic(2)>;

#if defined(AXE_EXPECT_FAILURE)
__extension__ using number = unsigned __int128;
#else
using number = unsigned long long;
#endif
matrix sizes(number rows) { return matrix(rows, 5, 8); }
