// The offset is not a multiple of 8, so the elements cannot be packed in vectors of 8.
// expect: does_not_pack_offset
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
constexpr auto vectors = axe::pack("S[64:1] + 4"_axe, 8, axe::axis::m);
#else
constexpr auto vectors = axe::pack("S[64:1] + 8"_axe, 8, axe::axis::m);
#endif
