// A fragment of four registers has no register 4.
// expect-gcc: there is no register 4: the thread has 4 registers, counted from 0
// expect-clang: there is no register 4: the.*thread has 4 registers,
// expect-nvcc: no_such_register.*Facts=<4L?, 4L?>
#include <axe/axe.hpp>
#include <axe/cuda.hpp>

using namespace axe::literals;
using atom = axe::carrier<"S[(8,2,4,2):(4@lane,2@reg,1@lane,1@reg)]"_axe>;

#if defined(AXE_EXPECT_FAILURE)
constexpr int last = 4;
#else
constexpr int last = 3;
#endif
float value(axe::fragment<float, atom, axe::extents<16, 8>> const& c) {
  return c[axe::constant<last>{}];
}
