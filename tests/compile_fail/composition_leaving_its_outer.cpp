// The inner layout reads past the end of the outer one.
// expect-gcc: compose: S\[5:8\] has places 0 to 32, but S\[\(4,8\):\(8,1\)\] has only the elements
// expect-gcc: 0 to 31
// expect-clang: compose: S\[5:8\] has places 0.*to 32, but S\[\(4,8\):\(8,1\)\] has
// expect-nvcc: inner_leaves_the_outer.*Facts=<0L?, 32L?, 31L?>
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
using composed =
    decltype(axe::compose(axe::carrier<"S[(4,8):(8,1)]"_axe>{}, axe::carrier<"S[5:8]"_axe>{}));
#else
using composed =
    decltype(axe::compose(axe::carrier<"S[(4,8):(8,1)]"_axe>{}, axe::carrier<"S[4:8]"_axe>{}));
#endif
