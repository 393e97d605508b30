// The coordinates of an address have seventeen parts on as many registers; sixteen are the limit.
// expect-gcc: bind_pointer: the coordinates, with 17 parts, .* 16 registers
// expect-clang: bind_pointer: the .*coordinates, with 17 parts, .*exceed a limit
// expect-nvcc: too_many_parts.*Facts=<17L?>
#include <axe/axe.hpp>
#include <axe/index/pointer.hpp>

template <int Parts> auto sum(unsigned t) {
  if constexpr (Parts == 1)
    return axe::any(t);
  else
    return sum<Parts - 1>(t) + axe::any(t);
}
#if defined(AXE_EXPECT_FAILURE)
constexpr int parts = 17;
#else
constexpr int parts = 16;
#endif
float load(float const* data, axe::dynamic_matrix<axe::dynamic(0), axe::dynamic(1), 8> const& sizes,
           unsigned t) {
  return *axe::bind_pointer(data, sizes, sum<parts>(t), axe::constant<0>{}).at<>();
}
