// A thread tile of four registers has no register 7. Without the check, axe would take the number
// modulo 4 and load register 3.
// expect-gcc: there is no register 7: the thread has 4 registers, counted from 0
// expect-clang: there is no register 7: the.*thread has 4 registers,
// expect-nvcc: no_such_register.*Facts=<7L?, 4L?>
#include <axe/axe.hpp>
#include <axe/cuda.hpp>

using namespace axe::literals;
using axe::dynamic;
using matrix = axe::dynamic_matrix<dynamic(0), dynamic(1), dynamic(2)>;
using by_rows = axe::carrier<"S[(32,8,4):(8@tid,1@tid,1@reg)]"_axe>;

#if defined(AXE_EXPECT_FAILURE)
constexpr int last = 7;
#else
constexpr int last = 3;
#endif
float load(axe::tensor<float const, matrix> in, unsigned thread) {
  auto const from = axe::local_partition<by_rows>(axe::tile<32, 32>(in, 0u, 1u), thread);
  return from.load(axe::constant<last>{});
}
