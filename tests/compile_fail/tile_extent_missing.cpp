// A tile of a matrix gets one extent.
// expect-gcc: tile<\.\.\.>\(\.\.\.\) got 1 extent and 2 coordinates, but it needs 2 of
// expect-gcc: each
// expect-clang: tile<\.\.\.>\(\.\.\.\) got 1 extent.*and 2 coordinates, but it
// expect-nvcc: tile_has_other_dimensions.*Facts=<1L?, 2L?, 2L?>
#include <axe/axe.hpp>
#include <axe/cuda.hpp>

using namespace axe::literals;
using axe::dynamic;
using matrix = axe::dynamic_matrix<dynamic(0), dynamic(1), dynamic(2)>;
using by_rows = axe::carrier<"S[(32,8,4):(8@tid,1@tid,1@reg)]"_axe>;

float load(axe::tensor<float const, matrix> in, unsigned thread) {
#if defined(AXE_EXPECT_FAILURE)
  auto const from = axe::local_partition<by_rows>(axe::tile<32>(in, 0u, 1u), thread);
#else
  auto const from = axe::local_partition<by_rows>(axe::tile<32, 32>(in, 0u, 1u), thread);
#endif
  return from.load(axe::constant<3>{});
}
