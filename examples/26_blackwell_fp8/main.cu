// Compares two products C = A B^T of 8-bit floats with sums in double: one in MXFP8, one with a
// float scale for each 128 elements of K. A is (rows, depth), B (columns, depth), C (rows,
// columns).
#include "block_scales.cuh"
#include "mxfp8.cuh"

#include "support/bench.hpp"

#include <cmath>

namespace {
using example::integer;
using example::number;

integer blocks_of(integer extent) { return (extent + 127) / 128; }

struct scaled_product {
  example::problem& p;
  integer rows, columns, depth, steps = blocks_of(depth);
  example::array<e4m3> a = p.normal<e4m3>({rows, depth}), b = p.normal<e4m3>({columns, depth});
  axe::mapped_tensor<elements> of_a =
      axe::mapped_for<rows_of_128<128>::buffer>(elements(a.data(), rows, depth));
  axe::mapped_tensor<elements> of_b =
      axe::mapped_for<rows_of_128<256>::buffer>(elements(b.data(), columns, depth));

  /// Checks and measures a kernel. scale(i,j,d) is the scale of a(i,d) b(j,d).
  template <class Launch, class Scale>
  void check(char const* name, double error, Launch const& launch, Scale const& scale) const {
    auto const c = p.poisoned<bf16>({rows, columns});
    auto const multiply = [&] { launch(product{c.data(), rows, columns}); };
    multiply();
    p.expect(
        name, c,
        [&](integer at) {
          integer const i = at / columns, j = at % columns;
          double sum = 0;
          for (integer d = 0; d < depth; ++d)
            sum += number(a[i * depth + d]) * number(b[j * depth + d]) * scale(i, j, d);
          return static_cast<float>(sum);
        },
        {.relative = 1.0 / 256, .absolute = error * std::sqrt(static_cast<double>(depth))}, depth);
    example::measure(p, name, {.operations = 2 * static_cast<double>(rows * columns * depth)},
                     multiply);
  }
};

void check_mxfp8(scaled_product const& m) {
  // The scales are the exponents 123 to 130 in mixed order, stored in blocks of 512 bytes.
  auto const exponents = [&](integer rows, int factor) {
    return m.p.filled<unsigned char>({blocks_of(rows) * m.steps * 4, 128}, [=](auto n) {
      return static_cast<unsigned char>(123 + n * factor / 3 % 8);
    });
  };
  auto const of_a = exponents(m.rows, 7), of_b = exponents(m.columns, 11);
  auto const scale_at = [&](auto const& all, integer r, integer d) {
    auto const byte =
        (r / 128 * m.steps + d / 128) * 512 + r % 32 * 16 + r % 128 / 32 * 4 + d % 128 / 32;
    return std::ldexp(1.0, all[byte] - 127);
  };
  m.check(
      "mxfp8", 1e-5,
      [&](product const& C) {
        example::launch(mxfp8_gemm,
                        {.grid = axe::grid_of<128, 256>(m.rows, m.columns),
                         .block = {128},
                         .shared = 4 * sizeof(mx_stage)},
                        m.of_a, m.of_b,
                        axe::mapped_for<block_bytes>(scales(of_a.data(), of_a.shape[0], 128)),
                        axe::mapped_for<block_bytes>(scales(of_b.data(), of_b.shape[0], 128)), C,
                        static_cast<unsigned>(m.steps));
      },
      [&](integer i, integer j, integer d) { return scale_at(of_a, i, d) * scale_at(of_b, j, d); });
}

void check_block_scales(scaled_product const& m) {
  // The scales lie between 0.5 and 1.5. TMA needs A's scales of each block of K to begin at a
  // multiple of 16 bytes.
  integer const steps = m.steps, pitch = (m.rows + 3) / 4 * 4;
  auto const of_a = m.p.filled<float>(
      {steps, pitch}, [](auto n) { return 0.5f + static_cast<float>(n * 7 % 97) / 97; });
  auto const of_b = m.p.filled<float>({blocks_of(m.columns), steps}, [](auto n) {
    return 0.5f + static_cast<float>(n * 5 % 31) / 31;
  });
  m.check(
      "block_scales", 1e-6,
      [&](product const& C) {
        example::launch(
            block_scaled_gemm,
            {.grid = axe::grid_of<128, 256>(m.rows, m.columns),
             .block = {384},
             .shared = 4 * sizeof(block_stage)},
            m.of_a, m.of_b,
            axe::mapped_for<row_scales_buffer>(row_scales(of_a.data(), m.rows, steps, pitch)),
            block_scales{of_b.data(), blocks_of(m.columns), steps}, C,
            static_cast<unsigned>(steps));
      },
      [&](integer i, integer j, integer d) {
        return number(of_a[d / 128 * pitch + i]) * number(of_b[j / 128 * steps + d / 128]);
      });
}

}  // namespace

int main(int argc, char** argv) {
  return example::run(
      argc, argv, {"blackwell_fp8", {"rows", "columns", "depth"}, "136x264x784"},
      [](example::problem& p) {
        auto const [rows, columns, depth] = p.size<3>();
        p.require(depth % 16 == 0,
                  "the depth must be a multiple of 16: TMA needs row strides that are multiples of "
                  "16 bytes");
        p.require(columns % 8 == 0,
                  "the number of columns must be a multiple of 8: C is stored 16 bytes at a time");
        scaled_product const m{p, rows, columns, depth};
        check_mxfp8(m);
        check_block_scales(m);
      });
}
