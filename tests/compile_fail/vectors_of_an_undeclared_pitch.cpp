// A vector has four floats, but rows may begin anywhere.
// expect-gcc: vectors: vectors of 16 bytes need dynamic\(2\), a stride, to be a multiple of 4, but it
// expect-gcc: is declared as a multiple of 1
// expect-clang: vectors: vectors of 16 bytes.*need dynamic\(2\), a stride, to
// expect-clang: be a multiple of 4, but it is
// expect-nvcc: vector_needs_a_multiple.*Facts=<16L?, 2L?, 4L?, 1L?>
#include <axe/axe.hpp>
#include <axe/cuda/local_partition.hpp>

using namespace axe::literals;
using by_fours = axe::carrier<"S[(32,8,4):(8@tid,1@tid,1@reg)]"_axe>;

#if defined(AXE_EXPECT_FAILURE)
using matrix = axe::dynamic_matrix<axe::dynamic(0), axe::dynamic(1), axe::dynamic(2)>;
#else
using matrix =
    axe::dynamic_matrix<axe::dynamic(0), axe::dynamic(1), axe::dynamic(2).multiple_of(4)>;
#endif
float load(axe::tensor<float const, matrix, axe::aligned<16>> in, unsigned thread) {
  auto const thread_tile = axe::local_partition<by_fours>(axe::tile<32, 32>(in, 0u, 0u), thread);
  return axe::vectors<4>(thread_tile).load(axe::constant<0>{}).elements[0];
}
