// A sum of coordinates has a constant below 0.
// expect: a coordinate must be from 0 to 2\^63 - 1: for an origin of tile_at that
// expect: may be below 0, write x - 4, or constant<4>{} \* axe::any_signed\(n\)
#include <axe/axe.hpp>
#include <axe/index.hpp>

#if defined(AXE_EXPECT_FAILURE)
constexpr int step = -4;
#else
constexpr int step = 4;
#endif
auto column(unsigned block) {
  return axe::constant<128>{} * axe::any(block) + axe::constant<step>{};
}
