// Four registers for each two rows of four, stored as a vector to a tile with both rows.
// expect-gcc: this register stands for 2 elements of the tile, and a store would write the first
// expect-gcc: one only
// expect-clang: this register stands for 2.*elements of the tile, and a
// expect-clang: store would write the first
// expect-nvcc: store_of_shared_register.*Facts=<2L?>
#include <axe/axe.hpp>
#include <axe/cuda/view.hpp>

using namespace axe::literals;
using axe::given;
using matrix = axe::pitched<given(0), given(1).multiple_of(4), given(2).multiple_of(4)>;
using one_for_two = axe::carrier<"S[(8,2,4):(1@tid,0,1@reg)]"_axe>;

#if defined(AXE_EXPECT_FAILURE)
using value = float;
#else
using value = float const;
#endif
float first_of_two(axe::global_view<value, matrix, 16> m, unsigned thread) {
  auto const mine = m.tile<16, 4>(0u, 0u).mine<one_for_two>(thread).vectors();
#if defined(AXE_EXPECT_FAILURE)
  mine.store(axe::constant<0>{}, {});
#endif
  return mine.load(axe::constant<0>{}).elements[0];
}
