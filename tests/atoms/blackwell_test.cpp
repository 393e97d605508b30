// Layouts of less common instructions: the four products of m8n8k4, ldmatrix and stmatrix of bytes,
// the swizzles of Blackwell's tensor maps, and the tensor memory of each warp.
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

// Two accumulators side by side are the four matrices of stmatrix in the order row half + 2 *
// column half.
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

// Rows for ldmatrix: a pitch of 16 bytes times an odd number has no conflict, whole lines of 128
// bytes have eight.
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

TEST_CASE("m8n8k4 of f16: four products, element by element") {
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

TEST_CASE("ldmatrix and stmatrix of bytes, element by element") {
  agrees<wide_ldmatrix_atom<1>>(isa::ldmatrix_8x16);
  agrees<wide_ldmatrix_atom<2>>(isa::ldmatrix_8x16);
  agrees<wide_ldmatrix_atom<4>>(isa::ldmatrix_8x16);
  agrees<bytes_stmatrix_atom<1>>(isa::stmatrix_16x8);
  agrees<bytes_stmatrix_atom<2>>(isa::stmatrix_16x8);
  agrees<bytes_stmatrix_atom<4>>(isa::stmatrix_16x8);
}

namespace {
/// Every address of sixteen lines, in elements of Bits bits.
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

TEST_CASE("the swizzles of Blackwell's tensor maps, line by line") {
  CHECK(as_the_tables_say<8>());
  CHECK(as_the_tables_say<16>());
  CHECK(as_the_tables_say<32>());
  CHECK(as_the_tables_say<64>());
}

TEST_CASE("tensor memory by warps: each reaches its own 32 lanes") {
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
