// Register 7 of a thread tile of four registers. Its digits are those of register 3.
// expect-gcc: there is no register 7: the thread has 4 registers, counted from 0
// expect-clang: there is no register 7: the.*thread has 4 registers,
// expect-nvcc: no_such_register.*Facts=<7L?, 4L?>
#include <axe/axe.hpp>
#include <axe/cuda.hpp>

using namespace axe::literals;
using axe::given;
using matrix = axe::pitched<given(0), given(1), given(2)>;
using by_rows = axe::carrier<"S[(32,8,4):(8@tid,1@tid,1@reg)]"_axe>;

#if defined(AXE_EXPECT_FAILURE)
constexpr int last = 7;
#else
constexpr int last = 3;
#endif
float load(axe::global_view<float const, matrix> in, unsigned thread) {
  auto const from = in.tile<32, 32>(0u, 1u).mine<by_rows>(thread);
  return from.load(axe::constant<last>{});
}
