// A thread tile of four vectors has no vector 4.
// expect-gcc: there is no vector 4: the thread has 4 vectors, counted from 0
// expect-clang: there is no vector 4: the.*thread has 4 vectors, counted
// expect-nvcc: no_such_vector.*Facts=<4L?, 4L?>
#include <axe/axe.hpp>
#include <axe/cuda/local_partition.hpp>

using namespace axe::literals;
using axe::dynamic;
using matrix =
    axe::dynamic_matrix<dynamic(0), dynamic(1).multiple_of(4), dynamic(2).multiple_of(4)>;
using by_rows = axe::carrier<"S[(4,4):(4@reg,1@reg)]"_axe>;

#if defined(AXE_EXPECT_FAILURE)
constexpr int last = 4;
#else
constexpr int last = 3;
#endif
float load(axe::tensor<float const, matrix, axe::aligned<16>> in) {
  auto const from = axe::vectors(axe::local_partition<by_rows>(axe::tile<4, 4>(in, 0u, 0u), 0));
  return from.load(axe::constant<last>{}).elements[0];
}
