// Tests the descriptors of tcgen05: operands lie where the figures of the PTX ISA put them
// (swizzled rows of 16-byte chunks, or core matrices), and invalid descriptors are rejected.
#include "tensor/kernels.hpp"
#include "tensor/tcgen05_product.hpp"
#include "tensor/tcgen05_sparse.hpp"

#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "kernels_here.hpp"
#include "support.hpp"
#include "support/catch.hpp"

using namespace machine::tensor;
using machine::tensor::test::bit_stream;

namespace {

constexpr std::uint32_t start = 0x2000, leading = 0x1000, stride = 0x2400;

struct picture {
  unsigned code;         // in the descriptor
  std::uint32_t span;    // bytes of a row of an atom; 16: core matrices
  unsigned rows_beside;  // neighbouring rows whose chunks are permuted alike
};
constexpr picture none{0, 16, 1}, b128{2, 128, 1}, b64{4, 64, 2}, b32{6, 32, 4};

/// Returns where byte `inner` of row `outer` of an atom of eight rows lies in the atom.
std::uint32_t in_atom(picture const& it, std::uint32_t outer, std::uint32_t inner) {
  std::uint32_t const chunks = it.span / 16;
  std::uint32_t const chunk = inner / 16 ^ (outer / it.rows_beside) % chunks;
  return outer * it.span + chunk * 16 + inner % 16;
}

/// Returns the address of byte `byte` of element (row, k).
std::uint32_t place(picture const& it, major order, std::uint32_t size, std::uint32_t row,
                    std::uint32_t k, std::uint32_t byte) {
  bool const k_major = order == major::k;
  std::uint32_t const inner = (k_major ? k : row) * size + byte, outer = k_major ? row : k;
  std::uint32_t const atom = inner / it.span, group = outer / 8;
  if (it.span == 16)
    return start + atom * (k_major ? leading : stride) + group * (k_major ? stride : leading) +
           outer % 8 * 16 + inner % 16;
  return start + atom * leading + group * stride + in_atom(it, outer % 8, inner % it.span);
}

std::uint64_t descriptor(unsigned code) {
  return start >> 4 | std::uint64_t{leading >> 4} << 16 | std::uint64_t{stride >> 4} << 32 |
         std::uint64_t{1} << 46 | std::uint64_t{code} << 61;
}

struct numbered {
  mma_element type;
  std::uint32_t size;
  std::uint32_t (*bits)(std::uint32_t number);
};
std::uint32_t as_f16(std::uint32_t number) { return number % 1024 | 0x4000; }  // an f16 from 2 to 4
std::uint32_t as_tf32(std::uint32_t number) { return number % 1024 << 13 | 0x40000000; }
std::uint32_t as_byte(std::uint32_t number) { return number * 37 % 255; }
constexpr numbered halves{mma_element::f16, 2, as_f16}, words{mma_element::tf32, 4, as_tf32},
    bytes{mma_element::u8, 1, as_byte};

/// Checks that 64 rows of a k step lie where the picture says, read as A and as B.
void check_layout(picture const& it, major order, numbered const& of) {
  std::vector<std::byte> shared(0x18000, std::byte{0xee});
  std::uint32_t const rows = 64, depth = 32 / of.size;
  for (std::uint32_t row = 0; row < rows; ++row)
    for (std::uint32_t k = 0; k < depth; ++k)
      for (std::uint32_t byte = 0; byte < of.size; ++byte)
        shared[place(it, order, of.size, row, k, byte)] =
            static_cast<std::byte>(of.bits(row * depth + k) >> 8 * byte);
  operand_descriptor from;
  REQUIRE(decode_operand(descriptor(it.code), order, of.type, rows, shared.size(), from) == "");
  for (bool const is_a : {true, false}) {
    static operand_floats got;
    read_operand(from, order, of.type, is_a, rows, shared, is_a, got);
    int wrong = 0;
    for (std::uint32_t row = 0; row < rows; ++row)
      for (std::uint32_t k = 0; k < depth; ++k) {
        float const want = to_float(of.type, of.bits(row * depth + k));
        auto const at = is_a ? k * rows + row : row * depth + k;
        wrong += got.values[at] != (is_a ? -want : want);
      }
    INFO("swizzle " << it.code << (order == major::k ? ", K-major, " : ", MN-major, ")
                    << name_of(of.type) << (is_a ? ", A" : ", B"));
    CHECK(wrong == 0);
  }
}

std::string refusal(std::uint64_t bits, major order, mma_element type, std::size_t size = 0x18000) {
  operand_descriptor ignored;
  return decode_operand(bits, order, type, 64, size, ignored);
}

bool says(std::string const& text, char const* words_in_it) {
  INFO(text);
  return text.find(words_in_it) != std::string::npos;
}

/// Returns an instruction descriptor with A and B in f16, by default with M 128, N 64 and D in f32.
std::uint32_t instruction(unsigned m = 128, unsigned n = 64, std::uint32_t more = 1u << 4) {
  return m / 16 << 24 | n / 8 << 17 | more;
}

std::string mma_refusal(std::uint32_t bits, mma_kind kind = mma_kind::f16, int pair = 1) {
  mma_instruction ignored;
  return decode_mma(bits, kind, pair, ignored);
}

}  // namespace

TEST_CASE("operands lie where the figures of their layouts put them", "[tcgen05]") {
  for (auto const& it : {none, b128, b64, b32})
    for (auto const order : {major::k, major::mn}) {
      check_layout(it, order, halves);
      check_layout(it, order, bytes);
    }
  for (auto const& it : {none, b128, b64, b32}) check_layout(it, major::k, words);
}

TEST_CASE("tf32 that is MN-major lies in atoms of 32 bytes", "[tcgen05]") {
  std::vector<std::byte> shared(0x18000);
  for (std::uint32_t row = 0; row < 64; ++row)
    for (std::uint32_t k = 0; k < 8; ++k)
      for (std::uint32_t byte = 0; byte < 4; ++byte) {
        std::uint32_t const inner = row * 4 + byte, atom = inner % 128 / 32 ^ k % 4;
        shared[start + inner / 128 * leading + k / 4 * stride + k % 4 * 128 + atom * 32 +
               inner % 32] = static_cast<std::byte>(as_tf32(row * 8 + k) >> 8 * byte);
      }
  operand_descriptor from;
  REQUIRE(decode_operand(descriptor(1), major::mn, mma_element::tf32, 64, shared.size(), from) ==
          "");
  static operand_floats got;
  read_operand(from, major::mn, mma_element::tf32, false, 64, shared, true, got);
  int wrong = 0;
  for (std::uint32_t row = 0; row < 64; ++row)
    for (std::uint32_t k = 0; k < 8; ++k)
      wrong += got.values[k * 64 + row] != to_float(mma_element::tf32, as_tf32(row * 8 + k));
  CHECK(wrong == 0);
}

TEST_CASE("invalid shared memory descriptors are rejected", "[tcgen05]") {
  using enum mma_element;
  auto const good = descriptor(2);
  CHECK(refusal(good, major::k, f16) == "");
  CHECK(says(refusal(good & ~(7ull << 46), major::k, f16), "descriptor of wgmma"));
  CHECK(says(refusal(good | 1ull << 14, major::k, f16), "must be 0: 0x4000"));
  CHECK(says(refusal(good | 1ull << 52, major::k, f16), "must be 0"));
  for (unsigned const code : {3u, 5u, 7u})
    CHECK(says(refusal(descriptor(code), major::k, f16), "does not exist"));
  CHECK(says(refusal(descriptor(1), major::k, tf32), "is for tf32 that is MN-major"));
  CHECK(says(refusal(descriptor(1), major::mn, f16), "is for tf32 that is MN-major"));
  CHECK(says(refusal(descriptor(2), major::mn, tf32), "needs the 128B swizzle with atoms"));
  CHECK(says(refusal(descriptor(0) | 1ull << 49, major::k, f16), "has no meaning"));
  CHECK(says(refusal(good, major::k, f16, 0x4000), "outside the 16384 bytes"));
}

TEST_CASE("invalid instruction descriptors are rejected", "[tcgen05]") {
  using enum mma_kind;
  CHECK(mma_refusal(instruction()) == "");
  CHECK(mma_refusal(instruction(64, 8)) == "");
  CHECK(mma_refusal(instruction(256, 256), f16, 2) == "");
  CHECK(says(mma_refusal(instruction(32)), "M is 32"));
  CHECK(says(mma_refusal(instruction(256)), "M is 256"));
  CHECK(says(mma_refusal(instruction(64), f16, 2), "cta_group::2 needs 128 or 256"));
  CHECK(says(mma_refusal(instruction(128, 0)), "N is 0"));
  CHECK(says(mma_refusal(instruction(128, 264)), "N is 264"));
  CHECK(says(mma_refusal(instruction(128, 24), f16, 2), "multiples of 16"));
  CHECK(says(mma_refusal(instruction(128, 24, 2u << 4), i8), "multiples of 16"));
  CHECK(mma_refusal(instruction(64, 24, 2u << 4), i8) == "");
  CHECK(says(mma_refusal(instruction() | 1u << 2), "sparse"));
  for (unsigned const bit : {0u, 1u, 6u, 23u, 29u, 30u, 31u})
    CHECK(says(mma_refusal(instruction() | 1u << bit), "must be 0"));
  CHECK(says(mma_refusal(instruction(128, 64, 3u << 4)), "type 3 of D"));
  CHECK(says(mma_refusal(instruction() | 2u << 7), "types 2 and 0 of A and B"));
  CHECK(says(mma_refusal(instruction(), tf32), "types 0 and 0"));
  CHECK(says(mma_refusal(instruction() | 2u << 7, f8f6f4), "types 2 and 0"));
  CHECK(says(mma_refusal(instruction() | 6u << 10, f8f6f4), "types 0 and 6"));
  CHECK(says(mma_refusal(instruction(), i8), "accumulates in s32"));
  CHECK(says(mma_refusal(instruction(128, 64, 2u << 4)), "accumulates in f16 or f32"));
  CHECK(says(mma_refusal(instruction(128, 64, 1u << 7)), "bf16 accumulate in f32"));
  CHECK(says(mma_refusal(instruction(128, 64, 2u << 4) | 1u << 13, i8), "cannot negate"));
  CHECK(says(mma_refusal(instruction() | 1u << 3), "only kind::i8 saturates"));
}

TEST_CASE("invalid instruction descriptors with block scales are rejected", "[tcgen05]") {
  using enum mma_kind;
  auto const rejection = [](std::uint32_t bits, mma_kind kind, int scales, int pair = 1) {
    mma_instruction ignored;
    return decode_mma(bits, kind, pair, ignored, scales);
  };
  // M 128, N 64 and scales of type UE8M0; A and B have the type E4M3 in `wide` and 4 bits in
  // `narrow`.
  constexpr std::uint32_t wide = 1u << 27 | 8u << 17 | 1u << 23, narrow = wide | 1u << 7 | 1u << 10;
  CHECK(rejection(wide, mxf8f6f4, 1) == "");
  CHECK(rejection(wide | 3u << 29 | 2u << 4, mxf8f6f4, 1) == "");
  CHECK(rejection(narrow, mxf4, 2) == "");
  CHECK(rejection(narrow | 2u << 29, mxf4, 2) == "");
  CHECK(rejection(narrow ^ 1u << 23, mxf4nvf4, 4) == "");
  CHECK(rejection(wide ^ 3u << 27, mxf8f6f4, 1, 2) == "");
  CHECK(says(rejection(wide ^ 1u << 27, mxf8f6f4, 1), "M is 0"));
  CHECK(says(rejection(wide ^ 3u << 27, mxf8f6f4, 1), "M is 256"));
  CHECK(says(rejection(wide ^ 1u << 23, mxf8f6f4, 1), "scales of type UE4M3"));
  CHECK(says(rejection(narrow ^ 1u << 23, mxf4nvf4, 2), "scales of type UE4M3"));
  CHECK(says(rejection(narrow | 1u << 29, mxf4, 2), "begin at byte 1 of their word"));
  CHECK(says(rejection(narrow | 2u << 4, mxf4nvf4, 4), "begin at byte 2 of their word"));
  CHECK(says(rejection(narrow | 1u << 15, mxf4, 2), "must be K-major"));
  CHECK(says(rejection(narrow | 1u << 31, mxf4, 2), "K 96"));
  CHECK(says(rejection(wide, mxf4, 2), "types 0 and 0 of A and B"));
  CHECK(says(rejection(wide | 1u << 2, mxf8f6f4, 1), "sparse"));
  for (unsigned const bit : {0u, 1u, 3u, 6u, 24u, 25u, 26u, 31u})
    CHECK(says(rejection(wide | 1u << bit, mxf8f6f4, 1), "must be 0"));
  CHECK(says(rejection(narrow | 1u << 12, mxf4, 2), "must be 0: 0x1000"));
}

TEST_CASE("invalid instruction descriptors of .ws are rejected", "[tcgen05]") {
  auto const rejection = [](std::uint32_t bits, mma_kind kind = mma_kind::f16) {
    mma_instruction ignored;
    return decode_stationary_mma(bits, kind, ignored);
  };
  for (unsigned const m : {32u, 64u, 128u})
    for (unsigned const n : {64u, 128u, 256u}) CHECK(rejection(instruction(m, n)) == "");
  CHECK(rejection(instruction() | 3u << 30) == "");  // how far B may be shifted: a hint
  CHECK(says(rejection(instruction(256, 64)), "M is 256; .ws needs 32, 64 or 128"));
  CHECK(says(rejection(instruction(64, 32)), "N is 32; .ws needs 64, 128 or 256"));
  CHECK(says(rejection(instruction() | 1u << 29), "must be 0"));
  CHECK(says(rejection(instruction(), mma_kind::tf32), "types 0 and 0"));
}

TEST_CASE("invalid instruction descriptors of .sp are rejected", "[tcgen05]") {
  auto const rejection = [](std::uint32_t bits, mma_kind kind = mma_kind::f16, int pair = 1) {
    mma_instruction ignored;
    return decode_sparse_mma(bits, kind, pair, ignored);
  };
  std::uint32_t const sparse = instruction(128, 64) | 1u << 2;
  CHECK(rejection(sparse) == "");
  CHECK(rejection(sparse | 1u) == "");
  CHECK(says(rejection(sparse | 2u), "sparsity selector 2"));
  CHECK(rejection(sparse, mma_kind::f8f6f4) == "");
  CHECK(says(rejection(sparse | 1u, mma_kind::f8f6f4), "kind::f8f6f4 needs 0"));
  CHECK(says(rejection(instruction(128, 64)), "A is not sparse"));
  CHECK(says(rejection(instruction(64, 64) | 1u << 2), "sparse products only for M 128"));
  CHECK(says(rejection(sparse, mma_kind::f16, 2), "sparse products only for M 256"));
  operand_descriptor ignored;
  std::uint64_t const version = std::uint64_t{1} << 46, eight_rows = std::uint64_t{16} << 32;
  auto const of_b = [&](std::uint64_t swizzle) {
    return decode_operand(version | eight_rows | swizzle << 61, major::k, mma_element::f16, 8, 8192,
                          ignored, 64);
  };
  CHECK(of_b(4) == "");
  CHECK(says(of_b(6), "half of a row of B"));
}

TEST_CASE("the metadata of sparse A names the place of each stored element", "[tcgen05]") {
  bit_stream bits(31);
  constexpr std::uint32_t pairs[] = {0x4, 0x8, 0xc, 0x9, 0xd, 0x6, 0xe};
  for (auto const kind : {mma_kind::f16, mma_kind::f8f6f4}) {
    mma_instruction it;
    std::uint32_t const types = kind == mma_kind::f16 ? 0 : 1u << 7;
    REQUIRE(decode_sparse_mma(instruction(128, 64) | 1u << 2 | types, kind, 1, it) == "");
    int const depth = kind == mma_kind::f16 ? 32 : 64;
    std::vector<std::uint32_t> metadata(256);
    std::vector<std::vector<int>> wanted(128);
    for (int row = 0; row < 128; ++row)
      for (int k = 0; k < depth; k += 4) {
        auto const pair = pairs[bits.next() % 7];
        wanted[static_cast<std::size_t>(row)].push_back(k + static_cast<int>(pair & 3u));
        wanted[static_cast<std::size_t>(row)].push_back(k + static_cast<int>(pair >> 2));
        // CUTLASS's tmem_e_frg has strides for (8, 2, 8) rows and for (16, 2) elements of 16-bit
        // types.
        int const place = kind == mma_kind::f8f6f4 ? row + 128 * k
                                                   : row % 8 + row / 8 % 2 * 2048 + row / 16 * 16 +
                                                         k % 16 * 128 + k / 16 * 8;
        metadata[static_cast<std::size_t>(place / 4096 * 128 + place % 128)] |= pair
                                                                                << place / 128 % 32;
      }
    stored_positions got;
    REQUIRE(read_metadata(it, metadata.data(), got) == "");
    int wrong = 0;
    for (std::size_t row = 0; row < 128; ++row)
      for (std::size_t k = 0; k < wanted[row].size(); ++k)
        wrong += got[k * 128 + row] != wanted[row][k];
    CHECK(wrong == 0);
    metadata[9] = 0x5;
    CHECK(says(read_metadata(it, metadata.data(), got), "which names no elements"));
  }
}

TEST_CASE("column_product rounds once a step, in the order of k, in each set of loops",
          "[tcgen05]") {
  constexpr int rows = 64, columns = 12, depth = 16;
  bit_stream bits(21);
  std::vector<float> a(rows * depth), b(columns * depth);
  // The values have 12 significant bits and similar magnitudes, so that the sums must be rounded.
  for (auto* each : {&a, &b})
    for (float& value : *each)
      value = std::bit_cast<float>((static_cast<std::uint32_t>(bits.next()) & 0x81fff000u) |
                                   0x3e000000u);
  for (kernel_set const* set : test::kernels_here()) {
    for (bool const accumulate : {false, true}) {
      std::vector<std::uint32_t> d(128 * columns, std::bit_cast<std::uint32_t>(0.3f));
      set->column_product(rows, columns, depth, a.data(), b.data(), d.data(), 128, accumulate);
      int wrong = 0;
      for (int n = 0; n < columns; ++n)
        for (int r = 0; r < 128; ++r) {
          float want = accumulate || r >= rows ? 0.3f : 0.0f;
          for (int k = 0; k < depth && r < rows; ++k)
            want = std::fma(a[static_cast<std::size_t>(k * rows + r)],
                            b[static_cast<std::size_t>(n * depth + k)], want);
          wrong += d[static_cast<std::size_t>(n * 128 + r)] != std::bit_cast<std::uint32_t>(want);
        }
      INFO(set->name);
      CHECK(wrong == 0);
    }
  }
}
