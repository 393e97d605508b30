// The swizzled layout is on lanes. A swizzle permutes addresses.
// expect: swizzle_acts_on_memory_only
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
constexpr auto swizzled = axe::compose(axe::swizzle{3, 3, 3}, "S[(8,4):(4@lane,1@lane)]"_axe);
#else
constexpr auto swizzled = axe::compose(axe::swizzle{3, 3, 3}, "S[(8,64):(64,1)]"_axe);
#endif
