// One tile index for a tile of rows and columns, and a kernel that uses it.
// expect-gcc: tile<\.\.\.>\(\.\.\.\) got 2 extents and 1 coordinate, but this tensor needs 2 of
// expect-gcc: each
// expect-clang: tile<\.\.\.>\(\.\.\.\) got 2 extents.*and 1 coordinate, but this
// expect-nvcc: tile_has_other_dimensions.*Facts=<2L?, 1L?, 2L?>
#include <axe/axe.hpp>
#include <axe/cuda.hpp>

using namespace axe::literals;
using axe::given;
using matrix = axe::pitched<given(0), given(1), given(2)>;
using by_rows = axe::carrier<"S[(32,8,4):(8@tid,1@tid,1@reg)]"_axe>;

void twice(axe::global_view<float, matrix> out, unsigned thread, [[maybe_unused]] unsigned column) {
#if defined(AXE_EXPECT_FAILURE)
  auto const to = out.tile<32, 32>(0u).mine<by_rows>(thread);
#else
  auto const to = out.tile<32, 32>(0u, column).mine<by_rows>(thread);
#endif
  axe::for_each_register<to.size>([&](auto r) {
    if (to.inside(r)) to.store(r, 2 * to.load(r));
  });
}
