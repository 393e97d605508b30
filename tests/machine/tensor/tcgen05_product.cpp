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

int width_of(mma_element type) {
  switch (type) {
    case mma_element::e2m1:
    case mma_element::e2m1_pair: return 4;
    case mma_element::e2m3:
    case mma_element::e3m2: return 6;
    default: return 8 * bytes_of(type);
  }
}

/// Decodes the elements of 16 bytes. Elements narrower than a byte are packed at the start.
int decode_chunk(mma_element type, bool negate, std::byte const* bytes, float* out) {
  int const count = elements_of_chunk(type), width = width_of(type);
  std::uint64_t words[2];
  std::memcpy(words, bytes, 16);
  for (int e = 0; e < count; ++e) {
    int const at = e * width;
    std::uint64_t bits = words[at / 64] >> (at % 64);
    if (at % 64 + width > 64) bits |= words[at / 64 + 1] << (64 - at % 64);
    std::uint64_t const mask = (std::uint64_t{1} << width) - 1;
    float const value = to_float(type, static_cast<std::uint32_t>(bits & mask));
    out[e] = negate ? -value : value;
  }
  return count;
}

void scatter(float const* values, int count, int step, float* to) {
  for (int e = 0; e < count; ++e) to[e * step] = values[e];
}

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

float to_float(mma_element type, std::uint32_t bits) {
  switch (type) {
    case mma_element::f16: return to_float(element::f16, bits);
    case mma_element::bf16: return to_float(element::bf16, bits);
    case mma_element::tf32: return to_float(element::tf32, bits);
    case mma_element::e4m3: return to_float(element::e4m3, bits);
    case mma_element::e5m2: return to_float(element::e5m2, bits);
    case mma_element::u8: return to_float(element::u8, bits);
    case mma_element::s8: return to_float(element::s8, bits);
    // These formats have no infinity and no NaN: every encoding is a number.
    case mma_element::e2m3: return static_cast<float>(numerics::decode<numerics::e2m3>(bits));
    case mma_element::e3m2: return static_cast<float>(numerics::decode<numerics::e3m2>(bits));
    case mma_element::e2m1:
    case mma_element::e2m1_pair: return static_cast<float>(numerics::decode<numerics::e2m1>(bits));
  }
  return 0;
}

void read_operand(operand_descriptor const& from, major order, mma_element type, bool negate,
                  int rows, std::span<std::byte const> shared, bool is_a, operand_floats& out,
                  int first) {
  out.row_stride = is_a ? 1 : k_of(type);
  out.k_stride = is_a ? rows : 1;
  for_each_chunk(from, order, type, rows, [&](std::uint32_t address, int row, int k) {
    float values[32];
    int const count = decode_chunk(type, negate, shared.data() + address, values);
    int const depth = type == mma_element::e2m1_pair ? 2 * k : k;
    scatter(values, count, order == major::k ? out.k_stride : out.row_stride,
            out.values.data() + (first + row) * out.row_stride + depth * out.k_stride);
  });
}

void read_tensor_operand(mma_instruction const& it, std::uint32_t const* words, int first_lane,
                         operand_floats& out) {
  int const rows = rows_of_block(it);
  out.row_stride = 1;
  out.k_stride = rows;
  for (int row = 0; row < rows; ++row)
    for (int half = 0; half < 2; ++half) {
      std::uint32_t chunk[4];
      for (int w = 0; w < 4; ++w)
        chunk[w] = words[(half * 4 + w) * columns_apart + first_lane + lane_of_row(it, row)];
      std::byte bytes[16];
      std::memcpy(bytes, chunk, 16);
      float values[32];
      int const count = decode_chunk(it.a, it.negate_a, bytes, values);
      scatter(values, count, rows, out.values.data() + row + half * count * rows);
    }
}

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

/// One part of N: `b` begins at its first column, `lane` is where row 0 lies.
void multiply_fold(mma_instruction const& it, operand_floats const& a, float const* b,
                   mma_target const& d, int first_lane) {
  int const rows = rows_of_block(it), k = k_of(it.a), columns = columns_of(it);
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
