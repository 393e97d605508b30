// slice: the region ends past its dimension.
// expect: region_outside
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
static_assert(axe::size(axe::slice("S[(64,64):(64,1)]"_axe, {64, 64}, {{48, 80}, {0, 64}})) ==
              2048);
#else
static_assert(axe::size(axe::slice("S[(64,64):(64,1)]"_axe, {64, 64}, {{32, 64}, {0, 64}})) ==
              2048);
#endif
