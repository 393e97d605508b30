// A layout has twenty-five iters; 24 are the limit.
// expect: too_many_shards
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
constexpr auto long_list = axe::parse("S[(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)]");
#else
constexpr auto long_list = axe::parse("S[(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)]");
#endif
