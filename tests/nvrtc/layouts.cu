// Layouts in a kernel that NVRTC compiles: literals, carriers, the algebra on both.
#include <axe/axe.hpp>

using namespace axe::literals;

using atom = axe::carrier<"S[(8,4,2):(4@lane,1@lane,1@reg)]"_axe>;
using tiled = decltype(axe::tile(axe::carrier<"S[(2,2):(2@warp,1@warp)]"_axe>{},
                                 axe::extents<2, 2>{}, atom{}, axe::extents<8, 8>{}));
static_assert(tiled::value == "S[(2,8,2,4,2):(2@warp,4@lane,1@warp,1@lane,1@reg)]"_axe);

extern "C" __global__ void layouts(long long* out) {
  constexpr axe::layout l = tiled::value;
  out[0] = axe::size(l);
  out[1] = axe::places(l, static_cast<axe::integer>(threadIdx.x)).first()[axe::axis::lane];
  constexpr axe::layout swizzled = axe::compose(axe::swizzle_128B<16>, "S[(8,64):(64,1)]"_axe);
  out[2] = axe::cosize(swizzled);
}
