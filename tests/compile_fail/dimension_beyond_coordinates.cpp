// A dimension has more elements than 32-bit coordinates reach. Its last tiles would wrap around to
// the first elements.
// expect-gcc: dynamic_layout: dimension 0 has 8589934597 elements, but coordinates have 32 bits; make it two
// expect-gcc: dimensions
// expect-clang: dynamic_layout: dimension 0.*has 8589934597 elements, but.*coordinates have 32 bits;
// expect-nvcc: dimension_beyond_coordinates.*Facts=<0L?, 8589934597L?>
#include <axe/axe.hpp>
#include <axe/index.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
using line = axe::tensor_of<axe::carrier<"S[8589934597:1]"_axe>, axe::extents<8589934597>>;
char* element(char* data, unsigned i) { return axe::bind_pointer(data, line{}, i).at<>(); }
#else
using lines = axe::tensor_of<axe::carrier<"S[(3,2863311532):(2863311532,1)]"_axe>,
                             axe::extents<3, 2863311532>>;
char* element(char* data, unsigned i) { return axe::bind_pointer(data, lines{}, 2u, i).at<>(); }
#endif
