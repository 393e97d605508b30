// A loop over tiles of 32 x 32 elements uses a partition of 96 elements.
// expect-gcc: partition: the shape \(32,32\) has 1024 elements, but the layout S\[96:1@tid\] has 96
// expect-clang: partition: the shape \(32,32\).*has 1024 elements, but the
// expect-nvcc: shape_does_not_fit.*Facts=<1024L?, 96L?>
#include <axe/axe.hpp>
#include <axe/cuda.hpp>

using namespace axe::literals;
using axe::dynamic;
using matrix = axe::dynamic_matrix<dynamic(0), dynamic(1), dynamic(2)>;
#if defined(AXE_EXPECT_FAILURE)
using by_rows = axe::carrier<"S[96:1@tid]"_axe>;
#else
using by_rows = axe::carrier<"S[(32,8,4):(8@tid,1@tid,1@reg)]"_axe>;
#endif

float sum(axe::tensor<float const, matrix> in, unsigned thread, int tiles) {
  float sum = 0;
  auto from = axe::walk<by_rows, 1>(axe::tile<32, 32>(in, 0u, 0u), thread);
  for (int k = 0; k < tiles; ++k, from.next()) sum += from.load(axe::constant<0>{});
  return sum;
}
