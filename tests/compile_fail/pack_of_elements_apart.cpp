// Eight elements that are not contiguous are not a vector.
// expect: not_next_to_each_other
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
constexpr auto vectors = axe::pack("S[(64,64):(1,64)]"_axe, 8, axe::axis::m);
#else
constexpr auto vectors = axe::pack("S[(64,64):(64,1)]"_axe, 8, axe::axis::m);
#endif
