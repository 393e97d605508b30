// A tensor of float gets a pointer to int, but correct sizes. The only error is about the pointer.
// expect: takes a T\* and its sizes, not another tensor
// expect-clang: ^1 error generated
// expect-nvcc: ^1 error detected
#include <axe/axe.hpp>
#include <axe/cuda.hpp>

using matrix = axe::tensor<float, axe::row_major<2>>;

#if defined(AXE_EXPECT_FAILURE)
matrix like(matrix const& x, int* data) { return matrix(data, x.sizes); }
#else
matrix like(matrix const& x, float* data) { return matrix(data, x.sizes); }
#endif
