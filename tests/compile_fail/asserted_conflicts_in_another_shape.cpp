// conflicts: the shape has another size than the layout.
// expect: shape_does_not_fit
#include <axe/analysis.hpp>
#include <axe/axe.hpp>

using namespace axe::literals;

constexpr axe::access_form read = axe::columns_of_elements<32>;

#if defined(AXE_EXPECT_FAILURE)
static_assert(axe::conflicts("S[(32,32):(32,1)]"_axe, {32, 16}, read) == 32);
#else
static_assert(axe::conflicts("S[(32,32):(32,1)]"_axe, {32, 32}, read) == 32);
#endif
