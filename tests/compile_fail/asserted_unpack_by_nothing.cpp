// unpack: an element is divided into 0 parts.
// expect: extent_argument_below_one
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
static_assert(axe::size(axe::unpack("S[(4,4):(4,1)]"_axe, 0, axe::axis::m)) == 32);
#else
static_assert(axe::size(axe::unpack("S[(4,4):(4,1)]"_axe, 2, axe::axis::m)) == 32);
#endif
