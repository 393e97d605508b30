// 6 x 8 rows of 8 vectors: the planner uses 6 x 2 x 8 threads, 4 vectors each. 2 x 8 x 8 threads
// would need 3 vectors each.
// expect-gcc: copy: 96 of 128 threads copy, with 4 accesses each, but all 128 would need only 3
// expect-gcc: shows the plan: axe plan copy .*--scope 128 .*--alignment 16 --edges 1,1,8
// expect-clang: copy: 96 of 128 threads copy, .*with 4 accesses each, but all
// expect-nvcc: copy_leaves_threads_idle.*Facts=<96L?, 128L?, 4L?, 3L?>
#include <axe/cuda/copy/case.hpp>
#include <axe/index.hpp>

using matrix = axe::tensor<short, axe::row_major<3>, axe::aligned<16>>;
using tile_type = axe::detail::operand_type<decltype(axe::tile<6, 8, 64>(matrix{}, 0u, 0u, 0u))>;
#if defined(AXE_EXPECT_FAILURE)
inline constexpr axe::copy_how option{};
#else
inline constexpr axe::copy_how option = axe::allow_slow;
#endif
axe::integer accesses() {
  using how = axe::detail::copy_case<tile_type, tile_type, 128, option>;
  using stop [[maybe_unused]] = axe::detail::verdict<how>::stop;
  return how::plan.issues;
}
