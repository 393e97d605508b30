// A walk goes along the third dimension of a tile of two dimensions.
// expect: the tile has no such dimension to walk along
#include <axe/axe.hpp>
#include <axe/cuda.hpp>

using namespace axe::literals;
using axe::dynamic;
using matrix = axe::dynamic_matrix<dynamic(0), dynamic(1), dynamic(2)>;
using by_rows = axe::carrier<"S[(32,8,4):(8@tid,1@tid,1@reg)]"_axe>;

#if defined(AXE_EXPECT_FAILURE)
constexpr int along = 2;
#else
constexpr int along = 1;
#endif
float load(axe::tensor<float const, matrix> in, unsigned thread) {
  auto const from = axe::walk<by_rows, along>(axe::tile<32, 32>(in, 0u, 1u), thread);
  return from.load(axe::constant<3>{});
}
