// The steps 3 and 1 set the same bit of the address, so their sum is not their XOR.
// expect: linear_carry
#include <axe/axe.hpp>
#include <axe/linear.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
static_assert(axe::rank(axe::linear("S[(2,2):(3,1)]"_axe, {2, 2})) == 2);
#else
static_assert(axe::rank(axe::linear("S[(2,2):(2,1)]"_axe, {2, 2})) == 2);
#endif
