// Layouts of less common instructions: mma.m8n8k4 (four products, one for each quad pair), ldmatrix
// and stmatrix of bytes, the swizzles of Blackwell's tensor maps, and tensor memory.
#include "support/catch.hpp"

#include "atoms/formulas.hpp"

#include <axe/algebra/permute.hpp>
#include <axe/algebra/slice.hpp>
#include <axe/algebra/tile.hpp>
#include <axe/analysis/conflicts.hpp>
#include <axe/analysis/forms.hpp>
#include <axe/atoms.hpp>
#include <axe/construct/literal.hpp>
#include <axe/map/measures.hpp>
#include <axe/map/places.hpp>

using namespace axe;
using namespace axe::literals;

namespace {

// stmatrix.x4 stores a 16 x 16 accumulator (two m16n8 products side by side) if matrix q is row
// half q % 2 and column half q / 2.
static_assert(canonicalize(permute(stmatrix_atom<4>::fragment, {2, 2, 8, 8}, {1, 2, 0, 3})) ==
              slice(wgmma_atom<16, 16>::accumulator, {64, 16}, {{0, 16}, {0, 16}}));
static_assert(bytes_stmatrix_atom<1>::fragment == mma_atom<16, 8, 32, 8>::accumulator);
static_assert(slice(wide_ldmatrix_atom<1>::fragment, {8, 16}, {{0, 8}, {0, 16}}) ==
              mma_atom<8, 8, 16, 8>::a);
static_assert(wide_ldmatrix_atom<2>::fragment == "S[(2,32,4):(4@reg,1@lane,1@reg)]"_axe);
static_assert(bytes_stmatrix_atom<2>::fragment ==
              canonicalize("S[(2,2,8,4,2):(4@reg,2@reg,4@lane,1@lane,1@reg)]"_axe));
static_assert(quad_pair_fragment(mma_operand::a, quad_pair_order::rows) ==
              canonicalize("S[(4,2,4,4):(4@lane,16@lane,1@lane,1@reg)]"_axe));
static_assert(quad_pair_fragment(mma_operand::b, quad_pair_order::columns) ==
              canonicalize("S[(4,4,2,4):(4@lane,1@reg,16@lane,1@lane)]"_axe));
static_assert(
    quad_pair_fragment(mma_operand::accumulator, quad_pair_order::f32) ==
    canonicalize("S[(4,2,2,2,2,2,2):(4@lane,16@lane,2@reg,1@lane,4@reg,2@lane,1@reg)]"_axe));
static_assert(try_quad_pair_fragment(mma_operand::a, quad_pair_order::f32).why.which ==
                  rule::mma_no_such_shape &&
              try_quad_pair_fragment(mma_operand::accumulator, quad_pair_order::rows).why.which ==
                  rule::mma_no_such_shape);
static_assert(swizzle_128B_atom_32B<16> == swizzle{4, 2, 2} &&
              swizzle_128B_atom_64B<8> == swizzle{6, 1, 1} &&
              swizzle_8B_flip<16> == swizzle{2, 1, 4} && swizzle_96B<32> == swizzle_32B<32>);

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

TEST_CASE("m8n8k4 of f16 has the product of each quad pair, element by element") {
  struct {
    mma_operand which;
    quad_pair_order order;
    integer rows, columns;
    int registers;
    isa::element (*at)(int, int);
  } const all[] = {
      {mma_operand::a, quad_pair_order::rows, 8, 4, 4, isa::a_m8n8k4_f16_row},
      {mma_operand::a, quad_pair_order::columns, 8, 4, 4, isa::a_m8n8k4_f16_column},
      {mma_operand::b, quad_pair_order::rows, 4, 8, 4, isa::b_m8n8k4_f16_row},
      {mma_operand::b, quad_pair_order::columns, 4, 8, 4, isa::b_m8n8k4_f16_column},
      {mma_operand::accumulator, quad_pair_order::f16, 8, 8, 8, isa::c_m8n8k4_f16},
      {mma_operand::accumulator, quad_pair_order::f32, 8, 8, 8, isa::c_m8n8k4_f32},
  };
  for (auto const& one : all) {
    layout const l = quad_pair_fragment(one.which, one.order);
    REQUIRE(size(l) == 32 * one.registers);
    for (int lane = 0; lane < 32; ++lane)
      for (int i = 0; i < one.registers; ++i) {
        isa::element const e = one.at(lane, i);
        REQUIRE(places(l, {4, one.rows, one.columns}, {isa::quad_pair(lane), e.row, e.column}) ==
                place_set{lane * axis::lane + i * axis::reg});
      }
  }
}

namespace {
template <class Atom, class At> void agrees(At const& at) {
  REQUIRE(size(Atom::fragment) == 128 * Atom::count);
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < 4 * Atom::count; ++i) {
      isa::element const e = at(lane, i);
      REQUIRE(places(Atom::fragment, Atom::fragment_shape, {i / 4, e.row, e.column}) ==
              place_set{lane * axis::lane + i * axis::reg});
    }
  for (int q = 0; q < Atom::count; ++q)
    for (int r = 0; r < 8; ++r)
      REQUIRE(places(Atom::rows, Atom::rows_shape, {q, r}) == place_set{(8 * q + r) * axis::lane});
}
}  // namespace

TEST_CASE("ldmatrix and stmatrix of bytes agree with the ISA, element by element") {
  agrees<wide_ldmatrix_atom<1>>(isa::ldmatrix_8x16);
  agrees<wide_ldmatrix_atom<2>>(isa::ldmatrix_8x16);
  agrees<wide_ldmatrix_atom<4>>(isa::ldmatrix_8x16);
  agrees<bytes_stmatrix_atom<1>>(isa::stmatrix_16x8);
  agrees<bytes_stmatrix_atom<2>>(isa::stmatrix_16x8);
  agrees<bytes_stmatrix_atom<4>>(isa::stmatrix_16x8);
}

namespace {
/// Compares the address of every element of sixteen 128-byte lines with the tables of the ISA.
template <int Bits> bool as_the_tables_say() {
  for (long long at = 0; at < 2048 * 8 / Bits; ++at) {
    auto const byte = at * Bits / 8;
    auto const is = [&](long long moved, long long wanted) { return moved * Bits / 8 == wanted; };
    if (!is(swizzle_96B<Bits>(at), isa::placed_byte(isa::table_96B, byte)) ||
        !is(swizzle_128B_atom_32B<Bits>(at), isa::placed_byte(isa::atom_32B_table, byte)) ||
        !is(swizzle_128B_atom_64B<Bits>(at), isa::placed_byte(isa::atom_64B_table, byte)) ||
        !is(swizzle_8B_flip<Bits>(swizzle_128B_atom_32B<Bits>(at)),
            isa::placed_byte(isa::atom_32B_table, byte, true)))
      return false;
  }
  return true;
}
}  // namespace

TEST_CASE("the swizzles of Blackwell's tensor maps agree with the ISA's tables, line by line") {
  CHECK(as_the_tables_say<8>());
  CHECK(as_the_tables_say<16>());
  CHECK(as_the_tables_say<32>());
  CHECK(as_the_tables_say<64>());
}

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

TEST_CASE("scale factors: four of a row share a column, in all four quarters of the lanes") {
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
  layout const copied = tensor_memory_copy(tmem_copy_shape::lanes_32_four_warps);
  for (int r = 0; r < 256; ++r)
    for (int f = 0; f < 8; ++f) {
      integer const byte = places(block, {256, 8}, {r, f}).first()[axis::m];
      REQUIRE(byte == r / 128 * 1024 + f / 4 * 512 + r % 32 * 16 + r % 128 / 32 * 4 + f % 4);
      // The block in shared memory consists of rows of 16 bytes, and each copy takes 32 rows.
      REQUIRE(places(copied, {32, 16}, {byte % 512 / 16, byte % 16}) ==
              places(scale_factors_in_tensor_memory(128, 4), {128, 4}, {r % 128, f % 4}));
    }
  CHECK(try_scale_factor_blocks(64, 4).why == refusal{rule::mma_does_not_divide, {64, 128}});
  CHECK(try_scale_factor_blocks(128, 2).why == refusal{rule::mma_does_not_divide, {2, 4}});
}

TEST_CASE("tcgen05.cp puts each row on the lanes that the ISA says") {
  struct {
    tmem_copy_shape shape;
    int rows, bytes;
    bool (*reaches)(int row, int lane);
  } const all[] = {
      {tmem_copy_shape::lanes_128_bits_256, 128, 32, [](int r, int lane) { return lane == r; }},
      {tmem_copy_shape::lanes_128_bits_128, 128, 16, [](int r, int lane) { return lane == r; }},
      {tmem_copy_shape::lanes_64_warps_02_13, 64, 16,
       [](int r, int lane) { return lane % 64 == r; }},
      {tmem_copy_shape::lanes_64_warps_01_23, 64, 16,
       [](int r, int lane) { return lane / 64 == r / 32 && lane % 32 == r % 32; }},
      {tmem_copy_shape::lanes_32_four_warps, 32, 16,
       [](int r, int lane) { return lane % 32 == r; }},
      {tmem_copy_shape::lanes_4_bits_256, 4, 32, [](int r, int lane) { return lane == 32 * r; }}};
  for (auto const& one : all)
    for (int r = 0; r < one.rows; ++r)
      for (int b = 0; b < one.bytes; ++b) {
        held_in const held = where(tensor_memory_copy(one.shape), {one.rows, one.bytes}, r, b);
        REQUIRE(held.column == b);
        for (int lane = 0; lane < 128; ++lane)
          REQUIRE((held.lanes[lane / 32] >> lane % 32 & 1) == (one.reaches(r, lane) ? 1 : 0));
      }
}
