// Nine elements in tiles of six. CuTe continues past the end.
// expect-gcc: logical_divide: a tile of 6 elements does not divide the 9 elements of the layout: its
// expect-gcc: repetitions would reach element 11
// expect-clang: logical_divide: a tile of 6.*elements does not divide the.*9 elements of the layout: its
// expect-clang: repetitions would reach
// expect-nvcc: cute_tile_does_not_divide
#include <axe/cute.hpp>

using namespace axe::cute::literals;

constexpr axe::cute::carrier<"9:1"_cute> nine;

#if defined(AXE_EXPECT_FAILURE)
constexpr auto tiled = logical_divide(nine, axe::cute::tuple_of<6>{});
#else
constexpr auto tiled = logical_divide(nine, axe::cute::tuple_of<3>{});
#endif
