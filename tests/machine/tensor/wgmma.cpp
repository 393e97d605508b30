// Implements wgmma.hpp: reads operands as rows of bytes, converts them to floats in the array order
// of kernels.hpp, and multiplies. For b1 it counts the bits of A & B instead.
#include "tensor/wgmma.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <vector>

namespace machine::tensor {
namespace {

constexpr int lanes_in_warp = 32;
constexpr int most_accumulators = 128;

// The f32 accumulators of instructions whose D is not f32.
struct private_sums {
  alignas(64) std::uint32_t words[4][most_accumulators][lanes_in_warp];
  std::uint32_t* pointers[4][most_accumulators];

  private_sums() {
    for (int warp = 0; warp < 4; ++warp)
      for (int j = 0; j < most_accumulators; ++j) pointers[warp][j] = words[warp][j];
  }
  warpgroup_registers view() { return {{pointers[0], pointers[1], pointers[2], pointers[3]}}; }
};

private_sums& sums_of_this_thread() {
  static thread_local private_sums sums;
  return sums;
}

std::uint32_t add_integer(std::uint32_t d, std::int32_t sum, bool satfinite) {
  if (!satfinite) return d + static_cast<std::uint32_t>(sum);
  std::int64_t const total = std::int64_t{static_cast<std::int32_t>(d)} + sum;
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(
      total, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()));
}

void integer_result(wgmma_instruction const& it, private_sums const& sums, warpgroup_registers d,
                    bool scale_d) {
  for (int warp = 0; warp < 4; ++warp)
    for (int j = 0; j < it.n / 2; ++j)
      for (int lane = 0; lane < lanes_in_warp; ++lane) {
        auto const sum = static_cast<std::int32_t>(std::bit_cast<float>(sums.words[warp][j][lane]));
        std::uint32_t& to = d.of[warp][j][lane];
        to = add_integer(scale_d ? to : 0, sum, it.satfinite);
      }
}

// Widens f16x2 to f32. f16x2 register p holds the elements of f32 registers 2 p and 2 p + 1: two
// adjacent columns.
void widen_pairs(kernel_set const& kernels, wgmma_instruction const& it, warpgroup_registers d,
                 private_sums& sums) {
  for (int warp = 0; warp < 4; ++warp)
    for (int p = 0; p < it.n / 4; ++p)
      kernels.widen_pair(d.of[warp][p], sums.words[warp][2 * p], sums.words[warp][2 * p + 1]);
}

void narrow_pairs(kernel_set const& kernels, wgmma_instruction const& it, private_sums const& sums,
                  warpgroup_registers d) {
  for (int warp = 0; warp < 4; ++warp)
    for (int p = 0; p < it.n / 4; ++p)
      kernels.narrow_pair(sums.words[warp][2 * p], sums.words[warp][2 * p + 1], d.of[warp][p]);
}

void single_bit(wgmma_instruction const& it, operand_rows const& a, operand_rows const& b,
                warpgroup_registers d, bool scale_d) {
  auto const row_of = [](operand_rows const& from, int row) {
    std::array<std::uint64_t, 4> words;
    std::memcpy(words.data(), from.bytes.data() + row * 32, 32);
    return words;
  };
  for (int warp = 0; warp < 4; ++warp)
    for (int j = 0; j < it.n / 2; ++j)
      for (int lane = 0; lane < lanes_in_warp; ++lane) {
        auto const x = row_of(a, 16 * warp + 8 * (j / 2 % 2) + lane / 4);
        auto const y = row_of(b, 8 * (j / 4) + 2 * (lane % 4) + j % 2);
        int ones = 0;
        for (std::size_t word = 0; word < 4; ++word) ones += std::popcount(x[word] & y[word]);
        std::uint32_t& to = d.of[warp][j][lane];
        to = (scale_d ? to : 0) + static_cast<std::uint32_t>(ones);
      }
}

}  // namespace

void read_operand(matrix_descriptor const& descriptor, major order, element type, int rows,
                  std::span<std::byte const> shared, operand_rows& out) {
  out.rows = rows;
  int const bytes = std::max(1, width_of(type) / 8);
  for_each_chunk(descriptor, order, type, rows, [&](std::uint32_t address, int row, int k) {
    if (order == major::k) {
      std::memcpy(out.bytes.data() + row * 32 + k * bytes, shared.data() + address, 16);
    } else {
      // Only 16-bit elements reach this: eight adjacent ones along M or N, at one k.
      for (int i = 0; i < 8; ++i)
        std::memcpy(out.bytes.data() + (row + i) * 32 + k * 2, shared.data() + address + 2 * i, 2);
    }
  });
}

void read_registers(warpgroup_registers a, operand_rows& out) {
  out.rows = 64;
  for (int warp = 0; warp < 4; ++warp)
    for (int j = 0; j < 4; ++j)
      for (int lane = 0; lane < lanes_in_warp; ++lane) {
        int const row = 16 * warp + 8 * (j % 2) + lane / 4;
        std::memcpy(out.bytes.data() + row * 32 + 16 * (j / 2) + 4 * (lane % 4),
                    &a.of[warp][j][lane], 4);
      }
}

void wgmma_with(kernel_set const& kernels, wgmma_instruction const& it, operand_rows const& a,
                operand_rows const& b, warpgroup_registers d, bool scale_d) {
  if (it.a == element::b1) return single_bit(it, a, b, d, scale_d);
  int const k = k_of(it);
  alignas(64) static thread_local float left[32 * 256];
  alignas(64) static thread_local float right[32 * 256];
  kernels.decode_a(it.a, it.negate_a, a.bytes.data(), left);
  kernels.decode_b(it.b, it.negate_b, it.n, b.bytes.data(), right);
  if (it.d == element::f32) {
    kernels.warpgroup_product(it.n, k, left, right, d, scale_d);
    return;
  }
  private_sums& sums = sums_of_this_thread();
  if (it.d == element::f16) {
    if (scale_d) widen_pairs(kernels, it, d, sums);
    kernels.warpgroup_product(it.n, k, left, right, sums.view(), scale_d);
    narrow_pairs(kernels, it, sums, d);
  } else {
    kernels.warpgroup_product(it.n, k, left, right, sums.view(), false);
    integer_result(it, sums, d, scale_d);
  }
}

void wgmma(wgmma_instruction const& it, operand_rows const& a, operand_rows const& b,
           warpgroup_registers d, bool scale_d) {
  wgmma_with(kernels(), it, a, b, d, scale_d);
}

}  // namespace machine::tensor
