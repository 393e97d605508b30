// Elements are packed on lanes. Only a memory axis can be packed.
// expect: packing_on_memory_only
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
constexpr auto vectors = axe::pack("S[(4,8):(1@lane,1@reg)]"_axe, 2, axe::axis::lane);
#else
constexpr auto vectors = axe::pack("S[(4,8):(1@lane,1@reg)]"_axe, 2, axe::axis::reg);
#endif
