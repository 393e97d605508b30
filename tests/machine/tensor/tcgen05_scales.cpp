// Block scales of tcgen05.mma (PTX ISA, "Block Scaling for tcgen05.mma"). A k step has one, two or
// four scales for each row of A and B.
//
//     row r: lane r % 32 of column r / 32, and the same in the three other groups of 32 lanes
//     scale k of row r: byte part + k of this word; the instruction descriptor gives part
//
// Scales are multiplied into the operands, exactly, because both have at most 4 significant bits.
// With a scale above 2^60 or below 2^-60, sums are computed in double.
#include <algorithm>
#include <bit>
#include <cmath>

#include "tensor/kernels.hpp"
#include "tensor/tcgen05_product.hpp"

namespace machine::tensor {
namespace {

constexpr int columns_apart = 128;

bool is_ordinary(float scale) {
  return std::isnan(scale) || scale == 0 || (scale >= 0x1p-60f && scale <= 0x1p60f);
}

bool all_ordinary(operand_scales const& of, int count) {
  return std::all_of(of.values.begin(), of.values.begin() + count, is_ordinary);
}

/// Multiplies each element by the scale of its block of k.
void apply(mma_instruction const& it, operand_floats& to, operand_scales const& scales, int rows) {
  int const k_extent = k_of(it.a), block = k_extent / it.scales;
  for (int row = 0; row < rows; ++row)
    for (int k = 0; k < k_extent; ++k)
      to.values[static_cast<std::size_t>(row * to.row_stride + k * to.k_stride)] *=
          scales.values[static_cast<std::size_t>(row * it.scales + k / block)];
}

float exact_sum(mma_instruction const& it, operand_floats const& a, operand_floats const& b,
                operand_scales const& of_a, operand_scales const& of_b, int row, int n,
                double sum) {
  int const k_extent = k_of(it.a), block = k_extent / it.scales;
  for (int k = 0; k < k_extent; ++k) {
    auto const at = [&](operand_floats const& from, int r) -> double {
      return from.values[static_cast<std::size_t>(r * from.row_stride + k * from.k_stride)];
    };
    auto const scale = [&](operand_scales const& from, int r) -> double {
      return from.values[static_cast<std::size_t>(r * it.scales + k / block)];
    };
    sum += at(a, row) * at(b, n) * (scale(of_a, row) * scale(of_b, n));
  }
  return static_cast<float>(sum);
}

}  // namespace

float to_float(scale_type type, std::uint8_t bits) {
  if (type == scale_type::ue4m3) return e4m3_to_float(bits & 0x7fu);
  if (bits == 0xff) return std::bit_cast<float>(0x7fffffffu);
  return std::ldexp(1.0f, bits - 127);
}

void read_scales(mma_instruction const& it, int part, std::uint32_t const* words, int rows,
                 operand_scales& out) {
  for (int row = 0; row < rows; ++row)
    for (int k = 0; k < it.scales; ++k) {
      std::uint32_t const word = words[row / 32 * columns_apart + row % 32];
      out.values[static_cast<std::size_t>(row * it.scales + k)] =
          to_float(it.scaled_by, static_cast<std::uint8_t>(word >> 8 * (part + k)));
    }
}

int differing_scale(std::uint32_t const* words, int rows) {
  for (int row = 0; row < rows; ++row)
    for (int lane = row % 32 + 32; lane < 128; lane += 32) {
      auto const* const column = words + row / 32 * columns_apart;
      if (column[lane] != column[row % 32]) return lane;
    }
  return -1;
}

void multiply_scaled(mma_instruction const& it, operand_floats& a, operand_floats& b,
                     operand_scales const& of_a, operand_scales const& of_b, mma_target const& d) {
  int const rows = rows_of_block(it), columns = columns_of(it);
  if (all_ordinary(of_a, rows * it.scales) && all_ordinary(of_b, it.n * it.scales)) {
    apply(it, a, of_a, rows);
    apply(it, b, of_b, it.n);
    return multiply(it, a, b, d);
  }
  for (int n = 0; n < it.n; ++n)
    for (int row = 0; row < rows; ++row) {
      int const lane = d.lane + row + n / columns * lanes_of_fold(it);
      std::uint32_t& word = d.words[n % columns * columns_apart + lane];
      float const before = d.accumulate ? std::bit_cast<float>(word) : 0.0f;
      float const sum = exact_sum(it, a, b, of_a, of_b, row, n, before);
      word = std::isnan(sum) ? 0x7fffffffu : std::bit_cast<std::uint32_t>(sum);
    }
}

}  // namespace machine::tensor
