// A layout is multiplied by a number, to repeat it. tile() repeats a layout.
// expect: a layout cannot be multiplied: axe::tile repeats a layout
#include <axe/axe.hpp>

using namespace axe::literals;

constexpr auto rows = "S[8:16]"_axe;
#ifdef AXE_EXPECT_FAILURE
constexpr auto twice = 2 * rows;
#else
constexpr auto twice = axe::tile("S[2:1]"_axe, {2}, rows, {8});
#endif

int main() { return static_cast<int>(axe::size(twice)) - 16; }
