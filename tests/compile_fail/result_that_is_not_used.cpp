// The result of an operation is not used. An operation does not change its argument.
// expect: ignoring return value of (function|type 'layout') declared with 'nodiscard'
// skip-gcc: 17 lines, because its notes name the function and the class
// skip-nvcc: a warning cannot be made an error
#include <axe/axe.hpp>

using namespace axe::literals;

#pragma GCC diagnostic error "-Wunused-result"
#pragma GCC diagnostic error "-Wunused-value"

int main() {
  auto l = "S[(8,8):(8,1)]"_axe;
#ifdef AXE_EXPECT_FAILURE
  axe::canonicalize(l);
#else
  l = axe::canonicalize(l);
#endif
  return static_cast<int>(axe::size(l)) - 64;
}
