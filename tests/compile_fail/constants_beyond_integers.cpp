// Two constants of one coordinate add up to 2^63.
// expect-gcc: the constants 1 and 9223372036854775807 of a coordinate add up to more than 2\^63 - 1
// expect-clang: 9223372036854775807 of a
// expect-nvcc: coordinate_overflows.*Facts=<1L?, 9223372036854775807L?>
#include <axe/axe.hpp>
#include <axe/index.hpp>

using axe::constant;

#if defined(AXE_EXPECT_FAILURE)
using more = constant<0x7fff'ffff'ffff'ffff>;
#else
using more = constant<0x7fff'ffff'ffff'fffe>;
#endif
auto row(unsigned thread) {
  return constant<1>() + (more() + axe::on<axe::axis::tid, 256>(thread));
}
