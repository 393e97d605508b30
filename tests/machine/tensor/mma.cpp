// mma.hpp: registers to dense tiles by the law of fragment.hpp, one product, and back.
#include "tensor/mma.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "tensor/fragment.hpp"
#include "tensor/kernels.hpp"
#include "tensor/volta.hpp"

namespace machine::tensor {
namespace {

constexpr int warp_size = 32;
constexpr int largest_m = 16;
constexpr int largest_k = 64;  // of the types that go through floats

bool is_volta(mma_instruction const& it) { return it.m == 8 && it.k == 4 && it.a == element::f16; }

// The elements of a register lie behind each other in `floats`, lane by lane, and so they do in a row of A.
void spread_a(mma_instruction const& it, int registers, std::uint32_t const* const* a, float* tile) {
  int const per_register = 32 / width_of(it.a);
  alignas(64) float floats[warp_size * 8];
  for (int r = 0; r < registers; ++r) {
    kernels().decode_words(it.a, warp_size, a[r], floats);
    for (int lane = 0; lane < warp_size; ++lane) {
      position const first = a_position(it.m, per_register, r, lane, 0);
      for (int e = 0; e < per_register; ++e)
        tile[first.row * it.k + first.column + e] = floats[lane * per_register + e];
    }
  }
}

void spread_b(mma_instruction const& it, int registers, std::uint32_t const* const* b, float* tile) {
  int const per_register = 32 / width_of(it.b);
  alignas(64) float floats[warp_size * 8];
  for (int r = 0; r < registers; ++r) {
    kernels().decode_words(it.b, warp_size, b[r], floats);
    for (int lane = 0; lane < warp_size; ++lane) {
      position const first = b_position(per_register, r, lane, 0);
      for (int e = 0; e < per_register; ++e)
        tile[(first.row + e) * 8 + first.column] = floats[lane * per_register + e];
    }
  }
}

void load_c(element type, int registers, std::uint32_t const* const* c, float* tile) {
  for (int r = 0; r < registers; ++r)
    for (int lane = 0; lane < warp_size; ++lane) {
      if (type == element::f16) {
        position const at = c_position_packed(r, lane, 0);
        tile[at.row * 8 + at.column] = element_of(element::f16, c[r][lane], 0);
        tile[at.row * 8 + at.column + 1] = element_of(element::f16, c[r][lane], 1);
      } else {
        position const at = c_position(r, lane);
        tile[at.row * 8 + at.column] = std::bit_cast<float>(c[r][lane]);
      }
    }
}

std::uint32_t canonical_bits(float value) {
  return value != value ? 0x7fffffffu : std::bit_cast<std::uint32_t>(value);
}

void store_d(element type, int registers, std::uint32_t* const* d, float const* tile) {
  for (int r = 0; r < registers; ++r)
    for (int lane = 0; lane < warp_size; ++lane) {
      if (type == element::f16) {
        position const at = c_position_packed(r, lane, 0);
        std::uint32_t const low = numerics::float_to_f16(tile[at.row * 8 + at.column]);
        std::uint32_t const high = numerics::float_to_f16(tile[at.row * 8 + at.column + 1]);
        d[r][lane] = high << 16 | low;
      } else {
        position const at = c_position(r, lane);
        d[r][lane] = canonical_bits(tile[at.row * 8 + at.column]);
      }
    }
}

std::uint32_t add_integer(std::uint32_t c, std::int64_t sum, bool satfinite) {
  std::int64_t const total = static_cast<std::int32_t>(c) + sum;
  if (!satfinite) return static_cast<std::uint32_t>(total);
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(total, std::numeric_limits<std::int32_t>::min(),
                                                             std::numeric_limits<std::int32_t>::max()));
}

// b1: a row and a column are strings of bits; 32 of them in a register.
void single_bit(mma_instruction const& it, mma_registers count, std::uint32_t* const* d,
                std::uint32_t const* const* a, std::uint32_t const* const* b, std::uint32_t const* const* c) {
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
  for (int r = 0; r < count.d; ++r)
    for (int lane = 0; lane < warp_size; ++lane) {
      position const at = c_position(r, lane);
      int ones = 0;
      for (int word = 0; word < it.k / 32; ++word) {
        std::uint32_t const x = left[at.row][word];
        std::uint32_t const y = right[at.column][word];
        ones += std::popcount(it.exclusive_or ? x ^ y : x & y);
      }
      d[r][lane] = c[r][lane] + static_cast<std::uint32_t>(ones);
    }
}

}  // namespace

mma_registers registers_of(mma_instruction const& it) {
  int const slot = it.a == element::f64 ? 64 : 32;
  auto const count = [&](int elements, element type) { return elements * width_of(type) / slot / warp_size; };
  if (is_volta(it)) return {2, 2, it.c == element::f16 ? 4 : 8, it.d == element::f16 ? 4 : 8};
  return {count(it.m * it.k, it.a), count(it.n * it.k, it.b), count(it.m * it.n, it.c),
          count(it.m * it.n, it.d)};
}

void mma(mma_instruction const& it, std::uint32_t* const* d, std::uint32_t const* const* a,
         std::uint32_t const* const* b, std::uint32_t const* const* c) {
  mma_registers const count = registers_of(it);
  if (is_volta(it)) return volta_mma(it, d, a, b, c);
  if (it.a == element::b1) return single_bit(it, count, d, a, b, c);
  alignas(64) float left[largest_m * largest_k];
  alignas(64) float right[largest_k * 8];
  alignas(64) float sum[largest_m * 8] = {};
  spread_a(it, count.a, a, left);
  spread_b(it, count.b, b, right);
  if (is_integer(it.a)) {
    kernels().tile_product(it.m, it.k, left, right, sum);
    for (int r = 0; r < count.d; ++r)
      for (int lane = 0; lane < warp_size; ++lane) {
        position const at = c_position(r, lane);
        d[r][lane] =
            add_integer(c[r][lane], static_cast<std::int64_t>(sum[at.row * 8 + at.column]), it.satfinite);
      }
    return;
  }
  load_c(it.c, count.c, c, sum);
  kernels().tile_product(it.m, it.k, left, right, sum);
  store_d(it.d, count.d, d, sum);
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
