// The planner copies rows of 64 shorts one by one, because no alignment of the pointer is declared.
// expect-gcc: copy: the copy moves 2 bytes at a time, but its rows allow 16: declare aligned<16> in
// expect-gcc: the type of the tensor, or aligned_rows<16> if its rows have any length, or pass
// expect-gcc: axe::allow_slow; axe::plan_command<From, To, Scope>
// expect-gcc: shows the plan: axe plan copy .*--alignment 2 --edges 1,1
// expect-clang: copy: the copy moves 2 bytes .*at a time, but its rows allow
// expect-nvcc: copy_is_narrow_by_its_pointer.*Facts=<2L?, 16L?>
#include <axe/cuda/copy/case.hpp>
#include <axe/index.hpp>

#if defined(AXE_EXPECT_FAILURE)
using statement = axe::aligned<0>;
#else
using statement = axe::aligned<16>;
#endif
using matrix = axe::tensor<short, axe::row_major<2>, statement>;
using tile_type = axe::detail::operand_type<decltype(axe::tile<16, 64>(matrix{}, 0u, 0u))>;
axe::integer accesses() {
  using how = axe::detail::copy_case<tile_type, tile_type, 128, axe::copy_how{}>;
  using stop [[maybe_unused]] = axe::detail::verdict<how>::stop;
  return how::plan.issues;
}
