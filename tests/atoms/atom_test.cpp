// Compares every fragment with the expressions of the PTX ISA (formulas.hpp), lane by lane and
// register by register. A fragment is a bijection if each pair of thread and register is the only
// place of its element, and if there are as many elements as pairs.
#include "support/catch.hpp"

#include "atoms/formulas.hpp"

#include <axe/atoms.hpp>
#include <axe/map/measures.hpp>
#include <axe/map/places.hpp>

using namespace axe;

namespace {

/// True if each register of each thread holds exactly the element that `at` returns. Threads of a
/// warpgroup are counted across its warps.
template <class At>
constexpr bool agrees(layout const& l, shape const& s, int threads, int registers, At const& at) {
  if (size(l) != integer{threads} * registers) return false;
  for (int t = 0; t < threads; ++t)
    for (int i = 0; i < registers; ++i) {
      isa::element const e = at(t, i);
      placement const at_places = places(l, s, {e.row, e.column});
      place const p = at_places.first();
      if (at_places.size() != 1 || 32 * p[axis::wid_in_wg] + p[axis::lane] != t ||
          p[axis::reg] != i)
        return false;
    }
  return true;
}

struct row_of_the_table {
  int m, k, bits;
  isa::element (*a)(int, int);
  isa::element (*b)(int, int);
};

constexpr row_of_the_table table[] = {
    {8, 4, 64, isa::a_m8n8k4_64bit, isa::b_m8n8k4_64bit},
    {8, 16, 8, isa::a_m8n8k16_8bit, isa::b_m8n8k16_8bit},
    {8, 32, 4, isa::a_m8n8k32_4bit, isa::b_m8n8k32_4bit},
    {8, 128, 1, isa::a_m8n8k128_1bit, isa::b_m8n8k128_1bit},
    {16, 4, 32, isa::a_m16n8k4_32bit, isa::b_m16n8k4_32bit},
    {16, 4, 64, isa::a_m16n8k4_32bit, isa::b_m16n8k4_32bit},
    {16, 8, 16, isa::a_m16n8k8_16bit, isa::b_m16n8k8_16bit},
    {16, 8, 32, isa::a_m16n8k8_32bit, isa::b_m16n8k8_32bit},
    {16, 8, 64, isa::a_m16n8k8_32bit, isa::b_m16n8k8_32bit},
    {16, 16, 16, isa::a_m16n8k16_16bit, isa::b_m16n8k16_16bit},
    {16, 16, 64, isa::a_m16n8k16_64bit, isa::b_m16n8k16_64bit},
    {16, 16, 8, isa::a_m16n8k16_8bit, isa::b_m16n8k16_8bit},
    {16, 32, 8, isa::a_m16n8k32_8bit, isa::b_m16n8k32_8bit},
    {16, 32, 4, isa::a_m16n8k32_4bit, isa::b_m16n8k32_4bit},
    {16, 64, 4, isa::a_m16n8k64_4bit, isa::b_m16n8k64_4bit},
    {16, 128, 1, isa::a_m16n8k128_1bit, isa::b_m16n8k128_1bit},
    {16, 256, 1, isa::a_m16n8k256_1bit, isa::b_m16n8k256_1bit},
};

// Some of these comparisons run at compile time, too.
static_assert(agrees(mma_atom<16, 8, 8, 16>::a, {16, 8}, 32, 4, isa::a_m16n8k8_16bit) &&
              agrees(mma_atom<16, 8, 8, 16>::b, {8, 8}, 32, 2, isa::b_m16n8k8_16bit) &&
              agrees(mma_atom<8, 8, 16, 8>::accumulator, {8, 8}, 32, 2, isa::c_m8n8));

}  // namespace

TEST_CASE("every shape of mma.sync agrees with the ISA, element by element") {
  for (row_of_the_table const& row : table) {
    CAPTURE(row.m, row.k, row.bits);
    auto const fragment = [&](mma_operand o) { return mma_fragment(o, row.m, 8, row.k, row.bits); };
    CHECK(agrees(fragment(mma_operand::a), {row.m, row.k}, 32, row.m * row.k / 32, row.a));
    CHECK(agrees(fragment(mma_operand::b), {row.k, 8}, 32, row.k * 8 / 32, row.b));
    CHECK(agrees(fragment(mma_operand::accumulator), {row.m, 8}, 32, row.m * 8 / 32,
                 row.m == 8 ? isa::c_m8n8 : isa::c_m16n8));
  }
}

TEST_CASE(
    "A of m16n8k256: the columns that the ISA prints are not a bijection, the corrected ones are") {
  isa::element const low = isa::a_m16n8k256_1bit_as_printed(3, 32),
                     high = isa::a_m16n8k256_1bit_as_printed(0, 96);
  CHECK((low.row == 8 && low.column == 128 && high.row == 8 && high.column == 128));
  bool held[2][16 * 256] = {};
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < 128; ++i) {
      isa::element const printed = isa::a_m16n8k256_1bit_as_printed(lane, i),
                         e = isa::a_m16n8k256_1bit(lane, i);
      held[0][printed.row * 256 + printed.column] = true;
      held[1][e.row * 256 + e.column] = true;
    }
  int holes[2] = {};
  for (int k = 0; k < 2; ++k)
    for (bool one : held[k]) holes[k] += one ? 0 : 1;
  CHECK(holes[0] == 8 * 32);  // no lane holds columns 0 to 31 of rows 8 to 15
  CHECK(holes[1] == 0);
}

TEST_CASE("mma.sync has exactly the shapes of the table") {
  int found = 0;
  for (integer m : {8, 16, 32})
    for (integer n : {4, 8, 16})
      for (integer k = 1; k <= 512; ++k)
        for (integer bits = 0; bits <= 128; ++bits) {
          bool listed = false;
          for (row_of_the_table const& row : table)
            listed = listed || (m == row.m && n == 8 && k == row.k && bits == row.bits);
          bool const has = static_cast<bool>(try_mma_fragment(mma_operand::a, m, n, k, bits));
          if (has != listed) FAIL("m" << m << "n" << n << "k" << k << " of " << bits << " bits");
          found += has ? 1 : 0;
        }
  CHECK(found == 17);
}

TEST_CASE("ldmatrix, stmatrix and movmatrix agree with the ISA, element by element") {
  for (int count : {1, 2, 4})
    for (bool trans : {false, true}) {
      CAPTURE(count, trans);
      layout const l = ldmatrix_fragment(count, trans);
      REQUIRE(size(l) == 64 * count);
      for (int lane = 0; lane < 32; ++lane)
        for (int i = 0; i < 2 * count; ++i) {
          isa::element const e = trans ? isa::ldmatrix_trans(lane, i) : isa::ldmatrix(lane, i);
          REQUIRE(places(l, {count, 8, 8}, {i / 2, e.row, e.column}) ==
                  place_set{lane * axis::lane + i * axis::reg});
        }
    }
  CHECK(agrees(ldmatrix_fragment(1), {8, 8}, 32, 2, isa::ldmatrix));
  CHECK(agrees(ldmatrix_fragment(1, true), {8, 8}, 32, 2, isa::ldmatrix_trans));
}

TEST_CASE("wgmma agrees with the ISA for every N, and A for each width") {
  for (int n = 8; n <= 256; n += 8)
    for (int bits : {8, 16, 32}) {
      CAPTURE(n, bits);
      if (bits == 16 || n == 24 || n == 256)
        CHECK(agrees(wgmma_fragment(mma_operand::accumulator, n, bits), {64, n}, 128, n / 2,
                     isa::d_wgmma));
    }
  CHECK(agrees(wgmma_atom<8, 16>::a, {64, 16}, 128, 8, isa::a_wgmma_16bit));
  CHECK(agrees(wgmma_atom<8, 8>::a, {64, 32}, 128, 16, isa::a_wgmma_8bit));
  CHECK(agrees(wgmma_atom<8, 32>::a, {64, 8}, 128, 4, isa::a_wgmma_32bit));
}

TEST_CASE("tcgen05.ld and .st agree with the ISA in every shape and repeat") {
  struct {
    tmem_shape which;
    int lanes, columns, registers, most;
    isa::element (*at)(int, int);
  } const shapes[] = {
      {tmem_shape::lanes_32_bits_32, 32, 1, 1, 128, isa::tcgen05_32x32b},
      {tmem_shape::lanes_16_bits_64, 16, 2, 1, 128, isa::tcgen05_16x64b},
      {tmem_shape::lanes_16_bits_128, 16, 4, 2, 64, isa::tcgen05_16x128b},
      {tmem_shape::lanes_16_bits_256, 16, 8, 4, 32, isa::tcgen05_16x256b},
  };
  for (auto const& s : shapes) {
    for (int x = 1; x <= s.most; x *= 2) {
      CAPTURE(s.lanes, s.columns, x);
      CHECK(agrees(tensor_memory_fragment(s.which, x), {s.lanes, s.columns * x}, 32,
                   s.registers * x, s.at));
    }
    CHECK(try_tensor_memory_fragment(s.which, 2 * s.most).why ==
          refusal{rule::tmem_repeat, {2 * s.most, s.most}});
  }
  for (int x = 1; x <= 128; x *= 2)
    CHECK(agrees(tensor_memory_fragment(tmem_shape::lanes_16_bits_32_twice, x), {16, 2 * x}, 32, x,
                 [&](int lane, int i) { return isa::tcgen05_16x32bx2(lane, i, x); }));
}

TEST_CASE("the data paths of tcgen05 agree with the ISA, lane by lane and column by column") {
  struct {
    data_path which;
    int rows, across;
    isa::element (*at)(int, int, int);
  } const paths[] = {
      {data_path::A, 128, 1, isa::data_path_ad}, {data_path::B, 64, 2, isa::data_path_be},
      {data_path::C, 64, 1, isa::data_path_cf},  {data_path::D, 128, 1, isa::data_path_ad},
      {data_path::E, 64, 2, isa::data_path_be},  {data_path::F, 64, 1, isa::data_path_cf},
      {data_path::G, 32, 4, isa::data_path_g},
  };
  for (auto const& path : paths)
    for (int n : {8, 24, 64, 256}) {
      layout const l = accumulator_in_tensor_memory(path.which, n);
      bool const half = path.at == isa::data_path_cf;
      REQUIRE(size(l) == integer{half ? 64 : 128} * (n / path.across));
      for (int lane = 0; lane < 128; ++lane)
        for (int column = 0; column < n / path.across; ++column) {
          if (half && lane % 32 >= 16) continue;
          isa::element const e = path.at(lane, column, n);
          REQUIRE(places(l, {path.rows, n}, {e.row, e.column}) ==
                  place_set{lane * axis::TLane + column * axis::TCol});
        }
    }
  layout const scales = scale_factors_in_tensor_memory(5);
  for (int row = 0; row < 32; ++row)
    for (int column = 0; column < 5; ++column)
      for (int quarter = 0; quarter < 4; ++quarter)
        CHECK(places(scales, {32, 5}, {row, column})
                  .contains((32 * quarter + row) * axis::TLane + column * axis::TCol));
}

TEST_CASE("layouts of Trainium have the right partitions, banks and free elements") {
  for (integer row = 0; row < 384; ++row)
    for (integer column : {0, 1, 62, 63})
      REQUIRE(places(sbuf_tile(384, 64), {384, 64}, {row, column}) ==
              place_set{row % 128 * axis::P + (row / 128 * 64 + column) * axis::F});
  for (integer row : {0, 1, 99})
    for (integer column = 0; column < 4096; ++column) {
      REQUIRE(places(psum_tile(100, 4096), {100, 4096}, {row, column}) ==
              place_set{row * axis::P + column / 512 * axis::Bank + column % 512 * axis::F});
      REQUIRE(places(sbuf_tile_transposed(100, 4096), {4096, 100}, {column, row}) ==
              place_set{row * axis::P + column * axis::F});
    }
}
