// Compares addresses of matrix descriptors with the canonical layouts of each mode, and tests the
// sentences for invalid descriptors.
#include "tensor/descriptor.hpp"

#include <set>

#include "support.hpp"
#include "support/catch.hpp"

using namespace machine::tensor;
using namespace machine::tensor::test;

namespace {

constexpr swizzle modes[] = {swizzle::none, swizzle::b32, swizzle::b64, swizzle::b128};

// Where the swizzle puts a chunk of 16 bytes in its row, if the pattern starts at its alignment. A
// row is as wide as the swizzle: 128, 64 or 32 bytes.
std::uint32_t chunk_in_row(swizzle mode, std::uint32_t row, std::uint32_t chunk) {
  switch (mode) {
    case swizzle::b128: return chunk ^ (row % 8);
    case swizzle::b64: return chunk ^ (row / 2 % 4);
    case swizzle::b32: return chunk ^ (row / 4 % 2);
    default: return chunk;
  }
}

}  // namespace

TEST_CASE("a descriptor is decoded to its fields") {
  matrix_descriptor const it = decode_descriptor(0x4000004000010040ull);
  CHECK(it.start == 0x400);
  CHECK(it.leading == 16);
  CHECK(it.stride == 1024);
  CHECK(it.base_offset == 0);
  CHECK(it.mode == swizzle::b128);
  CHECK(decode_descriptor(2ull << 62).mode == swizzle::b64);
  CHECK(decode_descriptor(3ull << 62).mode == swizzle::b32);
  CHECK(decode_descriptor(5ull << 49).base_offset == 5);
  bit_stream bits(41);
  for (int i = 0; i < 1000; ++i) {
    std::uint64_t const word =
        bits.next() & (0x3fff | 0x3fffull << 16 | 0x3fffull << 32 | 7ull << 49 | 3ull << 62);
    CHECK(encode_descriptor(decode_descriptor(word)) == word);
  }
}

TEST_CASE("K-major: a group has eight rows of the swizzle's width, and groups are SBO apart") {
  for (swizzle mode : modes)
    for (int bytes : {1, 2, 4}) {
      std::uint32_t const span = span_of(mode);
      std::uint32_t const start = 0x1000, stride = mode == swizzle::none ? 0x300 : 8 * span + 1024,
                          leading = 0x1800;
      matrix_descriptor const it{start, leading, stride, 0, mode};
      for (int row = 0; row < 128; ++row)
        for (int k = 0; k < 32 / bytes; ++k) {
          auto const r = static_cast<std::uint32_t>(row),
                     byte = static_cast<std::uint32_t>(k * bytes);
          std::uint32_t want = start + r / 8 * stride;
          if (mode == swizzle::none)
            want += byte / 16 * leading + r % 8 * 16 +
                    byte % 16;  // a core matrix is 8 rows of 16 bytes
          else
            want += r % 8 * span + chunk_in_row(mode, r % 8, byte / 16) * 16 + byte % 16;
          if (element_address(it, major::k, bytes, row, k) != want)
            FAIL("row " << row << " k " << k << " span " << span);
        }
    }
}

TEST_CASE(
    "MN-major: a line of the swizzle's width runs along M or N, and eight k follow each other") {
  for (swizzle mode : modes) {
    std::uint32_t const span = span_of(mode), width = span / 2;
    std::uint32_t const start = 0x2000, stride = mode == swizzle::none ? 0x900 : 8 * span + 2048,
                        leading = mode == swizzle::none ? 128 : 0x4000;
    matrix_descriptor const it{start, leading, stride, 0, mode};
    for (int row = 0; row < 256; ++row)
      for (int k = 0; k < 16; ++k) {
        auto const r = static_cast<std::uint32_t>(row), depth = static_cast<std::uint32_t>(k);
        std::uint32_t want = start;
        if (mode == swizzle::none) {
          want += r / 8 * stride + depth / 8 * leading + depth % 8 * 16 + r % 8 * 2;
        } else {
          std::uint32_t const inside = r % width * 2;
          want += r / width * leading + depth / 8 * stride + depth % 8 * span +
                  chunk_in_row(mode, depth % 8, inside / 16) * 16 + inside % 16;
        }
        if (element_address(it, major::mn, 2, row, k) != want)
          FAIL("row " << row << " k " << k << " span " << span);
      }
  }
}

TEST_CASE("the next k step is a larger start, because the swizzle uses absolute address bits") {
  for (swizzle mode : {swizzle::b64, swizzle::b128})
    for (std::uint32_t step = 0; step < span_of(mode) / 32; ++step) {
      matrix_descriptor const whole{0x4000, 16, 8 * span_of(mode), 0, mode};
      matrix_descriptor advanced = whole;
      advanced.start += 32 * step;
      for (int row = 0; row < 64; ++row)
        for (int k = 0; k < 16; ++k)
          CHECK(element_address(advanced, major::k, 2, row, k) ==
                element_address(whole, major::k, 2, row, k + 16 * static_cast<int>(step)));
    }
}

TEST_CASE("the base offset locates the pattern of a tile that does not start at its alignment") {
  // Rows of 128 bytes from 0x1180: the tile starts at row 3 of the pattern, (0x1180 >> 7) & 7 = 3.
  matrix_descriptor const it{0x1180, 16, 1024, 3, swizzle::b128};
  for (int row = 0; row < 8; ++row)
    for (int k = 0; k < 16; k += 8) {
      auto const r = static_cast<std::uint32_t>(row);
      CHECK(element_address(it, major::k, 2, row, k) ==
            0x1180 + r * 128 + ((static_cast<std::uint32_t>(k) / 8) ^ r) * 16);
    }
}

TEST_CASE("chunks cover all bytes of a k step once") {
  for (major order : {major::k, major::mn}) {
    matrix_descriptor const it{0x400, order == major::k ? 16u : 8192u, 1024, 0, swizzle::b128};
    std::set<std::uint32_t> seen;
    for_each_chunk(it, order, element::f16, 128,
                   [&](std::uint32_t address, int, int) { seen.insert(address); });
    CHECK(seen.size() == 128 * 32 / 16);
    for (std::uint32_t address : seen) CHECK(address % 16 == 0);
  }
}

TEST_CASE("an operand is rejected if and only if one of its chunks is outside shared memory") {
  bit_stream bits(43);
  int rejected = 0;
  for (int repeat = 0; repeat < 20000; ++repeat) {
    matrix_descriptor const it{static_cast<std::uint32_t>(bits.below(64)) * 16,
                               static_cast<std::uint32_t>(bits.below(64)) * 16,
                               static_cast<std::uint32_t>(bits.below(80)) * 16, 0,
                               static_cast<swizzle>(bits.below(4))};
    element const type = repeat % 3 == 0   ? element::e4m3
                         : repeat % 3 == 1 ? element::bf16
                                           : element::tf32;
    auto const order = type == element::bf16 ? static_cast<major>(bits.below(2)) : major::k;
    int const rows = 8 * (1 + bits.below(32));
    std::uint32_t furthest = 0;
    for_each_chunk(it, order, type, rows, [&](std::uint32_t address, int, int) {
      furthest = std::max(furthest, address);
    });
    for (std::size_t size : {std::size_t{furthest} + 15, std::size_t{furthest} + 16}) {
      bool const outside = size < std::size_t{furthest} + 16;
      if (refuse_descriptor(encode_descriptor(it), order, type, rows, size).has_value() != outside)
        FAIL("size " << size << " repeat " << repeat);
      rejected += outside ? 1 : 0;
    }
    auto const generous = static_cast<std::size_t>(bits.below(64 * 1024));
    bool const outside = generous < std::size_t{furthest} + 16;
    if (refuse_descriptor(encode_descriptor(it), order, type, rows, generous).has_value() !=
        outside)
      FAIL("size " << generous);
  }
  CHECK(rejected == 20000);
}

TEST_CASE("invalid descriptors are rejected with a sentence") {
  std::uint64_t const good = encode_descriptor({0x400, 16, 1024, 0, swizzle::b128});
  CHECK(!refuse_descriptor(good, major::k, element::bf16, 64, 0x400 + 8 * 1024));
  CHECK_THAT(*refuse_descriptor(good, major::k, element::bf16, 64, 0x400 + 8 * 1024 - 512),
             axe_test::contains_text("row 60"));
  CHECK_THAT(*refuse_descriptor(good | 1ull << 14, major::k, element::bf16, 64, 65536),
             axe_test::contains_text("must be 0: 0x4000"));
  CHECK_THAT(*refuse_descriptor(good | 1ull << 60, major::k, element::bf16, 64, 65536),
             axe_test::contains_text("must be 0"));
  CHECK_THAT(*refuse_descriptor(good, major::mn, element::e4m3, 64, 65536),
             axe_test::contains_text("must be K-major"));
  CHECK_THAT(*refuse_descriptor(encode_descriptor({0x400, 16, 128, 2, swizzle::none}), major::k,
                                element::f16, 64, 65536),
             axe_test::contains_text("base offset"));
  CHECK(!overlap_of(decode_descriptor(good), major::k, element::bf16, 64));
  CHECK_THAT(*overlap_of({0x400, 16, 0, 0, swizzle::b128}, major::k, element::bf16, 64),
             axe_test::contains_text("row 0, k 0 and row 8, k 0"));
  CHECK_THAT(*overlap_of({0x400, 0, 128, 0, swizzle::none}, major::k, element::bf16, 64),
             axe_test::contains_text("leading byte offset 0"));
}
