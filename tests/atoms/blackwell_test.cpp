// Tensor memory and its operands, and bank conflicts of ldmatrix.
#include "support/catch.hpp"

#include "atoms/formulas.hpp"

#include <axe/algebra/permute.hpp>
#include <axe/algebra/slice.hpp>
#include <axe/algebra/tile.hpp>
#include <axe/analysis/access_form.hpp>
#include <axe/analysis/conflicts.hpp>
#include <axe/atoms.hpp>
#include <axe/construct/literal.hpp>
#include <axe/map/measures.hpp>
#include <axe/map/places.hpp>

using namespace axe;
using namespace axe::literals;

namespace {

static_assert(scale_factors_in_tensor_memory(128, 4) ==
              "S[(4,32,4):(4@TCol,1@TLane,1@TCol)] + R[4:32@TLane]"_axe);
static_assert(a_in_tensor_memory(data_path::B, 64, 16) ==
              "S[(64,64):(1@TLane,1@TCol)] + R[2:64@TLane]"_axe);

// ldmatrix reads eight rows at once. A pitch of an odd multiple of 16 bytes has no conflict, and a
// pitch that is a multiple of 128 bytes has 8-way conflicts.
template <int... Bytes> constexpr bool free_of_conflicts() {
  auto const rows = [](integer pitch) {
    layout l;
    l.shards = {{16, pitch, axis::m}, {8, 1, axis::m}};
    return conflicts(l, shape{16, 8}, ldmatrix_rows<16>);
  };
  return ((rows(Bytes / 2) == 1) && ...);
}
static_assert(free_of_conflicts<16, 48, 80, 112, 144, 272, 528>());
static_assert(conflicts("S[(16,8):(64,1)]"_axe, shape{16, 8}, ldmatrix_rows<16>) == 8 &&
              conflicts("S[(16,8):(128,1)]"_axe, shape{16, 8}, ldmatrix_rows<16>) == 8 &&
              conflicts("S[(16,8):(256,1)]"_axe, shape{16, 8}, ldmatrix_rows<16>) == 8);

}  // namespace

TEST_CASE("tensor memory: each warp reaches its own 32 lanes") {
  for (integer n : {1, 8, 128}) {
    layout const warps = tile("S[(4,1):(1@wid_in_wg,0)]"_axe, {4, 1},
                              tensor_memory_fragment(tmem_shape::lanes_32_bits_32, n), {32, n});
    for (integer lane = 0; lane < 128; ++lane)
      for (integer column = 0; column < n; ++column)
        REQUIRE(
            places(warps, {128, n}, {lane, column}) ==
            place_set{lane % 32 * axis::lane + lane / 32 * axis::wid_in_wg + column * axis::reg});
  }
}

namespace {
/// The lanes of tensor memory that hold an element, as a bit mask, and its column (-1 if the
/// replicas have different columns).
struct held_in {
  unsigned lanes[4]{};
  integer column = -2;
};
held_in where(layout const& l, shape const& s, integer r, integer c) {
  held_in out;
  for (place const& p : places(l, s, {r, c})) {
    integer const lane = p[axis::TLane], column = p[axis::TCol];
    out.lanes[lane / 32] |= 1U << lane % 32;
    out.column = out.column == -2 || out.column == column ? column : -1;
  }
  return out;
}
}  // namespace

TEST_CASE("A in tensor memory: row r is in the lanes of row r of D") {
  struct {
    data_path path;
    int rows, across;
    isa::element (*at)(int, int, int);
  } const paths[] = {{data_path::A, 128, 1, isa::data_path_ad},
                     {data_path::B, 64, 2, isa::data_path_be},
                     {data_path::D, 128, 1, isa::data_path_ad},
                     {data_path::F, 64, 1, isa::data_path_cf},
                     {data_path::G, 32, 4, isa::data_path_g}};
  for (auto const& path : paths)
    for (int bits : {8, 16, 32}) {
      layout const l = a_in_tensor_memory(path.path, 512 / bits, bits);
      for (int r = 0; r < path.rows; ++r)
        for (int k = 0; k < 512 / bits; ++k) {
          unsigned lanes[4]{};
          for (int lane = 0; lane < 128; ++lane)
            if ((path.at != isa::data_path_cf || lane % 32 < 16) && path.at(lane, 0, 16).row == r)
              lanes[lane / 32] |= 1U << lane % 32;
          held_in const held = where(l, {path.rows, 512 / bits}, r, k);
          REQUIRE(held.column == k);
          for (int w = 0; w < 4; ++w) REQUIRE(held.lanes[w] == lanes[w]);
        }
    }
  CHECK(try_a_in_tensor_memory(data_path::D, 17, 16).why ==
        refusal{rule::mma_does_not_divide, {17, 2}});
  CHECK(try_a_in_tensor_memory(data_path::D, 1026, 16).why ==
        refusal{rule::tmem_columns, {513, 1}});
  CHECK(try_a_in_tensor_memory(data_path::D, 64, 4).why ==
        refusal{rule::operand_element_width, {4}});
}

TEST_CASE("scale factors: four of a row share a 32-bit column, in all four quarters of the lanes") {
  for (int rows : {32, 128, 256})
    for (int factors : {1, 2, 4, 16}) {
      layout const l = scale_factors_in_tensor_memory(rows, factors);
      for (int r = 0; r < rows; ++r)
        for (int f = 0; f < factors; ++f) {
          held_in const held = where(l, {rows, factors}, r, f);
          REQUIRE(held.column == (r / 32 + f / 4 * (rows / 32)) * 4 + f % 4);
          for (unsigned const lanes : held.lanes) REQUIRE(lanes == 1U << r % 32);
        }
    }
  CHECK(try_scale_factors_in_tensor_memory(48, 4).why ==
        refusal{rule::mma_does_not_divide, {48, 32}});
  CHECK(try_scale_factors_in_tensor_memory(128, 6).why ==
        refusal{rule::mma_does_not_divide, {6, 4}});
  CHECK(try_scale_factors_in_tensor_memory(128, 516).why == refusal{rule::tmem_columns, {516, 1}});
  integer const huge = integer{1} << 45;
  CHECK(try_scale_factors_in_tensor_memory(huge, huge).why ==
        refusal{rule::result_size_overflows, {huge, huge}});
  CHECK(try_scale_factor_blocks(huge, huge).why ==
        refusal{rule::result_size_overflows, {huge, huge}});
}

TEST_CASE("cp.32x128b.warpx4 copies a block of scale factors to its layout in tensor memory") {
  layout const block = scale_factor_blocks(256, 8);
  for (int r = 0; r < 256; ++r)
    for (int f = 0; f < 8; ++f) {
      integer const byte = places(block, {256, 8}, {r, f}).first()[axis::m];
      REQUIRE(byte == r / 128 * 1024 + f / 4 * 512 + r % 32 * 16 + r % 128 / 32 * 4 + f % 4);
      // Row n of 16 bytes of the block goes to lane n of each quarter.
      held_in const held = where(scale_factors_in_tensor_memory(128, 4), {128, 4}, r % 128, f % 4);
      REQUIRE(held.column == byte % 16);
      for (unsigned const lanes : held.lanes) REQUIRE(lanes == 1U << byte % 512 / 16);
    }
  CHECK(try_scale_factor_blocks(64, 4).why == refusal{rule::mma_does_not_divide, {64, 128}});
  CHECK(try_scale_factor_blocks(128, 2).why == refusal{rule::mma_does_not_divide, {2, 4}});
}
