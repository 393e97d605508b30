// A tensor map that begins at an address that is not a multiple of 16 bytes.
// skip-gcc: only nvcc compiles kernels
// skip-clang: only nvcc compiles kernels
// expect-nvcc: tma_global_start.*Facts=<8L?>
#include <axe/axe.hpp>
#include <axe/cuda.hpp>
#include <axe/index/tensor_of.hpp>

using namespace axe::literals;

template <axe::layout L>
using tensor =
    axe::tensor<unsigned short const, axe::tensor_of<axe::carrier<L>, axe::extents<64, 64>>>;
using staged =
    axe::shared_tile<unsigned short, axe::carrier<"S[4096:1]"_axe>, axe::extents<64, 64>>;

#if defined(AXE_EXPECT_FAILURE)
axe::tensor_map map(tensor<"S[(64,64):(72,1)] + 4"_axe> const& x) {
  return axe::map_for<staged>(x);
}
#else
axe::tensor_map map(tensor<"S[(64,64):(72,1)] + 8"_axe> const& x) {
  return axe::map_for<staged>(x);
}
#endif
