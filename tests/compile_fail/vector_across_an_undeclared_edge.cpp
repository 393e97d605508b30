// Four floats are tested as one vector, but rows may have any even length and end inside it.
// expect-gcc: vectors: vectors of 4 elements need dynamic\(1\), an extent, to be a multiple of 4, but
// expect-gcc: it is declared as a multiple of 2
// expect-clang: vectors: vectors of 4.*elements need dynamic\(1\), an.*extent, to be a multiple of
// expect-clang: 4, but it is declared as a
// expect-nvcc: vector_needs_a_whole_extent.*Facts=<4L?, 1L?, 4L?, 2L?>
#include <axe/axe.hpp>
#include <axe/cuda/local_partition.hpp>

using namespace axe::literals;
using by_fours = axe::carrier<"S[(32,8,4):(8@tid,1@tid,1@reg)]"_axe>;

#if defined(AXE_EXPECT_FAILURE)
using matrix = axe::dynamic_matrix<axe::dynamic(0), axe::dynamic(1).multiple_of(2),
                                   axe::dynamic(2).multiple_of(4)>;
#else
using matrix = axe::dynamic_matrix<axe::dynamic(0), axe::dynamic(1).multiple_of(4),
                                   axe::dynamic(2).multiple_of(4)>;
#endif
bool in_bounds(axe::tensor<float const, matrix, axe::aligned<16>> in, unsigned thread) {
  return axe::vectors<4>(axe::local_partition<by_fours>(axe::tile<32, 32>(in, 0u, 0u), thread))
      .in_bounds(axe::constant<0>{});
}
