// Vectors of four floats, but rows may begin anywhere.
// expect-gcc: vectors: vectors of 16 bytes need given\(2\), a stride, to be a multiple of 4, but it
// expect-gcc: is declared as a multiple of 1
// expect-clang: vectors: vectors of 16 bytes.*need given\(2\), a stride, to
// expect-clang: be a multiple of 4, but it is
// expect-nvcc: vector_needs_a_multiple.*Facts=<16L?, 2L?, 4L?, 1L?>
#include <axe/axe.hpp>
#include <axe/cuda/view.hpp>

using namespace axe::literals;
using by_fours = axe::carrier<"S[(32,8,4):(8@tid,1@tid,1@reg)]"_axe>;

#if defined(AXE_EXPECT_FAILURE)
using matrix = axe::pitched<axe::given(0), axe::given(1), axe::given(2)>;
#else
using matrix = axe::pitched<axe::given(0), axe::given(1), axe::given(2).multiple_of(4)>;
#endif
float load(axe::global_view<float const, matrix, 16> in, unsigned thread) {
  auto const mine = in.tile<32, 32>(0u, 0u).mine<by_fours>(thread);
  return mine.vectors<4>().load_inside(axe::constant<0>{}).elements[0];
}
