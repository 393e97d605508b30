// Implements the four products of volta.hpp, with the arithmetic of mma.hpp.
#include "tensor/volta.hpp"

#include <bit>

#include "tensor/kernels.hpp"
#include "tensor/mma.hpp"

namespace machine::tensor {

void volta_mma(mma_instruction const& it, std::uint32_t* const* d, std::uint32_t const* const* a,
               std::uint32_t const* const* b, std::uint32_t const* const* c) {
  float left[4][8 * 4];
  float right[4][4 * 8];
  float sum[4][8 * 8];
  bool const c_is_f32 = it.c == element::f32;
  bool const d_is_f32 = it.d == element::f32;
  for (int lane = 0; lane < 32; ++lane) {
    int const product = lane % 16 / 4;
    for (int i = 0; i < 4; ++i) {
      position const from_a = volta_a(it.a_is_column, lane, i);
      position const from_b = volta_b(it.b_is_row, lane, i);
      left[product][from_a.row * 4 + from_a.column] =
          element_of(element::f16, a[i / 2][lane], i % 2);
      right[product][from_b.row * 8 + from_b.column] =
          element_of(element::f16, b[i / 2][lane], i % 2);
    }
    for (int i = 0; i < 8; ++i) {
      position const at = volta_c(c_is_f32, lane, i);
      sum[product][at.row * 8 + at.column] = c_is_f32
                                                 ? std::bit_cast<float>(c[i][lane])
                                                 : element_of(element::f16, c[i / 2][lane], i % 2);
    }
  }
  for (int product = 0; product < 4; ++product)
    kernels().tile_product(8, 4, left[product], right[product], sum[product]);
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < 8; ++i) {
      position const at = volta_c(d_is_f32, lane, i);
      float const value = sum[lane % 16 / 4][at.row * 8 + at.column];
      if (d_is_f32) {
        d[i][lane] = value != value ? 0x7fffffffu : std::bit_cast<std::uint32_t>(value);
      } else {
        std::uint32_t const half = numerics::float_to_f16(value);
        d[i / 2][lane] = i % 2 == 0 ? half : d[i / 2][lane] | half << 16;
      }
    }
}

}  // namespace machine::tensor
