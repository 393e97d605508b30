// The dividend has 64 bits.
// expect: x / d and x % d take an integer x of at most 32 bits: if it fits, write static_cast<unsigned>\(x\) / d
#include <axe/index.hpp>
#include <cstddef>

unsigned row_of(std::size_t pixel, axe::divisor<> const& of_width) {
#if defined(AXE_EXPECT_FAILURE)
  return pixel / of_width;
#else
  return static_cast<unsigned>(pixel) / of_width;
#endif
}
