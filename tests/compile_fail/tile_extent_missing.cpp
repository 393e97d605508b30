// One tile extent for a view of rows and columns.
// expect-gcc: tile<\.\.\.>\(\.\.\.\) got 1 extent and 2 coordinates, but this tensor needs 2 of
// expect-gcc: each
// expect-clang: tile<\.\.\.>\(\.\.\.\) got 1 extent.*and 2 coordinates, but this
// expect-nvcc: tile_has_other_dimensions.*Facts=<1L?, 2L?, 2L?>
#include <axe/axe.hpp>
#include <axe/cuda.hpp>

using namespace axe::literals;
using axe::given;
using matrix = axe::pitched<given(0), given(1), given(2)>;
using by_rows = axe::carrier<"S[(32,8,4):(8@tid,1@tid,1@reg)]"_axe>;

float load(axe::global_view<float const, matrix> in, unsigned thread) {
#if defined(AXE_EXPECT_FAILURE)
  auto const from = in.tile<32>(0u, 1u).mine<by_rows>(thread);
#else
  auto const from = in.tile<32, 32>(0u, 1u).mine<by_rows>(thread);
#endif
  return from.load(axe::constant<3>{});
}
