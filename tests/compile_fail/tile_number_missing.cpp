// A tile of a matrix gets one index.
// expect-gcc: tile<\.\.\.>\(\.\.\.\) got 2 extents and 1 coordinate, but it needs 2 of
// expect-gcc: each
// expect-clang: tile<\.\.\.>\(\.\.\.\) got 2 extents.*and 1 coordinate, but it
// expect-nvcc: tile_has_other_dimensions.*Facts=<2L?, 1L?, 2L?>
#include <axe/axe.hpp>
#include <axe/cuda.hpp>

using namespace axe::literals;
using axe::dynamic;
using matrix = axe::dynamic_matrix<dynamic(0), dynamic(1), dynamic(2)>;
using by_rows = axe::carrier<"S[(32,8,4):(8@tid,1@tid,1@reg)]"_axe>;

void twice(axe::tensor<float, matrix> out, unsigned thread, [[maybe_unused]] unsigned column) {
#if defined(AXE_EXPECT_FAILURE)
  auto const to = axe::local_partition<by_rows>(axe::tile<32, 32>(out, 0u), thread);
#else
  auto const to = axe::local_partition<by_rows>(axe::tile<32, 32>(out, 0u, column), thread);
#endif
  axe::for_each_register<to.size>([&](auto r) {
    if (to.in_bounds(r)) to.store(r, 2 * to.load(r));
  });
}
