// Four registers hold two equal rows of four elements, but a vector store writes one row only.
// expect-gcc: this register stands for 2 elements of the tile, and a store would write the first
// expect-gcc: one only
// expect-clang: this register stands for 2.*elements of the tile, and a
// expect-clang: store would write the first
// expect-nvcc: store_of_shared_register.*Facts=<2L?>
#include <axe/axe.hpp>
#include <axe/cuda/local_partition.hpp>

using namespace axe::literals;
using axe::dynamic;
using matrix =
    axe::dynamic_matrix<dynamic(0), dynamic(1).multiple_of(4), dynamic(2).multiple_of(4)>;
using one_for_two = axe::carrier<"S[(8,2,4):(1@tid,0,1@reg)]"_axe>;

#if defined(AXE_EXPECT_FAILURE)
using value = float;
#else
using value = float const;
#endif
float first_of_two(axe::tensor<value, matrix, axe::aligned<16>> m, unsigned thread) {
  auto const thread_tile =
      axe::vectors(axe::local_partition<one_for_two>(axe::tile<16, 4>(m, 0u, 0u), thread));
#if defined(AXE_EXPECT_FAILURE)
  thread_tile.store(axe::constant<0>{}, {});
#endif
  return thread_tile.load(axe::constant<0>{}).elements[0];
}
