// Implements mma.hpp: unpacks registers into dense tiles (fragment.hpp), multiplies, and packs the
// result.
#include "tensor/mma.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "tensor/fragment.hpp"
#include "tensor/kernels.hpp"
#include "tensor/volta.hpp"

namespace machine::tensor {
namespace {

constexpr int warp_size = 32;
constexpr int largest_m = 16;
constexpr int largest_k = 64;  // of the types that are multiplied as floats

bool is_volta(mma_instruction const& it) { return it.m == 8 && it.k == 4 && it.a == element::f16; }

// A row of A or a column of B has up to two parts of 16 consecutive bytes along k. The four lanes
// of a group hold one part. A whole row is decoded at once.
constexpr std::size_t row_words = 8;

void rows_of_a(mma_instruction const& it, int registers, std::uint32_t const* const* a,
               std::uint32_t* rows) {
  int const halves = it.m / 8;
  for (int r = 0; r < registers; ++r)
    for (int group = 0; group < 8; ++group) {
      int const row = group + 8 * (r % halves);
      std::copy_n(a[r] + 4 * group, 4, rows + row * static_cast<int>(row_words) + 4 * (r / halves));
    }
}

void columns_of_b(int registers, std::uint32_t const* const* b, std::uint32_t* columns) {
  for (int r = 0; r < registers; ++r)
    for (int group = 0; group < 8; ++group)
      std::copy_n(b[r] + 4 * group, 4, columns + group * static_cast<int>(row_words) + 4 * r);
}

// The dense operands of tile_product. decode_b puts even columns before odd ones, and the sums keep
// this order: column 2 t is at t, column 2 t + 1 at 4 + t. So the values of four lanes are
// contiguous in a row.
struct dense {
  alignas(64) float a[largest_m * largest_k];
  alignas(64) float b[largest_k * 8];
  alignas(64) float sum[largest_m * 8];
};

void decode(mma_instruction const& it, mma_registers count, std::uint32_t const* const* a,
            std::uint32_t const* const* b, dense& to) {
  alignas(64) std::uint32_t rows[largest_m * row_words] = {};
  alignas(64) std::uint32_t columns[8 * row_words] = {};
  rows_of_a(it, count.a, a, rows);
  columns_of_b(count.b, b, columns);
  int const whole = 256 / width_of(it.a);  // k of a full row; shorter shapes use the first half
  if (it.k == whole) {
    kernels().decode_words(it.a, it.m * static_cast<int>(row_words), rows, to.a);
  } else {
    alignas(64) float wide[largest_k];
    for (int row = 0; row < it.m; ++row) {
      kernels().decode_words(it.a, row_words, rows + row * static_cast<int>(row_words), wide);
      std::copy_n(wide, it.k, to.a + row * it.k);
    }
  }
  std::uint8_t bytes[sizeof columns];
  std::memcpy(bytes, columns, sizeof columns);
  kernels().decode_b(it.b, false, 8, bytes, to.b);
}

void load_c(element type, int registers, std::uint32_t const* const* c, float* sum) {
  alignas(64) std::uint32_t low[warp_size];
  alignas(64) std::uint32_t high[warp_size];
  for (int r = 0; r < registers; ++r)
    if (type == element::f16) {
      kernels().widen_pair(c[r], low, high);
      for (int group = 0; group < 8; ++group) {
        std::memcpy(sum + (8 * r + group) * 8, low + 4 * group, 16);
        std::memcpy(sum + (8 * r + group) * 8 + 4, high + 4 * group, 16);
      }
    } else {
      for (int group = 0; group < 8; ++group)
        std::memcpy(sum + (8 * (r / 2) + group) * 8 + 4 * (r % 2), c[r] + 4 * group, 16);
    }
}

void store_d(element type, int m, int registers, std::uint32_t* const* d, float const* sum) {
  alignas(64) std::uint32_t words[largest_m * 8];
  for (int i = 0; i < m * 8; ++i)
    words[i] = sum[i] != sum[i] ? 0x7fffffffu : std::bit_cast<std::uint32_t>(sum[i]);
  alignas(64) std::uint32_t low[warp_size];
  alignas(64) std::uint32_t high[warp_size];
  for (int r = 0; r < registers; ++r)
    if (type == element::f16) {
      for (int group = 0; group < 8; ++group) {
        std::copy_n(words + (8 * r + group) * 8, 4, low + 4 * group);
        std::copy_n(words + (8 * r + group) * 8 + 4, 4, high + 4 * group);
      }
      kernels().narrow_pair(low, high, d[r]);
    } else {
      for (int group = 0; group < 8; ++group)
        std::copy_n(words + (8 * (r / 2) + group) * 8 + 4 * (r % 2), 4, d[r] + 4 * group);
    }
}

// D may be the registers of C in another order, so D is written after C has been read.
using integer_results = std::uint32_t[4][warp_size];

void write(integer_results const& results, int registers, std::uint32_t* const* d) {
  for (int r = 0; r < registers; ++r) std::copy_n(results[r], warp_size, d[r]);
}

std::uint32_t add_integer(std::uint32_t c, std::int64_t sum, bool satfinite) {
  std::int64_t const total = static_cast<std::int32_t>(c) + sum;
  if (!satfinite) return static_cast<std::uint32_t>(total);
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(
      total, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()));
}

// Multiplies b1: rows and columns are strings of bits, 32 in a register.
void single_bit(mma_instruction const& it, mma_registers count, std::uint32_t* const* d,
                std::uint32_t const* const* a, std::uint32_t const* const* b,
                std::uint32_t const* const* c) {
  std::uint32_t left[largest_m][8] = {};
  std::uint32_t right[8][8] = {};
  for (int lane = 0; lane < warp_size; ++lane) {
    for (int r = 0; r < count.a; ++r) {
      position const at = a_position(it.m, 32, r, lane, 0);
      left[at.row][at.column / 32] = a[r][lane];
    }
    for (int r = 0; r < count.b; ++r) {
      position const at = b_position(32, r, lane, 0);
      right[at.column][at.row / 32] = b[r][lane];
    }
  }
  integer_results results;
  for (int r = 0; r < count.d; ++r)
    for (int lane = 0; lane < warp_size; ++lane) {
      position const at = c_position(r, lane);
      int ones = 0;
      for (int word = 0; word < it.k / 32; ++word) {
        std::uint32_t const x = left[at.row][word];
        std::uint32_t const y = right[at.column][word];
        ones += std::popcount(it.exclusive_or ? x ^ y : x & y);
      }
      results[r][lane] = c[r][lane] + static_cast<std::uint32_t>(ones);
    }
  write(results, count.d, d);
}

}  // namespace

mma_registers registers_of(mma_instruction const& it) {
  int const register_bits = it.a == element::f64 ? 64 : 32;
  auto const count = [&](int elements, element type) {
    return elements * width_of(type) / register_bits / warp_size;
  };
  if (is_volta(it)) return {2, 2, it.c == element::f16 ? 4 : 8, it.d == element::f16 ? 4 : 8};
  return {count(it.m * it.k, it.a), count(it.n * it.k, it.b), count(it.m * it.n, it.c),
          count(it.m * it.n, it.d)};
}

void mma(mma_instruction const& it, std::uint32_t* const* d, std::uint32_t const* const* a,
         std::uint32_t const* const* b, std::uint32_t const* const* c) {
  mma_registers const count = registers_of(it);
  if (is_volta(it)) return volta_mma(it, d, a, b, c);
  if (it.a == element::b1) return single_bit(it, count, d, a, b, c);
  dense tiles;
  decode(it, count, a, b, tiles);
  if (is_integer(it.a)) {
    std::fill_n(tiles.sum, it.m * 8, 0.0f);
    kernels().tile_product(it.m, it.k, tiles.a, tiles.b, tiles.sum);
    integer_results results;
    for (int r = 0; r < count.d; ++r)
      for (int lane = 0; lane < warp_size; ++lane) {
        float const sum = tiles.sum[(8 * (r / 2) + lane / 4) * 8 + 4 * (r % 2) + lane % 4];
        results[r][lane] = add_integer(c[r][lane], static_cast<std::int64_t>(sum), it.satfinite);
      }
    return write(results, count.d, d);
  }
  load_c(it.c, count.c, c, tiles.sum);
  kernels().tile_product(it.m, it.k, tiles.a, tiles.b, tiles.sum);
  store_d(it.d, it.m, count.d, d, tiles.sum);
}

void mma_f64(mma_instruction const& it, std::uint64_t* const* d, std::uint64_t const* const* a,
             std::uint64_t const* const* b, std::uint64_t const* const* c) {
  mma_registers const count = registers_of(it);
  double left[16 * 16];
  double right[16 * 8];
  double sum[16 * 8];
  for (int lane = 0; lane < warp_size; ++lane) {
    for (int r = 0; r < count.a; ++r) {
      position const at = a_position(it.m, 1, r, lane, 0);
      left[at.row * it.k + at.column] = std::bit_cast<double>(a[r][lane]);
    }
    for (int r = 0; r < count.b; ++r) {
      position const at = b_position(1, r, lane, 0);
      right[at.row * 8 + at.column] = std::bit_cast<double>(b[r][lane]);
    }
    for (int r = 0; r < count.c; ++r) {
      position const at = c_position(r, lane);
      sum[at.row * 8 + at.column] = std::bit_cast<double>(c[r][lane]);
    }
  }
  kernels().tile_product_f64(it.m, it.k, left, right, sum);
  for (int r = 0; r < count.d; ++r)
    for (int lane = 0; lane < warp_size; ++lane) {
      position const at = c_position(r, lane);
      d[r][lane] = std::bit_cast<std::uint64_t>(sum[at.row * 8 + at.column]);
    }
}

}  // namespace machine::tensor
