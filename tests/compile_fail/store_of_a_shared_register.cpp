// One register stands for a row of four elements. Storing it would write one of them.
// expect-gcc: this register stands for 4 elements of the tile, and a store would write the first
// expect-gcc: one only
// expect-clang: this register stands for 4.*elements of the tile, and a
// expect-clang: store would write the first
// expect-nvcc: store_of_shared_register.*Facts=<4L?>
#include <axe/axe.hpp>
#include <axe/cuda.hpp>

using namespace axe::literals;
using axe::dynamic;
using matrix = axe::dynamic_matrix<dynamic(0), dynamic(1), dynamic(2)>;
using one_a_row = axe::carrier<"S[(32,4):(1@tid,0)]"_axe>;

#if defined(AXE_EXPECT_FAILURE)
using value = float;
#else
using value = float const;
#endif
float first_of_a_row(axe::tensor<value, matrix> m, unsigned thread) {
  auto const thread_tile = axe::local_partition<one_a_row>(axe::tile<32, 4>(m, 0u, 0u), thread);
#if defined(AXE_EXPECT_FAILURE)
  thread_tile.store(axe::constant<0>{}, 1.0f);
#endif
  return thread_tile.load(axe::constant<0>{});
}
