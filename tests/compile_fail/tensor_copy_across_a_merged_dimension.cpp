// A tensor map has five dimensions, so two of these six are merged. A box that begins anywhere in
// the faster one of the two could cross its end, and the hardware tests only the merged dimension.
// A coordinate below 0 would give elements of the row before, even if it is a multiple of the
// tile's extent.
// skip-gcc: only nvcc compiles kernels
// skip-clang: only nvcc compiles kernels
// expect-nvcc: along a dimension that the map merges with another, moves whole tiles
#include <axe/axe.hpp>
#include <axe/cuda.hpp>

using namespace axe::literals;
using axe::digit, axe::dimension;

using six_dimensions =
    axe::dynamic_layout<dimension<digit<4, 2000000>>, dimension<digit<4, 300000>>,
                        dimension<digit<4, 40000>>, dimension<digit<4, 5008>>,
                        dimension<digit<8, 128>>, dimension<digit<128, 1>>>;
using tensor = axe::tensor<unsigned short const, six_dimensions, axe::aligned<16>>;
using staged =
    axe::shared_tile<unsigned short, axe::carrier<"S[(2,2,2,2,1,64):(512,256,128,64,64,1)]"_axe>,
                     axe::extents<2, 2, 2, 2, 1, 64>>;

__global__ void load(__grid_constant__ axe::tensor_map const map, tensor x, unsigned column) {
  __shared__ staged shared;
  __shared__ axe::mbarrier_storage<1> bars;
#if defined(AXE_EXPECT_FAILURE)
  auto const from = axe::tile_at<2, 2, 2, 2, 1, 64>(x, 0u, 0u, 0u, 0u, 0u,
                                                    axe::constant<64>{} * axe::any_signed(column));
#else
  int const row = static_cast<int>(column);  // along the slower dimension a box may begin anywhere
  auto const from = axe::tile_at<2, 2, 2, 2, 1, 64>(x, 0u, 0u, 0u, 0u, row, axe::constant<64>{});
#endif
  axe::copy_async(axe::mapped(map, from), shared, bars[0], axe::thread);
}
