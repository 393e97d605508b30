// A map over F2 with a dimension of extent 3.
// expect: linear_extent
#include <axe/axe.hpp>
#include <axe/linear.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
static_assert(axe::linear("S[(3,16):(16,1)]"_axe, {3, 16}).in.bits() == 6);
#else
static_assert(axe::linear("S[(4,16):(16,1)]"_axe, {4, 16}).in.bits() == 6);
#endif
