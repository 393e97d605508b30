// Facts about mma_shared_layout: the worked example of the documentation, the table of tiles in
// shared memory, and invalid arguments.
#include <axe/analysis/conflicts.hpp>
#include <axe/atoms/shared_layout.hpp>
#include <axe/construct/literal.hpp>
#include <axe/map/measures.hpp>
#include <axe/map/places.hpp>

using namespace axe;
using namespace axe::literals;

namespace {

constexpr integer address(layout const& l, shape const& s, integer i, integer j) {
  return places(l, s, {i, j}).first()[axis::m];
}

// 8 rows of 64 halves in 128-byte mode. addr(i, j) = 64 i + 8 (j / 8 xor i) + j mod 8 in elements,
// and bank = addr / 2 mod 32.
constexpr layout page = mma_shared_layout(16, swizzle_mode::bytes_128, {8, 64});
static_assert(page == "swizzle(3,3,3) o S[512:1]"_axe);
constexpr bool worked_example() {
  for (integer i = 0; i < 8; ++i) {
    for (integer j = 0; j < 64; ++j)
      if (address(page, {8, 64}, i, j) != 64 * i + 8 * ((j / 8) ^ i) + j % 8) return false;
    if (address(page, {8, 64}, i, 0) / 2 % 32 != 4 * i)
      return false;  // with the swizzle, column 0 is in banks 0, 4, 8, …, 28
    if (address("S[(8,64):(64,1)]"_axe, {8, 64}, i, 0) / 2 % 32 != 0)
      return false;  // without it, column 0 is in one bank
  }
  return true;
}
static_assert(worked_example());
// Eight lanes read the eight rows of one column.
constexpr access_pattern column{"S[8:64]"_axe, 16, 1};
static_assert(conflicts("S[(8,64):(64,1)]"_axe, column) == 8 &&
              conflicts(page, {8, 64}, column) == 1);
// In every mode and width, ldmatrix reads 8 rows of 16 bytes without a conflict.
template <int Bits> constexpr bool columns_are_free() {
  for (swizzle_mode mode :
       {swizzle_mode::bytes_32, swizzle_mode::bytes_64, swizzle_mode::bytes_128}) {
    shape const s{16, integer{2} * static_cast<int>(mode) * 8 / Bits};
    if (conflicts(mma_shared_layout(Bits, mode, s), s, ldmatrix_rows<Bits>) != 1) return false;
  }
  shape const s{16, integer{64} * 8 / Bits};
  return conflicts(mma_shared_layout(Bits, swizzle_mode::none, s), s, ldmatrix_rows<Bits>) == 1;
}
static_assert(columns_are_free<4>() && columns_are_free<8>() && columns_are_free<16>() &&
              columns_are_free<32>() && columns_are_free<64>());

// Tiles that are K-major.
static_assert(mma_shared_layout(16, swizzle_mode::bytes_128, {128, 64}) ==
              "swizzle(3,3,3) o S[8192:1]"_axe);
static_assert(mma_shared_layout(16, swizzle_mode::bytes_128, {128, 256}) ==
              "swizzle(3,3,3) o S[(128,4,64):(64,8192,1)]"_axe);
static_assert(mma_shared_layout(16, swizzle_mode::bytes_64, {128, 64}) ==
              "swizzle(3,2,3) o S[(128,2,32):(32,4096,1)]"_axe);
static_assert(mma_shared_layout(16, swizzle_mode::bytes_32, {64, 16}) ==
              "swizzle(3,1,3) o S[1024:1]"_axe);
static_assert(mma_shared_layout(16, swizzle_mode::none, {128, 64}) ==
              "S[(128,8,8):(8,1024,1)]"_axe);
static_assert(mma_shared_layout(16, swizzle_mode::none, {100, 24}) == "S[(100,3,8):(8,800,1)]"_axe,
              "the number of rows is arbitrary");
static_assert(mma_shared_layout(8, swizzle_mode::bytes_128, {64, 128}) ==
              "swizzle(4,3,3) o S[8192:1]"_axe);
static_assert(mma_shared_layout(32, swizzle_mode::bytes_128, {64, 32}) ==
              "swizzle(2,3,3) o S[2048:1]"_axe);
static_assert(mma_shared_layout(64, swizzle_mode::bytes_128, {8, 16}) ==
              "swizzle(1,3,3) o S[128:1]"_axe);
static_assert(mma_shared_layout(4, swizzle_mode::bytes_128, {8, 256}) ==
              "swizzle(5,3,3) o S[2048:1]"_axe);
// Tiles that are MN-major: boxes of 64 columns and the whole extent of K.
static_assert(mma_shared_layout(16, swizzle_mode::bytes_128, {64, 256}) ==
              "swizzle(3,3,3) o S[(64,4,64):(64,4096,1)]"_axe);
static_assert(mma_shared_layout(16, swizzle_mode::bytes_128, {256, 64}, runs_along::rows) ==
                  "swizzle(3,3,3) o S[(4,64,64):(4096,1,64)]"_axe,
              "the same tile with exchanged dimensions");
// Tiles with a leading dimension of pipeline stages.
static_assert(mma_shared_layout(16, swizzle_mode::bytes_128, {4, 128, 64}) ==
              "swizzle(3,3,3) o S[32768:1]"_axe);
static_assert(mma_shared_layout(16, swizzle_mode::bytes_64, {3, 8, 64}) ==
              "swizzle(3,2,3) o S[(3,8,2,32):(512,32,256,1)]"_axe);

static_assert(try_mma_shared_layout(6, swizzle_mode::bytes_128, {8, 64}).why ==
                  refusal{rule::mma_element_width, {6}} &&
              try_mma_shared_layout(128, swizzle_mode::bytes_128, {8, 64}).why ==
                  refusal{rule::mma_element_width, {128}} &&
              try_mma_shared_layout(0, swizzle_mode::none, {8, 64}).why ==
                  refusal{rule::mma_element_width, {0}});
static_assert(try_mma_shared_layout(16, static_cast<swizzle_mode>(96), {8, 64}).why ==
              refusal{rule::mma_swizzle_mode, {96}});
static_assert(try_mma_shared_layout(16, swizzle_mode::bytes_128, {512}).why ==
              refusal{rule::mma_tile_rank, {1}});
static_assert(try_mma_shared_layout(16, swizzle_mode::bytes_128, {8, 72}).why ==
                  refusal{rule::mma_columns, {72, 64, 128}} &&
              try_mma_shared_layout(16, swizzle_mode::none, {8, 12}).why ==
                  refusal{rule::mma_columns, {12, 8, 16}});
static_assert(try_mma_shared_layout(16, swizzle_mode::bytes_128, {12, 64}).why ==
              refusal{rule::mma_rows, {12}});
static_assert(try_mma_shared_layout(16, swizzle_mode::bytes_128, {0, 64}).why.which ==
              rule::shape_extent_below_one);

}  // namespace
