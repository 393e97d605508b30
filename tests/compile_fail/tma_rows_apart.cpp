// The row pitch of a TMA copy is not a multiple of 16 bytes.
// skip-gcc: only nvcc compiles kernels
// skip-clang: only nvcc compiles kernels
// expect-nvcc: tma_stride.*Facts=<120L?>
#include <axe/axe.hpp>
#include <axe/cuda.hpp>

using namespace axe::literals;

template <int Pitch>
using matrix = axe::tensor<unsigned short const, axe::dynamic_matrix<64, 64, Pitch>>;
using staged =
    axe::shared_tile<unsigned short, axe::carrier<"S[4096:1]"_axe>, axe::extents<64, 64>>;

#if defined(AXE_EXPECT_FAILURE)
axe::tensor_map map(matrix<60> const& x) { return axe::map_for<staged>(x); }
#else
axe::tensor_map map(matrix<72> const& x) { return axe::map_for<staged>(x); }
#endif
