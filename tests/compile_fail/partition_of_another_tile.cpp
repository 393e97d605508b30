// A partition of a line for a tile of a matrix, and a kernel that uses it.
// expect-gcc: partition: the shape \(32,32\) has 1024 elements, but the layout S\[96:1@tid\] has 96
// expect-clang: partition: the shape \(32,32\).*has 1024 elements, but the
// expect-nvcc: shape_does_not_fit.*Facts=<1024L?, 96L?>
#include <axe/axe.hpp>
#include <axe/cuda.hpp>

using namespace axe::literals;
using axe::given;
using matrix = axe::pitched<given(0), given(1), given(2)>;
#if defined(AXE_EXPECT_FAILURE)
using by_rows = axe::carrier<"S[96:1@tid]"_axe>;
#else
using by_rows = axe::carrier<"S[(32,8,4):(8@tid,1@tid,1@reg)]"_axe>;
#endif

void twice(axe::global_view<float const, matrix> in, axe::global_view<float, matrix> out,
           unsigned thread) {
  auto const from = in.tile<32, 32>(0u, 1u).mine<by_rows>(thread);
  auto const to = out.tile<32, 32>(0u, 1u).mine<by_rows>(thread);
  axe::for_each_register<from.size>([&](auto r) {
    if (to.inside(r)) to.store(r, 2 * from.load(r));
  });
}
