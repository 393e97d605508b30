// Pixels of three bytes are copied byte by byte, because an access does not cross a row.
// expect-gcc: copy: the copy moves 1 byte at a time, because no access crosses a row, but adjacent
// expect-gcc: rows allow 16: copy them as one row, of a tensor such as
// expect-gcc: axe::tensor<T, axe::row_major<1>, axe::aligned_rows<16>>.x.data, rows . columns., or
// expect-gcc: pass axe::allow_slow
// expect-clang: copy: the copy moves 1 byte .*at a time, because no access
// expect-nvcc: copy_is_narrow_by_its_rows.*Facts=<1L?, 16L?>
#include <axe/cuda/copy/case.hpp>
#include <axe/index.hpp>

#if defined(AXE_EXPECT_FAILURE)
using pixels = axe::tensor<unsigned char, axe::row_major<2, 3>, axe::aligned<16>>;
using tile = decltype(axe::tile<1024, 3>(pixels{}, 0u, 0u));
#else
using pixels = axe::tensor<unsigned char, axe::row_major<1>, axe::aligned_rows<16>>;
using tile = decltype(axe::tile<3072>(pixels{}, 0u));
#endif
using tile_type = axe::detail::operand_type<tile>;
axe::integer accesses() {
  using how = axe::detail::copy_case<tile_type, tile_type, 64, axe::copy_how{}>;
  using stop [[maybe_unused]] = axe::detail::verdict<how>::stop;
  return how::plan.issues;
}
