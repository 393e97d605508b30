// The partition has 96 elements, but the tile has 1024.
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

void twice(axe::tensor<float const, matrix> in, axe::tensor<float, matrix> out, unsigned thread) {
  auto const from = axe::local_partition<by_rows>(axe::tile<32, 32>(in, 0u, 1u), thread);
  auto const to = axe::local_partition<by_rows>(axe::tile<32, 32>(out, 0u, 1u), thread);
  axe::for_each_register<from.size>([&](auto r) {
    if (to.in_bounds(r)) to.store(r, 2 * from.load(r));
  });
}
