// Tests that a wgmma descriptor reads what a tensor map's box writes to shared memory, for each
// swizzle mode, element size and major. Also compares fragments of wgmma with those of mma.sync.
#include <cstring>
#include <memory>

#include "mma_positions.hpp"
#include "support.hpp"
#include "support/catch.hpp"
#include "tensor/tile_copy.hpp"
#include "tensor/wgmma.hpp"

using namespace machine::tensor;
using namespace machine::tensor::test;

namespace {

constexpr std::uint64_t base = 1 << 20;

// Returns the value of element (outer, inner). Neighbours have different values.
std::uint64_t mark(int outer, int inner) {
  return static_cast<std::uint64_t>(outer) * 251 + static_cast<std::uint64_t>(inner) * 7 + 3;
}

struct matrix_in_memory {
  tensor_map map;
  std::vector<std::byte> bytes;
};

matrix_in_memory make(map_type type, int outer, int inner, std::uint32_t box_outer,
                      std::uint32_t box_inner, swizzle mode) {
  auto const size = static_cast<std::size_t>(size_of(type));
  matrix_in_memory result;
  result.map = {.type = type,
                .rank = 2,
                .address = base,
                .extents = {static_cast<std::uint64_t>(inner), static_cast<std::uint64_t>(outer)},
                .strides = {size, size * static_cast<std::size_t>(inner)},
                .element_strides = {1, 1},
                .swizzling = mode,
                .box = {box_inner, box_outer}};
  result.bytes.resize(size * static_cast<std::size_t>(inner * outer));
  for (int i = 0; i < outer; ++i)
    for (int j = 0; j < inner; ++j) {
      std::uint64_t const value = mark(i, j);
      std::memcpy(result.bytes.data() + static_cast<std::size_t>(i * inner + j) * size, &value,
                  size);
    }
  return result;
}

void load(matrix_in_memory const& from, coordinates const& at, std::vector<std::byte>& shared,
          std::uint32_t start) {
  REQUIRE(!refuse_copy(from.map, start, shared.size()));
  load_tile(from.map, at, {}, shared, start,
            [&](std::uint64_t global, std::byte* to, std::uint32_t count) {
              std::memcpy(to, from.bytes.data() + (global - base), count);
            });
}

std::uint64_t element_of_row(operand_rows const& rows, int row, int k, int size) {
  std::uint64_t value = 0;
  std::memcpy(&value, rows.bytes.data() + row * 32 + k * size, static_cast<std::size_t>(size));
  return value;
}

std::uint64_t truncated(std::uint64_t value, int size) {
  return value & ((std::uint64_t{1} << (8 * size)) - 1);
}

}  // namespace

TEST_CASE("a K-major box is read with SBO = 8 rows; the next step of K begins 32 bytes later") {
  for (auto [type, operand_type] : {std::pair{map_type::uint8, element::e4m3},
                                    {map_type::bfloat16, element::bf16},
                                    {map_type::float32, element::tf32}})
    for (swizzle mode : {swizzle::b32, swizzle::b64, swizzle::b128})
      // 0x1180 is not a multiple of the swizzle's period.
      for (std::uint32_t start : {0x1000u, 0x1180u}) {
        int const size = size_of(type), rows = 128, width = static_cast<int>(span_of(mode)) / size;
        matrix_in_memory const from =
            make(type, 192, 3 * width, rows, static_cast<std::uint32_t>(width), mode);
        std::vector<std::byte> shared(64 * 1024);
        load(from, {width, 40}, shared, start);
        auto out = std::make_unique<operand_rows>();
        for (int step = 0; step < static_cast<int>(span_of(mode)) / 32; ++step) {
          matrix_descriptor const it{start + 32 * static_cast<std::uint32_t>(step), 16,
                                     8 * span_of(mode), 0, mode};
          REQUIRE(!refuse_descriptor(encode_descriptor(it), major::k, operand_type, rows,
                                     shared.size()));
          CHECK(!overlap_of(it, major::k, operand_type, rows));
          read_operand(it, major::k, operand_type, rows, shared, *out);
          for (int row = 0; row < rows; ++row)
            for (int k = 0; k < 32 / size; ++k)
              if (element_of_row(*out, row, k, size) !=
                  truncated(mark(40 + row, width + step * (32 / size) + k), size))
                FAIL("row " << row << " k " << k << " size " << size << " span " << span_of(mode)
                            << " start " << start);
        }
      }
}

TEST_CASE("an MN-major box is read with LBO = the distance of boxes and SBO = 8 values of k") {
  for (swizzle mode : {swizzle::none, swizzle::b32, swizzle::b64, swizzle::b128}) {
    int const width = static_cast<int>(span_of(mode)) / 2, depth = 64, rows = 128;
    matrix_in_memory const from =
        make(map_type::bfloat16, 80, 200, static_cast<std::uint32_t>(depth),
             static_cast<std::uint32_t>(width), mode);
    std::vector<std::byte> shared(64 * 1024);
    std::uint32_t const start = 0x1000,
                        box_bytes = static_cast<std::uint32_t>(depth) * span_of(mode);
    for (int box = 0; box < rows / width; ++box)
      load(from, {8 + box * width, 5}, shared, start + static_cast<std::uint32_t>(box) * box_bytes);
    auto out = std::make_unique<operand_rows>();
    for (int step = 0; step < depth / 16; ++step) {
      // Without swizzle the roles change: LBO is the distance of 8 k, SBO that of 8 rows of M or N.
      std::uint32_t const eight_k = 8 * span_of(mode),
                          advance = static_cast<std::uint32_t>(step) * 2 * eight_k;
      matrix_descriptor const it =
          mode == swizzle::none ? matrix_descriptor{start + advance, eight_k, box_bytes, 0, mode}
                                : matrix_descriptor{start + advance, box_bytes, eight_k, 0, mode};
      CHECK(!overlap_of(it, major::mn, element::bf16, rows));
      read_operand(it, major::mn, element::bf16, rows, shared, *out);
      for (int row = 0; row < rows; ++row)
        for (int k = 0; k < 16; ++k)
          if (element_of_row(*out, row, k, 2) != truncated(mark(5 + step * 16 + k, 8 + row), 2))
            FAIL("row " << row << " k " << k << " span " << span_of(mode) << " step " << step);
    }
  }
}

TEST_CASE(
    "a K-major box without swizzle is read with LBO = the distance of 16-byte columns, SBO = 128") {
  int const rows = 96, columns = 4;
  matrix_in_memory const from = make(map_type::bfloat16, 128, 64, rows, 8, swizzle::none);
  std::vector<std::byte> shared(32 * 1024);
  for (int column = 0; column < columns; ++column)
    load(from, {16 + 8 * column, 20}, shared,
         0x800 + static_cast<std::uint32_t>(column * rows * 16));
  auto out = std::make_unique<operand_rows>();
  for (std::uint32_t step = 0; step < 2; ++step) {
    matrix_descriptor const it{0x800 + step * 2 * rows * 16, rows * 16, 128, 0, swizzle::none};
    read_operand(it, major::k, element::bf16, rows, shared, *out);
    for (int row = 0; row < rows; ++row)
      for (int k = 0; k < 16; ++k)
        CHECK(element_of_row(*out, row, k, 2) ==
              truncated(mark(20 + row, 16 + 16 * static_cast<int>(step) + k), 2));
  }
}

TEST_CASE("a descriptor with one wrong field reads other elements") {
  matrix_in_memory const from = make(map_type::bfloat16, 64, 64, 64, 64, swizzle::b128);
  std::vector<std::byte> shared(64 * 1024);
  load(from, {0, 0}, shared, 0x1000);
  auto right = std::make_unique<operand_rows>(), wrong = std::make_unique<operand_rows>();
  matrix_descriptor const good{0x1000, 16, 1024, 0, swizzle::b128};
  read_operand(good, major::k, element::bf16, 64, shared, *right);
  auto const differs = [&](matrix_descriptor const& it) {
    read_operand(it, major::k, element::bf16, 64, shared, *wrong);
    return std::memcmp(right->bytes.data(), wrong->bytes.data(), 64 * 32) != 0;
  };
  CHECK_FALSE(differs(good));
  CHECK(differs({0x1010, 16, 1024, 0, swizzle::b128}));
  CHECK(differs({0x1000, 16, 512, 0, swizzle::b128}));
  CHECK(differs({0x1000, 16, 1024, 1, swizzle::b128}));
  CHECK(differs({0x1000, 16, 1024, 0, swizzle::b64}));
  CHECK(differs({0x1000, 16, 1024, 0, swizzle::none}));
  // The leading offset is not used in this mode.
  CHECK_FALSE(differs({0x1000, 64, 1024, 0, swizzle::b128}));
}

TEST_CASE("lanes hold 16 columns of wgmma's D as mma.sync holds A, so D can be the next A") {
  shape_case const* mma = nullptr;
  auto const cases = shape_cases();
  for (shape_case const& shape : cases)
    if (shape.m == 16 && shape.k == 16 && shape.types.front() == element::bf16) mma = &shape;
  REQUIRE(mma != nullptr);
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < 8; ++i) {
      // The ISA: "row = 16 (t / 32) + (t % 32) / 4 + 8 ((i >> 1) & 1), column = 8 (i >> 2) + 2 (t &
      // 3) + (i & 1)".
      place const d{lane / 4 + 8 * ((i >> 1) & 1), 8 * (i >> 2) + 2 * (lane & 3) + (i & 1)};
      place const a = mma->a(lane, i);
      CHECK((d.row == a.row && d.column == a.column));
    }
}

TEST_CASE("fp8: with k renumbered, the accumulators of a lane are the next A of the same lane") {
  // Thread (g, q) of D holds columns c = 16 j + 8 b + 2 q + e; word (row half, j) of A is
  // k = 16 j + 4 q + i. With i = 2 b + e each byte stays in its lane, and k = 16 j + 4 q + 2 b + e
  // stands for column c.
  auto const k_of_column = [](int c) {
    return 16 * (c / 16) + 4 * (c % 8 / 2) + 2 * (c / 8 % 2) + c % 2;
  };
  bit_stream bits(91);
  std::vector<std::uint8_t> a(64 * 32), b(8 * 32);
  for (auto& byte : a) byte = static_cast<std::uint8_t>(whole(element::e4m3, bits.below(9) - 4));
  for (auto& byte : b) byte = static_cast<std::uint8_t>(whole(element::e4m3, bits.below(9) - 4));
  std::vector<std::uint32_t> words(16 * 32), sums(16 * 32);
  std::vector<std::uint32_t*> a_registers, d_registers;
  for (std::size_t i = 0; i < 16; ++i) {
    a_registers.push_back(words.data() + 32 * i);
    d_registers.push_back(sums.data() + 32 * i);
  }
  for (int thread = 0; thread < 128; ++thread)
    for (int j = 0; j < 2; ++j)
      for (int half = 0; half < 2; ++half)
        for (int i = 0; i < 4; ++i) {
          int const row = 16 * (thread / 32) + 8 * half + thread % 32 / 4,
                    column = 16 * j + 8 * (i / 2) + 2 * (thread % 4) + i % 2;
          a_registers[static_cast<std::size_t>(thread / 32 * 4 + half + 2 * j)][thread % 32] |=
              static_cast<std::uint32_t>(a[static_cast<std::size_t>(row * 32 + column)]) << (8 * i);
        }
  auto left = std::make_unique<operand_rows>(), right = std::make_unique<operand_rows>();
  read_registers({{&a_registers[0], &a_registers[4], &a_registers[8], &a_registers[12]}}, *left);
  for (int n = 0; n < 8; ++n)
    for (int c = 0; c < 32; ++c)
      right->bytes[static_cast<std::size_t>(n * 32 + k_of_column(c))] =
          b[static_cast<std::size_t>(n * 32 + c)];
  wgmma({.n = 8, .d = element::f32, .a = element::e4m3, .b = element::e4m3}, *left, *right,
        {{&d_registers[0], &d_registers[4], &d_registers[8], &d_registers[12]}}, false);
  for (int thread = 0; thread < 128; ++thread)
    for (int i = 0; i < 4; ++i) {
      int const row = 16 * (thread / 32) + 8 * (i / 2) + thread % 32 / 4,
                column = 2 * (thread % 4) + i % 2;
      double want = 0;
      for (int c = 0; c < 32; ++c)
        want += number(element::e4m3, a[static_cast<std::size_t>(row * 32 + c)]) *
                number(element::e4m3, b[static_cast<std::size_t>(column * 32 + c)]);
      CHECK(number(element::f32,
                   d_registers[static_cast<std::size_t>(thread / 32 * 4 + i)][thread % 32]) ==
            want);
    }
}
