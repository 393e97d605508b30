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

/// The sum over d of a(i,d) b(j,d) scale(i,j,d), for element at = (i,j).
template <class Scale>
auto product_of(example::array<e4m3> const& a, example::array<e4m3> const& b, integer columns,
                integer depth, Scale scale) {
  return [&a, &b, columns, depth, scale](integer at) {
    integer const i = at / columns, j = at % columns;
    double sum = 0;
    for (integer d = 0; d < depth; ++d)
      sum += number(a[i * depth + d]) * number(b[j * depth + d]) * scale(i, j, d);
    return static_cast<float>(sum);
  };
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
        integer const steps = (depth + 127) / 128;
        auto const blocks_of = [](integer extent) { return (extent + 127) / 128; };
        auto const a = p.normal<e4m3>({rows, depth});
        auto const b = p.normal<e4m3>({columns, depth});
        operand_sizes const size_a(rows, depth), size_b(columns, depth);
        auto const k = static_cast<unsigned>(steps);

        // The MXFP8 scales are the exponents 123 to 130 in mixed order, stored in blocks of 512
        // bytes.
        auto const exponents = [&](integer of, int factor) {
          return p.filled<unsigned char>({blocks_of(of) * steps * 4, 128}, [=](auto n) {
            return static_cast<unsigned char>(123 + n * factor / 3 % 8);
          });
        };
        auto const mx_a = exponents(rows, 7), mx_b = exponents(columns, 11);
        auto const mx = p.poisoned<bf16>({rows, columns});
        auto const multiply_mx = [&, rows = rows, columns = columns] {
          example::launch(mxfp8_gemm,
                          {.grid = axe::grid_of<128, 256>(rows, columns),
                           .block = {128},
                           .shared = 4 * sizeof(mx_stage)},
                          rows_of_128<128>::load::map(a.data(), size_a),
                          rows_of_128<256>::load::map(b.data(), size_b),
                          load_block::map(mx_a.data(), scales(blocks_of(rows) * steps * 4, 128)),
                          load_block::map(mx_b.data(), scales(blocks_of(columns) * steps * 4, 128)),
                          product{mx.data(), rows, columns}, k);
        };
        multiply_mx();
        auto const scale_at = [steps](auto const& all, integer r, integer d) {
          auto const byte =
              (r / 128 * steps + d / 128) * 512 + r % 32 * 16 + r % 128 / 32 * 4 + d % 128 / 32;
          return std::ldexp(1.0, all[byte] - 127);
        };
        double const root = std::sqrt(static_cast<double>(depth));
        p.expect("mxfp8", mx,
                 product_of(a, b, columns, depth,
                            [&](integer i, integer j, integer d) {
                              return scale_at(mx_a, i, d) * scale_at(mx_b, j, d);
                            }),
                 {.relative = 1.0 / 256, .absolute = 1e-5 * root}, depth);

        // The float scales lie between 0.5 and 1.5. TMA needs A's scales of each block of K to
        // begin at a multiple of 16 bytes.
        integer const pitch = (rows + 3) / 4 * 4;
        auto const scale_a = p.filled<float>(
            {steps, pitch}, [](auto n) { return 0.5f + static_cast<float>(n * 7 % 97) / 97; });
        auto const scale_b = p.filled<float>({blocks_of(columns), steps}, [](auto n) {
          return 0.5f + static_cast<float>(n * 5 % 31) / 31;
        });
        auto const c = p.poisoned<bf16>({rows, columns});
        auto const multiply = [&, rows = rows, columns = columns] {
          example::launch(block_scaled_gemm,
                          {.grid = axe::grid_of<128, 256>(rows, columns),
                           .block = {384},
                           .shared = 4 * sizeof(block_stage)},
                          rows_of_128<128>::load::map(a.data(), size_a),
                          rows_of_128<256>::load::map(b.data(), size_b),
                          load_row_scales::map(
                              scale_a.data(), row_scales{scale_a.data(), rows, steps, pitch}.sizes),
                          block_scales{scale_b.data(), blocks_of(columns), steps},
                          product{c.data(), rows, columns}, k);
        };
        multiply();
        p.expect("block_scales", c,
                 product_of(a, b, columns, depth,
                            [&](integer i, integer j, integer d) {
                              return number(scale_a[d / 128 * pitch + i]) *
                                     number(scale_b[j / 128 * steps + d / 128]);
                            }),
                 {.relative = 1.0 / 256, .absolute = 1e-6 * root}, depth);

        double const operations = 2.0 * static_cast<double>(rows) * static_cast<double>(columns) *
                                  static_cast<double>(depth);
        example::measure(p, "mxfp8", {.operations = operations}, multiply_mx);
        example::measure(p, "block_scales", {.operations = operations}, multiply);
      });
}
