// Empty braces as the access mean an access of width 0. The message must not be a list of
// overloads.
// expect: access_width
#include <axe/analysis.hpp>
#include <axe/axe.hpp>

using namespace axe::literals;

constexpr auto tile = "S[(8,64):(64,1)]"_axe;

#if defined(AXE_EXPECT_FAILURE)
constexpr axe::integer waits = axe::conflicts(tile, {8, 64}, {});
#else
constexpr axe::integer waits = axe::conflicts(tile, {8, 64}, axe::rows_of_elements<16>);
static_assert(waits == 1);
#endif
