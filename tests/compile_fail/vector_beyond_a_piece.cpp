// Vector 4 of a thread tile of four vectors.
// expect-gcc: there is no vector 4: the thread has 4 vectors, counted from 0
// expect-clang: there is no vector 4: the.*thread has 4 vectors, counted
// expect-nvcc: no_such_vector.*Facts=<4L?, 4L?>
#include <axe/axe.hpp>
#include <axe/cuda/view.hpp>

using namespace axe::literals;
using axe::given;
using matrix = axe::pitched<given(0), given(1).multiple_of(4), given(2).multiple_of(4)>;
using by_rows = axe::carrier<"S[(4,4):(4@reg,1@reg)]"_axe>;

#if defined(AXE_EXPECT_FAILURE)
constexpr int last = 4;
#else
constexpr int last = 3;
#endif
float load(axe::global_view<float const, matrix, 16> in) {
  auto const from = in.tile<4, 4>(0u, 0u).mine<by_rows>(0).vectors();
  return from.load(axe::constant<last>{}).elements[0];
}
