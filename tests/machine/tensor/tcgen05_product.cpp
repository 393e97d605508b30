#include "tensor/tcgen05_product.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "numerics/format.hpp"
#include "numerics/halves.hpp"
#include "tensor/kernels.hpp"

namespace machine::tensor {
namespace {

constexpr int columns_apart = 128;

float loaded(mma_result type, std::uint32_t word) {
  return type == mma_result::f16 ? numerics::f16_to_float(static_cast<std::uint16_t>(word))
                                 : std::bit_cast<float>(word);
}

std::uint32_t saturated_sum(std::uint32_t before, float product, bool saturate) {
  auto const exact = static_cast<std::int64_t>(static_cast<std::int32_t>(before)) +
                     static_cast<std::int64_t>(product);
  if (!saturate) return static_cast<std::uint32_t>(exact);
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(exact, INT32_MIN, INT32_MAX));
}

}  // namespace

int differing_lane(mma_instruction const& it, std::uint32_t const* words) {
  for (int fold = 1; fold < folds_of(it); ++fold)
    for (int column = 0; column < 8; ++column)
      for (int row = 0; row < rows_of_block(it); ++row) {
        int const lane = fold * lanes_of_fold(it) + row;
        auto const* const at = words + column * columns_apart;
        if (at[lane] != at[row]) return lane;
      }
  return -1;
}

namespace {

/// Multiplies one part of N. `b` begins at the first column of the part, and the part of D at
/// `first_lane`.
void multiply_fold(mma_instruction const& it, operand_floats const& a, float const* b,
                   mma_target const& d, int first_lane) {
  int const rows = rows_of_block(it), k = depth_of(it), columns = columns_of(it);
  bool const all = std::all_of(d.disabled.begin(), d.disabled.end(), [](auto w) { return w == 0; });
  bool const dense = lane_of_row(it, rows - 1) == rows - 1;
  if (dense && it.d == mma_result::f32 && all && d.scale == 0) {
    kernels().column_product(rows, columns, k, a.values.data(), b, d.words + first_lane,
                             columns_apart, d.accumulate);
    return;
  }
  static thread_local std::array<std::uint32_t, 128 * 256> sums;
  bool const integer = it.d == mma_result::s32;
  float const scale = std::ldexp(1.0f, -d.scale);
  auto const word_of = [&](int row, int n) -> std::uint32_t& {
    return d.words[n * columns_apart + first_lane + lane_of_row(it, row)];
  };
  if (d.accumulate && !integer)
    for (int n = 0; n < columns; ++n)
      for (int row = 0; row < rows; ++row)
        sums[static_cast<std::size_t>(n * rows + row)] =
            std::bit_cast<std::uint32_t>(loaded(it.d, word_of(row, n)) * scale);
  kernels().column_product(rows, columns, k, a.values.data(), b, sums.data(), rows,
                           d.accumulate && !integer);
  for (int n = 0; n < columns; ++n)
    for (int row = 0; row < rows; ++row) {
      int const lane = first_lane + lane_of_row(it, row);
      if ((d.disabled[static_cast<std::size_t>(lane / 32)] >> lane % 32 & 1u) != 0) continue;
      std::uint32_t const sum = sums[static_cast<std::size_t>(n * rows + row)];
      auto& to = word_of(row, n);
      if (integer)
        to = saturated_sum(d.accumulate ? to : 0, std::bit_cast<float>(sum), it.saturate);
      else if (it.d == mma_result::f16)
        to = numerics::float_to_f16(std::bit_cast<float>(sum));
      else
        to = sum;
    }
}

}  // namespace

void multiply(mma_instruction const& it, operand_floats const& a, operand_floats const& b,
              mma_target const& d) {
  for (int fold = 0; fold < folds_of(it); ++fold)
    multiply_fold(it, a, b.values.data() + fold * columns_of(it) * b.row_stride, d,
                  d.lane + fold * lanes_of_fold(it));
}

}  // namespace machine::tensor
