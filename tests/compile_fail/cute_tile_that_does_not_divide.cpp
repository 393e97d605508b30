// Nine elements in tiles of six. CuTe continues past the end.
// expect-gcc: logical_divide: tiles of 6 elements do not divide the 9 elements of the layout: their
// expect-gcc: repetitions would reach 11
// expect-clang: logical_divide: tiles of 6.*elements do not divide the 9
// expect-clang: elements of the layout: their
// expect-nvcc: cute_tile_does_not_divide
#include <axe/cute.hpp>

using namespace axe::cute::literals;

constexpr axe::cute::carrier<"9:1"_cute> nine;

#if defined(AXE_EXPECT_FAILURE)
constexpr auto tiled = logical_divide(nine, axe::cute::tuple_of<6>{});
#else
constexpr auto tiled = logical_divide(nine, axe::cute::tuple_of<3>{});
#endif
