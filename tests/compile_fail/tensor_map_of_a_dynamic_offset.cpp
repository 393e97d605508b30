// A tensor map at an offset that is known only at run time.
// expect: a tensor map begins at a static offset: add a dynamic one to the pointer
#include <axe/index/dynamic_layout.hpp>
#include <axe/plan/tma_tensor.hpp>

template <axe::leaf Offset>
using rows = axe::dynamic_layout_from<Offset, axe::dimension<axe::digit<axe::dynamic(0), 72>>,
                                      axe::dimension<axe::digit<64, 1>>>;

#if defined(AXE_EXPECT_FAILURE)
constexpr axe::tma_tensor tensor = axe::tma_tensor_of<rows<axe::dynamic(1)>>();
#else
static_assert(axe::tma_tensor_of<rows<8>>().offset == 8);
#endif
