// Compares C = alpha A B^T in NVFP4 with sums in double. A is (rows, depth), B (columns, depth), C
// (rows, columns). The scales are in blocks of 128 rows and 4 scales, as tcgen05.cp reads them.
#include "kernel.cuh"

#include "support/bench.hpp"

#include <cmath>

namespace {
using example::integer;

/// A or B: random pairs of 4-bit floats, and scales between 0.375 and 3 with all mantissas.
struct operand {
  example::problem& p;
  integer rows, depth, seed, step, steps = (depth + 255) / 256;
  integer rows_of_scales = (rows + 127) / 128 * steps * 16;
  example::array<pair> all = p.filled<pair>({rows, depth / 2}, [this](integer n) {
    pair made;
    made.__x =
        static_cast<unsigned char>(example::mixed(static_cast<std::uint64_t>(n + seed)) & 255);
    return made;
  });
  example::array<scale> scale_factors = p.filled<scale>({rows_of_scales, 128}, [this](integer n) {
    scale made;
    made.__x = static_cast<unsigned char>(0x2c + n * step / 3 % 25);
    return made;
  });

  template <int Rows> axe::mapped_tensor<elements> mapped() const {
    return axe::mapped_for<typename pairs<Rows>::buffer>(elements(all.data(), rows, depth / 2));
  }
  axe::mapped_tensor<scales> mapped_scales() const {
    return axe::mapped_for<scale_rows>(scales(scale_factors.data(), rows_of_scales, 128));
  }
  /// Element d of row r times its scale. The low half of a byte comes first. A block of 128 rows
  /// and 256 elements of K has 2048 bytes of scales, 512 for each 64 elements of K.
  double operator()(integer r, integer d) const {
    constexpr double magnitudes[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
    int const bits = all[r * (depth / 2) + d / 2].__x >> (d % 2 * 4);
    auto const byte = (r / 128 * steps + d / 256) * 2048 + d % 256 / 64 * 512 + r % 32 * 16 +
                      r % 128 / 32 * 4 + d % 64 / 16;
    return (bits & 8 ? -1 : 1) * magnitudes[bits & 7] * example::number(scale_factors[byte]);
  }
};
}  // namespace

int main(int argc, char** argv) {
  return example::run(
      argc, argv, {"nvfp4_gemm", {"rows", "columns", "depth"}, "136x264x1312"},
      [](example::problem& p) {
        auto const [rows, columns, depth] = p.size<3>();
        p.require(depth % 32 == 0,
                  "the depth must be a multiple of 32: TMA needs row strides that are multiples of "
                  "16 bytes");
        p.require(columns % 8 == 0,
                  "the number of columns must be a multiple of 8: C is stored 16 bytes at a time");
        float const alpha = 0.375f;
        operand const a{p, rows, depth, 1, 7}, b{p, columns, depth, 1 << 30, 11};
        auto const c = p.poisoned<bf16>({rows, columns});
        auto const multiply = [&, rows = rows, columns = columns] {
          example::launch(nvfp4_gemm,
                          {.grid = axe::grid_of<128, 256>(rows, columns),
                           .block = {192},
                           .shared = 4 * sizeof(stage)},
                          a.mapped<128>(), b.mapped<256>(), a.mapped_scales(), b.mapped_scales(),
                          alpha, product{c.data(), rows, columns}, static_cast<unsigned>(a.steps));
        };
        multiply();
        p.expect(
            "c", c,
            [&, columns = columns, depth = depth](integer at) {
              double sum = 0;
              for (integer d = 0; d < depth; ++d) sum += a(at / columns, d) * b(at % columns, d);
              return static_cast<float>(static_cast<double>(alpha) * sum);
            },
            {.relative = 1.0 / 256, .absolute = 1e-5 * std::sqrt(static_cast<double>(depth))},
            depth);
        example::measure(p, "nvfp4",
                         {.operations = 2 * static_cast<double>(rows * columns * depth)}, multiply);
      });
}
