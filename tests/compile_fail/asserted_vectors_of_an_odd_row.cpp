// pack: rows are 66 elements apart, which is not a multiple of 4.
// expect: does_not_pack_stride
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
static_assert(axe::size(axe::pack("S[(64,64):(66,1)]"_axe, 4, axe::axis::m)) == 1024);
#else
static_assert(axe::size(axe::pack("S[(64,64):(68,1)]"_axe, 4, axe::axis::m)) == 1024);
#endif
