// linear: a dimension has extent 3, which is not a power of two.
// expect: linear_extent
#include <axe/axe.hpp>
#include <axe/linear.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
static_assert(axe::linear("S[(3,16):(16,1)]"_axe, {3, 16}).in.bits() == 6);
#else
static_assert(axe::linear("S[(4,16):(16,1)]"_axe, {4, 16}).in.bits() == 6);
#endif
