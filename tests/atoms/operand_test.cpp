// Operands of wgmma in shared memory: compares the bytes that a descriptor names with the layout of
// the operand, and this layout with the tile that TMA writes.
#include "support/catch.hpp"

#include "atoms/formulas.hpp"

#include <axe/algebra/equivalent.hpp>
#include <axe/atoms/shared_operand.hpp>
#include <axe/map/places.hpp>

using namespace axe;

namespace {

constexpr swizzle_mode modes[] = {swizzle_mode::none, swizzle_mode::bytes_32,
                                  swizzle_mode::bytes_64, swizzle_mode::bytes_128};

}  // namespace

TEST_CASE("the layout of an operand has the bytes that its descriptor names") {
  for (int bits : {8, 16, 32})
    for (swizzle_mode mode : modes)
      for (operand_major major : {operand_major::k, operand_major::mn}) {
        if (major == operand_major::mn && bits != 16) continue;
        bool const by_k = major == operand_major::k;
        int const bytes = bits / 8, width = static_cast<int>(mode),
                  line = (width == 0 ? 16 : width) / bytes;  // elements
        int const rows = by_k ? 24 : 3 * line, k = by_k ? (width == 0 ? 4 * line : line) : 32;
        // With gaps between the groups, a wrong use of either stride changes the addresses.
        int const lbo = 16384, sbo = 2048;
        CAPTURE(bits, width, by_k);
        layout const l = shared_operand(bits, mode, major, {rows, k}, lbo, sbo);
        for (int row = 0; row < rows; ++row)
          for (int depth = 0; depth < k; ++depth) {
            long long const plain = by_k ? isa::k_major_byte(row, depth, bytes, width, lbo, sbo)
                                         : isa::mn_major_byte(row, depth, bytes, width, lbo, sbo);
            long long const expected = width == 0 ? plain : isa::swizzled_byte(plain, width);
            REQUIRE(places(l, {rows, k}, {row, depth}).first()[axis::m] * bytes == expected);
          }
      }
}

TEST_CASE("TMA and wgmma agree: K-major tiles of each mode and width") {
  for (int bits : {8, 16, 32})
    for (swizzle_mode mode : modes) {
      int const width = static_cast<int>(mode), line = (width == 0 ? 16 : width) * 8 / bits;
      for (int rows : {8, 64, 256}) {
        CAPTURE(bits, width, rows);
        int const k = width == 0 ? 2 * line : line;
        layout const by_tma = mma_shared_layout(bits, mode, {rows, k});
        CHECK(equivalent(by_tma, shared_operand(bits, mode, operand_major::k, {rows, k}, rows * 16,
                                                width == 0 ? 128 : 8 * width)));
      }
    }
}

TEST_CASE("TMA and wgmma agree: MN-major tiles of each mode") {
  for (swizzle_mode mode : modes) {
    int const width = static_cast<int>(mode), line_bytes = width == 0 ? 16 : width,
              line = line_bytes / 2;
    for (int depth : {16, 64})
      for (int rows : {line, 4 * line}) {
        CAPTURE(width, depth, rows);
        layout const by_tma = mma_shared_layout(16, mode, {rows, depth}, runs_along::rows);
        int const box = depth * line_bytes, eight = 8 * line_bytes;
        CHECK(
            equivalent(by_tma, shared_operand(16, mode, operand_major::mn, {rows, depth},
                                              width == 0 ? eight : box, width == 0 ? box : eight)));
      }
  }
}

TEST_CASE("advancing the start inside the swizzle's width reaches the next step of K") {
  // 16-bit elements in 128-byte mode: step s of K begins 32 s bytes further, and the XOR is applied
  // to the sum.
  layout const tile = mma_shared_layout(16, swizzle_mode::bytes_128, {64, 64});
  for (int step = 0; step < 4; ++step)
    for (int row = 0; row < 64; ++row)
      for (int k = 0; k < 16; ++k) {
        long long const byte = isa::k_major_byte(row, k, 2, 128, 0, 1024) + 32 * step;
        REQUIRE(places(tile, {64, 64}, {row, 16 * step + k}).first()[axis::m] * 2 ==
                isa::swizzled_byte(byte, 128));
      }
}
