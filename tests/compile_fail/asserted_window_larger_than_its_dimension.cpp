// window: 16 rows do not fit in a dimension of 8.
// expect: window_is_larger
#include <axe/algebra/window.hpp>
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
static_assert(axe::size(axe::window("S[(8,8):(8,1)]"_axe, {8, 8}, {16, 8}).part) == 64);
#else
static_assert(axe::size(axe::window("S[(8,8):(8,1)]"_axe, {8, 8}, {8, 8}).part) == 64);
#endif
