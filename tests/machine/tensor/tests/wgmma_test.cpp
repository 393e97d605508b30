// Compares wgmma.mma_async with the definition: operands lie in shared memory in the canonical
// layouts and are multiplied element by element. Each register of each of the 128 threads is
// compared.
#include "tensor/wgmma.hpp"

#include <cstring>
#include <memory>

#include "kernels_here.hpp"
#include "support.hpp"
#include "support/catch.hpp"

using namespace machine::tensor;
using namespace machine::tensor::test;
namespace numerics = machine::numerics;

namespace {

struct operand {
  int rows = 0, depth = 0;
  std::vector<std::uint64_t> bits;  // [row][k]; row is a column of B
  std::uint64_t& at(int row, int k) { return bits[static_cast<std::size_t>(row * depth + k)]; }
};

operand make(element type, int rows, bit_stream& stream, bool any_bits) {
  operand result{rows, 256 / width_of(type), {}};
  bool const positive = type == element::u8 || type == element::b1;
  for (int i = 0; i < rows * result.depth; ++i)
    result.bits.push_back(any_bits ? stream.next() & mask_of(type)
                                   : whole(type, stream.below(7) - (positive ? 0 : 3)));
  return result;
}

void put_bits(std::vector<std::byte>& memory, std::size_t address, int width, std::uint64_t bits,
              int k) {
  if (width == 1) {
    memory[address] |= static_cast<std::byte>(bits << (k % 8));
    return;
  }
  std::memcpy(memory.data() + address, &bits, static_cast<std::size_t>(width / 8));
}

// Lays out an operand with the 128-byte swizzle. K-major: rows of 128 bytes, chunk xor row % 8.
// MN-major: rows of 64 elements of M or N, one for each k; blocks of 64 elements are 2048 bytes
// apart.
matrix_descriptor lay_swizzled(std::vector<std::byte>& memory, std::uint32_t start, element type,
                               operand& from, major order) {
  int const width = width_of(type);
  for (int row = 0; row < from.rows; ++row)
    for (int k = 0; k < from.depth; ++k) {
      auto const line = static_cast<std::uint32_t>(order == major::k ? row : k);
      auto const byte =
          static_cast<std::uint32_t>(order == major::k ? k * width / 8 : row % 64 * 2);
      std::uint32_t const block =
          order == major::k ? 0u : static_cast<std::uint32_t>(row / 64) * 2048;
      put_bits(memory, start + block + line * 128 + ((byte / 16) ^ (line % 8)) * 16 + byte % 16,
               width, from.at(row, k), k);
    }
  return {start, order == major::k ? 16u : 2048u, 1024, 0, swizzle::b128};
}

// Lays out an operand without swizzle: core matrices of 8 rows of 16 bytes, the halves of k 128
// bytes apart, groups of 8 rows 256 bytes apart.
matrix_descriptor lay_plain(std::vector<std::byte>& memory, std::uint32_t start, element type,
                            operand& from) {
  int const width = width_of(type);
  for (int row = 0; row < from.rows; ++row)
    for (int k = 0; k < from.depth; ++k) {
      int const byte = k * width / 8;
      put_bits(memory,
               start + static_cast<std::uint32_t>(row / 8 * 256 + byte / 16 * 128 + row % 8 * 16 +
                                                  byte % 16),
               width, from.at(row, k), k);
    }
  return {start, 128, 256, 0, swizzle::none};
}

struct accumulators {
  std::vector<std::vector<std::uint32_t>> words;  // [warp * count + register][lane]
  std::vector<std::uint32_t*> pointers[4];
  explicit accumulators(int count)
      : words(static_cast<std::size_t>(4 * count), std::vector<std::uint32_t>(32)) {
    for (std::size_t i = 0; i < words.size(); ++i)
      pointers[i / static_cast<std::size_t>(count)].push_back(words[i].data());
  }
  warpgroup_registers view() const {
    return {{pointers[0].data(), pointers[1].data(), pointers[2].data(), pointers[3].data()}};
  }
};

// Calls visit(register of the warpgroup, lane, shift in the register, row, column) for each element
// of D.
template <class Visit> void each_result(wgmma_instruction const& it, Visit visit) {
  int const count = accumulators_of(it);
  bool const pairs = it.d == element::f16;
  for (int thread = 0; thread < 128; ++thread)
    for (int i = 0; i < it.n / 2; ++i) {
      int const row = 16 * (thread / 32) + thread % 32 / 4 + 8 * ((i >> 1) & 1);
      int const column = 8 * (i >> 2) + 2 * (thread & 3) + (i & 1);
      int const in_warp = pairs ? i / 2 : i;
      visit(static_cast<std::size_t>(thread / 32 * count + in_warp),
            static_cast<std::size_t>(thread % 32), pairs ? 16 * (i % 2) : 0, row, column);
    }
}

std::uint32_t result_of(wgmma_instruction const& it, operand& a, operand& b, int row, int column,
                        std::uint32_t before) {
  double exact = 0;
  float single = static_cast<float>(number(it.d, before));
  for (int k = 0; k < a.depth; ++k) {
    double const x = (it.negate_a ? -1 : 1) * number(it.a, a.at(row, k));
    double const y = (it.negate_b ? -1 : 1) * number(it.b, b.at(column, k));
    exact += x * y;
    single = std::fma(static_cast<float>(x), static_cast<float>(y), single);
  }
  if (it.d == element::s32) {
    double total = number(element::s32, before) + exact;
    if (it.satfinite) total = std::min(std::max(total, -2147483648.0), 2147483647.0);
    return static_cast<std::uint32_t>(static_cast<std::int64_t>(total));
  }
  if (it.d == element::f16)
    return numerics::encode<numerics::f16>(static_cast<double>(single), numerics::rounding::rn);
  return single != single ? 0x7fffffffu : std::bit_cast<std::uint32_t>(single);
}

void put_in_registers(element type, operand& a, accumulators& registers) {
  int const width = width_of(type), per = 32 / width;
  for (int thread = 0; thread < 128; ++thread)
    for (int i = 0; i < 4 * per; ++i) {
      int const r = i / per;
      int const row = 16 * (thread / 32) + thread % 32 / 4 + 8 * (r % 2);
      int const k = (r / 2 * 4 + thread % 4) * per + i % per;
      registers.words[static_cast<std::size_t>(thread / 32 * 4 + r)]
                     [static_cast<std::size_t>(thread % 32)] |=
          static_cast<std::uint32_t>(a.at(row, k)) << (i % per * width);
    }
}

void fill_accumulators(element type, bit_stream& stream, bool any_bits, accumulators& d) {
  for (auto& lanes : d.words)
    for (std::uint32_t& word : lanes) {
      if (any_bits)
        word = static_cast<std::uint32_t>(stream.next());
      else if (type == element::f16)
        word = static_cast<std::uint32_t>(whole(type, stream.below(9)) |
                                          whole(type, stream.below(9)) << 16);
      else
        word = static_cast<std::uint32_t>(whole(type, stream.below(9)));
    }
}

void check(wgmma_instruction const& it, bit_stream& stream, bool any_bits, bool scale_d, bool plain,
           kernel_set const& kernels) {
  INFO("n" << it.n << " " << name_of(it.d) << " " << name_of(it.a) << " " << name_of(it.b)
           << (it.a_in_registers ? " A in registers" : "") << " trans " << it.transpose_a
           << it.transpose_b << " " << kernels.name);
  REQUIRE(refuse_wgmma(it) == nullptr);
  std::vector<std::byte> shared(96 * 1024);
  operand a = make(it.a, 64, stream, any_bits), b = make(it.b, it.n, stream, any_bits);
  auto rows_a = std::make_unique<operand_rows>(), rows_b = std::make_unique<operand_rows>();
  auto const read = [&](operand& from, element type, major order, std::uint32_t start,
                        operand_rows& out) {
    matrix_descriptor const laid = plain && order == major::k
                                       ? lay_plain(shared, start, type, from)
                                       : lay_swizzled(shared, start, type, from, order);
    REQUIRE(!refuse_descriptor(encode_descriptor(laid), order, type, from.rows, shared.size()));
    read_operand(decode_descriptor(encode_descriptor(laid)), order, type, from.rows, shared, out);
  };
  read(b, it.b, it.transpose_b ? major::mn : major::k, 0x8000, *rows_b);
  if (it.a_in_registers) {
    accumulators registers(4);
    put_in_registers(it.a, a, registers);
    read_registers(registers.view(), *rows_a);
  } else {
    read(a, it.a, it.transpose_a ? major::mn : major::k, 0x400, *rows_a);
  }
  accumulators d(accumulators_of(it));
  fill_accumulators(it.d, stream, any_bits, d);
  auto want = d.words;
  for (auto& lanes : want) lanes.assign(32, 0);
  each_result(it, [&](std::size_t r, std::size_t lane, int shift, int row, int column) {
    std::uint32_t const mask = it.d == element::f16 ? 0xffffu : 0xffffffffu;
    std::uint32_t const before = scale_d ? (d.words[r][lane] >> shift) & mask : 0;
    want[r][lane] |= result_of(it, a, b, row, column, before) << shift;
  });
  wgmma_with(kernels, it, *rows_a, *rows_b, d.view(), scale_d);
  auto const difference = first_difference(d.words, want);
  INFO((difference ? *difference : ""));
  REQUIRE(!difference);
  if (it.n == 8 && !any_bits) CHECK(notices_each_flipped_bit(want));
}

void sweep(kernel_set const& kernels, int step) {
  using enum element;
  bit_stream stream(77);
  for (auto [d, a, b] : {std::tuple{f32, f16, f16},
                         {f16, f16, f16},
                         {f32, bf16, bf16},
                         {f32, tf32, tf32},
                         {f32, e4m3, e5m2},
                         {f16, e5m2, e4m3},
                         {s32, s8, s8},
                         {s32, u8, s8},
                         {s32, u8, u8},
                         {s32, b1, b1}})
    for (int n = 8; n <= 256; n += step)
      for (int form = 0; form < 8; ++form) {
        bool const transposable = is_16_bit_float(a), negatable = d != s32;
        wgmma_instruction const it{
            .n = n,
            .d = d,
            .a = a,
            .b = b,
            .a_in_registers = (form & 1) != 0,
            .negate_a = negatable && (form & 2) != 0,
            .negate_b = negatable && (form & 4) != 0,
            .transpose_a = transposable && (form & 1) == 0 && (form & 2) != 0,
            .transpose_b = transposable && (form & 4) != 0,
            .satfinite = (a == s8 || a == u8) && (form & 2) != 0};
        if (refuse_wgmma(it) != nullptr) continue;
        // The smallest, a middle and the largest n are tested in all forms, the others in two.
        if (n != 8 && n != 64 && n != 256 && form != n / 8 % 8 && form != (n / 8 + 5) % 8) continue;
        check(it, stream, form >= 4, form % 3 != 0, form == 3, kernels);
      }
}

}  // namespace

TEST_CASE("each wgmma equals the product of its elements bit for bit") { sweep(kernels(), 8); }

TEST_CASE("each wgmma equals the product, with each set of the CPU's vector instructions") {
  for (kernel_set const* set : kernels_here()) sweep(*set, set == kernels_named("plain") ? 88 : 40);
}

TEST_CASE("wgmma instructions that the ISA does not have are rejected with a sentence") {
  using enum element;
  CHECK_THAT(refuse_wgmma({.n = 12, .d = f32, .a = f16, .b = f16}),
             axe_test::contains_text("steps of 8"));
  CHECK_THAT(refuse_wgmma({.n = 40, .d = s32, .a = s8, .b = s8}),
             axe_test::contains_text("multiples of 16"));
  CHECK_THAT(refuse_wgmma({.n = 64, .d = f16, .a = bf16, .b = bf16}),
             axe_test::contains_text("accumulates in f32"));
  CHECK_THAT(refuse_wgmma({.n = 64, .d = f32, .a = f16, .b = bf16}),
             axe_test::contains_text("one type"));
  CHECK_THAT(refuse_wgmma({.n = 64, .d = f32, .a = tf32, .b = tf32, .transpose_b = true}),
             axe_test::contains_text("transpose"));
  CHECK_THAT(
      refuse_wgmma(
          {.n = 64, .d = f32, .a = f16, .b = f16, .a_in_registers = true, .transpose_a = true}),
      axe_test::contains_text("in registers"));
  CHECK_THAT(refuse_wgmma({.n = 64, .d = s32, .a = s8, .b = s8, .negate_a = true}),
             axe_test::contains_text("negate"));
  CHECK_THAT(refuse_wgmma({.n = 64, .d = f32, .a = f16, .b = f16, .satfinite = true}),
             axe_test::contains_text("satfinite"));
  CHECK_THAT(refuse_wgmma({.n = 64, .d = f32, .a = s4, .b = s4}),
             axe_test::contains_text("no such"));
}
